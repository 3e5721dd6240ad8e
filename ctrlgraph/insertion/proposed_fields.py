"""Fields of a new node that are proposed from its terminal states: success conditions, kind and timeout.

Proposed conditions contain what the completed probe rollouts have in common, with margins. The author of the script
decides whether that is the purpose of the motion.
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

_TURN = 1.0  # minimum rotation for a condition, rad
_FLIGHT = 0.08  # s
_WAY = 0.2  # m
_PACE = 0.1  # m/s
_STILL = 0.1  # maximum displacement of a static pose, m
_LEAST_TIMEOUT = 5.0

Pick = Callable[[str], tuple[float, float]]


def propose_conditions(found: Sequence[TerminalState], node: Node) -> Conditions:
    """Return success conditions that all given terminal states meet with a margin.

    - Trunk angle and height of the centre of mass, if the terminal states agree on them.
    - Speed of the centre of mass, and contacts of feet and hands, if all terminal states are at rest.
    - For a gait: mean speed, and share of flight.
    - For other dynamic motions: distance, rotation and flight, if all rollouts have them.

    Args:
        found: Terminal states of the intended cluster.
        node: The candidate.
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
        # in a sitting pose, hands touch the ground without supporting
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
    """Return True if all values have one sign and at least this magnitude."""
    return span[0] >= least or span[1] <= -least


def _around(span: tuple[float, float], margin: float, step: float) -> tuple[float, float]:
    return _down(span[0] - margin, step), _up(span[1] + margin, step)


def _widened(span: tuple[float, float], step: float) -> tuple[float, float]:
    """Return the range from 0.5 times the smallest to 1.5 times the largest magnitude, rounded outwards.

    Args:
        span: Minimum and maximum, with the same sign.
        step: Step of the rounding.
    """
    low, high = span
    if low >= 0.0:
        return _down(0.5 * low, step), _up(1.5 * high, step)
    return _down(1.5 * low, step), _up(0.5 * high, step)


def _down(value: float, step: float) -> float:
    return round(step * math.floor(value / step + 1e-9), 9) + 0.0


def _up(value: float, step: float) -> float:
    return round(step * math.ceil(value / step - 1e-9), 9) + 0.0


def propose_kind(found: Sequence[TerminalState], success: Conditions) -> NodeKind:
    """Return the kind of a node: static if, after most rollouts, a second run stays at rest and succeeds.

    The second run starts from the terminal state of the first run. A node with conditions on the way to its end, such
    as `max_com_height`, is therefore dynamic.

    Args:
        found: Terminal states of the intended cluster.
        success: Success conditions of the node.
    """
    still = [
        ending.measures["com_speed"] <= REST and _holds_still(ending.again) and not broken(dict(ending.again), success)
        for ending in found
    ]
    return NodeKind.STATIC if 2 * sum(still) > len(still) else NodeKind.DYNAMIC


def _holds_still(again: Mapping[str, float]) -> bool:
    if not again:
        return False
    moved = max(abs(again["distance"]), again["max_com_height"] - again["min_com_height"])
    return moved <= _STILL and again["flight"] < _FLIGHT and again["com_speed"] <= REST


def propose_timeout(found: Sequence[TerminalState], node: Node) -> float:
    """Return a timeout: twice the longest duration of the maximum number of cycles, rounded up to a multiple of 5 s.

    Without terminal states, it is the timeout of the node.

    Args:
        found: Terminal states of the intended cluster.
        node: The candidate.
    """
    if not found:
        return node.timeout
    longest = max(ending.measures["duration"] / ending.cycles[1] for ending in found) * node.cycles[1]
    return max(_LEAST_TIMEOUT, _up(2.0 * longest, 5.0))


def evaluated_by(ending: TerminalState, success: Conditions) -> TerminalState:
    """Return a terminal state as failed if it does not meet success conditions, otherwise unchanged.

    Args:
        ending: Terminal state to evaluate.
        success: Success conditions.
    """
    if not ending.completed:
        return ending
    faults = broken(dict(ending.measures), success)
    return replace(ending, status=Status.FAILED.value, reason=faults[0]) if faults else ending
