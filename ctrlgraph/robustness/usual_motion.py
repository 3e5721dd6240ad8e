"""The usual motion of a node: it follows a path of planned (naive or learned) edges from the start pose."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.recording.phases import PhaseStart, phase_starts
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.terrain.terrain import LEVEL, Terrain

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.project.project import Project


Visited = dict[tuple[Any, ...], tuple[Snapshot, tuple[float, ...]]]
"""Cache of simulated paths. A key is the digest of the environment and (node, edge into it) along the path from the
start node. A value is the state at the end of the path and the start time of each of its nodes, s.
"""


@dataclass(frozen=True)
class UsualMotion:
    """Recorded motion of a node that follows a path of other nodes from the start pose."""

    path: tuple[str, ...]
    """Names of the nodes from the start node to the node itself."""
    began: tuple[float, ...]
    """Start time of each node of `path`, s, on the clock of `trace`."""
    trace: Trace | SpatialTrace
    """Recorded motion of the node, and of the earlier nodes that were not restored from a cache."""
    phases: tuple[PhaseStart, ...]
    """Starts of the phases of the node's controller."""
    outcome: Outcome
    """Outcome of the node."""
    character: Character
    """Character of the simulation, with the scaled body of the environment."""
    terrain: Terrain
    """Terrain of the simulation, with the obstacles that nodes of the path cross."""
    signals: Signals | None = None
    """Signals of the node from its start, if requested."""


def usual_path(graph: ControllerGraph, node: str, source: str | None) -> list[Edge] | None:
    """Return the planned edges of a path from the start node to a node, or None if there is no path.

    The path of the start node itself is empty, unless `source` can be used.

    Args:
        graph: Graph with the node.
        node: Name of the node.
        source: Node from which the last edge of the path should come. It is used if it has a planned edge to the node.
            Otherwise, or if None, the path is the shortest.
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
    """Simulate the path to a node and the node itself, and return the motion.

    The result is None if no planned edges lead to the node, or if the simulation diverges before it.

    Every node of the path runs for its minimum number of cycles, even if a node before it failed its conditions.
    Obstacles are placed as by `with_obstacles`.

    Args:
        project: Project with the node.
        node: Name of the node.
        world: Environment without the obstacles.
        source: Node from which the last edge of the path should come (see `usual_path`).
        seed: Seed of the simulation.
        signals: Sampling rate, Hz, and duration, s, of the signals to record from the start of the node. None: no
            signals.
        visited: Cache of states at the ends of paths, all simulated with this seed. The simulation begins at the
            latest of these states on the path, and new states are added.
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
            cycles = project.graph.node(name).cycles[0]
            rollout = project.rollout(edge, name, cycles, simulation.preview, length=world.body.length)
            outcome = simulation.run_rollout(rollout)
            if outcome.status is not Status.DIVERGED:
                known[key] = simulation.snapshot(), tuple(began)
            elif len(began) < len(steps):
                return None
        names = tuple(name for name, _ in steps)
        phases = phase_starts(simulation.last_trace, rollout.controller)
        character, terrain = simulation.character, simulation.terrain
        recorded = None if recorder is None else recorder.signals()
        return UsualMotion(names, tuple(began), simulation.trace, phases, outcome, character, terrain, recorded)


def _home(project: Project, node: str, path: Sequence[Edge], world: Environment) -> Environment:
    """Return an environment with an obstacle before each node of a path that crosses one."""
    graph = project.graph
    first = Segment(graph.start, None, graph.node(graph.start).cycles[0])
    *before, last = (first, *(Segment(edge.target, edge, graph.node(edge.target).cycles[0]) for edge in path))
    with Evaluator(project) as evaluator:
        return evaluator.home(EvaluationPlan(node, tuple(before), (last,), (), False), world)
