"""One random walk of a graph from the start pose, in this process or in a worker process."""

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
"""Distance to the next obstacle below which the look-ahead planner chooses the transitions of a random walk, m."""
DRAWS = 4
"""Number of random transitions that are tried in a copy of the simulation before the look-ahead planner chooses."""


@dataclass(frozen=True)
class WalkOrder:
    """Description of one random walk, sent to the process that simulates it."""

    directory: Path
    """Directory of the project."""
    run: str
    """Id of the run to which the walk belongs."""
    walk: int
    """Index of the walk in the run."""
    seed: np.random.SeedSequence
    transitions: int
    """Number of transitions."""
    world: Environment
    """Environment of the simulation."""
    keep_states: bool
    """Whether the sampled states of the walk are written to files."""
    project: type[Project] = Project
    """Class with which the worker process opens the project."""
    taken: NDArray[Any] | None = None
    """(edges,) how often earlier walks took each edge, in the order of `VisitBalance.taken`. None to choose edges by
    weight alone.
    """


def draws_of(seed: np.random.SeedSequence) -> np.random.SeedSequence:
    """Return the seed of the random choices of a walk, given the seed of the walk."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0))


def walk_in_worker(order: WalkOrder) -> str | None:
    """Make one random walk in a worker process. The walk ends early if the main process requests a stop.

    Args:
        order: description of the walk.

    Returns:
        Why the sampled states could not be written; None if there was no error.
    """
    with until_stopped():
        project = order.project(order.directory)
        with project.log() as log:
            return walk_once(project, log, order, None)
    return None


def walk_once(project: Project, log: RunLog, order: WalkOrder, observer: WalkObserver | None) -> str | None:
    """Make one random walk. If its sampled states cannot be written, the walk continues without stored states.

    Args:
        project: the project whose graph is walked.
        log: log to which attempts are written.
        order: description of the walk.
        observer: object that is notified of each attempt (execution of a node).

    Returns:
        Why the sampled states could not be written; None if there was no error.
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
    """Make the transitions of a random walk from the start pose.

    Args:
        walker: object that executes the transitions.
        transitions: number of transitions.
        rng: generator of the random choices.
        balance: counter of taken edges; None to choose edges by weight alone.
        planner: look-ahead planner for ground with obstacles; None to choose all transitions at random.
    """
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
    """Return the next transitions of a random walk over a course (terrain with obstacles).

    Up to `DRAWS` transitions are chosen at random and tried in a copy of the simulation. The first success is returned.
    Near an obstacle, or if all tried transitions fail, the planner chooses instead.
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
