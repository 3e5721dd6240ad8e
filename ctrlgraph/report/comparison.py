"""Two samples of attempts compared, node by node and edge by edge: what got better, what got worse.

Each pair of success rates is tested with Fisher's exact test (two-sided, on the 2 x 2 table of
successes and failures); the difference comes with Newcombe's hybrid score interval, 95 %. Many pairs
are tested at once, so the p-values are adjusted by Benjamini and Hochberg's procedure, and a change
counts as significant where the adjusted value is below 0.05: of the changes called significant, at
most one in twenty is expected to be chance.

Sources: R. G. Newcombe, Interval estimation for the difference between independent proportions,
Statistics in Medicine 17 (1998), method 10; Y. Benjamini and Y. Hochberg, JRSS B 57 (1995).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ctrlgraph.report.evidence import Evidence
from ctrlgraph.runs.record import START, AttemptRecord, RunRecord
from ctrlgraph.runs.statistics import wilson_interval

ALPHA = 0.05

Key = tuple[str, ...]
Counts = tuple[int, int]  # successes, attempts


class Verdict(enum.StrEnum):
    """What the numbers allow to say."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "no significant change"
    ONE_SIDED = "only in one of them"


@dataclass(frozen=True, slots=True)
class Change:
    """One node or edge in both samples.

    before, after: (successes, attempts); difference: after - before with its `interval`; p: Fisher's;
    adjusted: for all tests of the comparison; changed: whether it is not the same motion in both (another
    script or argument; of an edge in the same world also other conditions or another character).
    difference, interval and p are None where one sample lacks it.
    """

    kind: str
    name: str
    before: Counts
    after: Counts
    difference: float | None
    interval: tuple[float, float] | None
    p: float | None
    adjusted: float | None
    changed: bool

    @property
    def verdict(self) -> Verdict:
        if self.difference is None or self.adjusted is None:
            return Verdict.ONE_SIDED
        if self.adjusted >= ALPHA:
            return Verdict.UNCLEAR
        return Verdict.BETTER if self.difference > 0 else Verdict.WORSE

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        return {
            "kind": self.kind,
            "name": self.name,
            "successes_a": self.before[0],
            "attempts_a": self.before[1],
            "successes_b": self.after[0],
            "attempts_b": self.after[1],
            "difference": self.difference,
            "low": low,
            "high": high,
            "p": self.p,
            "p_adjusted": self.adjusted,
            "changed": self.changed,
            "verdict": str(self.verdict),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two samples and every node and edge that either attempted; settings: what else differs."""

    name_a: str
    name_b: str
    a: Evidence
    b: Evidence
    changes: tuple[Change, ...]
    settings: tuple[str, ...]

    @property
    def shown(self) -> list[Change]:
        """Those with a difference, significant or not."""
        return [change for change in self.changes if change.difference]

    @property
    def hidden(self) -> list[Change]:
        """Those without one: the same success in both, or only in one of them."""
        return [change for change in self.changes if not change.difference]

    def as_dict(self) -> dict[str, Any]:
        return {
            "a": {"name": self.name_a, "runs": [run.id for run in self.a.runs]},
            "b": {"name": self.name_b, "runs": [run.id for run in self.b.runs]},
            "settings": list(self.settings),
            "changes": [change.as_dict() for change in self.changes],
        }


def compare(name_a: str, a: Evidence, name_b: str, b: Evidence) -> Comparison:
    """Every node and edge of either sample; significant changes first, the greatest of them first."""
    same_world = _facts(a.runs, "world") == _facts(b.runs, "world")
    rows = _rows("node", _by_node(a.attempts), _by_node(b.attempts), same_world)
    rows += _rows("edge", _by_edge(a.attempts), _by_edge(b.attempts), same_world)
    tested = [i for i, row in enumerate(rows) if row.p is not None]
    for i, value in zip(tested, _adjusted([rows[i].p or 0.0 for i in tested]), strict=True):
        rows[i] = replace(rows[i], adjusted=value)
    order = {Verdict.WORSE: 0, Verdict.BETTER: 0, Verdict.UNCLEAR: 1, Verdict.ONE_SIDED: 2}
    rows.sort(key=lambda row: (order[row.verdict], -abs(row.difference or 0.0), row.kind != "node", row.name))
    return Comparison(name_a, name_b, a, b, tuple(rows), tuple(_settings(a.runs, b.runs)))


def newcombe_interval(before: Counts, after: Counts) -> tuple[float, float]:
    """95 % interval of after - before, by Newcombe's method 10 from the two Wilson intervals."""
    (low_a, high_a), (low_b, high_b) = wilson_interval(*before), wilson_interval(*after)
    rate_a, rate_b = before[0] / before[1], after[0] / after[1]
    down = math.hypot(rate_b - low_b, high_a - rate_a)
    up = math.hypot(high_b - rate_b, rate_a - low_a)
    return max(-1.0, rate_b - rate_a - down), min(1.0, rate_b - rate_a + up)


def fisher_p(before: Counts, after: Counts) -> float:
    """Two-sided p-value of Fisher's exact test."""
    from scipy.stats import fisher_exact

    table = [[before[0], before[1] - before[0]], [after[0], after[1] - after[0]]]
    return min(1.0, float(fisher_exact(table).pvalue))


def _adjusted(values: Sequence[float]) -> list[float]:
    if not values:
        return []
    from scipy.stats import false_discovery_control

    return [float(value) for value in false_discovery_control(values)]


def _by_node(attempts: Iterable[AttemptRecord]) -> dict[Key, list[AttemptRecord]]:
    groups: dict[Key, list[AttemptRecord]] = {}
    for attempt in attempts:
        groups.setdefault((attempt.node,), []).append(attempt)
    return groups


def _by_edge(attempts: Iterable[AttemptRecord]) -> dict[Key, list[AttemptRecord]]:
    groups: dict[Key, list[AttemptRecord]] = {}
    for attempt in attempts:
        if attempt.source is not None and attempt.edge_kind != START:
            groups.setdefault((attempt.source, attempt.node, attempt.edge_kind), []).append(attempt)
    return groups


def _rows(
    kind: str, a: dict[Key, list[AttemptRecord]], b: dict[Key, list[AttemptRecord]], same_world: bool
) -> list[Change]:
    return [_row(kind, key, a.get(key, []), b.get(key, []), same_world) for key in sorted(a.keys() | b.keys())]


def _row(kind: str, key: Key, a: list[AttemptRecord], b: list[AttemptRecord], same_world: bool) -> Change:
    name = key[0] if kind == "node" else f"{key[0]} -> {key[1]}" + (f" ({key[2]})" if key[2] != "naive" else "")
    before, after = _counts(a), _counts(b)
    if not a or not b:
        return Change(kind, name, before, after, None, None, None, None, False)
    # an edge's hash holds the world, too, and a node's edges differ by where they come from
    hashed = "edge_hash" if kind == "edge" and same_world else "program_hash"
    changed = {getattr(attempt, hashed) for attempt in a} != {getattr(attempt, hashed) for attempt in b}
    difference = after[0] / after[1] - before[0] / before[1]
    interval, p = newcombe_interval(before, after), fisher_p(before, after)
    return Change(kind, name, before, after, difference, interval, p, None, changed)


def _counts(attempts: list[AttemptRecord]) -> Counts:
    return sum(attempt.succeeded for attempt in attempts), len(attempts)


def _settings(a: Sequence[RunRecord], b: Sequence[RunRecord]) -> list[str]:
    """What differs besides chance, in words: graph, world, versions."""
    sentences = []
    for what in ("graph", "world", "versions"):
        one, two = _facts(a, what), _facts(b, what)
        for name in sorted(one.keys() | two.keys()):
            if one.get(name) != two.get(name):
                sentences.append(f"{name} ({one.get(name, 'none')} and {two.get(name, 'none')})")
    return sentences


def _facts(runs: Sequence[RunRecord], what: str) -> dict[str, str]:
    """The graph, world or versions of some runs, by name; several values of one name are joined."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for name, value in _named(run, what):
            found.setdefault(name, set()).add(value)
    return {name: ", ".join(sorted(values)) for name, values in found.items()}


def _named(run: RunRecord, what: str) -> Iterator[tuple[str, str]]:
    if what == "graph":
        yield "graph", run.graph_hash[:8]
        return
    values = run.versions if what == "versions" else run.settings.get("world", {})
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from ((f"{name} {inner}", str(item)) for inner, item in value.items())
        else:
            yield name, str(value)
