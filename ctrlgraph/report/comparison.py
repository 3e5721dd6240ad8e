"""Two samples of attempts compared, node by node and edge by edge: what got better, what got worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.report.change import ChangeVerdict, SuccessChange, adjusted, change_of
from ctrlgraph.report.evidence import Evidence
from ctrlgraph.runs.record import RunRecord
from ctrlgraph.runs.statistics import Statistics
from ctrlgraph.statistics import NONE, SuccessCount

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two samples and every node and edge that either attempted; settings: what else differs."""

    name_a: str
    name_b: str
    runs_a: tuple[str, ...]
    runs_b: tuple[str, ...]
    attempts_a: int
    attempts_b: int
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
            "a": {"name": self.name_a, "runs": list(self.runs_a)},
            "b": {"name": self.name_b, "runs": list(self.runs_b)},
            "settings": list(self.settings),
            "changes": [change.as_dict() for change in self.changes],
        }


def compare(name_a: str, a: Evidence, name_b: str, b: Evidence) -> Comparison:
    """Return every node and edge of either sample; significant changes first, the greatest of them first."""
    same_world = _facts(a.runs, "world") == _facts(b.runs, "world")
    # an edge's hash holds the world, too, and a node's edges differ by where they come from
    rows = _rows("node", a, b, ("node",), "program_hash")
    rows += _rows("edge", a, b, ("source", "node", "edge_kind"), "edge_hash" if same_world else "program_hash")
    rows = adjusted(rows)
    order = {ChangeVerdict.WORSE: 0, ChangeVerdict.BETTER: 0, ChangeVerdict.UNCLEAR: 1, ChangeVerdict.ONE_SIDED: 2}
    rows.sort(key=lambda row: (order[row.verdict], -abs(row.difference or 0.0), row.kind != "node", row.name))
    ids_a, ids_b = (tuple(run.id for run in side.runs) for side in (a, b))
    counts = len(a.attempts), len(b.attempts)
    return Comparison(name_a, name_b, ids_a, ids_b, *counts, tuple(rows), tuple(_settings(a.runs, b.runs)))


def _rows(kind: str, a: Evidence, b: Evidence, key: Sequence[str], hashed: str) -> list[SuccessChange]:
    before, after = (_counts(kind, side.statistics) for side in (a, b))
    old, new = (side.attempts.hashes(key, hashed) for side in (a, b))
    return [
        change_of(
            kind,
            _name(place),
            before.get(place, NONE),
            after.get(place, NONE),
            changed=old.get(place) != new.get(place),
        )
        for place in sorted(before.keys() | after.keys())
    ]


def _counts(kind: str, statistics: Statistics) -> dict[Key, SuccessCount]:
    if kind == "node":
        return {(row.name,): row.success.count for row in statistics.nodes}
    return {(row.source, row.target, row.kind): row.success.count for row in statistics.edges}


def _name(place: Key) -> str:
    if len(place) == 1:
        return place[0]
    return f"{place[0]} -> {place[1]}" + (f" ({place[2]})" if place[2] != "naive" else "")


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
