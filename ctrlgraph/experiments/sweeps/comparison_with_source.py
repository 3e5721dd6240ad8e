"""What a sweep measured beside what its source says: the range that held, and each of the source's figures."""

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
    """One figure of a source, and what comes of it here.

    stated: as the source has it; value: the same for the body that is tested here; held: whether it holds in
    the source; settings: at how many values of the sweep's other axis it was tried here (one where there is no
    other axis), and holding: at how many of these it holds. Between two values that were tried it holds if it
    does at both.
    """

    stated: float
    value: float
    held: bool
    holding: int
    settings: int

    @property
    def holds_here(self) -> bool | None:
        """Tell whether it holds here, at every value of the other axis; None where it was not tried."""
        return self.holding == self.settings if self.settings else None

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"holds_here": self.holds_here}


@dataclass(frozen=True, slots=True)
class ComparisonWithSource:
    """A source's reference beside a sweep.

    everywhere: the widest range of the axis around its undisturbed value that holds here throughout, at every
    value of the other axis; widest: at the most favourable of them; None where there is none.
    """

    sweep: Sweep
    reference: SourceReference
    figures: tuple[SourceFigure, ...]
    everywhere: Range | None
    widest: Range | None

    @property
    def other_axis(self) -> str | None:
        """Return the axis over which the range is taken, where the sweep has two."""
        return next((name for name, _ in self.sweep.axes if name != self.reference.axis), None)

    def as_dict(self) -> dict[str, Any]:
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


def beside_source(sweep: Sweep, points: Sequence[PointSummary]) -> list[ComparisonWithSource]:
    """Return each reference that was stored with a sweep, beside the points that have been tried of it."""
    return [_beside(sweep, reference, points) for reference in sweep.reference]


def _beside(sweep: Sweep, reference: SourceReference, points: Sequence[PointSummary]) -> ComparisonWithSource:
    axis = reference.axis
    lines = lines_along(points, axis)
    stated = sorted([(value, True) for value in reference.holds] + [(value, False) for value in reference.fails])
    figures = [_figure(reference, value, held, lines) for value, held in stated]
    return ComparisonWithSource(
        sweep, reference, tuple(figures), range_everywhere(points, axis), widest_range(points, axis)
    )


def _figure(reference: SourceReference, stated: float, held: bool, lines: Sequence[dict[float, bool]]) -> SourceFigure:
    value = reference.here(stated)
    found = [holds for line in lines if (holds := _holds(line, value)) is not None]
    return SourceFigure(stated, value, held, sum(found), len(found))


def _holds(line: dict[float, bool], value: float) -> bool | None:
    """Whether a value holds by those that were tried; None where it lies beyond them."""
    if value in line:
        return line[value]
    for low, high in itertools.pairwise(sorted(line)):
        if low < value < high:
            return line[low] and line[high]
    return None
