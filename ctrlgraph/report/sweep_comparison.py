"""Two sweeps of the same targets and axes compared, point by point: what got better or worse, and the limits.

The statistics are those of `change.py`, over all points of the comparison at once. Where nothing is drawn
at random in either sweep, a point has one trial in each, and a difference is certain: it is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.errors import RunLogError
from ctrlgraph.experiments.sweeps.summary import Range, range_everywhere, widest_range
from ctrlgraph.experiments.sweeps.sweep_log import Point
from ctrlgraph.report.change import ChangeVerdict, SuccessChange, adjusted, change_of
from ctrlgraph.report.sweeps import SweepView, is_drawn, with_unit
from ctrlgraph.statistics import NONE


@dataclass(frozen=True, slots=True)
class LimitChange:
    """How far an axis could go in two sweeps, as `summary.range_everywhere` and `widest_range` have it.

    Of a sweep over one axis the two are the same.
    """

    axis: str
    before: Range | None
    after: Range | None
    widest_before: Range | None
    widest_after: Range | None

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class SweepChange:
    """A target swept twice over the same axes; points: those of either, each with what has changed there.

    changed: whether the target's scripts, conditions or character are others.
    """

    before: SweepView
    after: SweepView
    points: tuple[tuple[Point, SuccessChange], ...]
    changed: bool

    @property
    def limits(self) -> list[LimitChange]:
        """Return the range that holds along each axis, but a phase, which has no undisturbed value."""
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
        return [change for _, change in self.points]

    @property
    def shown(self) -> list[SuccessChange]:
        """Return those with a difference, significant ones first, the greatest of them first."""
        found = [change for change in self.changes if change.difference]
        return sorted(found, key=lambda c: (c.verdict is ChangeVerdict.UNCLEAR, -abs(c.difference or 0.0)))

    def count(self, verdict: str) -> int:
        """Return how many points have this verdict."""
        return sum(change.verdict == verdict for change in self.changes)

    def as_dict(self) -> dict[str, Any]:
        return {
            "target": self.after.sweep.target,
            "a": self.before.sweep.id,
            "b": self.after.sweep.id,
            "changed": self.changed,
            "limits": [limit.as_dict() for limit in self.limits],
            "points": [dict(point) | change.as_dict() for point, change in self.points],
        }


@dataclass(frozen=True, slots=True)
class SweepsComparison:
    """Sweeps before and after, target by target; settings: what differs in them besides scripts and chance;
    alone: the targets that only one of them has."""

    name_a: str
    name_b: str
    pairs: tuple[SweepChange, ...]
    settings: tuple[str, ...]
    alone: tuple[str, ...]

    def count(self, verdict: str) -> int:
        """Return how many points of all targets have this verdict."""
        return sum(pair.count(verdict) for pair in self.pairs)

    def as_dict(self) -> dict[str, Any]:
        return {
            "a": self.name_a,
            "b": self.name_b,
            "settings": list(self.settings),
            "alone": list(self.alone),
            "targets": [pair.as_dict() for pair in self.pairs],
        }


def compare_sweeps(name_a: str, a: Sequence[SweepView], name_b: str, b: Sequence[SweepView]) -> SweepsComparison:
    """Return the sweeps of the same target and axes, in pairs.

    Raises:
        RunLogError: there is no such pair, or both are the same.
    """
    if {view.sweep.id for view in a} == {view.sweep.id for view in b}:
        raise RunLogError(f"'{name_a}' and '{name_b}' are the same: there is nothing to compare")
    before, after = ({_key(view): view for view in views} for views in (a, b))
    common = [key for key in after if key in before]
    if not common:
        raise RunLogError(f"'{name_a}' and '{name_b}' have no target in common that was swept over the same axes")
    pairs = [_pair(before[key], after[key]) for key in common]
    flat = iter(adjusted([change for pair in pairs for change in pair.changes]))
    pairs = [
        SweepChange(pair.before, pair.after, tuple((point, next(flat)) for point, _ in pair.points), pair.changed)
        for pair in pairs
    ]
    alone = sorted({key[0] for key in before.keys() ^ after.keys()})
    settings = dict.fromkeys(sentence for pair in pairs for sentence in _settings(pair.before, pair.after))
    return SweepsComparison(name_a, name_b, tuple(pairs), tuple(settings), tuple(alone))


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
        change = change_of(
            "point",
            ", ".join(f"{name.replace('_', ' ')} {with_unit(name, value)}" for name, value in point),
            a.count if a else NONE,
            b.count if b else NONE,
            certain=not (is_drawn(before.sweep, point) or is_drawn(after.sweep, point)),
        )
        points.append((point, change))
    return SweepChange(before, after, tuple(points), before.sweep.hashes != after.sweep.hashes)


def _settings(before: SweepView, after: SweepView) -> Iterator[str]:
    """What differs besides scripts and chance, in words: fixed perturbations, versions."""
    one, two = ({**view.given, **view.sweep.versions} for view in (before, after))
    for name in sorted(one.keys() | two.keys()):
        if one.get(name) != two.get(name):
            yield f"{name.replace('_', ' ')} ({one.get(name, 'none')} and {two.get(name, 'none')})"
