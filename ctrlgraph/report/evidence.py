"""What a report is made from: the chosen runs, their attempts, and which of these are of the present scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError
from ctrlgraph.runs.record import START, AttemptRecord, RunRecord
from ctrlgraph.runs.statistics import Statistics, summarize
from ctrlgraph.walkthrough.tally import Tally

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.store import RunLog

MIN_HASH = 4
"""Fewer characters of a graph's hash say nothing."""


@dataclass(frozen=True)
class Evidence:
    """Runs in the order in which they were made, and their attempts.

    current: of each attempt, whether the present scripts, graph and character compare with it
    (`AttemptRecord.edge_hash`); static: names of the static nodes.
    """

    runs: tuple[RunRecord, ...]
    attempts: tuple[AttemptRecord, ...]
    current: tuple[bool, ...]
    static: frozenset[str]

    @cached_property
    def statistics(self) -> Statistics:
        return summarize(self.attempts)

    @cached_property
    def tally(self) -> Tally:
        """Transitions, recoveries and resets over all runs."""
        by_run: dict[str, list[AttemptRecord]] = {}
        for attempt in self.attempts:
            by_run.setdefault(attempt.run, []).append(attempt)
        total = Tally(self.static)
        for attempts in by_run.values():
            one = Tally.of(attempts, self.static)
            for name in ("transitions", "succeeded", "recovered", "resets", "simulated_s"):
                setattr(total, name, getattr(total, name) + getattr(one, name))
        return total

    @property
    def stale(self) -> int:
        """Attempts that were made with other scripts, another graph or another character."""
        return len(self.attempts) - sum(self.current)

    def only_current(self) -> Evidence:
        """Return the attempts that are comparable with the present project."""
        kept = tuple(a for a, current in zip(self.attempts, self.current, strict=True) if current)
        return Evidence(self.runs, kept, (True,) * len(kept), self.static)

    def usual_source(self, node: str) -> str | None:
        """Return the node from which planned transitions most often led to `node`, by the log."""
        sources = Counter(a.source for a in self.attempts if a.node == node and a.planned and a.edge_kind != START)
        return max(sources, key=lambda name: (sources[name], str(name))) if sources else None


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
        return Evidence((), (), (), static)
    with log:
        runs = named_runs(log, names) if names else log.runs()
        runs = sorted(runs, key=lambda run: (run.started, run.id))
        attempts = tuple(attempt for run in runs for attempt in log.attempts(run.id))
    worlds = {run.id: _world_of(run) for run in runs}
    known = {world: _edge_hashes(project, world) for world in set(worlds.values())}
    flags = tuple(attempt.edge_hash in known[worlds[attempt.run]] for attempt in attempts)
    evidence = Evidence(tuple(runs), attempts, flags, static)
    return evidence.only_current() if current else evidence


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
