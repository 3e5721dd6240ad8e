"""Figures of a report: histograms of durations from the run log; curves, maps and ribbons of success from sweeps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LinearSegmentedColormap, ListedColormap, Normalize
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from ctrlgraph.pictures.graph_figure import SUCCESS
from ctrlgraph.pictures.style import INK, MUTED
from ctrlgraph.report.comparison import ChangeVerdict, SweepChange
from ctrlgraph.report.drawing import ACCENT, BAD, GOOD, GRID, PAPER, ReportFigure, new_canvas, percent_axis
from ctrlgraph.report.sweeps import SweepView, axis_title, with_unit
from ctrlgraph.robustness.sweeps.engine_comparison import is_drawn
from ctrlgraph.robustness.sweeps.summary import REQUIRED, nominal
from ctrlgraph.simulation.trial import Point


def durations(good: Sequence[float], bad: Sequence[float], name: str) -> ReportFigure | None:
    """Draw a histogram of the simulated durations of a node.

    Args:
        good: Durations of successful attempts, s.
        bad: Durations of failed attempts, s.
        name: File name of the figure without suffix.

    Returns:
        Figure, or None if there are fewer than three durations or all are nearly equal.
    """
    all_seconds = np.concatenate([good, bad])
    if len(all_seconds) < 3 or np.ptp(all_seconds) < 0.02:
        return None
    canvas, axes = new_canvas(5.6, 1.7, margins=(0.6, 0.45, 0.12, 0.08))
    shortest, longest = float(all_seconds.min()), float(all_seconds.max())
    bins = np.linspace(shortest, longest, min(30, 6 + int(math.sqrt(len(all_seconds)) * 2)) + 1)
    both = [np.asarray(good), np.asarray(bad)]
    axes.hist(both, bins=list(bins), stacked=True, color=[ACCENT, BAD], edgecolor=PAPER, linewidth=0.7)
    rows = []
    for i, (well, badly) in enumerate(zip(*(np.histogram(seconds, bins)[0].tolist() for seconds in both), strict=True)):
        start, end = float(bins[i]), float(bins[i + 1])
        rows.append({"from_s": start, "to_s": end, "succeeded": well, "failed": badly})
    axes.set(xlabel="duration (s, simulated)", ylabel="attempts")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    caption = "Durations of the successes" + (" and, in red, of the failures" if bad else "")
    alt = f"Durations from {shortest:.2f} to {longest:.2f} s over {len(all_seconds)} attempts."
    return ReportFigure(name, canvas, rows, alt, caption)


def _write_cell(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    axes.text(x, y, text, ha="center", va="center", color="#1c2630", zorder=4, **style)


COLOURS = ListedColormap([SUCCESS(i / 20) for i in range(21)])
CHANGES = LinearSegmentedColormap.from_list("changes", [BAD, GRID, GOOD], N=41)
MAX_NUMBERED = 150
"""Maximum number of cells of a map in which numbers are shown."""


def curve(view: SweepView, name: str) -> ReportFigure:
    """Draw a curve of success over one perturbation, with Wilson's 95 % intervals if some perturbation is random.

    A trial counts as successful if a static pose was reached after the tested nodes. If the success without this
    requirement differs, it is shown as a dashed line.

    Args:
        view: Sweep over one axis (perturbation).
        name: File name of the figure without suffix.
    """
    axis = view.axes[0]
    canvas, axes = new_canvas(5.6, 2.5)
    x = np.array([point.point[0][1] for point in view.points])
    rate = np.array([point.recovered / point.trials for point in view.points])
    own = np.array([point.succeeded / point.trials for point in view.points])
    low, high = np.array([point.count.interval for point in view.points]).T
    percent_axis(axes)
    axes.axvline(nominal(axis), color=GRID, linewidth=0.8, zorder=1)
    axes.axhline(REQUIRED, color=MUTED, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1)
    certain = not any(is_drawn(view.sweep, point.point) for point in view.points)
    if not certain:
        axes.fill_between(x, low, high, color=ACCENT, alpha=0.16, linewidth=0, zorder=2)
        axes.vlines(x, low, high, color=ACCENT, linewidth=1, alpha=0.6, zorder=4)
    if (own != rate).any():
        axes.plot(x, own, color=MUTED, linewidth=1, linestyle=(0, (3, 2)), zorder=3)
    axes.plot(x, rate, color=ACCENT, linewidth=1.6, zorder=4)
    axes.plot(x, rate, color=ACCENT, marker="o", markersize=3.6, linestyle="none", zorder=5)
    axes.set_xlabel(axis_title(axis))
    ends = view.holding_range()
    text = "holds nowhere" if ends is None else f"holds from {with_unit(axis, ends[0])} to {with_unit(axis, ends[1])}"
    trials = "one trial a point, without random perturbations" if certain else f"{_counted(view)} trials a point"
    caption = _caption(f"Success over {axis_title(axis)}; {trials}", view)
    alt = f"Success of {view.sweep.target} over {axis_title(axis)}: {text} at {100 * REQUIRED:.0f} % or more."
    return ReportFigure(name, canvas, view.as_rows(), alt, caption)


def heat_map(view: SweepView, name: str) -> ReportFigure:
    """Draw a map of success over two perturbations as coloured cells. If `phase` is one of them, it is horizontal.

    Args:
        view: Sweep over two axes (perturbations).
        name: File name of the figure without suffix.
    """
    across, up = _across_and_up(view)
    found = {_cell_of(p.point, across, up): p for p in view.points}
    canvas, axes = _map_canvas(across, up, {key: point.rate for key, point in found.items()}, COLOURS, 0.0)
    if len(found) <= MAX_NUMBERED:
        for (x, y), point in found.items():
            _write_cell(axes, x, y, f"{100 * point.rate:.0f}", fontsize=6.5)
    _colour_bar(canvas, axes, COLOURS, {0.0: "0 %", 0.5: "50 %", 1.0: "100 %"})
    title = f"Success by {axis_title(up)} and {axis_title(across)}; {_counted(view)} trials a cell"
    caption = _caption(title, view)
    total = sum(point.trials for point in view.points)
    alt = f"Success of {view.sweep.target} by {up} and {across}: {view.recovered} of {total} trials succeeded."
    return ReportFigure(name, canvas, view.as_rows(), alt, caption)


def ribbons(views: Sequence[SweepView], name: str) -> ReportFigure:
    """Draw a ribbon for each sweep: a row of cells, one for each value of the perturbation, coloured by success.

    Args:
        views: Sweeps, each over one axis (perturbation).
        name: File name of the figure without suffix.
    """
    canvas, axes = new_canvas(7.4, 0.5 + 0.38 * len(views))
    axes.set_axis_off()
    axes.set(xlim=(-0.34, 1.3), ylim=(len(views) - 0.4, -0.6))
    for row, view in enumerate(views):
        axis, points = view.axes[0], view.points
        width = 1 / len(points)
        for i, point in enumerate(points):
            colour = SUCCESS(point.recovered / point.trials)
            axes.barh(row, width, left=i * width, height=0.62, color=colour, edgecolor=PAPER, linewidth=0.8)
        ends = [with_unit(axis, points[i].point[0][1]) for i in (0, -1)]
        title = axis_title(axis).partition(" (")[0]
        axes.text(-0.075, row, title, ha="right", va="center", fontsize=8.5, color=INK)
        axes.text(-0.01, row, ends[0], ha="right", va="center", fontsize=7.5, color=MUTED)
        axes.text(1.01, row, ends[1], ha="left", va="center", fontsize=7.5, color=MUTED)
        found = view.holding_range()
        text = "does not hold" if found is None else f"{with_unit(axis, found[0])} to {with_unit(axis, found[1])}"
        axes.text(1.3, row, text, ha="right", va="center", fontsize=8, color=BAD if found is None else INK)
    rows = [row for view in views for row in view.as_rows()]
    caption = f"Success by perturbation; right: the widest range with {100 * REQUIRED:.0f} % and more at every setting"
    return ReportFigure(name, canvas, rows, f"Success under {len(views)} kinds of perturbation.", caption)


def curve_change(pair: SweepChange, names: tuple[str, str], name: str) -> ReportFigure:
    """Draw the curves of success over one perturbation in two sweeps, with Wilson's 95 % intervals.

    Triangles mark points with a significant change.

    Args:
        pair: Comparison of two sweeps over one axis (perturbation).
        names: Names of the first and the second sweep, for the legend.
        name: File name of the figure without suffix.
    """
    axis = pair.after.axes[0]
    canvas, axes = new_canvas(7.0, 2.7)
    percent_axis(axes)
    axes.axhline(REQUIRED, color=MUTED, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1)
    for view, colour, label in ((pair.before, MUTED, names[0]), (pair.after, ACCENT, names[1])):
        x = [point.point[0][1] for point in view.points]
        low, high = np.array([point.count.interval for point in view.points]).T
        axes.fill_between(x, low, high, color=colour, alpha=0.12, linewidth=0, zorder=2)
        rates = [point.rate for point in view.points]
        axes.plot(x, rates, color=colour, linewidth=1.5, marker="o", markersize=3.4, label=label, zorder=3)
    for verdict, marker, colour in ((ChangeVerdict.BETTER, "^", GOOD), (ChangeVerdict.WORSE, "v", BAD)):
        at = [point[0][1] for point, change in pair.points if change.verdict is verdict]
        axes.plot(
            at, [1.0] * len(at), marker=marker, color=colour, markersize=6, linestyle="none", clip_on=False, zorder=5,
            transform=axes.get_xaxis_transform(),
        )  # fmt: skip
    axes.set_xlabel(axis_title(axis))
    axes.legend(frameon=False, fontsize=8, labelcolor=INK, loc="lower left")
    return _change_figure(pair, canvas, name, f"Success over {axis_title(axis)} before and after")


def map_change(pair: SweepChange, names: tuple[str, str], name: str) -> ReportFigure:
    """Draw a map of the change of success over two perturbations as coloured cells. Signs mark significant changes.

    Args:
        pair: Comparison of two sweeps over two axes (perturbations).
        names: Unused. Names of the sweeps, as for `curve_change`.
        name: File name of the figure without suffix.
    """
    across, up = _across_and_up(pair.after)
    found = {_cell_of(point, across, up): change for point, change in pair.points if change.difference is not None}
    canvas, axes = _map_canvas(across, up, {key: c.difference or 0.0 for key, c in found.items()}, CHANGES, -1.0)
    marks = {ChangeVerdict.BETTER: "+", ChangeVerdict.WORSE: "\N{MINUS SIGN}"}
    for (x, y), change in found.items():
        if change.verdict in marks:
            _write_cell(axes, x, y, marks[change.verdict], fontsize=9, fontweight="bold")
    _colour_bar(canvas, axes, CHANGES, {-1.0: "\N{MINUS SIGN}100", 0.0: "\N{PLUS-MINUS SIGN}0", 1.0: "+100"})
    return _change_figure(
        pair, canvas, name, f"Change of success by {axis_title(up)} and {axis_title(across)}, percentage points"
    )


def _change_figure(pair: SweepChange, canvas: Canvas, name: str, title: str) -> ReportFigure:
    better, worse = pair.count(ChangeVerdict.BETTER), pair.count(ChangeVerdict.WORSE)
    rows = [dict(point) | change.as_dict() for point, change in pair.points]
    target = pair.after.sweep.target
    caption = f"{target.replace('->', ' → ')}: {title}; marked where it is more than chance"
    alt = f"{title} of {target}: of {len(rows)} points, {better} got better and {worse} worse."
    return ReportFigure(name, canvas, rows, alt, caption)


def _caption(title: str, view: SweepView) -> str:
    return f"{title}; {view.label}" if view.label else title


def _counted(view: SweepView) -> str:
    """Return the number of trials at each point of a sweep as a text: "10", or a range if the points differ."""
    counts = sorted({point.trials for point in view.points})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]}\N{EN DASH}{counts[-1]}"


def _across_and_up(view: SweepView) -> tuple[str, str]:
    """Return the names of the horizontal and the vertical axis (perturbation) of a map."""
    return (view.axes[0], view.axes[1]) if view.axes[0] == "phase" else (view.axes[1], view.axes[0])


def _cell_of(point: Point, across: str, up: str) -> tuple[float, float]:
    values = dict(point)
    return values[across], values[up]


def _map_canvas(
    across: str, up: str, cells: Mapping[tuple[float, float], float], colours: Colormap, lowest: float
) -> tuple[Canvas, Axes]:
    """Draw coloured cells over two perturbations, and return the figure and its matplotlib axes.

    Cells without a value stay empty.

    Args:
        across: Name of the perturbation on the horizontal axis.
        up: Name of the perturbation on the vertical axis.
        cells: Value of each cell, from `lowest` to 1, by (value of `across`, value of `up`).
        colours: Colours of the values from `lowest` to 1.
        lowest: Value that has the first colour.
    """
    xs, ys = (np.array(sorted({key[i] for key in cells})) for i in (0, 1))
    values = np.full((len(ys), len(xs)), np.nan)
    for (x, y), value in cells.items():
        values[np.searchsorted(ys, y), np.searchsorted(xs, x)] = value
    canvas, axes = new_canvas(max(4.6, min(7.0, 1.6 + 0.34 * len(xs))), max(2.4, min(5.2, 1.0 + 0.2 * len(ys))))
    axes.pcolormesh(
        _edges(xs), _edges(ys), values, cmap=colours, vmin=lowest, vmax=1, edgecolor=PAPER, linewidth=0.6, zorder=2
    )
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set(xlabel=axis_title(across), ylabel=axis_title(up))
    return canvas, axes


def _colour_bar(canvas: Canvas, axes: Axes, colours: Colormap, ticks: Mapping[float, str]) -> None:
    scale = ScalarMappable(Normalize(min(ticks), max(ticks)), colours)
    bar = canvas.colorbar(scale, ax=axes, fraction=0.05, pad=0.02, aspect=18)
    bar.outline.set_visible(False)
    bar.set_ticks(list(ticks), labels=list(ticks.values()))
    bar.ax.tick_params(colors=MUTED, labelsize=7.5, length=0)


def _edges(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the n + 1 borders of n adjacent cells along one axis, given the increasing centres of the cells, (n,)."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
