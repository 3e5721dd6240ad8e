"""What a new node is proposed to be, from how its script ended: success conditions, kind, timeout.

A proposal says what the completed runs have in common, with margins; whether that is what the motion is for is
its author's to judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ctrlgraph.graph.model import Node, NodeKind
from ctrlgraph.insertion.clustering import REST, SEATED, support
from ctrlgraph.insertion.probe import TerminalState
from ctrlgraph.simulation.measures import Conditions, broken
from ctrlgraph.simulation.outcome import Status

_TURN = 1.0  # rad: less is no turn worth a condition
_FLIGHT = 0.08  # s
_WAY = 0.2  # m
_PACE = 0.1  # m/s
_STILL = 0.1  # m: what a pose that is held may move
_LEAST_TIMEOUT = 5.0

Pick = Callable[[str], tuple[float, float]]


def propose_conditions(found: Sequence[TerminalState], node: Node) -> Conditions:
    """Success conditions that all of the endings meet with a margin; only those that mean something.

    Always the trunk's angle and the height of the centre of mass, where the ends agree on them; the speed and the
    contacts of an end at rest; the speed of a gait; the way, the turn and the flight of a motion that has them.
    """
    if not found:
        return {}

    def span(name: str) -> tuple[float, float]:
        values = [ending.measures[name] for ending in found]
        return min(values), max(values)

    conditions: Conditions = {}
    if span("torso")[1] - span("torso")[0] < 1.0:
        conditions["torso"] = _around(span("torso"), 0.3, 0.1)
    if span("com_height")[1] - span("com_height")[0] < 0.3:
        conditions["com_height"] = _around(span("com_height"), 0.08, 0.02)
    fastest = span("com_speed")[1]
    if fastest <= REST:
        conditions["com_speed"] = (0.0, max(0.1, _up(1.5 * fastest, 0.05)))
        # hands rest beside one who sits, and carry nothing
        seated = any(ending.end is not None and support(ending.end) == SEATED for ending in found)
        for name in ("feet_contact",) if seated else ("feet_contact", "hands_contact"):
            if all(name in ending.measures for ending in found) and span(name) == (2.0, 2.0):
                conditions[name] = (2.0, 2.0)
    if node.cycles[1] > 1:
        conditions |= _of_gait(span)
    elif not node.is_static:
        conditions |= _of_motion(span)
    return conditions


def _of_gait(span: Pick) -> Conditions:
    conditions: Conditions = {}
    if _one_way(span("speed"), _PACE):
        conditions["speed"] = _widened(span("speed"), 0.1)
    if span("flight_share")[0] >= 0.1:
        low, high = _widened(span("flight_share"), 0.05)
        conditions["flight_share"] = (low, min(high, 1.0))
    return conditions


def _of_motion(span: Pick) -> Conditions:
    conditions: Conditions = {}
    if _one_way(span("distance"), _WAY):
        conditions["distance"] = _widened(span("distance"), 0.1)
    if _one_way(span("turned"), _TURN) and span("turned")[1] - span("turned")[0] < 1.5:
        conditions["turned"] = _around(span("turned"), 0.5, 0.1)
    if span("flight")[0] >= _FLIGHT:
        conditions["flight"] = _widened(span("flight"), 0.02)
    return conditions


def _one_way(span: tuple[float, float], least: float) -> bool:
    """Whether all values have one sign and at least this size."""
    return span[0] >= least or span[1] <= -least


def _around(span: tuple[float, float], margin: float, step: float) -> tuple[float, float]:
    return _down(span[0] - margin, step), _up(span[1] + margin, step)


def _widened(span: tuple[float, float], step: float) -> tuple[float, float]:
    """From half the smallest size to one and a half times the largest."""
    low, high = span
    if low >= 0.0:
        return _down(0.5 * low, step), _up(1.5 * high, step)
    return _down(1.5 * low, step), _up(0.5 * high, step)


def _down(value: float, step: float) -> float:
    return round(step * math.floor(value / step + 1e-9), 9) + 0.0


def _up(value: float, step: float) -> float:
    return round(step * math.ceil(value / step - 1e-9), 9) + 0.0


def propose_kind(found: Sequence[TerminalState], success: Conditions) -> NodeKind:
    """Return static where most ends are at rest and the script, run again, keeps them so and succeeds again.

    A static pose has to hold once more from its own end, so that conditions on the way there (`max_com_height`) make
    a motion of it.
    """
    held = [
        ending.measures["com_speed"] <= REST and _holds_still(ending.again) and not broken(dict(ending.again), success)
        for ending in found
    ]
    return NodeKind.STATIC if 2 * sum(held) > len(held) else NodeKind.DYNAMIC


def _holds_still(again: Mapping[str, float]) -> bool:
    if not again:
        return False
    moved = max(abs(again["distance"]), again["max_com_height"] - again["min_com_height"])
    return moved <= _STILL and again["flight"] < _FLIGHT and again["com_speed"] <= REST


def propose_timeout(found: Sequence[TerminalState], node: Node) -> float:
    """Twice the longest duration for all cycles, in whole five seconds."""
    if not found:
        return node.timeout
    longest = max(ending.measures["duration"] / ending.cycles[1] for ending in found) * node.cycles[1]
    return max(_LEAST_TIMEOUT, _up(2.0 * longest, 5.0))


def judged(ending: TerminalState, success: Conditions) -> TerminalState:
    """Return an ending by conditions that were not known when it was run."""
    if not ending.completed:
        return ending
    faults = broken(dict(ending.measures), success)
    return replace(ending, status=Status.FAILED.value, reason=faults[0]) if faults else ending
