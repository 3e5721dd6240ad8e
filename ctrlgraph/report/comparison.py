"""Two samples of attempts compared, node by node and edge by edge: what got better, what got worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.report.change import ChangeVerdict, SuccessChange, adjusted, change_of
from ctrlgraph.report.evidence import Evidence
from ctrlgraph.runs.record import START, AttemptRecord, RunRecord
from ctrlgraph.statistics import SuccessCount

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two samples and every node and edge that either attempted; settings: what else differs."""

    name_a: str
    name_b: str
    a: Evidence
    b: Evidence
    changes: tuple[SuccessChange, ...]
    settings: tuple[str, ...]

    @property
    def shown(self) -> list[SuccessChange]:
        """Return those with a difference, significant or not."""
        return [change for change in self.changes if change.difference]

    @property
    def hidden(self) -> list[SuccessChange]:
        """Return those without one: the same success in both, or only in one of them."""
        return [change for change in self.changes if not change.difference]

    def as_dict(self) -> dict[str, Any]:
        return {
            "a": {"name": self.name_a, "runs": [run.id for run in self.a.runs]},
            "b": {"name": self.name_b, "runs": [run.id for run in self.b.runs]},
            "settings": list(self.settings),
            "changes": [change.as_dict() for change in self.changes],
        }


def compare(name_a: str, a: Evidence, name_b: str, b: Evidence) -> Comparison:
    """Return every node and edge of either sample; significant changes first, the greatest of them first."""
    same_world = _facts(a.runs, "world") == _facts(b.runs, "world")
    rows = _rows("node", _by_node(a.attempts), _by_node(b.attempts), same_world)
    rows += _rows("edge", _by_edge(a.attempts), _by_edge(b.attempts), same_world)
    rows = adjusted(rows)
    order = {ChangeVerdict.WORSE: 0, ChangeVerdict.BETTER: 0, ChangeVerdict.UNCLEAR: 1, ChangeVerdict.ONE_SIDED: 2}
    rows.sort(key=lambda row: (order[row.verdict], -abs(row.difference or 0.0), row.kind != "node", row.name))
    return Comparison(name_a, name_b, a, b, tuple(rows), tuple(_settings(a.runs, b.runs)))


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
) -> list[SuccessChange]:
    return [_row(kind, key, a.get(key, []), b.get(key, []), same_world) for key in sorted(a.keys() | b.keys())]


def _row(kind: str, key: Key, a: list[AttemptRecord], b: list[AttemptRecord], same_world: bool) -> SuccessChange:
    name = key[0] if kind == "node" else f"{key[0]} -> {key[1]}" + (f" ({key[2]})" if key[2] != "naive" else "")
    before, after = (SuccessCount.of(attempt.succeeded for attempt in sample) for sample in (a, b))
    # an edge's hash holds the world, too, and a node's edges differ by where they come from
    hashed = "edge_hash" if kind == "edge" and same_world else "program_hash"
    changed = {getattr(attempt, hashed) for attempt in a} != {getattr(attempt, hashed) for attempt in b}
    return change_of(kind, name, before, after, changed=changed)


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
