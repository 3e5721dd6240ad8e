"""The data of a report: runs, their attempts, and which attempts are comparable with the present scripts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError
from ctrlgraph.runs.record import RunRecord
from ctrlgraph.runs.report_attempts import ReportAttempts
from ctrlgraph.runs.statistics import Statistics
from ctrlgraph.walkthrough.tally import Tally

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.run_log import RunLog

MIN_HASH_LENGTH = 4
"""Minimum number of characters of a graph hash."""


@dataclass(frozen=True)
class Evidence:
    """Runs in chronological order and their attempts. It must be closed."""

    runs: tuple[RunRecord, ...]
    attempts: ReportAttempts
    """Attempts; those not comparable with the present scripts, graph and character are marked as stale
    (`AttemptRecord.edge_hash`).
    """
    static: frozenset[str]
    """Names of the static nodes."""

    def __enter__(self) -> Evidence:
        return self

    def __exit__(self, *_: object) -> None:
        self.attempts.close()

    @property
    def statistics(self) -> Statistics:
        """Return the statistics of the attempts."""
        return self.attempts.statistics

    @cached_property
    def tally(self) -> Tally:
        """Return the transitions, recoveries and resets of all runs."""
        total = Tally(self.static)
        for _, attempts in itertools.groupby(self.attempts, key=lambda attempt: attempt.run):
            one = Tally.of(attempts, self.static)
            for name in ("transitions", "succeeded", "recovered", "resets", "simulated_s"):
                setattr(total, name, getattr(total, name) + getattr(one, name))
        return total

    @property
    def stale(self) -> int:
        """Return the number of attempts with other scripts, another graph or another character."""
        return sum(self.attempts.stale.values())


def gather(project: Project, names: Sequence[str] = (), *, current: bool = False) -> Evidence:
    """Return the evidence of some runs; empty evidence if the log is empty and no run is named.

    Args:
        project: Project with the log.
        names: Run ids, unique beginnings of them, `last`, or `graph:HASH` for all runs of a graph version; empty for
            all runs.
        current: Use only attempts that are comparable with the present project.

    Raises:
        RunLogError: If a run is unknown, or the log cannot be read.
    """
    static = frozenset(node.name for node in project.graph if node.is_static)
    try:
        log = project.read_log()
    except NothingLogged:
        if names:
            raise
        return Evidence((), ReportAttempts.of(()), static)
    try:
        runs = sorted(named_runs(log, names) if names else log.runs(), key=lambda run: (run.started, run.id))
        attempts = log.pick([run.id for run in runs])
        run_ids: dict[str | None, list[str]] = {}
        for run in runs:
            world = run.environment  # None if this version cannot read it
            run_ids.setdefault(None if world is None else world.digest, []).append(run.id)
        for digest, ids in run_ids.items():
            attempts.mark_stale(ids, _edge_hashes(project, digest))
        if current:
            attempts.drop_stale()
    except BaseException:
        log.close()
        raise
    return Evidence(tuple(runs), attempts, static)


def named_runs(log: RunLog, names: Sequence[str]) -> list[RunRecord]:
    """Return the runs with some names, without duplicates.

    Args:
        log: Run log.
        names: Names as for `gather`.

    Raises:
        RunLogError: If a name fits no run, or several.
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
    if len(digest) < MIN_HASH_LENGTH or not runs:
        raise RunLogError(
            f"no run of a graph '{digest}' is logged (give at least {MIN_HASH_LENGTH} characters of the hash)"
        )
    if len({run.graph_hash for run in runs}) > 1:
        raise RunLogError(f"several versions of the graph begin with '{digest}'; give more of the hash")
    return runs


def _edge_hashes(project: Project, world: str | None) -> frozenset[str]:
    """Return the hashes of the project's edges and of its start in a world."""
    if world is None:
        return frozenset()
    hashes = set()
    for edge in (None, *project.graph.edges):
        try:
            hashes.add(project.edge_hash(edge, world))
        except CtrlGraphError:  # an edge whose script no longer compiles
            continue
    return frozenset(hashes)
