"""What a simulation step costs: the whole loop against the engine alone, on the same states, in turn."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine import loop
from ctrlgraph.engine.engine import DEFAULT_ENGINE, BareLoop, Simulated
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.simulation import Simulation

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project

NODES = ("walk", "hop", "stand")
"""A gait, a stunt and a pose of the shipped humanoid."""

FIRST = 3
"""So many nodes of a graph that has none of those."""

# Repetitions of one node that repeats for as long as the measurement lasts.
_MANY_CYCLES = 10**6


@dataclass(frozen=True, slots=True)
class Timing:
    """Medians over the repetitions; `ratio` is the median of the ratios of neighbouring repetitions."""

    node: str
    steps: int
    repetitions: int
    whole_us: float
    bare_us: float
    ratio: float
    realtime: float  # simulated seconds per wall second, of the whole loop

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Recording:
    """A run of a controller from a snapshot, kept so that the whole loop and the bare one can repeat it.

    It works on the simulation's own arrays, below its public methods: these would be measured too.
    """

    def __init__(
        self, simulation: Simulation, controller: Controller, *, cycles: int = 1, seconds: float = 10.0
    ) -> None:
        """Run the controller once, step by step, until it ends, at most for `seconds` of simulated time."""
        self._simulation = simulation
        self._most = round(seconds / simulation.settings.dt)
        # a step more than is run: its end is not the time's
        self._rollout = Rollout(controller, cycles, (self._most + 1) * simulation.settings.dt)
        self._start = simulation.snapshot()
        self._bare = self._bare_loop()
        self.steps = self._record()
        self.digest = simulation.state_digest()

    def whole(self) -> float:
        """Repeat the run with the whole loop; wall time in s."""
        advance = self._rewound()
        started = perf_counter()
        advance(self.steps)
        return perf_counter() - started

    def bare(self) -> float:
        """Repeat what the run asked of the engine, and nothing else; wall time in s."""
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
        """Go back to the start; returns the loop, which takes a number of steps."""
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
    """Return the time both loops in turn, so that both meet the same moods of the machine."""
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
    settings: WorldSettings | None = None,
    on_node: Callable[[str], None] = lambda name: None,
) -> list[Timing]:
    """Return the timings of the nodes, each from the state in which the graph's start node ends.

    Args:
        nodes: without any, those of `usual_nodes`.

    Raises:
        CtrlGraphError: there is no such node, or one ends before its first step.
    """
    chosen = nodes or usual_nodes(project.graph)
    for name in chosen:
        project.graph.node(name)  # a misspelt one is told before any is timed
    timings = []
    for name in chosen:
        on_node(name)
        node = project.graph.node(name)
        with Simulation(project.character, engine=engine, settings=settings) as simulation:
            run_rollout(simulation, project.rollout(None, project.graph.start, 1))
            recording = Recording(simulation, project.program(node), cycles=_cycles(node), seconds=seconds)
            if recording.steps == 0:
                raise CtrlGraphError(f"{name} ends before its first step: there is nothing to measure")
            timings.append(measure_step(recording, name, simulation.settings.dt, repetitions))
    return timings


def usual_nodes(graph: ControllerGraph) -> tuple[str, ...]:
    """Return those of `NODES` that a graph has; its first ones where it has none of them."""
    return tuple(name for name in NODES if name in graph) or tuple(graph.nodes)[:FIRST]


def _cycles(node: Node) -> int:
    """A gait or a pose goes on for as long as is measured; a stunt is done once."""
    return 1 if not node.is_static and node.cycles == (1, 1) else _MANY_CYCLES
