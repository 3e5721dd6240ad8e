"""Comparisons of success rates before and after a change: of two runs, two graph versions, or two sweeps.

Each pair of rates is tested with Fisher's exact test; the difference comes with Newcombe's interval. The p-values are
adjusted for the number of tests. A change is significant if the adjusted value is below 0.05. At most one in twenty of
the significant changes is expected to be chance (sources: `ctrlgraph.statistics`). If nothing is drawn at random in
either sample, a difference is certain and is not tested.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ctrlgraph.errors import NothingLogged, RunLogError
from ctrlgraph.report.evidence import Evidence, gather
from ctrlgraph.report.sweeps import SweepView, views_of, with_unit
from ctrlgraph.robustness.sweeps.engine_comparison import is_drawn
from ctrlgraph.robustness.sweeps.summary import Range, range_everywhere, widest_range
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore, matching
from ctrlgraph.run_log.record import RunRecord
from ctrlgraph.run_log.statistics import Statistics
from ctrlgraph.simulation.trial import Point
from ctrlgraph.statistics import ALPHA, NONE, SuccessCount, adjusted_p, fisher_p, newcombe_interval

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


class ChangeVerdict(enum.StrEnum):
    """Statistical conclusion about a change."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "no significant change"
    ONE_SIDED = "only in one of them"


@dataclass(frozen=True, slots=True)
class SuccessChange:
    """The success of a node, an edge or a sweep point in two samples.

    `difference`, `interval` and `p` are None if one sample lacks it.
    """

    kind: str
    name: str
    before: SuccessCount
    """Successes in the first sample."""
    after: SuccessCount
    """Successes in the second sample."""
    difference: float | None
    """Success rate after minus before."""
    interval: tuple[float, float] | None
    """Newcombe's 95 % interval of the difference."""
    p: float | None
    """p-value of Fisher's exact test."""
    adjusted: float | None
    """p-value adjusted for all tests of the comparison."""
    changed: bool
    """Whether the motions differ: another script or argument; for an edge in the same world also other conditions or
    another character.
    """
    certain: bool = False
    """Whether both samples are free of random draws, so that no test is needed."""

    @property
    def verdict(self) -> ChangeVerdict:
        """Return the conclusion."""
        if self.difference is None:
            return ChangeVerdict.ONE_SIDED
        significant = self.difference != 0.0 if self.certain else self.adjusted is not None and self.adjusted < ALPHA
        if not significant:
            return ChangeVerdict.UNCLEAR
        return ChangeVerdict.BETTER if self.difference > 0 else ChangeVerdict.WORSE

    def as_dict(self) -> dict[str, Any]:
        """Return the change as JSON data."""
        low, high = self.interval or (None, None)
        return {
            "kind": self.kind,
            "name": self.name,
            "successes_a": self.before.successes,
            "attempts_a": self.before.trials,
            "successes_b": self.after.successes,
            "attempts_b": self.after.trials,
            "difference": self.difference,
            "low": low,
            "high": high,
            "p": self.p,
            "p_adjusted": self.adjusted,
            "changed": self.changed,
            "certain": self.certain,
            "verdict": str(self.verdict),
        }


def success_change(
    kind: str, name: str, before: SuccessCount, after: SuccessCount, *, changed: bool = False, certain: bool = False
) -> SuccessChange:
    """Return the change between two samples, not adjusted yet. One sample may be empty.

    Args:
        kind: "node", "edge" or "point".
        name: Name of the node, edge or point.
        before: Successes in the first sample.
        after: Successes in the second sample.
        changed: Whether the motions differ.
        certain: Whether both samples are free of random draws.
    """
    if before.share is None or after.share is None:
        return SuccessChange(kind, name, before, after, None, None, None, None, False, certain)
    difference = after.share - before.share
    if certain:
        return SuccessChange(kind, name, before, after, difference, None, None, None, changed, True)
    interval, p = newcombe_interval(before, after), fisher_p(before, after)
    return SuccessChange(kind, name, before, after, difference, interval, p, None, changed)


def adjusted(changes: Sequence[SuccessChange]) -> list[SuccessChange]:
    """Return the changes of one comparison with p-values adjusted for the number of tests."""
    values = adjusted_p([change.p for change in changes])
    return [
        change if value is None else replace(change, adjusted=value)
        for change, value in zip(changes, values, strict=True)
    ]


Key = tuple[str, ...]
"""Node name, or source, target and kind of an edge."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two samples, and the changes of all nodes and edges in either."""

    name_a: str
    name_b: str
    runs_a: tuple[str, ...]
    runs_b: tuple[str, ...]
    attempts_a: int
    attempts_b: int
    changes: tuple[SuccessChange, ...]
    settings: tuple[str, ...]
    """Other differences between the samples, in words."""

    @property
    def shown(self) -> list[SuccessChange]:
        """Return the changes with a difference, significant or not."""
        return [change for change in self.changes if change.difference]

    @property
    def hidden(self) -> list[SuccessChange]:
        """Return the changes that have no difference, or that exist in one sample only."""
        return [change for change in self.changes if not change.difference]

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON data."""
        return {
            "a": {"name": self.name_a, "runs": list(self.runs_a)},
            "b": {"name": self.name_b, "runs": list(self.runs_b)},
            "settings": list(self.settings),
            "changes": [change.as_dict() for change in self.changes],
        }


def compare(name_a: str, a: Evidence, name_b: str, b: Evidence) -> Comparison:
    """Compare all nodes and edges of two samples. Significant changes come first, and the largest change is at the top.

    Args:
        name_a: Name of the first sample.
        a: First sample.
        name_b: Name of the second sample.
        b: Second sample.
    """
    same_world = _facts(a.runs, "world") == _facts(b.runs, "world")
    # an edge's hash includes the world; and the edges into a node have different sources
    rows = _rows("node", a, b, "program_hashes")
    rows += _rows("edge", a, b, "edge_hashes" if same_world else "program_hashes")
    rows = adjusted(rows)
    order = {ChangeVerdict.WORSE: 0, ChangeVerdict.BETTER: 0, ChangeVerdict.UNCLEAR: 1, ChangeVerdict.ONE_SIDED: 2}
    rows.sort(key=lambda row: (order[row.verdict], -abs(row.difference or 0.0), row.kind != "node", row.name))
    ids_a, ids_b = (tuple(run.id for run in side.runs) for side in (a, b))
    counts = a.attempts, b.attempts
    return Comparison(name_a, name_b, ids_a, ids_b, *counts, tuple(rows), tuple(_run_differences(a.runs, b.runs)))


def _rows(kind: str, a: Evidence, b: Evidence, hashes: Literal["program_hashes", "edge_hashes"]) -> list[SuccessChange]:
    before, after = (_counts(kind, side.statistics) for side in (a, b))
    old, new = (getattr(side, hashes) for side in (a, b))
    return [
        success_change(
            kind, _name(key), before.get(key, NONE), after.get(key, NONE), changed=old.get(key) != new.get(key)
        )
        for key in sorted(before.keys() | after.keys())
    ]


def _counts(kind: str, statistics: Statistics) -> dict[Key, SuccessCount]:
    if kind == "node":
        return {(row.name,): row.success.count for row in statistics.nodes}
    return {(row.source, row.target, row.kind): row.success.count for row in statistics.edges}


def _name(key: Key) -> str:
    if len(key) == 1:
        return key[0]
    return f"{key[0]} -> {key[1]}" + (f" ({key[2]})" if key[2] != "naive" else "")


def _run_differences(a: Sequence[RunRecord], b: Sequence[RunRecord]) -> list[str]:
    """Return the differences in graph, world and versions, in words."""
    kinds = ("graph", "world", "versions")
    return [difference for kind in kinds for difference in _differences(_facts(a, kind), _facts(b, kind))]


def _differences(one: Mapping[str, object], two: Mapping[str, object]) -> Iterator[str]:
    for name in sorted(one.keys() | two.keys()):
        if one.get(name) != two.get(name):
            yield f"{name.replace('_', ' ')} ({one.get(name, 'none')} and {two.get(name, 'none')})"


def _facts(runs: Sequence[RunRecord], kind: str) -> dict[str, str]:
    """Return the graph, world or versions of some runs by name. Several values of one name are joined."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for name, value in _facts_of_run(run, kind):
            found.setdefault(name, set()).add(value)
    return {name: ", ".join(sorted(values)) for name, values in found.items()}


def _facts_of_run(run: RunRecord, kind: str) -> Iterator[tuple[str, str]]:
    if kind == "graph":
        yield "graph", run.graph_hash[:8]
        return
    values = run.versions if kind == "versions" else run.settings.get("world", {})
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from ((f"{name} {inner}", str(item)) for inner, item in value.items())
        else:
            yield name, str(value)


class LimitChange(NamedTuple):
    """The successful range of an axis in two sweeps (`summary.range_everywhere`, `widest_range`).

    For a sweep over one axis both are equal.
    """

    axis: str
    before: Range | None
    after: Range | None
    widest_before: Range | None
    widest_after: Range | None


@dataclass(frozen=True, slots=True)
class SweepChange:
    """A target swept twice over the same axes."""

    before: SweepView
    after: SweepView
    points: tuple[tuple[Point, SuccessChange], ...]
    """Points of either sweep, each with its change."""
    changed: bool
    """Whether the target's scripts, conditions or character differ."""

    @property
    def limits(self) -> list[LimitChange]:
        """Return the change of the range with success, per axis. A phase axis has no undisturbed value and is
        omitted.
        """
        a, b = self.before.points, self.after.points
        return [
            LimitChange(
                axis, range_everywhere(a, axis), range_everywhere(b, axis), widest_range(a, axis), widest_range(b, axis)
            )
            for axis in self.after.axes
            if axis != "phase"
        ]

    @property
    def changes(self) -> list[SuccessChange]:
        """Return the changes of all points."""
        return [change for _, change in self.points]

    @property
    def shown(self) -> list[SuccessChange]:
        """Return the changes with a difference: significant ones first, the largest at the top."""
        found = [change for change in self.changes if change.difference]
        return sorted(found, key=lambda c: (c.verdict is ChangeVerdict.UNCLEAR, -abs(c.difference or 0.0)))

    def count(self, verdict: str) -> int:
        """Return the number of points with a verdict."""
        return sum(change.verdict == verdict for change in self.changes)

    def as_dict(self) -> dict[str, Any]:
        """Return the change as JSON data."""
        return {
            "target": self.after.sweep.target,
            "a": self.before.sweep.id,
            "b": self.after.sweep.id,
            "changed": self.changed,
            "limits": [limit._asdict() for limit in self.limits],
            "points": [dict(point) | change.as_dict() for point, change in self.points],
        }


@dataclass(frozen=True, slots=True)
class SweepsComparison:
    """Two sets of sweeps, target by target."""

    name_a: str
    name_b: str
    pairs: tuple[SweepChange, ...]
    settings: tuple[str, ...]
    """Differences besides scripts and chance, in words."""
    unpaired: tuple[str, ...]
    """Targets in only one of the sets."""

    def count(self, verdict: str) -> int:
        """Return the number of points of all targets with a verdict."""
        return sum(pair.count(verdict) for pair in self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON data."""
        return {
            "a": self.name_a,
            "b": self.name_b,
            "settings": list(self.settings),
            "alone": list(self.unpaired),
            "targets": [pair.as_dict() for pair in self.pairs],
        }


def compare_sweeps(name_a: str, a: Sequence[SweepView], name_b: str, b: Sequence[SweepView]) -> SweepsComparison:
    """Compare the sweeps of the same target and axes in two sets.

    Args:
        name_a: Name of the first set.
        a: First set.
        name_b: Name of the second set.
        b: Second set.

    Raises:
        RunLogError: If no target is in both sets, or both are the same.
    """
    if {view.sweep.id for view in a} == {view.sweep.id for view in b}:
        raise RunLogError(f"'{name_a}' and '{name_b}' are the same: there is nothing to compare")
    before, after = ({_key(view): view for view in views} for views in (a, b))
    common = [key for key in after if key in before]
    if not common:
        raise RunLogError(f"'{name_a}' and '{name_b}' have no common target with the same axes")
    pairs = [_pair(before[key], after[key]) for key in common]
    flat = iter(adjusted([change for pair in pairs for change in pair.changes]))
    pairs = [
        SweepChange(pair.before, pair.after, tuple((point, next(flat)) for point, _ in pair.points), pair.changed)
        for pair in pairs
    ]
    unpaired = sorted({key[0] for key in before.keys() ^ after.keys()})
    fixed = [[{**view.fixed, **view.sweep.versions} for view in (pair.before, pair.after)] for pair in pairs]
    settings = dict.fromkeys(sentence for one, two in fixed for sentence in _differences(one, two))
    return SweepsComparison(name_a, name_b, tuple(pairs), tuple(settings), tuple(unpaired))


def _key(view: SweepView) -> tuple[str, tuple[str, ...]]:
    return view.sweep.target, tuple(sorted(view.axes))


def _pair(before: SweepView, after: SweepView) -> SweepChange:
    axes = after.axes
    one, two = (
        {tuple(dict(point.point)[axis] for axis in axes): point for point in view.points} for view in (before, after)
    )
    points: list[tuple[Point, SuccessChange]] = []
    for values in sorted(one.keys() | two.keys()):
        a, b, point = one.get(values), two.get(values), tuple(zip(axes, values, strict=True))
        change = success_change(
            "point",
            ", ".join(f"{name.replace('_', ' ')} {with_unit(name, value)}" for name, value in point),
            a.count if a else NONE,
            b.count if b else NONE,
            certain=not (is_drawn(before.sweep, point) or is_drawn(after.sweep, point)),
        )
        points.append((point, change))
    return SweepChange(before, after, tuple(points), before.sweep.hashes != after.sweep.hashes)


SWEEP_PREFIX = "sweep:"
"""Prefix of a sweep's id, which distinguishes it from a run."""


def compare_named(
    project: Project, names: tuple[str, str], source: SweepStore | None, *, current: bool = False
) -> Comparison | SweepsComparison:
    """Compare two runs or two sweeps.

    A name is a run (see `evidence.gather`) or `sweep:ID`: a sweep's id, the beginning of one, or `last`. `sweep:` is
    optional if no run has that name.

    Args:
        project: Project with the log.
        names: Names of both, the earlier first.
        source: Store of sweeps; None if nothing was swept yet.
        current: Use only attempts that are comparable with the present scripts.

    Raises:
        RunLogError: If a name is unknown or ambiguous, one is a run and the other a sweep, or there is nothing to
            compare.
    """
    kinds = [_is_sweep(project, source, name) for name in names]
    if not any(kinds):
        return _runs(project, names, current)
    if not all(kinds):
        sweep, run = names if kinds[0] else reversed(names)
        raise RunLogError(f"'{sweep}' is a sweep and '{run}' is not; only two runs or two sweeps can be compared")
    a, b = (_views(project, source, name) for name in names)
    shown = [views[0].sweep.id.partition(".")[0] for views in (a, b)]
    return compare_sweeps(f"sweep {shown[0]}", a, f"sweep {shown[1]}", b)


def _is_sweep(project: Project, source: SweepStore | None, name: str) -> bool:
    if name.startswith(SWEEP_PREFIX):
        return True
    if source is None or ":" in name or name == "last" or not matching(source.sweeps(), name):
        return False
    try:
        with project.read_log() as log:
            return not any(run.id.startswith(name) for run in log.runs())
    except NothingLogged:
        return True


def _views(project: Project, source: SweepStore | None, name: str) -> list[SweepView]:
    prefix = name.removeprefix(SWEEP_PREFIX)
    found = [] if source is None else matching(source.sweeps(), prefix)
    if source is None or not found or not prefix:
        raise RunLogError(f"there is no sweep '{prefix}'")
    commands = dict.fromkeys(sweep.id.partition(".")[0] for sweep in found)
    if len(commands) > 1:
        raise RunLogError(f"several sweeps begin with '{prefix}': {', '.join(commands)}")
    views = views_of(source, found, project)
    if not views:
        raise RunLogError(f"there is nothing to compare: sweep '{prefix}' has no trials")
    return views


def _runs(project: Project, names: tuple[str, str], current: bool) -> Comparison:
    a, b = (gather(project, [name], current=current) for name in names)
    for name, side in zip(names, (a, b), strict=True):
        if not side.attempts:
            raise RunLogError(f"there is nothing to compare: '{name}' has no attempts")
    if {run.id for run in a.runs} == {run.id for run in b.runs}:
        raise RunLogError(f"'{names[0]}' and '{names[1]}' are the same: there is nothing to compare")
    shown = [name if ":" in name else side.runs[0].id for name, side in zip(names, (a, b), strict=True)]
    return compare(shown[0], a, shown[1], b)
