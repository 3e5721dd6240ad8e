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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    adjusted: for all tests of the comparison; changed: whether its controllers, conditions, character
    or world differ between the samples. difference and p are None where one sample lacks it.
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

    def of(self, verdict: Verdict) -> list[Change]:
        return [change for change in self.changes if change.verdict is verdict]

    def as_dict(self) -> dict[str, Any]:
        return {
            "a": {"name": self.name_a, "runs": [run.id for run in self.a.runs]},
            "b": {"name": self.name_b, "runs": [run.id for run in self.b.runs]},
            "settings": list(self.settings),
            "changes": [change.as_dict() for change in self.changes],
        }


def compare(name_a: str, a: Evidence, name_b: str, b: Evidence) -> Comparison:
    """Every node and edge of either sample; significant changes first, the greatest of them first."""
    rows = [*_rows("node", _by_node(a.attempts), _by_node(b.attempts))]
    rows += _rows("edge", _by_edge(a.attempts), _by_edge(b.attempts))
    tested = [i for i, row in enumerate(rows) if row.p is not None]
    for i, value in zip(tested, _adjusted([rows[i].p or 0.0 for i in tested]), strict=True):
        row = rows[i]
        rows[i] = Change(
            row.kind, row.name, row.before, row.after, row.difference, row.interval, row.p, value, row.changed
        )
    order = {Verdict.WORSE: 0, Verdict.BETTER: 0, Verdict.UNCLEAR: 1, Verdict.ONE_SIDED: 2}
    rows.sort(key=lambda row: (order[row.verdict], -abs(row.difference or 0.0), row.kind, row.name))
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


def _rows(kind: str, a: dict[Key, list[AttemptRecord]], b: dict[Key, list[AttemptRecord]]) -> list[Change]:
    return [_row(kind, key, a.get(key, []), b.get(key, [])) for key in sorted(a.keys() | b.keys())]


def _row(kind: str, key: Key, a: list[AttemptRecord], b: list[AttemptRecord]) -> Change:
    before, after = _counts(a), _counts(b)
    name = key[0] if kind == "node" else f"{key[0]} -> {key[1]}" + (f" ({key[2]})" if key[2] != "naive" else "")
    hashes = ({x.edge_hash for x in a}, {x.edge_hash for x in b})
    if kind == "node":  # a node's hashes differ by where it came from: its program is what compares
        hashes = ({x.program_hash for x in a}, {x.program_hash for x in b})
    if not a or not b:
        return Change(kind, name, before, after, None, None, None, None, False)
    difference = after[0] / after[1] - before[0] / before[1]
    p, interval = fisher_p(before, after), newcombe_interval(before, after)
    return Change(kind, name, before, after, difference, interval, p, None, hashes[0] != hashes[1])


def _counts(attempts: list[AttemptRecord]) -> Counts:
    return sum(attempt.succeeded for attempt in attempts), len(attempts)


def _settings(a: Sequence[RunRecord], b: Sequence[RunRecord]) -> list[str]:
    """Sentences about what differs besides chance: graph, world, versions."""
    sentences = []
    graphs = [sorted({run.graph_hash[:8] for run in runs}) for runs in (a, b)]
    if graphs[0] != graphs[1]:
        sentences.append(f"the graph: {', '.join(graphs[0])} and {', '.join(graphs[1])}")
    for what, values in (("world", "settings"), ("versions", "versions")):
        flat = [_flat([getattr(run, values).get("world", {}) if what == "world" else run.versions for run in runs])
                for runs in (a, b)]
        for name in sorted(flat[0].keys() | flat[1].keys()):
            one, two = flat[0].get(name, "-"), flat[1].get(name, "-")
            if one != two:
                sentences.append(f"{name}: {one} and {two}")
    return sentences


def _flat(mappings: Iterable[Any]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for mapping in mappings:
        for key, value in dict(mapping).items():
            if isinstance(value, dict):
                for inner, item in value.items():
                    found.setdefault(f"{key} {inner}", set()).add(str(item))
            else:
                found.setdefault(str(key), set()).add(str(value))
    return {key: ", ".join(sorted(values)) for key, values in found.items()}
