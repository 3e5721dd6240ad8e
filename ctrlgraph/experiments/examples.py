"""Examples of a node's motion: entered from each of its usual predecessors, as the graph has it.

What goes over an obstacle has one put before it: of the middle of the sizes that it is for, at the middle of the
distances.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.experiments.evaluation_plan import ARROW, EvaluationPlan, Segment, evaluation_plan, is_cyclic
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.experiments.noise import trial_seed
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.simulation.measures import Motion
from ctrlgraph.simulation.rollout import run_rollout
from ctrlgraph.terrain.course import Course
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.pieces import Piece
from ctrlgraph.terrain.profile import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Begun, Evaluator
    from ctrlgraph.graph.ground import Interval, TakeOff
    from ctrlgraph.graph.model import ControllerGraph, Edge
    from ctrlgraph.simulation.outcome import Outcome

NOISE = 0.02
"""Start-state noise of all examples of an entry but the first."""

_USUAL_SIZE = {ObstacleKind.RISE: 0.12, ObstacleKind.DROP: 0.12, ObstacleKind.GAP: 0.3, ObstacleKind.HURDLE: 0.15}
"""Of an obstacle where the graph does not say, m."""
_USUAL_DISTANCE = 0.3
_RUN = 0.3
"""Of a stair, m."""
_PLACINGS = 4
"""What leads to an obstacle may see it, and end elsewhere than without it: so often it is put anew at most, until it is
within `_PLACED_M` of where it belongs."""
_PLACED_M = 0.005


def entries(graph: ControllerGraph, name: str) -> list[EvaluationPlan]:
    """Return the ways in which a node is usually begun on level ground, but for obstacles: one for each node from which
    an edge that is planned there leads to it; that from the start pose for one that no such edge leads to."""
    level = [edge for edge in graph.edges if edge.planned and edge.target == name and _is_level(edge)]
    reachable = graph.shortest_paths(graph.start, LEVEL)
    sources = dict.fromkeys(edge.source for edge in level if edge.source in reachable and edge.source != name)
    targets = [f"{source}{ARROW}{name}" for source in sources] or ([name] if name in reachable else [])
    return [replace(evaluation_plan(graph, target, preview=LEVEL), recovery=()) for target in targets]


def starts(evaluator: Evaluator, way: EvaluationPlan, trials: int, seed: int) -> Iterator[tuple[Begun | Failed, int]]:
    """Return so many examples of an entry where they begin, each with the cycles that it is to do.

    The first is undisturbed and does the node's least number of cycles; the others have noise before the entry, and
    cycles drawn from the node's range. What one gives depends on its number and the seed alone.
    """
    level, node = usual_world(evaluator, way), evaluator.project.graph.node(way.test[-1].node)
    for index in range(trials):
        rng = np.random.default_rng(trial_seed(seed, way.target, (), index))
        cycles = node.cycles[0] if index == 0 else int(rng.integers(node.cycles[0], node.cycles[1], endpoint=True))
        yield evaluator.begin(way, replace(level, noise=NOISE if index else 0.0), rng), cycles


def usual_world(evaluator: Evaluator, way: EvaluationPlan) -> Perturbations:
    """Return no perturbation, but a course with an obstacle before each node of the way in that goes over one.

    Where it has to be is only known by simulating what leads there. A gait that goes up or down gets a flight.
    """
    world, segments = Perturbations.of(evaluator.project), (*way.setup, *way.test)
    pieces: tuple[Piece, ...] = ()
    for number, segment in enumerate(segments):
        wanted = None if segment.edge is None else evaluator.project.graph.take_off(segment.edge)
        if number == 0 or wanted is None:
            continue
        placed = pieces
        for _ in range(_PLACINGS):
            entry = evaluator.entry(replace(way, setup=segments[:number]), _on(world, placed).environment)
            if isinstance(entry, Failed):
                return _on(world, placed)
            piece = _obstacle(evaluator.project.graph, segment, wanted, float(entry.state.kinematics.com[0]), pieces)
            if piece is None or (placed != pieces and abs(placed[-1].start - piece.start) <= _PLACED_M):
                break
            placed = (*pieces, piece)
        pieces = placed
    return _on(world, pieces)


def _on(world: Perturbations, pieces: tuple[Piece, ...]) -> Perturbations:
    return replace(world, terrain=Course(pieces).words) if pieces else world


def _obstacle(
    graph: ControllerGraph, segment: Segment, wanted: TakeOff, x: float, before: tuple[Piece, ...]
) -> Piece | None:
    """What an edge wants ahead of x (m), behind the pieces before; None where no obstacle is all that it asks for."""
    kind = next((kind for kind, (low, high) in wanted.sizes.items() if low <= high), None)
    if kind is None:
        return None
    size, node = _middle(wanted.sizes[kind], _USUAL_SIZE[kind]), graph.node(segment.node)
    start = x + _middle(wanted.distance, _USUAL_DISTANCE)
    start = round(max(start, before[-1].start + before[-1].length) if before else start, 4)
    if kind is ObstacleKind.GAP:
        return Piece("gap", start, (size, 1.0))
    if kind is ObstacleKind.HURDLE:
        return Piece("hurdle", start, (size, 0.04))
    count = 2.0 * node.cycles[1] if is_cyclic(node) else 1.0
    return Piece("stairs", start, (min(count, 100.0), _RUN, size if kind is ObstacleKind.RISE else -size))


def _middle(ends: Interval, usual: float) -> float:
    low, high = ends
    return (low + high) / 2.0 if math.isfinite(low) and math.isfinite(high) else min(max(usual, low), high)


def _is_level(edge: Edge) -> bool:
    return LEVEL in edge.ground.without_obstacles


def run_example(evaluator: Evaluator, begun: Begun, cycles: int) -> Outcome:
    """Run an example from where it begins, judged by its node's conditions."""
    (segment,), simulation = begun.way.test, begun.simulation
    return run_rollout(simulation, evaluator.project.rollout(segment.edge, segment.node, cycles, simulation.preview))


def motion_of(begun: Begun) -> Motion:
    """Return the motion of an example that has run."""
    simulation = begun.simulation
    trace = simulation.last_trace.without_repeats()
    return Motion(trace, simulation.character, simulation.terrain, simulation.settings.gravity)
