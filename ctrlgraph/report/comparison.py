"""Comparisons of success rates before and after a change: of two logged runs, two versions of the graph, or two sweeps.

The two compared sets of attempts or trials are called samples. Each pair of success rates is tested with Fisher's exact
test, and the interval of their difference is Newcombe's. The p-values are adjusted for the number of tests. A change is
significant if the adjusted p-value is below 0.05. At most one in twenty of the significant changes is expected to be
chance (sources: `ctrlgraph.statistics`). If neither sample has random perturbations, a difference is certain and not
tested.
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
    """Conclusion about a change of success between two samples (sets of attempts or trials).

    The change is significant (`BETTER`, `WORSE`) or not (`UNCLEAR`), or only one of the samples has attempts or trials
    (`ONE_SIDED`).
    """

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "no significant change"
    ONE_SIDED = "only in one of them"


@dataclass(frozen=True, slots=True)
class SuccessChange:
    """Change of the success of a node, an edge or a point of a sweep between two samples (sets of attempts or trials).

    `difference`, `interval` and `p` are None if one sample has no attempts or trials of the node, edge or point.
    """

    kind: str
    """Kind of the compared item: "node", "edge" or "point"."""
    name: str
    """Name of the node or edge, or description of the point."""
    before: SuccessCount
    """Number of successes and of attempts or trials in the first sample."""
    after: SuccessCount
    """Number of successes and of attempts or trials in the second sample."""
    difference: float | None
    """Success rate in the second sample minus that in the first, -1 to 1."""
    interval: tuple[float, float] | None
    """Newcombe's 95 % interval of the difference. None if `certain`."""
    p: float | None
    """p-value of Fisher's exact test. None if `certain`."""
    adjusted: float | None
    """p-value adjusted for the number of tests in the comparison."""
    changed: bool
    """True if the two samples ran different scripts or arguments. For an edge that both ran in the same environments:
    also if success conditions or the character differ.
    """
    certain: bool = False
    """True if neither sample has random perturbations, so that no test is needed."""

    @property
    def verdict(self) -> ChangeVerdict:
        """Conclusion about the change, from the adjusted p-value, or from the difference if nothing is random."""
        if self.difference is None:
            return ChangeVerdict.ONE_SIDED
        significant = self.difference != 0.0 if self.certain else self.adjusted is not None and self.adjusted < ALPHA
        if not significant:
            return ChangeVerdict.UNCLEAR
        return ChangeVerdict.BETTER if self.difference > 0 else ChangeVerdict.WORSE

    def as_dict(self) -> dict[str, Any]:
        """Return the success in both samples and the test of the difference as data for JSON."""
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
    """Test the change of success between two samples. The p-value is not adjusted for the number of tests yet.

    Args:
        kind: "node", "edge" or "point" (of a sweep).
        name: Name of the node or edge, or description of the point.
        before: Number of successes and of attempts or trials in the first sample; both may be 0.
        after: Number of successes and of attempts or trials in the second sample; both may be 0.
        changed: True if the samples ran different scripts or arguments (see `SuccessChange.changed`).
        certain: True if neither sample has random perturbations.
    """
    if before.share is None or after.share is None:
        return SuccessChange(kind, name, before, after, None, None, None, None, False, certain)
    difference = after.share - before.share
    if certain:
        return SuccessChange(kind, name, before, after, difference, None, None, None, changed, True)
    interval, p = newcombe_interval(before, after), fisher_p(before, after)
    return SuccessChange(kind, name, before, after, difference, interval, p, None, changed)


def adjusted(changes: Sequence[SuccessChange]) -> list[SuccessChange]:
    """Adjust the p-values of all changes of a comparison for the number of tests, and return changed copies."""
    values = adjusted_p([change.p for change in changes])
    return [
        change if value is None else replace(change, adjusted=value)
        for change, value in zip(changes, values, strict=True)
    ]


Key = tuple[str, ...]
"""(name of a node), or (source, target, kind of an edge)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of the success of nodes and edges in two samples: two logged runs, or two versions of the graph."""

    name_a: str
    """Name of the first sample."""
    name_b: str
    """Name of the second sample."""
    runs_a: tuple[str, ...]
    """Ids of the logged runs of the first sample."""
    runs_b: tuple[str, ...]
    """Ids of the logged runs of the second sample."""
    attempts_a: int
    """Number of attempts in the first sample."""
    attempts_b: int
    """Number of attempts in the second sample."""
    changes: tuple[SuccessChange, ...]
    """Changes of all nodes and edges that occur in either sample."""
    settings: tuple[str, ...]
    """Differences in graph, environment and versions between the samples, as texts."""

    @property
    def shown(self) -> list[SuccessChange]:
        """Changes of nodes and edges whose success rates differ in the two runs or versions, significantly or not."""
        return [change for change in self.changes if change.difference]

    @property
    def hidden(self) -> list[SuccessChange]:
        """Changes of nodes and edges whose success rates in the two runs or versions are equal, or not both known."""
        return [change for change in self.changes if not change.difference]

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison of the two samples as data for JSON."""
        return {
            "a": {"name": self.name_a, "runs": list(self.runs_a)},
            "b": {"name": self.name_b, "runs": list(self.runs_b)},
            "settings": list(self.settings),
            "changes": [change.as_dict() for change in self.changes],
        }


def compare(name_a: str, a: Evidence, name_b: str, b: Evidence) -> Comparison:
    """Compare the success of all nodes and edges in two samples (sets of logged attempts).

    Significant changes come first. Among these, and among the others, the largest change comes first.

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
    facts = ((_facts(a.runs, kind), _facts(b.runs, kind)) for kind in ("graph", "world", "versions"))
    settings = tuple(text for one, two in facts for text in _differences(one, two))
    return Comparison(name_a, name_b, ids_a, ids_b, a.attempts, b.attempts, tuple(rows), settings)


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


def _differences(one: Mapping[str, object], two: Mapping[str, object]) -> Iterator[str]:
    for name in sorted(one.keys() | two.keys()):
        if one.get(name) != two.get(name):
            yield f"{name.replace('_', ' ')} ({one.get(name, 'none')} and {two.get(name, 'none')})"


def _facts(runs: Sequence[RunRecord], kind: str) -> dict[str, str]:
    """Return settings of logged runs, as value by name. If runs differ in a setting, all values are joined in one text.

    Args:
        runs: Logged runs.
        kind: Settings to return: "graph" (hash), "world" (environment) or "versions".
    """
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
    """Ranges of a perturbation in which the target succeeds, in two sweeps.

    A range is None if the target fails at the neutral value (no perturbation).
    """

    axis: str
    """Name of the axis (perturbation)."""
    before: Range | None
    """Range with success for every value of the other axis, in the first sweep (`summary.range_everywhere`)."""
    after: Range | None
    """Range with success for every value of the other axis, in the second sweep."""
    widest_before: Range | None
    """Range with success for the best value of the other axis, in the first sweep (`summary.widest_range`)."""
    widest_after: Range | None
    """Range with success for the best value of the other axis, in the second sweep."""


@dataclass(frozen=True, slots=True)
class SweepChange:
    """Comparison of two sweeps of the same target over the same axes, point by point."""

    before: SweepView
    """First sweep."""
    after: SweepView
    """Second sweep."""
    points: tuple[tuple[Point, SuccessChange], ...]
    """(point, change of success) for each point that at least one of the sweeps has."""
    changed: bool
    """True if something in the project that affects the results differs, such as scripts, conditions or character."""

    @property
    def limits(self) -> list[LimitChange]:
        """Range with success in both sweeps, for each axis except `phase`, which has no neutral value."""
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
        """Change of success at each point of the sweeps."""
        return [change for _, change in self.points]

    @property
    def shown(self) -> list[SuccessChange]:
        """Changes at points where the success rates of the two sweeps differ.

        Significant changes come first. Among these, and among the others, the largest difference comes first.
        """
        found = [change for change in self.changes if change.difference]
        return sorted(found, key=lambda c: (c.verdict is ChangeVerdict.UNCLEAR, -abs(c.difference or 0.0)))

    def count(self, verdict: str) -> int:
        """Return the number of points at which the change of success has a verdict (a `ChangeVerdict`)."""
        return sum(change.verdict == verdict for change in self.changes)

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison of the two sweeps as data for JSON."""
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
    """Comparison of two sets of sweeps, target by target."""

    name_a: str
    """Name of the first set."""
    name_b: str
    """Name of the second set."""
    pairs: tuple[SweepChange, ...]
    """Sweeps of the same target and axes in both sets."""
    settings: tuple[str, ...]
    """Differences in fixed perturbations and versions between the sets, as texts."""
    unpaired: tuple[str, ...]
    """Targets that were swept over some axes in only one of the sets."""

    def count(self, verdict: str) -> int:
        """Return the number of points, over all targets, at which the change has a verdict (a `ChangeVerdict`)."""
        return sum(pair.count(verdict) for pair in self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison of the two sets of sweeps as data for JSON."""
        return {
            "a": self.name_a,
            "b": self.name_b,
            "settings": list(self.settings),
            "alone": list(self.unpaired),
            "targets": [pair.as_dict() for pair in self.pairs],
        }


def compare_sweeps(name_a: str, a: Sequence[SweepView], name_b: str, b: Sequence[SweepView]) -> SweepsComparison:
    """Compare two sets of sweeps. Sweeps of the same target over the same axes are compared with each other.

    Args:
        name_a: Name of the first set.
        a: Sweeps of the first set.
        name_b: Name of the second set.
        b: Sweeps of the second set.

    Raises:
        RunLogError: The sets contain the same sweeps, or no target that was swept over the same axes in both.
    """
    both = f"'{name_a}' and '{name_b}'"
    if {view.sweep.id for view in a} == {view.sweep.id for view in b}:
        raise RunLogError(f"{both} are the same sweeps: give two different sweeps")
    before, after = ({(view.sweep.target, tuple(sorted(view.axes))): view for view in views} for views in (a, b))
    common = [key for key in after if key in before]
    if not common:
        raise RunLogError(f"{both} have no target in common that was swept over the same axes: choose other sweeps")
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
"""Prefix that marks a name as the id of a sweep, not of a logged run."""


def compare_named(
    project: Project, names: tuple[str, str], source: SweepStore | None, *, current: bool = False
) -> Comparison | SweepsComparison:
    """Compare two logged runs or two sweeps, given by their names.

    A logged run is named by its id, the beginning of its id or `last`, and all runs of a version of the graph by
    `graph:HASH`. A sweep is named by `sweep:ID`, where ID is its id, the beginning of its id, or `last`. The prefix
    `sweep:` can be omitted if no logged run has such a name.

    Args:
        project: Project with the run log.
        names: Names of the two runs or sweeps, the earlier first.
        source: Store of sweeps. None if the project has none.
        current: True ignores attempts that were made with other scripts, another graph or another character.

    Raises:
        RunLogError: A name fits nothing or several logged runs or sweeps, the names are of a logged run and a sweep, or
            there are no attempts or trials to compare.
    """
    kinds = [_is_sweep(project, source, name) for name in names]
    if not any(kinds):
        return _runs(project, names, current)
    if not all(kinds):
        sweep, run = names if kinds[0] else reversed(names)
        raise RunLogError(f"'{sweep}' is a sweep, but '{run}' is a run: give two runs or two sweeps")
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
        raise RunLogError(f"there is no sweep '{prefix}': give the id of a stored sweep")
    commands = dict.fromkeys(sweep.id.partition(".")[0] for sweep in found)
    if len(commands) > 1:
        raise RunLogError(f"the ids of several sweeps begin with '{prefix}' ({', '.join(commands)}): give a whole id")
    views = views_of(source, found, project)
    if not views:
        raise RunLogError(f"sweep '{prefix}' has no trials to compare: choose another sweep")
    return views


def _runs(project: Project, names: tuple[str, str], current: bool) -> Comparison:
    a, b = (gather(project, [name], current=current) for name in names)
    for name, side in zip(names, (a, b), strict=True):
        if not side.attempts:
            raise RunLogError(f"'{name}' has no attempts to compare: choose other runs")
    if {run.id for run in a.runs} == {run.id for run in b.runs}:
        raise RunLogError(f"'{names[0]}' and '{names[1]}' are the same runs: give two different runs")
    shown = [name if ":" in name else side.runs[0].id for name, side in zip(names, (a, b), strict=True)]
    return compare(shown[0], a, shown[1], b)
