"""Time of a simulation step, measured on nodes of a graph."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project

NODES = ("walk", "hop", "stand")
"""Default nodes: a gait, a stunt and a pose of the shipped humanoid."""

FIRST = 3
"""Number of nodes measured in graphs without the default nodes."""

# Cycles of a node that must not end during the measurement.
_MANY_CYCLES = 10**6


@dataclass(frozen=True, slots=True)
class Timing:
    """Timing of a node; medians over the repetitions."""

    node: str
    steps: int
    repetitions: int
    step_us: float
    """Wall time of a step with control, collision, engine and recording, us."""
    realtime: float
    """Simulated seconds per wall second."""

    def as_dict(self) -> dict[str, Any]:
        """Return the timing as JSON data."""
        return asdict(self)


def benchmark(
    project: Project,
    nodes: Sequence[str],
    *,
    seconds: float = 10.0,
    repetitions: int = 15,
    engine: str = DEFAULT_ENGINE,
    settings: WorldSettings | None = None,
    on_node: Callable[[str], None] = lambda name: None,
) -> list[Timing]:
    """Return the timings of nodes, each from the state in which the graph's start node ends.

    Args:
        project: The project of the nodes.
        nodes: Names of the nodes.
        seconds: Maximum simulated time of a run, s.
        repetitions: Number of repetitions, after one that is not counted.
        engine: Name of the engine.
        settings: Settings of the engine.
        on_node: Called with the name of each node before it is measured.

    Raises:
        CtrlGraphError: A node does not exist, or ends before its first step.
    """
    chosen = [project.graph.node(name) for name in nodes]  # report an unknown node before any is measured
    timings = []
    for node in chosen:
        on_node(node.name)
        # gaits and poses last for the whole measurement, stunts run once
        cycles = 1 if not node.is_static and node.cycles == (1, 1) else _MANY_CYCLES
        with Simulation(project.character, engine=engine, settings=settings) as simulation:
            simulation.run(project.program(project.graph.start))
            dt = simulation.settings.dt
            rollout = Rollout(project.program(node), cycles, seconds)
            runs = [_run(simulation, rollout) for _ in range(repetitions + 1)][1:]
        steps = runs[0][0]
        if steps == 0:
            raise CtrlGraphError(f"{node.name} ends before its first time step, so it cannot be timed")
        step_s = statistics.median(wall for _, wall in runs) / steps
        timings.append(Timing(node.name, steps, repetitions, 1e6 * step_s, dt / step_s))
    return timings


def _run(simulation: Simulation, rollout: Rollout) -> tuple[int, float]:
    """Run a rollout and return to the state before it; return its steps and its wall time, s."""
    start, dt = simulation.snapshot(), simulation.settings.dt
    execution = simulation.begin(rollout)
    began = perf_counter()
    simulation.advance(execution, round(rollout.timeout / dt))
    wall = perf_counter() - began
    steps = round(simulation.time / dt) - start.step
    simulation.restore(start)
    return steps, wall


def default_nodes(graph: ControllerGraph) -> tuple[str, ...]:
    """Return the nodes of `NODES` that a graph has, or its first nodes if it has none of them."""
    return tuple(name for name in NODES if name in graph) or tuple(graph.nodes)[:FIRST]
