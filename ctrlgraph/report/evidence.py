"""What a report is made from: the chosen runs, their attempts, and which of these are of the present scripts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError
from ctrlgraph.runs.picked import PickedAttempts
from ctrlgraph.runs.record import RunRecord
from ctrlgraph.runs.statistics import Statistics
from ctrlgraph.walkthrough.tally import Tally

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog

MIN_HASH = 4
"""Fewer characters of a graph's hash say nothing."""


@dataclass(frozen=True)
class Evidence:
    """Runs in the order in which they were made, and their attempts; to be closed.

    attempts: those that the present scripts, graph and character do not compare with are marked as stale
    (`AttemptRecord.edge_hash`); static: names of the static nodes.
    """

    runs: tuple[RunRecord, ...]
    attempts: PickedAttempts
    static: frozenset[str]

    def __enter__(self) -> Evidence:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.attempts.close()

    @property
    def statistics(self) -> Statistics:
        return self.attempts.statistics

    @cached_property
    def tally(self) -> Tally:
        """Transitions, recoveries and resets over all runs."""
        total = Tally(self.static)
        for _, attempts in itertools.groupby(self.attempts, key=lambda attempt: attempt.run):
            one = Tally.of(attempts, self.static)
            for name in ("transitions", "succeeded", "recovered", "resets", "simulated_s"):
                setattr(total, name, getattr(total, name) + getattr(one, name))
        return total

    @property
    def stale(self) -> int:
        """Attempts that were made with other scripts, another graph or another character."""
        return sum(self.attempts.stale.values())


def gather(project: Project, names: Sequence[str] = (), *, current: bool = False) -> Evidence:
    """Return the evidence of these runs; of all runs where none is named, and none where nothing is logged.

    A name is a run's id, an unmistakable beginning of one, `last`, or `graph:HASH` for all runs of
    one version of the graph. With `current`, only attempts that the present project compares with.

    Raises:
        RunLogError: a run is unknown, or the log cannot be read.
    """
    static = frozenset(node.name for node in project.graph if node.is_static)
    try:
        log = project.read_log()
    except NothingLogged:
        if names:
            raise
        return Evidence((), PickedAttempts.of(()), static)
    try:
        runs = sorted(named_runs(log, names) if names else log.runs(), key=lambda run: (run.started, run.id))
        attempts = log.pick([run.id for run in runs])
        by_world: dict[str | None, list[str]] = {}
        for run in runs:
            by_world.setdefault(_world_of(run), []).append(run.id)
        for world, made_there in by_world.items():
            attempts.mark_stale(made_there, _edge_hashes(project, world))
        if current:
            attempts.drop_stale()
    except BaseException:
        log.close()
        raise
    return Evidence(tuple(runs), attempts, static)


def named_runs(log: RunLog, names: Sequence[str]) -> list[RunRecord]:
    """Return the runs of these names, each once.

    Raises:
        RunLogError: a name fits no run, or several.
    """
    found: dict[str, RunRecord] = {}
    for name in names:
        for run in _runs_of(log, name):
            found[run.id] = run
    return list(found.values())


def _runs_of(log: RunLog, name: str) -> list[RunRecord]:
    kind, colon, digest = name.partition(":")
    if not colon or kind != "graph":
        return [log.run(name)]
    runs = [run for run in log.runs() if run.graph_hash.startswith(digest)]
    if len(digest) < MIN_HASH or not runs:
        raise RunLogError(f"no run of a graph '{digest}' is logged (at least {MIN_HASH} characters of its hash)")
    if len({run.graph_hash for run in runs}) > 1:
        raise RunLogError(f"several versions of the graph begin with '{digest}'; give more of the hash")
    return runs


def _world_of(run: RunRecord) -> str | None:
    """Digest of a run's world; None where it is one that this version does not know."""
    world = run.environment
    return None if world is None else world.digest


def _edge_hashes(project: Project, world: str | None) -> frozenset[str]:
    """Hashes of the project's edges, and of its start, in a world."""
    if world is None:
        return frozenset()
    hashes = set()
    for edge in (None, *project.graph.edges):
        try:
            hashes.add(project.edge_hash(edge, world))
        except CtrlGraphError:  # a script that no longer compiles compares with nothing
            continue
    return frozenset(hashes)
