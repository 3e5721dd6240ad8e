"""Random walkthroughs: independent walks of a graph, in one process or in several, logged as they go."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.arguments import checked
from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.graph.random_planner import rehearsed
from ctrlgraph.graph.visits import Balance, VisitBalance
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied
from ctrlgraph.project.project import Project
from ctrlgraph.runs.record import AttemptRecord, RunRecord, new_run_id
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.changes import run_hashes
from ctrlgraph.walkthrough.random_walk import OpenProject, WalkEnd, WalkOrder, walk_in_worker, walk_once
from ctrlgraph.walkthrough.state_files import sweep_runs
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import WalkObserver
from ctrlgraph.walkthrough.world import versions

if TYPE_CHECKING:
    from ctrlgraph.runs.store import RunLog

AHEAD = 2
"""Walks that are handed over beyond one for each worker, so that none waits for the next."""
WORKERS_ELSEWHERE = 1000
"""As many workers somebody else's executor is taken to have: it does not say how many there are."""
POLL_S = 0.25
"""How often the log is read for the progress of other processes, s."""


class RunObserver(WalkObserver, Protocol):
    """Who watches a run: also told its number, and the attempts of other processes as they are logged."""

    def run_began(self, run: str, seed: int) -> None: ...


@dataclass(frozen=True, slots=True)
class LostWalk:
    """A walk that did not come to its end, and why."""

    walk: int
    reason: str

    def sentence(self) -> str:
        return f"walk {self.walk} was lost: {self.reason}"


@dataclass(frozen=True)
class RunSummary:
    """What came of a random walkthrough; warnings: what went wrong beside the walks."""

    run: str
    seed: int
    tally: Tally
    wall_s: float
    lost: tuple[LostWalk, ...] = ()
    interrupted: bool = False
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the object that `ctrlgraph walk --json` prints."""
        counts = self.tally.as_dict()
        nodes, edges = counts.pop("nodes"), counts.pop("edges")
        return {"run": self.run, "seed": self.seed} | counts | {"wall_s": self.wall_s, "nodes": nodes, "edges": edges}


@dataclass
class _Progress:
    """What has come of the walks so far."""

    lost: list[LostWalk] = field(default_factory=list)
    interrupted: bool = False
    faults: list[str] = field(default_factory=list)

    def add(self, end: WalkEnd) -> None:
        if end.fault is not None:
            self.faults.append(end.fault)


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
    observer: RunObserver | None = None,
    executor: Executor | None = None,
    open_project: OpenProject = Project,
    balance: Balance = Balance.WEIGHTS,
) -> RunSummary:
    """Walk the graph at random, `walks` times, each from the start pose over so many transitions.

    The results depend on the seed alone, not on `jobs`: walk i draws from the i-th child of the
    seed's SeedSequence. With `executor` (a cluster's, say) the walks are submitted there; it needs
    the same directory. On ground with obstacles the walks look ahead (`walkthrough.lookahead`).

    Args:
        balance: what edges are drawn by (`graph.visits`); by visits, each walk counts what those before it would take.

    Raises:
        RunLogError: `runs/` cannot be written; found before anything is simulated.
        SourceError: the project has faults.
        CtrlGraphError: no edge leads out of the start, or every walk failed to begin.

    >>> from ctrlgraph import Project, walk_random
    >>> walk = walk_random(Project.find(), transitions=1, seed=7)
    >>> walk.as_dict()["transitions"]
    1
    """
    if transitions < 1 or walks < 1 or jobs < 1:
        raise SimulationError("transitions, walks and jobs must be at least 1")
    if seed < 0:
        raise SimulationError(f"a seed must be at least 0, not {seed}")
    world = world or project.environment()
    world.ground()
    project.require_learned()  # rather than to find out in the middle of a walk
    _require_way_out(project.graph)
    began = time.perf_counter()
    with project.log() as log:
        settings = {"mode": "random", "transitions": transitions, "walks": walks, "balance": balance.value}
        run = begin_run(project, log, command, seed, world, settings)
        if observer is not None:
            observer.run_began(run.id, seed)
        orders: Iterator[WalkOrder] = (
            WalkOrder(project.directory, run.id, i, child_seed(seed, i), transitions, world, keep_states, open_project)
            for i in range(walks)
        )
        if balance is Balance.VISITS:
            orders = _balanced(orders, project.graph, world, transitions)
        progress = _Progress()
        try:
            if executor is None and min(jobs, walks) == 1:
                _walk_here(project, log, orders, observer, progress)
            else:
                _walk_elsewhere(orders, run.id, log, executor, min(jobs, walks), observer, progress)
        except KeyboardInterrupt:
            progress.interrupted = True
        tally = Tally.of(log.attempts(run.id), static_nodes(project.graph))
        summary = RunSummary(
            run.id,
            seed,
            tally,
            time.perf_counter() - began,
            tuple(sorted(progress.lost, key=lambda lost: lost.walk)),
            progress.interrupted,
            tuple(progress.faults[:1]),  # one disk is full for all walks
        )
        log.finish_run(run.id, time.time(), summary.as_dict())
    return summary


def child_seed(seed: int, i: int) -> np.random.SeedSequence:
    """Return the i-th child of a seed's SeedSequence: what `spawn` gives, without the ones before it."""
    return np.random.SeedSequence(seed, spawn_key=(i,))


def _balanced(
    orders: Iterator[WalkOrder], graph: ControllerGraph, world: Environment, transitions: int
) -> Iterator[WalkOrder]:
    """Orders that know what the walks before each would take, found out as each is asked for."""
    ground = world.ground()
    before: Iterator[NDArray[Any]]
    if ground.obstacles:  # what is drawn depends on where the walk has come to
        before = itertools.repeat(VisitBalance(graph).taken)
    else:
        orders, again = itertools.tee(orders)
        rngs = (np.random.default_rng(order.draws) for order in again)
        before = rehearsed(graph, graph.start, rngs, transitions, ground.preview(0.0))
    for order in orders:
        yield replace(order, taken=next(before))


def _require_way_out(graph: ControllerGraph) -> None:
    """
    Raises:
        CtrlGraphError: a walk cannot leave the start: it is the graph's only node.
    """
    if not any(edge.weight > 0.0 for edge in graph.planned_edges(graph.start)):
        raise CtrlGraphError(f"no naive or learned edge leads out of node '{graph.start}': there is nowhere to walk")


def begin_run(
    project: Project, log: RunLog, command: str, seed: int, world: Environment, settings: dict[str, Any]
) -> RunRecord:
    """Log a run that begins, and clear away what killed ones left half-written."""
    sweep_runs(project.runs_directory)
    return log.begin_run(
        RunRecord(
            id=new_run_id(),
            command=command,
            started=time.time(),
            seed=seed,
            graph_hash=project.graph.digest,
            versions=versions(world.engine),
            settings=settings | {"world": world.as_dict(), "hashes": run_hashes(project)},
        )
    )


def static_nodes(graph: ControllerGraph) -> frozenset[str]:
    """Return names of the static poses."""
    return frozenset(node.name for node in graph if node.is_static)


def _walk_here(
    project: Project, log: RunLog, orders: Iterable[WalkOrder], observer: RunObserver | None, progress: _Progress
) -> None:
    for order in orders:
        try:
            progress.add(walk_once(project, log, order, observer))
        except SimulationError as error:
            progress.lost.append(LostWalk(order.walk, str(error)))


def _walk_elsewhere(
    orders: Iterator[WalkOrder],
    run: str,
    log: RunLog,
    executor: Executor | None,
    jobs: int,
    observer: RunObserver | None,
    progress: _Progress,
) -> None:
    """Walk in other processes. Only some walks are handed over at once: a million of them would fill the memory, and to
    hand them over takes a while in which an interrupt is to be heard as well."""
    news = _attempts_of(log, run)
    running: dict[Future[WalkEnd], int] = {}
    with contextlib.ExitStack() as stack:
        pool = executor or stack.enter_context(IsolatedProcesses(jobs))
        at_once = AHEAD + (jobs if executor is None else WORKERS_ELSEWHERE)
        try:
            while True:
                for order in itertools.islice(orders, at_once - len(running)):
                    running[pool.submit(walk_in_worker, order)] = order.walk
                if not running:
                    break
                ended, _ = wait(running, timeout=POLL_S, return_when=FIRST_COMPLETED)
                for future in ended:
                    _collect(future, running.pop(future), progress)
                if observer is not None:
                    for attempt in next(news):
                        observer.ended(attempt)
        except BaseException:
            if isinstance(pool, IsolatedProcesses):
                pool.stop()
            begun = {future: walk for future, walk in running.items() if not future.cancel()}
            for future in wait(begun).done:
                if not future.cancelled() and future.exception() is None:  # a worker that does not notice is killed
                    progress.add(future.result())
            raise


def _collect(future: Future[WalkEnd], walk: int, progress: _Progress) -> None:
    error = future.exception()
    if error is None:
        progress.add(future.result())
    elif isinstance(error, SimulationError | WorkerDied):
        progress.lost.append(LostWalk(walk, str(error)))
    elif isinstance(error, CtrlGraphError):
        raise error
    else:
        progress.lost.append(LostWalk(walk, f"{type(error).__name__}: {error}"))


def _attempts_of(log: RunLog, run: str) -> Iterator[list[AttemptRecord]]:
    """The attempts that were logged since the last time, over and over."""
    seen = 0
    while True:
        seen, attempts = log.attempts_after(run, seen)
        yield attempts
