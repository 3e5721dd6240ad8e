"""Reference terrain of an evaluation plan: level ground or a slope, with an obstacle for each node that crosses one.

To place an obstacle, the nodes before it are simulated. The obstacle is put ahead of the position that they reach, at a
distance that the node and its edge require.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.graph.ground import EVERYWHERE, take_off
from ctrlgraph.robustness.evaluation_plan import is_cyclic
from ctrlgraph.robustness.initial_state import Failed, InitialState
from ctrlgraph.terrain.course import Course
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.pieces import Piece
from ctrlgraph.terrain.terrain import LEVEL, words

if TYPE_CHECKING:
    from ctrlgraph.graph.ground import Interval, TakeOff
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment
    from ctrlgraph.simulation.environment import Environment

Reach = Callable[[tuple["Segment", ...], "Environment"], InitialState | Failed]
"""Simulates segments from the start pose in an environment, and returns the state at the end or the failure."""

PLACINGS = (
    (1 / 2, 1 / 2), (1 / 4, 2 / 3), (3 / 4, 1 / 9), (1 / 8, 4 / 9), (5 / 8, 7 / 9), (3 / 8, 2 / 9), (7 / 8, 5 / 9),
    (1 / 16, 8 / 9),
)  # fmt: skip
"""(size, distance) of obstacles as fractions of the ranges that node and edge require.

The first is the middle of the ranges. The others are a Halton sequence (bases 2 and 3). There are few, since each needs
a simulation of the nodes before the obstacle.
"""

_USUAL_SIZE = {ObstacleKind.RISE: 0.12, ObstacleKind.DROP: 0.12, ObstacleKind.GAP: 0.3, ObstacleKind.HURDLE: 0.15}
"""Default size of an obstacle, m."""
_USUAL_DISTANCE = 0.3
_RUN = 0.3
"""Depth of a stair, m."""
_STAIRS_A_CYCLE = 2
_MOST_STAIRS = 100
_PIT_M, _HURDLE_M = 1.0, 0.04
"""Depth of a gap and thickness of a hurdle, m."""
_TRIES = 4
"""Maximum number of attempts to place an obstacle. The character may react to the obstacle and approach it differently,
so it is placed again until it moves by at most `_PLACED_M` (m).
"""
_PLACED_M = 0.005


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Requirements for an obstacle that must lie ahead when a segment (node) of an evaluation plan begins."""

    number: int
    """Index of the segment in the plan, counted from the first segment of the setup."""
    ahead: TakeOff
    """Kinds, sizes and distances that the obstacle may have."""
    stairs: int
    """Number of stairs if the obstacle is a rise or a drop."""


def has_obstacles(graph: ControllerGraph, plan: EvaluationPlan) -> bool:
    """Return True if a node of a plan crosses an obstacle, or is entered by an edge that requires one ahead.

    Args:
        graph: Graph with the nodes.
        plan: Evaluation plan to inspect.
    """
    return bool(_wanted(graph, _segments(plan)))


def with_obstacles(
    graph: ControllerGraph, plan: EvaluationPlan, environment: Environment, reach: Reach, placing: int = 0
) -> Environment:
    """Return an environment with an obstacle before each node of a plan that crosses one.

    Before a gait that goes up or down, the obstacle is a flight of stairs. An environment is returned unchanged if its
    terrain is neither level ground nor a slope.

    Args:
        graph: Graph with the nodes.
        plan: Evaluation plan to run.
        environment: Environment to change.
        reach: Simulates the segments before an obstacle. If a segment fails, no further obstacles are placed.
        placing: Index in `PLACINGS` of the sizes and distances of the obstacles. 0: the middle of their ranges.
    """
    kind, _, degrees = environment.terrain.partition("=")
    if kind not in ("flat", "slope"):
        return environment
    rise, shares = math.tan(math.radians(float(degrees or 0.0))), PLACINGS[placing]
    segments = _segments(plan)
    pieces: tuple[Piece, ...] = ()
    for wanted in _wanted(graph, segments):
        placed = pieces
        for _ in range(_TRIES):
            entry = reach(segments[: wanted.number], _with(environment, placed, rise))
            if isinstance(entry, Failed):
                return _with(environment, placed, rise)
            piece = _obstacle(wanted, entry.state.x, pieces, placing, shares)
            if piece is None or (placed != pieces and abs(placed[-1].start - piece.start) <= _PLACED_M):
                break
            placed = (*pieces, piece)
        pieces = placed
    return _with(environment, pieces, rise)


def _segments(plan: EvaluationPlan) -> tuple[Segment, ...]:
    return (*plan.setup, *plan.test, *plan.recovery)


def _wanted(graph: ControllerGraph, segments: tuple[Segment, ...]) -> list[_Wanted]:
    found = []
    for number, (before, segment) in enumerate(itertools.pairwise(segments), start=1):
        if segment.edge is None and segment.node == before.node:
            continue  # it continues the same motion
        node = graph.node(segment.node)
        # a transition that is not learned yet has no edge
        edge = segment.edge or graph.planned_edge(before.node, node.name, LEVEL)
        ahead = take_off(EVERYWHERE if edge is None else edge.ground, node.obstacle)
        if ahead is None:
            continue
        found.append(_Wanted(number, ahead, _stairs(node, segments[number:])))
    return found


def _stairs(node: Node, segments: tuple[Segment, ...]) -> int:
    """Return the number of stairs to place before a node: as many obstacles as its conditions require, at least 1.

    A gait gets two for each cycle.

    Args:
        node: Node that crosses the stairs.
        segments: Segments of the plan from this node on. The first of them may all be of this node.
    """
    same = itertools.takewhile(lambda each: each.node == node.name, segments)
    cycles = max(node.cycles[1], sum(each.cycles for each in same))
    required = node.success.get("crossed", (1.0, 1.0))[0]
    if is_cyclic(node):
        return min(_STAIRS_A_CYCLE * cycles, _MOST_STAIRS)
    return min(max(math.ceil(required), 1), _MOST_STAIRS) if math.isfinite(required) else 1


def _obstacle(
    wanted: _Wanted, x: float, before: tuple[Piece, ...], placing: int, shares: tuple[float, float]
) -> Piece | None:
    """Return an obstacle that meets requirements, or None if no kind of obstacle can.

    Args:
        wanted: Requirements for the obstacle.
        x: Position from which the distance to the obstacle is measured, m.
        before: Obstacles that are already placed. The new one begins after them.
        placing: Number by which one of the possible kinds of obstacle is chosen in turn.
        shares: Size and distance of the obstacle as fractions of the required ranges.
    """
    kinds = [kind for kind, (low, high) in wanted.ahead.sizes.items() if low <= high]
    if not kinds:
        return None
    kind = kinds[placing % len(kinds)]
    size = round(_between(wanted.ahead.sizes[kind], _USUAL_SIZE[kind], shares[0]), 6)
    start = x + _between(wanted.ahead.distance, _USUAL_DISTANCE, shares[1])
    start = round(max(start, before[-1].start + before[-1].length) if before else start, 4)
    if kind is ObstacleKind.GAP:
        return Piece("gap", start, (size, _PIT_M))
    if kind is ObstacleKind.HURDLE:
        return Piece("hurdle", start, (size, _HURDLE_M))
    return Piece("stairs", start, (float(wanted.stairs), _RUN, size if kind is ObstacleKind.RISE else -size))


def _between(ends: Interval, usual: float, share: float) -> float:
    low, high = ends
    both = math.isfinite(low) and math.isfinite(high)
    return low + share * (high - low) if both else min(max(usual, low), high)


def _with(environment: Environment, pieces: tuple[Piece, ...], rise: float) -> Environment:
    """Return an environment with obstacles (`pieces`) on a ground that rises by `rise` metres per metre forward."""
    if not pieces:
        return environment
    course = Course(pieces)
    if rise == 0.0:
        return replace(environment, terrain=course.words)
    ground = course.terrain()
    points = np.column_stack([ground.x, ground.y + rise * ground.x])
    return replace(environment, terrain=f"heights={words(points.tolist())}")
