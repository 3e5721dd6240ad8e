"""Runs of random walks: independent logged walks of a graph, in one process or in several."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.arguments import checked
from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.graph.random_planner import rehearsed
from ctrlgraph.graph.visits import Balance, VisitBalance
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.logged_walk import LoggedRun, WalkSummary, child_seed, open_run
from ctrlgraph.walks.random_walk import WalkOrder, draws_of, walk_in_worker, walk_once
from ctrlgraph.walks.walker import WalkObserver

AHEAD = 2
"""Number of walks that wait for a free worker process, so that no process is idle."""
POLL_S = 0.25
"""Interval at which the log is read to notify the observer of attempts in worker processes, s."""


@dataclass(frozen=True, kw_only=True)
class RunSummary(WalkSummary):
    """Result of a logged run of random walks: the counts of all walks, and the walks that an error ended."""

    lost: tuple[str, ...] = ()
    """For each walk that an error ended, a message with the error."""


@checked
def walk_random(
    project: Project,
    *,
    transitions: int,
    walks: int = 1,
    jobs: int = 1,
    seed: int = 0,
    world: Environment | None = None,
    keep_states: bool = True,
    command: str = "",
    observer: WalkObserver | None = None,
    balance: Balance = Balance.VISITS,
) -> RunSummary:
    """Walk the graph at random, each walk from the start pose.

    The results depend on the seed alone, not on `jobs`: walk i uses the i-th child of the numpy `SeedSequence` of the
    seed. On ground with obstacles, transitions are tried in a copy of the simulation first (`walks.lookahead`).

    Args:
        project: the project whose graph is walked.
        transitions: number of transitions of each walk.
        walks: number of walks.
        jobs: number of processes.
        seed: seed of everything that is random.
        world: environment of the simulations; by default that of the project.
        keep_states: whether the sampled states of the walks are written to files.
        command: command line, for the log.
        observer: object that is notified of the attempts (executions of nodes).
        balance: how edges are chosen (`graph.visits`). With `Balance.VISITS`, rarely taken edges are preferred; the
            choices of earlier walks of the run count too, as if no transition had failed.

    Raises:
        RunLogError: `runs/` cannot be written. This is checked before anything is simulated.
        SourceError: the project has errors.
        CtrlGraphError: a number is out of range, or no planned edge leads out of the start node.

    >>> from ctrlgraph import Project, walk_random
    >>> walk = walk_random(Project.find(), transitions=1, seed=7)
    >>> walk.as_dict()["transitions"]
    1
    """
    if transitions < 1 or walks < 1 or jobs < 1:
        raise SimulationError(
            f"'transitions', 'walks' and 'jobs' must be at least 1, not {transitions}, {walks} and {jobs}"
        )
    if seed < 0:
        raise SimulationError(f"'seed' must be at least 0, not {seed}")
    world = world or project.environment()
    world.ground()
    start = project.graph.start
    if not any(edge.weight > 0.0 for edge in project.graph.planned_edges(start)):
        what = "no naive or learned edge with a weight above 0 leads out of the start node"
        raise CtrlGraphError(f"{what} '{start}': add one to the graph file")
    settings = {"mode": "random", "transitions": transitions, "walks": walks, "balance": balance.value}
    with open_run(project, settings, seed=seed, world=world, command=command, observer=observer) as run:
        before: Iterator[NDArray[Any] | None] = itertools.repeat(None)
        if balance is Balance.VISITS:
            before = _visits_before(project.graph, world, seed, transitions)
        orders = (
            WalkOrder(
                project.directory,
                run.name,
                i,
                child_seed(seed, i),
                transitions,
                world,
                keep_states,
                type(project),
                taken,
            )
            for i, taken in zip(range(walks), before, strict=False)
        )
        lost: dict[int, str] = {}
        with run.until_interrupted():
            if min(jobs, walks) == 1:
                _walk_here(run, orders, lost)
            else:
                _walk_in_workers(run, orders, min(jobs, walks), lost)
        return run.finish(
            RunSummary, lost=tuple(f"walk {walk} was lost: {reason}" for walk, reason in sorted(lost.items()))
        )


def _visits_before(graph: ControllerGraph, world: Environment, seed: int, transitions: int) -> Iterator[NDArray[Any]]:
    """Yield, for each walk, how often the walks before it take each edge, (edges,), as if no transition failed.

    On ground with obstacles, 0 is yielded for each edge, because choices there depend on the position of the walk.
    """
    ground = world.ground()
    if ground.obstacles:  # the choices depend on the position of the walk
        return itertools.repeat(VisitBalance(graph).taken)
    rngs = (np.random.default_rng(draws_of(child_seed(seed, i))) for i in itertools.count())
    return rehearsed(graph, graph.start, rngs, transitions, ground.preview(0.0))


def _walk_here(run: LoggedRun, orders: Iterable[WalkOrder], lost: dict[int, str]) -> None:
    for order in orders:
        try:
            run.warn(walk_once(run.project, run.log, order, run.observer))
        except SimulationError as error:
            lost[order.walk] = str(error)


def _walk_in_workers(run: LoggedRun, orders: Iterator[WalkOrder], jobs: int, lost: dict[int, str]) -> None:
    """Make random walks in worker processes.

    Only a few walks are submitted in advance, because a million waiting walks would fill the memory and delay Ctrl-C.

    Args:
        run: run to which the walks belong.
        orders: description of each walk.
        jobs: number of worker processes.
        lost: receives the error message of each walk that an error ended, by index of the walk.
    """
    seen = 0
    running: dict[Future[str | None], int] = {}
    with IsolatedProcesses(jobs) as pool:
        try:
            while True:
                for order in itertools.islice(orders, jobs + AHEAD - len(running)):
                    running[pool.submit(walk_in_worker, order)] = order.walk
                if not running:
                    break
                ended, _ = wait(running, timeout=POLL_S, return_when=FIRST_COMPLETED)
                for future in ended:
                    _collect(run, future, running.pop(future), lost)
                if run.observer is not None:
                    seen, attempts = run.log.attempts_after(run.name, seen)
                    for attempt in attempts:
                        run.observer.ended(attempt)
        except BaseException:
            pool.stop()
            begun = {future: walk for future, walk in running.items() if not future.cancel()}
            for future in wait(begun).done:
                if not future.cancelled() and future.exception() is None:
                    run.warn(future.result())
            raise


def _collect(run: LoggedRun, future: Future[str | None], walk: int, lost: dict[int, str]) -> None:
    error = future.exception()
    if error is None:
        run.warn(future.result())
    elif isinstance(error, SimulationError | WorkerDied):
        lost[walk] = str(error)
    elif isinstance(error, CtrlGraphError):
        raise error
    else:
        lost[walk] = f"{type(error).__name__}: {error}"
