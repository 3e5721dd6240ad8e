"""Reference terrain of a plan: level ground or a slope, with an obstacle before each node that goes over one.

The approach to an obstacle is simulated. The obstacle is then put at the distance that edge and node require.
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
"""Simulates segments from the start pose in an environment."""

PLACINGS = (
    (1 / 2, 1 / 2), (1 / 4, 2 / 3), (3 / 4, 1 / 9), (1 / 8, 4 / 9), (5 / 8, 7 / 9), (3 / 8, 2 / 9), (7 / 8, 5 / 9),
    (1 / 16, 8 / 9),
)  # fmt: skip
"""Sizes and distances of obstacles, as fractions of their ranges: the middle, then a Halton sequence (bases 2 and 3).
Their number is limited, since each needs a simulation of the approach.
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
"""Maximum number of placements of an obstacle. The approach may react to it and end elsewhere, until it is within
`_PLACED_M` of the required position.
"""
_PLACED_M = 0.005


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An obstacle that has to lie ahead of a segment."""

    number: int
    """Index of the segment."""
    ahead: TakeOff
    stairs: int
    """Number of steps of a rise or drop."""


def has_obstacles(graph: ControllerGraph, plan: EvaluationPlan) -> bool:
    """Return True if a plan has a node that is entered before an obstacle.

    Args:
        graph: Graph with the nodes.
        plan: Plan to inspect.
    """
    return bool(_wanted(graph, _segments(plan)))


def with_obstacles(
    graph: ControllerGraph, plan: EvaluationPlan, environment: Environment, reach: Reach, placing: int = 0
) -> Environment:
    """Return an environment with an obstacle before each node of a plan that goes over one.

    A gait that goes up or down gets a flight of stairs. An environment with a terrain other than level ground or a
    slope is unchanged.

    Args:
        graph: Graph with the nodes.
        plan: Plan to run.
        environment: Environment to change.
        reach: Simulates the approach. If it fails, no further obstacles are placed.
        placing: Index in `PLACINGS`. 0 is the middle of sizes and distances.
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
    """Return how many steps the node of the first of these segments may take."""
    same = itertools.takewhile(lambda each: each.node == node.name, segments)
    cycles = max(node.cycles[1], sum(each.cycles for each in same))
    return min(_STAIRS_A_CYCLE * cycles, _MOST_STAIRS) if is_cyclic(node) else 1


def _obstacle(
    wanted: _Wanted, x: float, before: tuple[Piece, ...], placing: int, shares: tuple[float, float]
) -> Piece | None:
    """Return the obstacle that an edge requires ahead of x (m), or None if no obstacle meets its requirements.

    Placements take turns among the kinds of obstacles.
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
    """Return an environment with obstacles on its ground."""
    if not pieces:
        return environment
    course = Course(pieces)
    if rise == 0.0:
        return replace(environment, terrain=course.words)
    ground = course.terrain()
    points = np.column_stack([ground.x, ground.y + rise * ground.x])
    return replace(environment, terrain=f"heights={words(points.tolist())}")
