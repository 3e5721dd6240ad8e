"""Sweeps as a report shows them: which belong to a node, and their points as curves and maps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import target_steps
from ctrlgraph.experiments.perturbation import Axis, axis_of, perturbations
from ctrlgraph.experiments.sweeps.comparison_with_source import ComparisonWithSource, beside_source
from ctrlgraph.experiments.sweeps.summary import PointSummary, Range, range_everywhere, summarize
from ctrlgraph.experiments.sweeps.sweep import check_unchanged
from ctrlgraph.experiments.sweeps.sweep_log import DATABASE, Point, Sweep, SweepStore, Trial

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

UNITS = {"deg": "\N{DEGREE SIGN}", "x": "\N{MULTIPLICATION SIGN}", "m/s2": "m/s\N{SUPERSCRIPT TWO}"}
"""How figures write the units of `ctrlgraph.experiments.perturbation.AXES`."""


class SweepSource(Protocol):
    """Where sweeps are kept (`ctrlgraph.experiments.sweeps.sweep_log.SweepStore` is one)."""

    def sweeps(self) -> list[Sweep]: ...

    def trials(self, sweep_id: str) -> list[Trial]: ...


@dataclass(frozen=True)
class SweepView:
    """A sweep with its trials, and their summary point by point.

    stale: whether its target's scripts or the character have changed since.
    """

    sweep: Sweep
    trials: tuple[Trial, ...]
    points: tuple[PointSummary, ...]
    stale: bool = False

    @property
    def axes(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.sweep.axes)

    @property
    def node(self) -> str:
        """Return the node whose sheet it belongs to: the last of an edge or path."""
        return target_steps(self.sweep.target)[-1][0]

    @property
    def given(self) -> dict[str, object]:
        """Return the fixed perturbations."""
        return self.sweep.fixed

    @property
    def label(self) -> str:
        """Return the fixed perturbations in short, and the target where it is more than a node."""
        parts = [] if self.sweep.target == self.node else [self.sweep.target.replace("->", " → ")]
        parts += [fixed_label(name, value) for name, value in self.given.items()]
        parts += ["by bisection"] if self.sweep.is_limit else []
        parts += ["made with other scripts"] if self.stale else []
        return ", ".join(parts)

    @property
    def recovered(self) -> int:
        return sum(point.recovered for point in self.points)

    @property
    def beside(self) -> list[ComparisonWithSource]:
        """Return what the scenario's source says, beside what was measured."""
        return beside_source(self.sweep, self.points)

    def held(self) -> Range | None:
        """Return, of a sweep over one axis, the widest range around its nominal value that held throughout.

        The ends are values of the sweep. None where even the point nearest to nominal did not hold.
        """
        return range_everywhere(self.points, self.axes[0]) if len(self.axes) == 1 and self.points else None

    def as_rows(self) -> list[dict[str, Any]]:
        """Return the points for CSV and JSON."""
        return [
            {"sweep": self.sweep.id, "target": self.sweep.target}
            | dict(point.point)
            | {"trials": point.trials, "succeeded": point.succeeded, "recovered": point.recovered}
            | {"share": point.rate}
            | dict(zip(("low", "high"), point.count.interval, strict=True))
            for point in self.points
        ]


def axis_title(axis: str) -> str:
    """Return an axis as figures name it, with its unit."""
    name, unit = axis.replace("_", " "), _unit(axis)
    return f"{name} ({unit})" if unit else name


def with_unit(axis: str, value: float) -> str:
    """Return a value of an axis with its unit."""
    unit = _unit(axis)
    number = f"{value:g}".replace("-", "\N{MINUS SIGN}")
    return f"{number}{unit}" if unit in (UNITS["deg"], UNITS["x"]) else f"{number} {unit}".strip()


def _known(axis: str) -> Axis | None:
    try:
        return axis_of(axis)
    except CtrlGraphError:  # a newer version's, perhaps
        return None


def _unit(axis: str) -> str:
    known = _known(axis)
    return "" if known is None else UNITS.get(known.unit, known.unit)


def read_sweeps(source: SweepSource | None, project: Project | None = None) -> list[SweepView]:
    """Return the sweeps that have trials; of those that ask the same, only the newest.

    With a project, those that were not made with what it holds now are marked as stale.
    """
    if source is None:
        return []
    newest: dict[str, Sweep] = {}
    for sweep in sorted(source.sweeps(), key=lambda sweep: (sweep.started, sweep.id)):
        names = sorted(name for name, _ in sweep.axes)
        newest[json.dumps([sweep.target, names, dict(sweep.perturbations)], sort_keys=True, default=str)] = sweep
    views = views_of(source, list(newest.values()), project)
    return sorted(views, key=lambda view: (view.sweep.target, view.axes, view.label))


def views_of(source: SweepSource, sweeps: Sequence[Sweep], project: Project | None = None) -> list[SweepView]:
    """Return those of the sweeps that have trials; with a project, stale ones are marked."""
    views = []
    for sweep in sweeps:
        trials = tuple(_counting(sweep, source.trials(sweep.id)))
        if trials:
            stale = project is not None and _changed(project, sweep)
            views.append(SweepView(sweep, trials, tuple(summarize(trials)), stale))
    return views


def is_drawn(sweep: Sweep, point: Point) -> bool:
    """Tell whether anything is drawn at random at a point; a newer version's perturbations may be."""
    try:
        return perturbations(sweep.fixed).with_values(point).drawn
    except CtrlGraphError:
        return True


def _counting(sweep: Sweep, trials: list[Trial]) -> list[Trial]:
    try:
        return sweep.counting(trials)
    except CtrlGraphError:  # a newer version's perturbations
        return trials


def _changed(project: Project, sweep: Sweep) -> bool:
    try:
        check_unchanged(project, sweep)
    except CtrlGraphError:  # also where its target is gone
        return True
    return False


@contextmanager
def open_sweeps(project: Project) -> Iterator[SweepSource | None]:
    """Return the project's sweeps; None where nothing was swept yet.

    Raises:
        RunLogError: they cannot be read.
    """
    if not (project.runs_directory / DATABASE).is_file():
        yield None
        return
    with SweepStore.read(project.runs_directory) as store:
        yield store


def curves(views: Sequence[SweepView], node: str) -> list[SweepView]:
    """Return a node's sweeps over one axis, the slope first."""
    found = [view for view in views if view.node == node and len(view.axes) == 1]
    return sorted(found, key=lambda view: (view.axes[0] != "slope", view.axes[0]))


def maps(views: Sequence[SweepView], node: str) -> list[SweepView]:
    """Return a node's sweeps over two axes."""
    return [view for view in views if view.node == node and len(view.axes) == 2]


def fixed_label(name: str, value: object) -> str:
    """Return a fixed perturbation in short."""
    shown = with_unit(name, float(value)) if isinstance(value, int | float) else str(value)
    return f"{name.replace('_', ' ')} {shown}"
