"""Data of a report from the run log: logged runs, statistics of their attempts, and which attempts are stale.

An attempt is one node tried in a logged run. It is stale if the scripts, the graph or the character have changed since.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, NothingLogged, RunLogError
from ctrlgraph.run_log.record import START, AttemptRecord, RunRecord
from ctrlgraph.run_log.statistics import summarize
from ctrlgraph.walks.tally import Tally

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.run_log import RunLog

MIN_HASH_LENGTH = 4
"""Minimum length of the HASH in `graph:HASH`, characters."""

Key = tuple[str | None, ...]
"""(name of a node), or (source, target, kind of an edge)."""


class Evidence:
    """Statistics of logged attempts (nodes tried in runs), for a report. The attempts are read once and not kept.

    Args:
        runs: Logged runs in chronological order.
        attempts: Attempts of these runs, run by run.
        static: Names of the static poses of the graph.
        is_stale: Returns True if an attempt was made with other scripts, another graph or another character than the
            current ones (see `AttemptRecord.edge_hash`).
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
        """Number of stale attempts, by node."""
        self.tally = Tally(static)
        """Counts of transitions, recoveries and resets in all logged runs."""
        self.durations: defaultdict[str, tuple[array[float], array[float]]]
        self.durations = defaultdict(lambda: (array("d"), array("d")))
        """(durations of failures, durations of successes), simulated, s, by node."""
        self.program_hashes: defaultdict[Key, set[str]] = defaultdict(set)
        self.edge_hashes: defaultdict[Key, set[str]] = defaultdict(set)
        self._sources: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.statistics = summarize(self._counted(attempts, is_stale))
        """Success rates of nodes and edges, and kinds of failures."""

    def _counted(
        self, attempts: Iterable[AttemptRecord], is_stale: Callable[[AttemptRecord], bool]
    ) -> Iterator[AttemptRecord]:
        """Add each attempt to the counts of this object, and yield the attempt."""
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
        """Number of attempts that were made with other scripts, another graph or another character than now."""
        return self.stale_by_node.total()

    def usual_source(self, node: str) -> str | None:
        """Return the node from which most planned (naive or learned) edges to `node` were taken; None without any."""
        counts = self._sources[node]
        return max(counts, key=lambda source: (counts[source], source), default=None)


def gather(project: Project, names: Sequence[str] = (), *, current: bool = False) -> Evidence:
    """Read logged runs and count their attempts. The result is empty if nothing is logged and no names are given.

    Args:
        project: Project with the run log.
        names: Logged runs: ids, unique beginnings of ids, `last`, or `graph:HASH` for all runs with a version of the
            graph. Empty: all logged runs.
        current: True ignores attempts that were made with other scripts, another graph or another character.

    Raises:
        RunLogError: No logged run has a given name, a name is ambiguous, or the log cannot be read.
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
    """Return the logged runs that are meant by some names, without duplicates.

    Args:
        log: Run log.
        names: Ids, unique beginnings of ids, `last`, or `graph:HASH` for all runs with a version of the graph.

    Raises:
        RunLogError: No logged run has a given name, or a name is the beginning of several ids or hashes.
    """
    return list({run.id: run for name in names for run in _runs_of(log, name)}.values())


def _runs_of(log: RunLog, name: str) -> list[RunRecord]:
    kind, colon, digest = name.partition(":")
    if not colon or kind != "graph":
        return [log.run(name)]
    runs = [run for run in log.runs() if run.graph_hash.startswith(digest)]
    if len(digest) < MIN_HASH_LENGTH or not runs:
        raise RunLogError(
            f"no logged run has a graph with the hash '{digest}' (give at least {MIN_HASH_LENGTH} characters)"
        )
    if len({run.graph_hash for run in runs}) > 1:
        raise RunLogError(f"the hashes of several graphs begin with '{digest}': give more characters")
    return runs


def _edge_hashes(project: Project, world: str | None) -> frozenset[str]:
    """Return the current hashes (`Project.edge_hash`) of all edges and of the start node in an environment.

    Args:
        project: Project with the graph.
        world: Digest of the environment. None: unknown, for which there are no hashes.
    """
    if world is None:
        return frozenset()
    hashes = set()
    for edge in (None, *project.graph.edges):
        with suppress(CtrlGraphError):  # an edge whose script no longer compiles
            hashes.add(project.edge_hash(edge, world))
    return frozenset(hashes)
