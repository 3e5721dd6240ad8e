"""One random walk of a graph from the start pose, in this process or in a worker."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.graph.random_planner import PlannedTransition, draw_transition
from ctrlgraph.graph.visits import VisitBalance
from ctrlgraph.parallel import until_stopped
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.logged_walk import open_walker
from ctrlgraph.walks.lookahead import LookAhead
from ctrlgraph.walks.walker import Walker, WalkIdentity, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.run_log.run_log import RunLog

NEAR = 3.0
"""Distance to an obstacle below which random walks plan instead of drawing transitions, m."""
DRAWS = 4
"""Number of transitions that are drawn and tried before the walk plans instead."""


@dataclass(frozen=True)
class WalkOrder:
    """Description of one walk, sent to the process that makes it."""

    directory: Path
    run: str
    walk: int
    """Index in the run."""
    seed: np.random.SeedSequence
    transitions: int
    world: Environment
    keep_states: bool
    project: type[Project] = Project
    """Class of the project."""
    taken: NDArray[Any] | None = None
    """Visits of each edge before this walk; None if edges are drawn by their weights alone."""


def draws_of(seed: np.random.SeedSequence) -> np.random.SeedSequence:
    """Return the seed of a walk's draws, given the seed of the walk."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0))


def walk_in_worker(order: WalkOrder) -> str | None:
    """Make one walk in a worker process (`walk_once`); it ends early if the worker gets a request to stop."""
    with until_stopped():
        project = order.project(order.directory)
        with project.log() as log:
            return walk_once(project, log, order, None)
    return None


def walk_once(project: Project, log: RunLog, order: WalkOrder, observer: WalkObserver | None) -> str | None:
    """Make one walk. If its states cannot be written, it continues without them.

    Args:
        project: the project whose graph is walked.
        log: gets the attempts.
        order: describes the walk.
        observer: notified of each attempt.

    Returns:
        Why its states could not be written; None if there was no error.
    """
    rng = np.random.default_rng(draws_of(order.seed))
    identity = WalkIdentity.of(order.run, order.walk, order.seed, order.world)
    with open_walker(project, log, identity, order.world, observer, keep_states=order.keep_states) as walker:
        balance = None if order.taken is None else VisitBalance(project.graph, order.taken)
        with contextlib.ExitStack() as stack:
            planner = None
            if order.world.ground().obstacles:
                planner = stack.enter_context(LookAhead(project, order.world, identity.seed))
            _walk(walker, order.transitions, rng, balance, planner)
    return walker.states_fault


def _walk(
    walker: Walker, transitions: int, rng: np.random.Generator, balance: VisitBalance | None, planner: LookAhead | None
) -> None:
    """Walk from the start. Without a planner all transitions are drawn."""
    walker.start()
    waiting: list[PlannedTransition] = []
    for _ in range(transitions):
        if not waiting and planner is not None:
            waiting = _next_transitions(walker, rng, balance, planner)
        elif not waiting:
            waiting = [draw_transition(walker.graph, walker.node, rng, walker.simulation.preview, balance)]
        if not walker.take(waiting.pop(0)).succeeded:
            waiting = []
            walker.recover_or_restart()


def _next_transitions(
    walker: Walker, rng: np.random.Generator, balance: VisitBalance | None, planner: LookAhead
) -> list[PlannedTransition]:
    """Return the next transitions of a walk over a course.

    Transitions are drawn, and each one is tried in a copy of the simulation. Near an obstacle, or if all of them
    failed, the planner chooses instead.
    """
    simulation = walker.simulation
    preview, here = simulation.preview, simulation.snapshot()
    drawn: PlannedTransition | None = None
    if preview.ahead is None or preview.ahead.distance > NEAR:
        for _ in range(DRAWS):
            drawn = draw_transition(walker.graph, walker.node, rng, preview, balance)
            if planner.succeeds(walker.node, here, drawn):
                return [drawn]
    path = list(planner.plan(walker.node, here).path)
    if balance is not None:
        for transition in path:
            balance.note(transition.edge)
    return path or [drawn or draw_transition(walker.graph, walker.node, rng, preview, balance)]
