"""Quantities that success conditions and reports speak of, computed from a trace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.trace import Trace
    from ctrlgraph.terrain.profile import Terrain

import numpy as np

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
    "shins_contact": "number of shins (the knees with them) in contact at the end",
    "duration": "simulated time, s",
    "distance": "horizontal way of the centre of mass, m (forward positive)",
    "speed": "distance over duration, m/s",
    "turned": "rotation of the upper torso from start to end, unwrapped, rad (forward positive)",
    "flight": "longest time with no link in contact, s",
    "flight_turned": "rotation of the upper torso while both feet are off the ground around the longest flight, rad",
    "flight_share": "share of the time with no link in contact, 0 to 1",
    "hop_share": "share of the flights of 0.05 s and more that end on the one foot that they began on, 0 to 1",
    "hands_support": "longest time with a hand and no foot in contact, s",
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

END_S = 0.05
"""Contacts at the end are those of so long before it, s: a foot that stands still may lose touch for a single step."""

# A shorter time with no link in contact is a foot that scrapes, no flight that says how one goes, s.
_LEAST_FLIGHT = 0.05


def measure(trace: Trace, character: Character, terrain: Terrain) -> dict[str, float]:
    """Every measure of `MEASURES` for a trace; empty where the trace is.

    Sampled quantities (flight, extremes) are as fine as the trace's sampling.
    """
    if len(trace) == 0:
        return {}
    values = _at_end(trace, character, terrain)
    values |= _over_course(trace, character, terrain)
    return values


def broken(values: dict[str, float], conditions: Conditions) -> list[str]:
    """The conditions that do not hold, each as a sentence."""
    sentences = []
    for name, (lower, upper) in conditions.items():
        value = values.get(name, math.nan)
        if not value >= lower:
            sentences.append(f"{name} {value:.3g} is below {lower:g}")
        elif not value <= upper:
            sentences.append(f"{name} {value:.3g} is above {upper:g}")
    return sentences


def _wrap(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(-((-angle + np.pi) % (2 * np.pi) - np.pi))


def _columns(character: Character, names: Sequence[str]) -> list[int]:
    return [i for i in (character.link_index(name) for name in names) if i is not None]


def _trunk(character: Character) -> int:
    index = character.link_index("uTorso")
    return character.root if index is None else index


def _at_end(trace: Trace, character: Character, terrain: Terrain) -> dict[str, float]:
    feet, hands = _columns(character, ("rFoot", "lFoot")), _columns(character, ("rHand", "lHand"))
    shins = _columns(character, ("rShin", "lShin"))
    head = (_columns(character, ("head",)) or [_trunk(character)])[0]
    x, y = trace.com[-1]
    head_x, head_y = trace.position[-1, head]
    wrapped = _wrap(trace.angle[-1])
    return {
        "torso": float(wrapped[_trunk(character)]),
        "pelvis": float(wrapped[character.root]),
        "com_height": float(y - terrain.height(x)),
        "com_speed": float(np.hypot(*trace.com_velocity[-1])),
        "head_height": float(head_y - terrain.height(head_x)),
        "feet_distance": float(np.ptp(trace.position[-1, feet, 0])) if feet else 0.0,
        "feet_contact": _touching(trace, feet),
        "hands_contact": _touching(trace, hands),
        "shins_contact": _touching(trace, shins),
    }


def _touching(trace: Trace, links: list[int]) -> float:
    """How many links are in contact at the end: in more than half of the samples of the last `END_S`."""
    late = trace.time >= trace.time[-1] - END_S
    return float((trace.contact[late][:, links].mean(axis=0) > 0.5).sum())


def _over_course(trace: Trace, character: Character, terrain: Terrain) -> dict[str, float]:
    feet, hands = _columns(character, ("rFoot", "lFoot")), _columns(character, ("rHand", "lHand"))
    trunk = _trunk(character)
    torso = trace.angle[:, trunk]
    duration = float(trace.time[-1] - trace.time[0])
    distance = float(trace.com[-1, 0] - trace.com[0, 0])
    airborne: NDArray[np.bool_] = ~np.asarray(trace.contact.any(axis=1))
    flight = _longest_run(airborne)
    feet_off: NDArray[np.bool_] = ~np.asarray(trace.contact[:, feet].any(axis=1))
    turn_run = _run_around(feet_off, flight)
    on_hands = _longest_run(feet_off & np.asarray(trace.contact[:, hands].any(axis=1)))
    ground = (
        np.array([terrain.height(x) for x in trace.com[:, 0]])
        if len(terrain.x) > 2
        else np.interp(trace.com[:, 0], terrain.x, terrain.y)
    )
    height = trace.com[:, 1] - ground
    lying = _columns(character, ("head", "neck", "uTorso", "lTorso", "pelvis"))
    return {
        "duration": duration,
        "distance": distance,
        "speed": distance / duration if duration > 0 else 0.0,
        "turned": float(torso[-1] - torso[0]),
        "flight": _lasting(trace, flight),
        "flight_turned": float(torso[turn_run[1] - 1] - torso[turn_run[0]]) if turn_run[1] > turn_run[0] else 0.0,
        "flight_share": float(airborne.mean()),
        "hop_share": _hop_share(trace, airborne, feet),
        "hands_support": _lasting(trace, on_hands),
        "max_com_height": float(height.max()),
        "min_com_height": float(height.min()),
        "max_torso": float(_wrap(torso).max()),
        "min_torso": float(_wrap(torso).min()),
        "trunk_contact": float(trace.contact[:, lying].any(axis=1).mean()),
    }


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and end (exclusive) of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _longest_run(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """The longest run of True, the first of equal ones; (0, 0) where there is none."""
    return max(_runs(mask), key=lambda run: run[1] - run[0], default=(0, 0))


def _lasting(trace: Trace, run: tuple[int, int]) -> float:
    """Time from a run's first sample to its last, s."""
    return float(trace.time[run[1] - 1] - trace.time[run[0]]) if run[1] > run[0] else 0.0


def _hop_share(trace: Trace, airborne: NDArray[np.bool_], feet: list[int]) -> float:
    """Share of the flights that one foot begins and the same foot ends; 0 where there is no whole flight.

    A skip hops (1), a run leaps from one foot to the other (0), as does a jump with both feet.
    """
    flights = hops = 0
    for start, end in _runs(airborne):
        if start == 0 or end == len(airborne) or trace.time[end] - trace.time[start - 1] < _LEAST_FLIGHT:
            continue
        before, after = trace.contact[start - 1, feet], trace.contact[end, feet]
        flights += 1
        hops += bool(before.sum() == 1 and (before == after).all())
    return hops / flights if flights else 0.0


def _run_around(mask: NDArray[np.bool_], inner: tuple[int, int]) -> tuple[int, int]:
    """The run of True in `mask` that holds the run `inner`."""
    if inner[1] <= inner[0]:
        return 0, 0
    start, end = inner
    while start > 0 and mask[start - 1]:
        start -= 1
    while end < len(mask) and mask[end]:
        end += 1
    return start, end


# Measures that grow with the body: their ranges are scaled with it.
_LENGTHS = ("com_height", "head_height", "max_com_height", "min_com_height", "feet_distance")


def scaled_conditions(conditions: Conditions, length: float) -> Conditions:
    """Conditions for a body of other lengths: ranges of heights are scaled, the others stay."""
    return {
        name: (low * length, high * length) if name in _LENGTHS else (low, high)
        for name, (low, high) in conditions.items()
    }
