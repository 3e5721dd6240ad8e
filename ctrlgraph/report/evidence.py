"""The data of a report: runs, their attempts, and which attempts are comparable with the present scripts."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError
from ctrlgraph.run_log.record import START, AttemptRecord, RunRecord
from ctrlgraph.run_log.statistics import summarize
from ctrlgraph.walks.tally import Tally

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.run_log import RunLog

MIN_HASH_LENGTH = 4
"""Minimum number of characters of a graph hash."""

Key = tuple[str | None, ...]
"""Name of a node, or source, target and kind of an edge."""


class Evidence:
    """Runs in chronological order, and counts of their attempts, which are read once.

    Args:
        runs: Runs.
        attempts: Their attempts, run by run.
        static: Names of the static nodes.
        is_stale: Return whether an attempt is not comparable with the present scripts, graph and character
            (`AttemptRecord.edge_hash`).
    """

    def __init__(
        self,
        runs: Sequence[RunRecord] = (),
        attempts: Iterable[AttemptRecord] = (),
        static: frozenset[str] = frozenset(),
        is_stale: Callable[[AttemptRecord], bool] = lambda _: False,
    ) -> None:
        self.runs = tuple(runs)
        self.attempts = 0
        """Number of attempts."""
        self.stale_by_node: Counter[str] = Counter()
        """Numbers of stale attempts."""
        self.tally = Tally(static)
        """Transitions, recoveries and resets of all runs."""
        self.durations: defaultdict[str, tuple[array[float], array[float]]]
        self.durations = defaultdict(lambda: (array("d"), array("d")))
        """Simulated durations of the failures and of the successes by node, s."""
        self.program_hashes: defaultdict[Key, set[str]] = defaultdict(set)
        self.edge_hashes: defaultdict[Key, set[str]] = defaultdict(set)
        self._sources: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.statistics = summarize(self._counted(attempts, is_stale))
        """Statistics of the attempts."""

    def _counted(
        self, attempts: Iterable[AttemptRecord], is_stale: Callable[[AttemptRecord], bool]
    ) -> Iterator[AttemptRecord]:
        """Yield the attempts after counting them."""
        for attempt in attempts:
            self.attempts += 1
            self.stale_by_node[attempt.node] += is_stale(attempt)
            self.tally.add(attempt)
            self.durations[attempt.node][attempt.succeeded].append(attempt.simulated_s)
            edge = (attempt.source, attempt.node, attempt.edge_kind)
            for key in ((attempt.node,), edge):
                self.program_hashes[key].add(attempt.program_hash)
            self.edge_hashes[edge].add(attempt.edge_hash)
            if attempt.planned and attempt.edge_kind != START and attempt.source is not None:
                self._sources[attempt.node][attempt.source] += 1
            yield attempt

    @property
    def stale(self) -> int:
        """Return the number of attempts with other scripts, another graph or another character."""
        return self.stale_by_node.total()

    def usual_source(self, node: str) -> str | None:
        """Return the most frequent source of planned transitions to `node`."""
        counts = self._sources[node]
        return max(counts, key=lambda source: (counts[source], source), default=None)


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
        return Evidence()
    with log:
        runs = sorted(named_runs(log, names) if names else log.runs(), key=lambda run: (run.started, run.id))
        worlds = {run.id: None if run.environment is None else run.environment.digest for run in runs}
        hashes = {world: _edge_hashes(project, world) for world in {*worlds.values()}}

        def is_stale(attempt: AttemptRecord) -> bool:
            return attempt.edge_hash not in hashes[worlds[attempt.run]]

        attempts = (attempt for run in runs for attempt in log.attempts(run.id))
        if current:
            attempts = (attempt for attempt in attempts if not is_stale(attempt))
        return Evidence(runs, attempts, static, is_stale)


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
