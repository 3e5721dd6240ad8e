"""Measure the time of a simulation step on nodes of the shipped graph.

python benchmarks/step.py [NODE]... [--engine NAME] [--seconds S] [--repetitions N]
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph

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


def benchmark(
    project: Project,
    nodes: Sequence[str],
    *,
    seconds: float = 10.0,
    repetitions: int = 15,
    engine: str = DEFAULT_ENGINE,
    settings: WorldSettings | None = None,
) -> list[Timing]:
    """Return the timings of nodes, each from the state in which the graph's start node ends.

    Args:
        project: The project of the nodes.
        nodes: Names of the nodes.
        seconds: Maximum simulated time of a run, s.
        repetitions: Number of repetitions, after one that is not counted.
        engine: Name of the engine.
        settings: Settings of the engine.

    Raises:
        CtrlGraphError: A node does not exist, or ends before its first step.
    """
    chosen = [project.graph.node(name) for name in nodes]  # report an unknown node before any is measured
    timings = []
    for node in chosen:
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


def main() -> None:
    """Print the timings."""
    parser = argparse.ArgumentParser(description="Measure the time of a simulation step.")
    parser.add_argument("nodes", nargs="*", metavar="NODE", help=f"nodes of the shipped graph ({', '.join(NODES)})")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help=f"physics engine ({DEFAULT_ENGINE})")
    parser.add_argument("--seconds", type=float, default=10.0, help="simulated time per node (10)")
    parser.add_argument("--repetitions", type=int, default=15, help="repetitions per node (15)")
    given = parser.parse_args()
    project = Project(Path(__file__).resolve().parents[1], engine=given.engine)
    measured = {"engine": given.engine, "seconds": given.seconds, "repetitions": given.repetitions}
    print(f"{'node':<16}{'steps':>8}{'a step':>12}{'real time':>11}")
    for timing in benchmark(project, given.nodes or default_nodes(project.graph), **measured):
        print(f"{timing.node:<16}{timing.steps:>8}{timing.step_us:>9.1f} us{timing.realtime:>10.0f}x")


if __name__ == "__main__":
    main()
