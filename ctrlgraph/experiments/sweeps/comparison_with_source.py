"""Comparison of a sweep with the figures of its source."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.experiments.sweeps.reference import SourceReference
from ctrlgraph.experiments.sweeps.summary import PointSummary, Range, lines_along, range_everywhere, widest_range
from ctrlgraph.experiments.sweeps.sweep_log import Sweep


@dataclass(frozen=True, slots=True)
class SourceFigure:
    """One figure of a source, and the result here."""

    stated: float
    """Value in the source."""
    value: float
    """Value for the tested body."""
    succeeds: bool
    """True if the source succeeds there."""
    succeeding: int
    """Number of values of the other axis at which it succeeds here. Between two tested values, both must succeed."""
    settings: int
    """Number of values of the other axis, 1 without one."""

    @property
    def succeeds_here(self) -> bool | None:
        """True if it succeeds here at every value of the other axis, None if it was not tested."""
        return self.succeeding == self.settings if self.settings else None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"succeeds_here": self.succeeds_here}


@dataclass(frozen=True, slots=True)
class ComparisonWithSource:
    """A source's reference compared with a sweep."""

    sweep: Sweep
    reference: SourceReference
    figures: tuple[SourceFigure, ...]
    everywhere: Range | None
    """Widest range around the neutral value that succeeds at every value of the other axis, None without one."""
    widest: Range | None
    """Widest range at the best value of the other axis."""

    @property
    def other_axis(self) -> str | None:
        """Second axis of the sweep, if there is one."""
        return next((name for name, _ in self.sweep.axes if name != self.reference.axis), None)

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON."""
        return {
            "sweep": self.sweep.id,
            "target": self.sweep.target,
            "axis": self.reference.axis,
            "text": self.reference.text,
            "body_mass": self.reference.body_mass,
            "figures": [figure.as_dict() for figure in self.figures],
            "everywhere": self.everywhere,
            "widest": self.widest,
        }


def compare_with_source(sweep: Sweep, points: Sequence[PointSummary]) -> list[ComparisonWithSource]:
    """Return the comparison of each reference that is stored with a sweep.

    Args:
        sweep: Sweep with references.
        points: Summaries of its points.
    """
    return [_comparison(sweep, reference, points) for reference in sweep.reference]


def _comparison(sweep: Sweep, reference: SourceReference, points: Sequence[PointSummary]) -> ComparisonWithSource:
    axis = reference.axis
    lines = lines_along(points, axis)
    stated = sorted([(value, True) for value in reference.holds] + [(value, False) for value in reference.fails])
    figures = [_figure(reference, value, succeeds, lines) for value, succeeds in stated]
    return ComparisonWithSource(
        sweep, reference, tuple(figures), range_everywhere(points, axis), widest_range(points, axis)
    )


def _figure(
    reference: SourceReference, stated: float, succeeds: bool, lines: Sequence[dict[float, bool]]
) -> SourceFigure:
    value = reference.here(stated)
    found = [each for line in lines if (each := _succeeds(line, value)) is not None]
    return SourceFigure(stated, value, succeeds, sum(found), len(found))


def _succeeds(line: dict[float, bool], value: float) -> bool | None:
    """Return whether a value succeeds by the values that were tested, or None beyond them."""
    if value in line:
        return line[value]
    for low, high in itertools.pairwise(sorted(line)):
        if low < value < high:
            return line[low] and line[high]
    return None
