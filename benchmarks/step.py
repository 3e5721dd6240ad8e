"""Time of a simulation step: the whole loop and the engine alone, measured alternately from the same states.

    python benchmarks/step.py [NODE]... [--engine NAME] [--seconds S] [--repetitions N]

The whole loop is control, collision, engine and recording. The engine alone replays the recorded commands and contacts
of the same run. The table has medians.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ctrlgraph.engine import planar_loop as loop
from ctrlgraph.engine.engine import DEFAULT_ENGINE, BareLoop, Simulated
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.simulation import Simulation

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import ControllerGraph, Node

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
    whole_us: float
    """Time of a step of the whole loop, us."""
    bare_us: float
    """Time of a step of the engine alone, us."""
    ratio: float
    """Median of the ratios of neighbouring repetitions."""
    realtime: float
    """Simulated seconds per wall second of the whole loop."""


class Recording:
    """A controller's run from a snapshot. Both the whole loop and the engine alone can repeat it.

    It uses private arrays of the simulation, since public methods would add their own time to the measurement.
    """

    def __init__(
        self, simulation: Simulation, controller: Controller, *, cycles: int = 1, seconds: float = 10.0
    ) -> None:
        """Run the controller once, step by step.

        Args:
            simulation: The simulation, in the state of the beginning.
            controller: The controller.
            cycles: Its cycles.
            seconds: Maximum simulated time, s.
        """
        self._simulation = simulation
        self._most = round(seconds / simulation.settings.dt)
        # one step more than is run, so that it does not time out
        self._rollout = Rollout(controller, cycles, (self._most + 1) * simulation.settings.dt)
        self._start = simulation.snapshot()
        self._bare = self._bare_loop()
        self.steps = self._record()
        self.digest = simulation.state_digest()

    def whole(self) -> float:
        """Repeat the run with the whole loop; return the wall time, s."""
        advance = self._rewound()
        started = perf_counter()
        advance(self.steps)
        return perf_counter() - started

    def bare(self) -> float:
        """Repeat the run with the engine alone; return the wall time, s."""
        self._rewound()
        started = perf_counter()
        self._bare.play(self.steps)
        return perf_counter() - started

    def _bare_loop(self) -> BareLoop:
        library = self._simulation._library
        if library.bare_loop is None:
            raise CtrlGraphError(f"the engine '{self._simulation.engine}' cannot be timed alone")
        return library.bare_loop(self._simulated(), self._most)

    def _simulated(self) -> Simulated:
        s = self._simulation
        return Simulated(s._world, s.settings.dt, s._body, s._kin, s._contacts)

    def _rewound(self) -> Callable[[int], int]:
        """Restore the start, and return the loop as a function of the number of steps."""
        s = self._simulation
        s.restore(self._start)
        s._world.seed(self._start.engine_seed)
        execution = s.begin(self._rollout)
        record = s._recorder.buffer(self._most)
        return lambda steps: s._advance(execution, record, steps)

    def _record(self) -> int:
        advance = self._rewound()
        for n in range(self._most):
            if advance(1) != loop.STILL_RUNNING:
                return n
            self._bare.note(n, self._simulated())
        return self._most


def measure_step(recording: Recording, node: str, dt: float, repetitions: int) -> Timing:
    """Return the timing of both loops. They are measured alternately, under the same load of the machine."""
    recording.whole(), recording.bare()
    pairs = [(recording.whole(), recording.bare()) for _ in range(repetitions)]
    whole = statistics.median(pair[0] for pair in pairs)
    return Timing(
        node=node,
        steps=recording.steps,
        repetitions=repetitions,
        whole_us=1e6 * whole / recording.steps,
        bare_us=1e6 * statistics.median(pair[1] for pair in pairs) / recording.steps,
        ratio=statistics.median(pair[0] / pair[1] for pair in pairs),
        realtime=recording.steps * dt / whole,
    )


def benchmark(
    project: Project,
    nodes: Sequence[str] = (),
    *,
    seconds: float = 10.0,
    repetitions: int = 15,
    engine: str = DEFAULT_ENGINE,
) -> list[Timing]:
    """Return the timings of nodes, each from the state in which the graph's start node ends.

    Args:
        project: The project of the nodes.
        nodes: Names of the nodes; by default those of `default_nodes`.
        seconds: Maximum simulated time of a run, s.
        repetitions: Number of repetitions.
        engine: Name of the engine.

    Raises:
        CtrlGraphError: A node does not exist, or ends before its first step.
    """
    chosen = nodes or default_nodes(project.graph)
    for name in chosen:
        project.graph.node(name)  # report an unknown node before any is measured
    timings = []
    for name in chosen:
        node = project.graph.node(name)
        with Simulation(project.character, engine=engine) as simulation:
            run_rollout(simulation, project.rollout(None, project.graph.start, 1))
            recording = Recording(simulation, project.program(node), cycles=_cycles(node), seconds=seconds)
            if recording.steps == 0:
                raise CtrlGraphError(f"{name} ends before its first time step, so it cannot be timed")
            timings.append(measure_step(recording, name, simulation.settings.dt, repetitions))
    return timings


def default_nodes(graph: ControllerGraph) -> tuple[str, ...]:
    """Return the nodes of `NODES` that a graph has, or its first nodes if it has none of them."""
    return tuple(name for name in NODES if name in graph) or tuple(graph.nodes)[:FIRST]


def _cycles(node: Node) -> int:
    """Return the cycles of a node: gaits and poses last for the whole measurement, stunts run once."""
    return 1 if not node.is_static and node.cycles == (1, 1) else _MANY_CYCLES


def main() -> None:
    """Print the timings of nodes of the shipped graph."""
    parser = argparse.ArgumentParser(description="Measure the time of a simulation step.")
    parser.add_argument("nodes", nargs="*", metavar="NODE", help=f"nodes of the shipped graph ({', '.join(NODES)})")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help=f"physics engine ({DEFAULT_ENGINE})")
    parser.add_argument("--seconds", type=float, default=10.0, help="simulated time per node (10)")
    parser.add_argument("--repetitions", type=int, default=15, help="repetitions per node (15)")
    given = parser.parse_args()
    project = Project(Path(__file__).resolve().parents[1], engine=given.engine)
    print(f"{'node':<16}{'steps':>8}{'whole loop':>14}{'engine alone':>14}{'ratio':>8}{'real time':>11}")
    for t in benchmark(project, given.nodes, **{k: v for k, v in vars(given).items() if k != "nodes"}):
        whole, bare = f"{t.whole_us:.1f} us", f"{t.bare_us:.1f} us"
        print(f"{t.node:<16}{t.steps:>8}{whole:>14}{bare:>14}{t.ratio:>8.3f}{t.realtime:>10.0f}x")


if __name__ == "__main__":
    main()
