"""Measures of motions that exist only in space: attitude, heading and path. The decorator of a measure states its unit.

Measures that exist in the plane too are functions of a `BaseMotion` and stand in the modules of planar measures.
"""

from __future__ import annotations

import numpy as np

from ctrlgraph.simulation.measures.base_motion import wrapped
from ctrlgraph.simulation.measures.registry import register_in_space
from ctrlgraph.simulation.measures.spatial_motion import SpatialMotion


@register_in_space(unit="rad", sampled="end", course=lambda motion: motion.tilt)
def tilt(motion: SpatialMotion) -> float:
    """Return the angle between the trunk's upward axis and the vertical at the end, 0 to pi."""
    return float(motion.tilt[-1])


@register_in_space(unit="rad", sampled="end", circular=True)
def roll(motion: SpatialMotion) -> float:
    """Return the roll of the trunk at the end, positive if the left side is up, wrapped to (-pi, pi]."""
    return float(wrapped(motion.roll[-1:])[0])


@register_in_space(unit="rad", sampled="end")
def pitch(motion: SpatialMotion) -> float:
    """Return the pitch of the trunk at the end, positive if the front is down, -pi/2 to pi/2."""
    return float(motion.pitch[-1])


@register_in_space(unit="rad", sampled="end", circular=True)
def heading(motion: SpatialMotion) -> float:
    """Return the heading (yaw) of the trunk at the end, anticlockwise from the x axis, wrapped to (-pi, pi]."""
    return float(wrapped(motion.heading[-1:])[0])


@register_in_space(unit="rad", sampled="course")
def max_tilt(motion: SpatialMotion) -> float:
    """Return the greatest angle between the trunk's upward axis and the vertical, 0 to pi."""
    return float(motion.tilt.max())


@register_in_space(unit="rad", sampled="course")
def heading_drift(motion: SpatialMotion) -> float:
    """Return the change of the heading from start to end, unwrapped, positive to the left."""
    return float(motion.heading[-1] - motion.heading[0])


@register_in_space(unit="rad/s", sampled="course")
def turn_rate(motion: SpatialMotion) -> float:
    """Return the mean rate of turn: the change of the heading divided by duration, positive to the left."""
    return heading_drift(motion) / motion.duration if motion.duration > 0 else 0.0


@register_in_space(unit="m/s", sampled="course")
def forward_speed(motion: SpatialMotion) -> float:
    """Return the mean velocity of the centre of mass along the present heading."""
    return _mean_velocity(motion, 0)


@register_in_space(unit="m/s", sampled="course")
def lateral_speed(motion: SpatialMotion) -> float:
    """Return the mean velocity of the centre of mass across the present heading, positive to the left."""
    return _mean_velocity(motion, 1)


def _mean_velocity(motion: SpatialMotion, component: int) -> float:
    return float(motion.way[:, component].sum()) / motion.duration if motion.duration > 0 else 0.0


@register_in_space(unit="m", sampled="course")
def lateral_distance(motion: SpatialMotion) -> float:
    """Return the horizontal displacement of the centre of mass from start to end, across the heading at the start,
    positive to the left.
    """
    return float(motion.track[-1, 1])


@register_in_space(unit="m", sampled="course")
def path_deviation(motion: SpatialMotion) -> float:
    """Return the greatest horizontal distance of the centre of mass from the straight path, which is the line through
    its position at the start along the heading at the start.
    """
    return float(np.abs(motion.track[:, 1]).max())


@register_in_space(unit="m", sampled="course")
def path_length(motion: SpatialMotion) -> float:
    """Return the length of the horizontal path of the centre of mass."""
    return motion.travelled


@register_in_space(unit="m", sampled="course")
def climb(motion: SpatialMotion) -> float:
    """Return the change of the height of the ground below the centre of mass, with gaps and hurdles bridged."""
    (x, there), (y, across) = motion.trace.com[[0, -1], :2].T.tolist()
    ground = motion.terrain.bridged
    return ground.height(there, across) - ground.height(x, y)


@register_in_space(unit="m", sampled="course", needs={"feet": 2}, scales=True)
def foot_clearance(motion: SpatialMotion) -> float:
    """Return the greatest height of a foot's lowest point above the ground below it while another foot touches the
    ground.
    """
    feet = motion.links("feet")
    touching = motion.trace.contact[:, feet]
    others = touching.sum(axis=1, keepdims=True) > touching
    heights = np.stack([motion.clearances(foot) for foot in feet], axis=1)
    return float(np.max(heights, where=others, initial=0.0))
