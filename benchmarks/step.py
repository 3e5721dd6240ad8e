"""Measure the time of a simulation step on nodes of the shipped graph, beside the engine alone.

    python benchmarks/step.py [NODE]... [--engine NAME] [--seconds S] [--repetitions N]

The whole loop and the engine alone (benchmarks/bare_loops.py) repeat the same run in turns, so that the load of the
machine affects both. The ratio is the median over neighbouring repetitions.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from benchmarks.bare_loops import BARE_LOOPS
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.engine.loop import STILL_RUNNING
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


class BareLoop(Protocol):
    """Repetition of a recorded run with the engine alone."""

    def note(self, step: int) -> None:
        """Record the inputs of the engine in the step that was made last."""

    def play(self, steps: int) -> None:
        """Repeat the first `steps` steps."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Timing of a node; medians over the repetitions."""

    node: str
    steps: int
    repetitions: int
    step_us: float
    """Wall time of a step with control, collision, engine and recording, us."""
    engine_us: float
    """Wall time of a step of the engine alone, us."""
    ratio: float
    """Time of a step divided by that of the engine alone, median over neighbouring repetitions."""
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
            steps, bare = _record(simulation, rollout)
            if steps == 0:
                raise CtrlGraphError(f"{node.name} ends before its first time step, so it cannot be timed")
            pairs = [(_run(simulation, rollout), _play(simulation, bare, steps)) for _ in range(repetitions + 1)][1:]
        whole_s = statistics.median(whole for whole, _ in pairs) / steps
        engine_s = statistics.median(alone for _, alone in pairs) / steps
        ratio = statistics.median(whole / alone for whole, alone in pairs)
        timings.append(Timing(node.name, steps, repetitions, 1e6 * whole_s, 1e6 * engine_s, ratio, dt / whole_s))
    return timings


def _record(simulation: Simulation, rollout: Rollout) -> tuple[int, BareLoop]:
    """Run a rollout step by step and return to the state before it; return its steps and its bare loop."""
    start = simulation.snapshot()
    n = round(rollout.timeout / simulation.settings.dt)
    bare = BARE_LOOPS[simulation.engine](simulation, n)
    execution = simulation.begin(rollout)
    steps = 0
    while steps < n and simulation.advance(execution, 1) == STILL_RUNNING:
        bare.note(steps)
        steps += 1
    simulation.restore(start)
    return steps, bare


def _play(simulation: Simulation, bare: BareLoop, steps: int) -> float:
    """Repeat a run with the engine alone, and return to the state before it; return the wall time, s."""
    start = simulation.snapshot()
    began = perf_counter()
    bare.play(steps)
    wall = perf_counter() - began
    simulation.restore(start)
    return wall


def _run(simulation: Simulation, rollout: Rollout) -> float:
    """Run a rollout and return to the state before it; return the wall time, s."""
    start = simulation.snapshot()
    execution = simulation.begin(rollout)
    began = perf_counter()
    simulation.advance(execution, round(rollout.timeout / simulation.settings.dt))
    wall = perf_counter() - began
    simulation.restore(start)
    return wall


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
    print(f"{'node':<16}{'steps':>8}{'a step':>12}{'engine':>12}{'ratio':>8}{'real time':>11}")
    for timing in benchmark(project, given.nodes or default_nodes(project.graph), **measured):
        times = f"{timing.step_us:>9.1f} us{timing.engine_us:>9.1f} us{timing.ratio:>8.3f}"
        print(f"{timing.node:<16}{timing.steps:>8}{times}{timing.realtime:>10.0f}x")


if __name__ == "__main__":
    main()
