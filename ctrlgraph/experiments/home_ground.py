"""The ground on which a plan is tried where none is asked for: level, or a slope, but with an obstacle before each node
that goes over one.

Where an obstacle has to be is only known by simulating what leads there: the way in ends as far before it as the edge
and its node say.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.experiments.evaluation_plan import is_cyclic
from ctrlgraph.experiments.initial_state import Failed, InitialState
from ctrlgraph.graph.ground import EVERYWHERE, take_off
from ctrlgraph.terrain.course import Course
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.pieces import Piece
from ctrlgraph.terrain.profile import LEVEL, words

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment
    from ctrlgraph.graph.ground import Interval, TakeOff
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.simulation.environment import Environment

Reach = Callable[[tuple["Segment", ...], "Environment"], InitialState | Failed]
"""Simulates segments from the start pose in a world."""

PLACINGS = (
    (1 / 2, 1 / 2), (1 / 4, 2 / 3), (3 / 4, 1 / 9), (1 / 8, 4 / 9), (5 / 8, 7 / 9), (3 / 8, 2 / 9), (7 / 8, 5 / 9),
    (1 / 16, 8 / 9),
)  # fmt: skip
"""Sizes and distances of obstacles, as shares of the ranges that they are for: the middle, and then a Halton sequence
(bases 2 and 3). So few, since each is a world of its own in which the way in has to be simulated."""

_USUAL_SIZE = {ObstacleKind.RISE: 0.12, ObstacleKind.DROP: 0.12, ObstacleKind.GAP: 0.3, ObstacleKind.HURDLE: 0.15}
"""Of an obstacle where the graph does not say, m."""
_USUAL_DISTANCE = 0.3
_RUN = 0.3
"""Of a stair, m."""
_STAIRS_A_CYCLE = 2
_MOST_STAIRS = 100
_PIT_M, _HURDLE_M = 1.0, 0.04
"""How deep a gap is, and how thick a hurdle."""
_TRIES = 4
"""What leads to an obstacle may see it, and end elsewhere than without it: so often it is put anew at most, until it is
within `_PLACED_M` of where it belongs."""
_PLACED_M = 0.005


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What has to lie ahead where segment `number` of a plan begins; stairs: how many steps a rise or drop has."""

    number: int
    ahead: TakeOff
    stairs: int


def goes_over_obstacles(graph: ControllerGraph, way: EvaluationPlan) -> bool:
    """Tell whether a plan has a node that is entered before an obstacle."""
    return bool(_wanted(graph, _segments(way)))


def home_ground(
    graph: ControllerGraph, way: EvaluationPlan, environment: Environment, reach: Reach, placing: int = 0
) -> Environment:
    """Return the world with an obstacle before each node of a plan that goes over one; the world itself without such.

    A gait that goes up or down gets a flight of stairs. What is said of the ground wins: but for level ground and a
    slope, on which the obstacles are put, a world stays as it is.

    Args:
        reach: simulates the way to an obstacle. Where it fails, nothing is put up behind that.
        placing: which of `PLACINGS`; 0 is the middle of sizes and distances.
    """
    kind, _, degrees = environment.terrain.partition("=")
    if kind not in ("flat", "slope"):
        return environment
    rise, shares = math.tan(math.radians(float(degrees or 0.0))), PLACINGS[placing]
    segments = _segments(way)
    pieces: tuple[Piece, ...] = ()
    for wanted in _wanted(graph, segments):
        placed = pieces
        for _ in range(_TRIES):
            entry = reach(segments[: wanted.number], _with(environment, placed, rise))
            if isinstance(entry, Failed):
                return _with(environment, placed, rise)
            piece = _obstacle(wanted, float(entry.state.kinematics.com[0]), pieces, placing, shares)
            if piece is None or (placed != pieces and abs(placed[-1].start - piece.start) <= _PLACED_M):
                break
            placed = (*pieces, piece)
        pieces = placed
    return _with(environment, pieces, rise)


def _segments(way: EvaluationPlan) -> tuple[Segment, ...]:
    return (*way.setup, *way.test, *way.recovery)


def _wanted(graph: ControllerGraph, segments: tuple[Segment, ...]) -> list[_Wanted]:
    found = []
    for number, (before, segment) in enumerate(itertools.pairwise(segments), start=1):
        if segment.edge is None and segment.node == before.node:
            continue  # it goes on with what it does
        node = graph.node(segment.node)
        # a transition that is to be learned has no edge of its own yet
        edge = segment.edge or graph.planned_edge(before.node, node.name, LEVEL)
        ahead = take_off(EVERYWHERE if edge is None else edge.ground, node.obstacle)
        if ahead is None:
            continue
        found.append(_Wanted(number, ahead, _stairs(node, segments[number:])))
    return found


def _stairs(node: Node, segments: tuple[Segment, ...]) -> int:
    """How many steps a node may take that begins with the first of these segments."""
    same = itertools.takewhile(lambda each: each.node == node.name, segments)
    cycles = max(node.cycles[1], sum(each.cycles for each in same))
    return min(_STAIRS_A_CYCLE * cycles, _MOST_STAIRS) if is_cyclic(node) else 1


def _obstacle(
    wanted: _Wanted, x: float, before: tuple[Piece, ...], placing: int, shares: tuple[float, float]
) -> Piece | None:
    """What an edge wants ahead of x (m), behind the pieces before; None where no obstacle is all that it asks for.

    Of several kinds that it is for, the placings take turns.
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
    """The world with these pieces on its ground, which rises by so much a metre."""
    if not pieces:
        return environment
    course = Course(pieces)
    if rise == 0.0:
        return replace(environment, terrain=course.words)
    ground = course.terrain()
    points = np.column_stack([ground.x, ground.y + rise * ground.x])
    return replace(environment, terrain=f"heights={words(points.tolist())}")
