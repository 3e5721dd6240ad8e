"""A random walk: one walk of a graph from the start pose, in whatever process, as it was ordered."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.graph.random_planner import PlannedTransition, draw_transition, random_walk
from ctrlgraph.graph.visits import VisitBalance
from ctrlgraph.parallel import until_stopped
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.lookahead import LookAhead
from ctrlgraph.walkthrough.state_files import StateWriter, states_path
from ctrlgraph.walkthrough.walker import Walker, WalkIdentity, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.runs.store import RunLog

NEAR = 3.0
"""So near to an obstacle (m), random walks plan instead of drawing."""
DRAWS = 4
"""Transitions that are drawn and tried before the way on is planned."""

OpenProject = Callable[[Path], Project]


@dataclass(frozen=True)
class WalkOrder:
    """One walk to be walked, in whatever process; `project` opens the directory there; taken: what a balance of visits
    begins with, None where edges are drawn by their weights."""

    directory: Path
    run: str
    walk: int
    seed: np.random.SeedSequence
    transitions: int
    world: Environment
    keep_states: bool
    project: OpenProject = Project
    taken: NDArray[Any] | None = None

    @property
    def draws(self) -> np.random.SeedSequence:
        """Return what the walk's transitions are drawn from."""
        return np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, 0))


@dataclass(frozen=True, slots=True)
class WalkEnd:
    """How a walk ended; fault: why its states could not be kept."""

    fault: str | None = None


def walk_in_worker(order: WalkOrder) -> WalkEnd:
    """Return one walk in a process of its own, which ends early where the worker is asked to stop."""
    with until_stopped():
        project = order.project(order.directory)
        with project.log() as log:
            return walk_once(project, log, order, None)
    return WalkEnd()


def walk_once(project: Project, log: RunLog, order: WalkOrder, observer: WalkObserver | None) -> WalkEnd:
    """Return one walk. Its states are kept however it ends, and where they cannot be, it goes on without them."""
    seed = int(order.seed.generate_state(1)[0])
    rng = np.random.default_rng(order.draws)
    identity = WalkIdentity(order.run, order.walk, seed, order.world.digest, order.world.body.length)
    states = state_writer(project, order.run, order.walk) if order.keep_states else None
    with (
        order.world.simulation(project.character, seed, keep_trace=False) as simulation,
        states or contextlib.nullcontext(),
    ):
        walker = Walker(project, simulation, log, identity, observer, states)
        balance = None if order.taken is None else VisitBalance(project.graph, order.taken)
        if order.world.ground().obstacles:
            with LookAhead(project, order.world, seed) as planner:
                _walk_over_obstacles(walker, order.transitions, rng, balance, planner)
        else:
            _walk(walker, order.transitions, rng, balance)
    return WalkEnd(None if states is None else states.fault)


def state_writer(project: Project, run: str, walk: int) -> StateWriter:
    """Return what keeps the states of a walk."""
    return StateWriter(states_path(project.runs_directory, run, walk), project.character.link_names)


def _walk(walker: Walker, transitions: int, rng: np.random.Generator, balance: VisitBalance | None) -> None:
    """Walk from the start."""
    walker.start()
    plan = random_walk(walker.graph, walker.node, rng, lambda: walker.simulation.preview, balance)
    transition = next(plan)
    for left in reversed(range(transitions)):
        if not walker.take(transition).succeeded:
            walker.recover_or_restart()
        if left:
            transition = plan.send(walker.node)


def _walk_over_obstacles(
    walker: Walker, transitions: int, rng: np.random.Generator, balance: VisitBalance | None, planner: LookAhead
) -> None:
    """Walk from the start. What is drawn is tried before it is taken; near an obstacle, or where nothing that was drawn
    holds, the way on is planned."""
    walker.start()
    waiting: list[PlannedTransition] = []
    for _ in range(transitions):
        if not waiting:
            waiting = _next_transitions(walker, rng, balance, planner)
        transition = waiting.pop(0)
        if not walker.take(transition).succeeded:
            waiting = []
            walker.recover_or_restart()


def _next_transitions(
    walker: Walker, rng: np.random.Generator, balance: VisitBalance | None, planner: LookAhead
) -> list[PlannedTransition]:
    simulation = walker.simulation
    preview, here = simulation.preview, simulation.snapshot()
    drawn: PlannedTransition | None = None
    if preview.ahead is None or preview.ahead.distance > NEAR:
        for _ in range(DRAWS):
            drawn = draw_transition(walker.graph, walker.node, rng, preview, balance)
            if planner.try_out(walker.node, here, drawn):
                return [drawn]
    path = list(planner.plan(walker.node, here).path)
    if balance is not None:
        for transition in path:
            balance.note(transition.edge)
    return path or [drawn or draw_transition(walker.graph, walker.node, rng, preview, balance)]
