"""Logged runs: a run is everything that one command writes to the log. It consists of walks.

All kinds of walks (random, to a node, over a course) use `open_run`. The kinds differ only in how the next transition
is chosen.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ctrlgraph.engine.engine import versions
from ctrlgraph.run_log.record import START, RunRecord, new_run_id
from ctrlgraph.walks.changes import run_hashes
from ctrlgraph.walks.state_files import StateWriter, states_path, sweep_runs
from ctrlgraph.walks.tally import Tally
from ctrlgraph.walks.walker import Walker, WalkIdentity, WalkObserver

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.run_log import RunLog
    from ctrlgraph.simulation.environment import Environment

S = TypeVar("S", bound="WalkSummary")

MAX_FAILURES = 10
"""Number of failed transitions after which a walk to a node or over a course is given up."""


@dataclass(frozen=True, kw_only=True)
class WalkSummary:
    """Result of a logged run: the fields that the results of all kinds of walks have."""

    run: str
    """Id of the run."""
    seed: int
    """Seed of the run."""
    tally: Tally
    """Numbers of attempts (executions of nodes), successes and resets."""
    wall_s: float
    """Wall time of the run, s."""
    pushes: int | None = None
    """Number of pushes that began during attempts; None in an environment without pushes."""
    interrupted: bool = False
    """Whether Ctrl-C ended the run."""
    warnings: tuple[str, ...] = ()
    """Messages about problems that did not affect the walks, such as files that could not be written."""

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as JSON data, which commands print with `--json` and write to the log."""
        pushes = {} if self.pushes is None else {"pushes": self.pushes}
        counts = {**self.tally.as_dict(), **pushes}
        return {"run": self.run, "seed": self.seed, **self.details(), "wall_s": self.wall_s, **counts}

    def details(self) -> dict[str, Any]:
        """Return the fields that only this kind of walk adds to `as_dict`, as JSON data."""
        return {}


@dataclass
class LoggedRun:
    """A logged run in progress: it opens the simulations of walks, and writes the end of the run to the log.

    `open_run` creates it.
    """

    project: Project
    log: RunLog
    """Log to which the run is written."""
    name: str
    """Id of the run."""
    seed: int
    world: Environment
    """Environment of the simulations."""
    observer: WalkObserver | None
    began: float
    """Time at the beginning, s (`time.perf_counter`)."""
    interrupted: bool = False
    """Whether Ctrl-C ended the walks."""
    warnings: list[str] = field(default_factory=list)
    """Messages about problems that do not affect the walks."""

    @contextlib.contextmanager
    def walker(self, *, keep_states: bool) -> Iterator[Walker]:
        """Return a context manager with the `Walker` of a run that consists of a single walk.

        Ctrl-C ends the walk but not the program, which then writes the end of the run to the log.

        Args:
            keep_states: whether the sampled states of the walk are written to files.
        """
        identity = WalkIdentity.of(self.name, 0, child_seed(self.seed, 0), self.world)
        with (
            open_walker(self.project, self.log, identity, self.world, self.observer, keep_states=keep_states) as walker,
            self.until_interrupted(),
        ):
            yield walker
        self.warn(walker.states_fault)

    def warn(self, fault: str | None) -> None:
        """Add a message about a problem to the warnings of the run. None adds nothing."""
        self.warnings += [] if fault is None else [fault]

    @contextlib.contextmanager
    def until_interrupted(self) -> Iterator[None]:
        """Return a context manager. Ctrl-C ends the block and sets `interrupted`, but does not end the run."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True

    def finish(self, summary: Callable[..., S], **fields: Any) -> S:
        """Write the end of the run to the log, and return the summary of the run.

        Args:
            summary: class of the summary.
            fields: values of the fields that this class adds to `WalkSummary`.
        """
        made = summary(
            run=self.name,
            seed=self.seed,
            tally=Tally.of(self.log.attempts(self.name), static_nodes(self.project.graph)),
            wall_s=time.perf_counter() - self.began,
            pushes=self._pushes(),
            interrupted=self.interrupted,
            warnings=tuple(self.warnings[:1]),  # one warning is enough: a full disk affects all walks
            **fields,
        )
        self.log.finish_run(self.name, time.time(), made.as_dict())
        return made

    def _pushes(self) -> int | None:
        """Return the number of pushes that began during attempts; None in an environment without pushes."""
        drawn = self.world.disturbances
        if drawn.high == 0.0:
            return None
        attempts = (each for each in self.log.attempts(self.name) if each.edge_kind != START)
        return sum(len(drawn.pushes(a.seed, a.started_s, a.started_s + a.simulated_s)) for a in attempts)


@contextlib.contextmanager
def open_run(
    project: Project,
    settings: dict[str, Any],
    *,
    seed: int,
    world: Environment,
    command: str,
    observer: WalkObserver | None,
) -> Iterator[LoggedRun]:
    """Open the log of a project, begin a run in the log, and return a context manager with the run.

    Args:
        project: the project whose graph is walked.
        settings: arguments of the run as JSON data, which are logged together with the environment and with hashes of
            the project.
        seed: seed of everything that is random in the run.
        world: environment of the simulations.
        command: command line, for the log.
        observer: object that is notified of the run and its attempts (executions of nodes).

    Raises:
        RunLogError: `runs/` cannot be written.
        SourceError: a learned file has errors or is stale.
    """
    project.require_learned()
    began = time.perf_counter()
    with project.log() as log:
        sweep_runs(project.runs_directory)
        run = log.begin_run(
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
        if observer is not None:
            observer.run_began(run.id, seed)
        yield LoggedRun(project, log, run.id, seed, world, observer, began)


@contextlib.contextmanager
def open_walker(
    project: Project,
    log: RunLog | None,
    identity: WalkIdentity,
    world: Environment,
    observer: WalkObserver | None,
    *,
    keep_states: bool,
) -> Iterator[Walker]:
    """Open a simulation and, if required, files of sampled states for one walk.

    Args:
        project: the project whose graph is walked.
        log: log to which attempts (executions of nodes) are written; None to log nothing.
        identity: run, index and seed of the walk, for the log.
        world: environment of the simulation.
        observer: object that is notified of each attempt.
        keep_states: whether the sampled states are written to files, however the walk ends.

    Returns:
        A context manager with the `Walker`.
    """
    path = states_path(project.runs_directory, identity.run, identity.walk)
    states = StateWriter(path, project.character.link_names) if keep_states else None
    with (
        world.simulation(project.character, identity.seed, keep_trace=False) as simulation,
        states or contextlib.nullcontext(),
    ):
        yield Walker(project, simulation, log, identity, observer, states)


def child_seed(seed: int, i: int) -> np.random.SeedSequence:
    """Return the i-th child of the numpy `SeedSequence` of a seed, as `spawn` would, without the children before it."""
    return np.random.SeedSequence(seed, spawn_key=(i,))


def static_nodes(graph: ControllerGraph) -> frozenset[str]:
    """Return the names of the nodes that are static poses."""
    return frozenset(node.name for node in graph if node.is_static)
