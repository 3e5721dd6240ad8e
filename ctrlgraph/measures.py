"""Quantities that success conditions and reports speak of, computed from a trace."""

from __future__ import annotations

Conditions = dict[str, tuple[float, float]]

MEASURES: dict[str, str] = {
    "torso": "global angle of the upper torso at the end, wrapped to (-pi, pi], rad",
    "pelvis": "global angle of the pelvis at the end, wrapped, rad",
    "com_height": "height of the centre of mass above the terrain below it at the end, m",
    "com_speed": "speed of the centre of mass at the end, m/s",
    "head_height": "height of the head's centre above the terrain below it at the end, m",
    "feet_distance": "horizontal distance between the feet at the end, m",
    "feet_contact": "number of feet in contact at the end",
    "hands_contact": "number of hands in contact at the end",
    "duration": "simulated time, s",
    "distance": "horizontal way of the centre of mass, m (forward positive)",
    "speed": "distance over duration, m/s",
    "turned": "rotation of the upper torso from start to end, unwrapped, rad (forward positive)",
    "flight": "longest time with no link in contact, s",
    "flight_turned": "rotation of the upper torso while both feet are off the ground around the longest flight, rad",
    "flight_share": "share of the time with no link in contact, 0 to 1",
    "max_com_height": "greatest height of the centre of mass, m",
    "min_com_height": "least height of the centre of mass, m",
    "max_torso": "greatest wrapped upper torso angle, rad",
    "min_torso": "least wrapped upper torso angle, rad",
    "trunk_contact": "share of the time with head, neck, torso or pelvis in contact, 0 to 1",
}

# What can be watched while a controller runs: leaving the range stops it at once, as failed.
BOUNDS: dict[str, str] = {
    "torso": "wrapped global angle of the upper torso, rad",
    "com_height": "height of the centre of mass above the terrain below it, m",
}
