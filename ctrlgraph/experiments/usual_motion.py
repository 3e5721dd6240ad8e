"""The usual motion of a node: come to over planned edges from the start pose, as a walk would, and run once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.phases import PhaseStart, phase_starts
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.signals import SignalRecorder, Signals
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.terrain.profile import LEVEL, Terrain

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation


Visited = dict[tuple[Any, ...], tuple[Snapshot, tuple[float, ...]]]
"""States in which paths have ended, and when their nodes began (s), by world and path."""


@dataclass(frozen=True)
class UsualMotion:
    """A node's motion, and how it came about.

    path: the nodes that ran, the last of them is the one that is shown; began: when each of them began, s on the clock
    of the trace, which has all of them; phases, outcome: of the last one; signals: of its beginning, from 0 s on, where
    they were asked for.
    """

    path: tuple[str, ...]
    began: tuple[float, ...]
    trace: Trace
    phases: tuple[PhaseStart, ...]
    outcome: Outcome
    character: Character
    terrain: Terrain
    signals: Signals | None = None


def usual_path(graph: ControllerGraph, node: str, source: str | None) -> list[Edge] | None:
    """Planned edges from the start to `node`, by way of `source` where that is possible, else the shortest.

    None where no planned edges lead there; empty for the start node itself without a source.
    """
    planned = graph.planned_graph
    wanted = source if source is not None and planned.has_edge(source, node) else None
    if wanted is None and node != graph.start:
        incoming = [edge.source for edge in graph.edges if edge.planned and edge.target == node]
        lengths = nx.single_source_dijkstra_path_length(planned, graph.start, weight="length")
        reachable = [name for name in incoming if name in lengths]
        if not reachable:
            return None
        wanted = min(reachable, key=lambda name: (lengths[name], incoming.index(name)))
    if wanted is None:
        return []
    try:
        names = [*nx.shortest_path(planned, graph.start, wanted, weight="length"), node]
    except nx.NetworkXNoPath:
        return None
    edges = (graph.planned_edge(a, b, LEVEL) for a, b in itertools.pairwise(names))
    return [edge for edge in edges if edge is not None]


def usual_motion(
    project: Project,
    node: str,
    world: Environment,
    *,
    source: str | None = None,
    seed: int = 0,
    signals: tuple[float, float] | None = None,
    visited: Visited | None = None,
) -> UsualMotion | None:
    """Return the motion of a node; None where no planned edges lead to it, or what comes before it diverges.

    The nodes before it run for their least cycles, and the path goes on even if one of them fails its conditions: what
    is shown is what the node does then. A node that goes over an obstacle has one before it (`home_ground`).

    Args:
        source: the node that it comes after, where an edge leads from there.
        signals: how many samples a second are recorded of its signals, and for how long (s); none without it.
        visited: where motions with this seed have come to, for the beginnings that paths share; it gets where this one
            comes to. The trace then begins with what was simulated for this motion, the node itself at the latest.
    """
    path = usual_path(project.graph, node, source)
    if path is None:
        return None
    world = _home(project, node, path, world)
    began: list[float] = []
    recorder: SignalRecorder | None = None
    with world.simulation(project.character, seed) as simulation:
        steps: list[tuple[str, Edge | None]] = [(project.graph.start, None), *((edge.target, edge) for edge in path)]
        known = {} if visited is None else visited
        keys = [(world.digest, *steps[: i + 1]) for i in range(len(steps))]
        done = next((i for i in reversed(range(1, len(steps))) if keys[i - 1] in known), 0)
        if done:
            snapshot, earlier = known[keys[done - 1]]
            simulation.restore(snapshot)
            began += earlier
        for key, (name, edge) in list(zip(keys, steps, strict=True))[done:]:
            began.append(simulation.time)
            if signals is not None and len(began) == len(steps):
                recorder = SignalRecorder(simulation, signals[0], project.relative, (0.0, signals[1]))
                recorder.begin(name, 0.0)
            outcome, phases = _run(project, simulation, name, edge, world.body.length)
            if outcome.status is not Status.DIVERGED:
                known[key] = simulation.snapshot(), tuple(began)
            elif len(began) < len(steps):
                return None
        names = tuple(name for name, _ in steps)
        character, terrain = simulation.character, simulation.terrain
        recorded = None if recorder is None else recorder.signals()
        return UsualMotion(names, tuple(began), simulation.trace, phases, outcome, character, terrain, recorded)


def _home(project: Project, node: str, path: Sequence[Edge], world: Environment) -> Environment:
    """The world with the obstacles that the path goes over."""
    graph = project.graph
    first = Segment(graph.start, None, graph.node(graph.start).cycles[0])
    *before, last = (first, *(Segment(edge.target, edge, graph.node(edge.target).cycles[0]) for edge in path))
    with Evaluator(project) as evaluator:
        return evaluator.home(EvaluationPlan(node, tuple(before), (last,), (), False), world)


def _run(
    project: Project, simulation: Simulation, name: str, edge: Edge | None, length: float
) -> tuple[Outcome, tuple[PhaseStart, ...]]:
    cycles = project.graph.node(name).cycles[0]
    rollout = project.rollout(edge, name, cycles, simulation.preview, length=length)
    outcome = run_rollout(simulation, rollout)
    return outcome, phase_starts(simulation.last_trace, rollout.controller)
