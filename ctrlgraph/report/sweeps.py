"""Sweeps for reports: reading them with their trials, and texts about their axes and values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.evaluation_plan import target_steps
from ctrlgraph.robustness.perturbation import axis_of
from ctrlgraph.robustness.sweeps.summary import PointSummary, Range, range_everywhere, summarize
from ctrlgraph.robustness.sweeps.sweep import check_unchanged
from ctrlgraph.robustness.sweeps.sweep_log import DATABASE, Sweep, SweepStore
from ctrlgraph.simulation.trial import Trial

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

UNITS = {"deg": "\N{DEGREE SIGN}", "x": "\N{MULTIPLICATION SIGN}", "m/s2": "m/s\N{SUPERSCRIPT TWO}"}
"""Symbols on the page for units in `ctrlgraph.robustness.perturbation.AXES`."""


@dataclass(frozen=True)
class SweepView:
    """A sweep (trials over a grid of perturbations) with its stored trials, as a report shows it."""

    sweep: Sweep
    """Target, perturbations and versions of the sweep."""
    trials: tuple[Trial, ...]
    """Stored trials."""
    points: tuple[PointSummary, ...]
    """Counts of the trials at each point (values of the varied perturbations)."""
    stale: bool = False
    """True if something in the project that affects the trials, such as a script, has changed since the sweep."""

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the axes (perturbations that vary)."""
        return tuple(name for name, _ in self.sweep.axes)

    @property
    def node(self) -> str:
        """Name of the node with which the report shows the sweep: the last node of the target."""
        return target_steps(self.sweep.target)[-1][0]

    @property
    def fixed(self) -> dict[str, object]:
        """Values of the fixed perturbations, by name."""
        return self.sweep.fixed

    @property
    def label(self) -> str:
        """Short description of the sweep: target (if not a single node), fixed perturbations, and if it is stale."""
        parts = [] if self.sweep.target == self.node else [self.sweep.target.replace("->", " → ")]
        parts += [fixed_label(name, value) for name, value in self.fixed.items()]
        parts += ["by bisection"] if self.sweep.is_limit else []
        parts += ["made with other scripts"] if self.stale else []
        return ", ".join(parts)

    @property
    def recovered(self) -> int:
        """Number of trials in which the target succeeded and a static pose was reached afterwards."""
        return sum(point.recovered for point in self.points)

    def holding_range(self) -> Range | None:
        """Return the widest range around the neutral value (no perturbation) in which each point of the sweep succeeds.

        The ends are values of the sweep. The result is None if the point nearest to the neutral value fails, or if the
        sweep does not have exactly one axis.
        """
        return range_everywhere(self.points, self.axes[0]) if len(self.axes) == 1 and self.points else None

    def as_rows(self) -> list[dict[str, Any]]:
        """Return a row for each point of the sweep, for CSV and JSON. Keys are the names of the columns."""
        return [
            {"sweep": self.sweep.id, "target": self.sweep.target}
            | dict(point.point)
            | {"trials": point.trials, "succeeded": point.succeeded, "recovered": point.recovered}
            | {"share": point.rate}
            | dict(zip(("low", "high"), point.count.interval, strict=True))
            for point in self.points
        ]


def axis_title(axis: str) -> str:
    """Format the name of an axis (perturbation) with its unit for readers, such as "push duration (s)"."""
    name, unit = axis.replace("_", " "), _unit(axis)
    return f"{name} ({unit})" if unit else name


def with_unit(axis: str, value: float) -> str:
    """Format a value of an axis (perturbation) with its unit, such as "200 N" or "4°".

    Args:
        axis: Name of the axis.
        value: Value in the unit of the axis.
    """
    unit = _unit(axis)
    number = f"{value:g}".replace("-", "\N{MINUS SIGN}")
    return f"{number}{unit}" if unit in (UNITS["deg"], UNITS["x"]) else f"{number} {unit}".strip()


def _unit(axis: str) -> str:
    try:
        unit = axis_of(axis).unit
    except CtrlGraphError:  # possibly of a newer version
        return ""
    return UNITS.get(unit, unit)


def read_sweeps(source: SweepStore | None, project: Project | None = None) -> list[SweepView]:
    """Read all sweeps that have trials. If sweeps have equal target, axes and perturbations, only the newest is read.

    Args:
        source: Store of sweeps. None if the project has none.
        project: Project with which `SweepView.stale` is determined. None: no sweep is marked as stale.
    """
    if source is None:
        return []
    newest: dict[str, Sweep] = {}
    for sweep in sorted(source.sweeps(), key=lambda sweep: (sweep.started, sweep.id)):
        names = sorted(name for name, _ in sweep.axes)
        newest[json.dumps([sweep.target, names, dict(sweep.perturbations)], sort_keys=True, default=str)] = sweep
    views = views_of(source, list(newest.values()), project)
    return sorted(views, key=lambda view: (view.sweep.target, view.axes, view.label))


def views_of(source: SweepStore, sweeps: Sequence[Sweep], project: Project | None = None) -> list[SweepView]:
    """Read the trials of some sweeps. Sweeps without trials are omitted.

    Args:
        source: Store of the trials.
        sweeps: Sweeps to read.
        project: Project with which `SweepView.stale` is determined. None: no sweep is marked as stale.
    """
    views = []
    for sweep in sweeps:
        trials = tuple(source.trials(sweep.id))
        if trials:
            stale = project is not None and _changed(project, sweep)
            views.append(SweepView(sweep, trials, tuple(summarize(trials)), stale))
    return views


def _changed(project: Project, sweep: Sweep) -> bool:
    try:
        check_unchanged(project, sweep)
    except CtrlGraphError:  # or the target no longer exists
        return True
    return False


@contextmanager
def open_sweeps(project: Project) -> Iterator[SweepStore | None]:
    """Open the store of sweeps of a project for reading, as a context.

    Yields:
        The store, or None if the project has none.

    Raises:
        RunLogError: The store cannot be read.
    """
    if not (project.runs_directory / DATABASE).is_file():
        yield None
        return
    with SweepStore.read(project.runs_directory) as store:
        yield store


def curves(views: Sequence[SweepView], node: str) -> list[SweepView]:
    """Return the sweeps of a node over one axis. Those over the slope come first.

    Args:
        views: Sweeps to choose from.
        node: Name of the node.
    """
    found = [view for view in views if view.node == node and len(view.axes) == 1]
    return sorted(found, key=lambda view: (view.axes[0] != "slope", view.axes[0]))


def maps(views: Sequence[SweepView], node: str) -> list[SweepView]:
    """Return the sweeps of a node over two axes.

    Args:
        views: Sweeps to choose from.
        node: Name of the node.
    """
    return [view for view in views if view.node == node and len(view.axes) == 2]


def fixed_label(name: str, value: object) -> str:
    """Format a fixed perturbation as a short text, such as "noise 0.1".

    Args:
        name: Name of the perturbation.
        value: Value of the perturbation.
    """
    shown = with_unit(name, float(value)) if isinstance(value, int | float) else str(value)
    return f"{name.replace('_', ' ')} {shown}"
