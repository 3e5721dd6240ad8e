"""Runs and their walks: opened, logged from beginning to end, and summarized.

Random walks and walks to a node, over a course or over a distance all use `open_run`; they differ only in the choice of
the next transition.
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
"""Failed transitions after which a goal is given up."""


@dataclass(frozen=True, kw_only=True)
class WalkSummary:
    """Result of a run: common fields of all kinds of walks."""

    run: str
    seed: int
    tally: Tally
    wall_s: float
    pushes: int | None = None
    """Number of pushes; None in a world without them."""
    interrupted: bool = False
    """Whether Ctrl-C ended the run."""
    warnings: tuple[str, ...] = ()
    """Problems other than failures of the walks, such as states that could not be written."""

    def as_dict(self) -> dict[str, Any]:
        """Return the object that the command prints with `--json`; it is also logged."""
        pushes = {} if self.pushes is None else {"pushes": self.pushes}
        counts = {**self.tally.as_dict(), **pushes}
        return {"run": self.run, "seed": self.seed, **self.details(), "wall_s": self.wall_s, **counts}

    def details(self) -> dict[str, Any]:
        """Return the fields of `as_dict` that only this kind of walk has."""
        return {}


@dataclass
class LoggedRun:
    """A run that is under way; `open_run` opens one."""

    project: Project
    log: RunLog
    name: str
    seed: int
    world: Environment
    observer: WalkObserver | None
    began: float
    """Wall time at the beginning, s (`time.perf_counter`)."""
    interrupted: bool = False
    warnings: list[str] = field(default_factory=list)

    @contextlib.contextmanager
    def walker(self, *, keep_states: bool) -> Iterator[Walker]:
        """Return a context with the walker of a logged run that consists of a single walk.

        Ctrl-C ends the walk; the command continues and logs its end.

        Args:
            keep_states: whether the sampled states are written to files.
        """
        identity = WalkIdentity.of(self.name, 0, child_seed(self.seed, 0), self.world)
        with (
            open_walker(self.project, self.log, identity, self.world, self.observer, keep_states=keep_states) as walker,
            self.until_interrupted(),
        ):
            yield walker
        self.warn(walker.states_fault)

    def warn(self, fault: str | None) -> None:
        """Add a problem, if there is one, to the warnings of the summary."""
        self.warnings += [] if fault is None else [fault]

    @contextlib.contextmanager
    def until_interrupted(self) -> Iterator[None]:
        """End the block, but not the run, at Ctrl-C."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True

    def finish(self, summary: Callable[..., S], **fields: Any) -> S:
        """Log the end of the run.

        Args:
            summary: class of the summary.
            fields: fields of the summary in addition to those of `WalkSummary`.

        Returns:
            The summary.
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
        """Return the number of pushes that began during the attempts."""
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
    """Open the log of a project and begin a run in it.

    Args:
        project: the project whose graph is walked.
        settings: further data of the run for the log, in addition to its world and hashes, as JSON data.
        seed: seed of everything that is random in the run.
        world: environment of the simulations.
        command: command line, for the log.
        observer: notified of the run and its attempts.
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
    """Open a simulation and, if wanted, state files for one walk.

    Args:
        project: the project whose graph is walked.
        log: gets the attempts; None logs nothing.
        identity: the walk in the log.
        world: environment of the simulation.
        observer: notified of each attempt.
        keep_states: whether the sampled states are written to files, however the walk ends.

    Returns:
        A context manager of the walker.
    """
    path = states_path(project.runs_directory, identity.run, identity.walk)
    states = StateWriter(path, project.character.link_names) if keep_states else None
    with (
        world.simulation(project.character, identity.seed, keep_trace=False) as simulation,
        states or contextlib.nullcontext(),
    ):
        yield Walker(project, simulation, log, identity, observer, states)


def child_seed(seed: int, i: int) -> np.random.SeedSequence:
    """Return the i-th child of a seed's SeedSequence, like `spawn`, but without creating the earlier children."""
    return np.random.SeedSequence(seed, spawn_key=(i,))


def static_nodes(graph: ControllerGraph) -> frozenset[str]:
    """Return the names of the static poses."""
    return frozenset(node.name for node in graph if node.is_static)
