"""Proposal of a new node's fields from the states in which its script ends: success conditions, kind and timeout.

Proposed conditions are ranges with margins around what the completed probe rollouts have in common. The author of the
script decides whether these ranges describe the purpose of the motion.
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

# minimum values of a measure for which a condition on it is proposed
_TURN = 1.0  # rotation, rad
_FLIGHT = 0.08  # duration of flight, s
_WAY = 0.2  # distance, m
_PACE = 0.1  # mean speed, m/s

_STILL = 0.1  # maximum displacement of a static pose, m
_LEAST_TIMEOUT = 5.0  # s

Pick = Callable[[str], tuple[float, float]]
"""Function that returns the minimum and the maximum of a measure over all rollouts, given the name of the measure."""


def propose_conditions(found: Sequence[TerminalState], node: Node) -> Conditions:
    """Propose success conditions that all given rollouts meet with a margin.

    - Trunk angle and height of the centre of mass, if they are similar at the end of all rollouts.
    - Speed of the centre of mass, and contacts of feet and hands, if the character is at rest at the end of all
      rollouts.
    - For a gait: mean speed, and share of the time without ground contact.
    - For other dynamic motions: distance, rotation and duration of flight, if they are large enough in all rollouts.

    Args:
        found: Terminal states of rollouts with the intended end. Empty: no condition is proposed.
        node: The candidate node.
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
    """Return True if all values have the same sign and at least a given magnitude.

    Args:
        span: Minimum and maximum of the values.
        least: Required magnitude.
    """
    return span[0] >= least or span[1] <= -least


def _around(span: tuple[float, float], margin: float, step: float) -> tuple[float, float]:
    return _down(span[0] - margin, step), _up(span[1] + margin, step)


def _widened(span: tuple[float, float], step: float) -> tuple[float, float]:
    """Widen a range: from half the smallest magnitude to 1.5 times the largest magnitude, rounded outwards.

    Args:
        span: Minimum and maximum, with the same sign.
        step: The ends of the result are multiples of this number.
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
    """Propose the kind of a node: static if most second runs, from the state at the end of a first run, hold still.

    A second run must also meet the success conditions. A node with a condition on the motion to its end, such as
    `max_com_height`, is therefore dynamic.

    Args:
        found: Terminal states of rollouts with the intended end, with the measures of the second runs.
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
    """Propose a timeout: twice the longest duration of the node's maximum number of cycles, up to a multiple of 5 s.

    Args:
        found: Terminal states of rollouts with the intended end. Empty: the result is the node's present timeout.
        node: The candidate node.
    """
    if not found:
        return node.timeout
    longest = max(ending.measures["duration"] / ending.cycles[1] for ending in found) * node.cycles[1]
    return max(_LEAST_TIMEOUT, _up(2.0 * longest, 5.0))


def evaluated_by(ending: TerminalState, success: Conditions) -> TerminalState:
    """Return the result of a rollout with the status "failed" if it violates success conditions, otherwise unchanged.

    Args:
        ending: Result of the rollout.
        success: Success conditions.
    """
    if not ending.completed:
        return ending
    faults = broken(dict(ending.measures), success)
    return replace(ending, status=Status.FAILED.value, reason=faults[0]) if faults else ending
