"""The figures of a report: curves, maps, ribbons and durations of a node, the matrix of edges, a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ctrlgraph.report.comparison import Comparison, Verdict
from ctrlgraph.report.drawing import ACCENT, BAD, GRID, PAPER, ReportFigure, new_canvas, percent_axis
from ctrlgraph.report.sweeps import HOLDS, SweepView, axis_title, nominal, with_unit
from ctrlgraph.view.figure import INK, MUTED
from ctrlgraph.view.graph_figure import SUCCESS

if TYPE_CHECKING:
    from ctrlgraph.runs.record import AttemptRecord
    from ctrlgraph.runs.statistics import EdgeStatistics

COLOURS = ListedColormap([SUCCESS(i / 20) for i in range(21)])
GOOD = "#3f9b63"
MAX_NUMBERED = 150
"""A map with more cells has no numbers in them."""


def curve(view: SweepView, name: str) -> ReportFigure:
    """Success over one axis with Wilson's 95 % intervals; dashed: the node's own conditions alone."""
    axis = view.axes[0]
    canvas, axes = new_canvas(5.6, 2.5)
    x = np.array([point.point[0][1] for point in view.points])
    rate = np.array([point.followed / point.trials for point in view.points])
    own = np.array([point.succeeded / point.trials for point in view.points])
    low, high = np.array([point.interval for point in view.points]).T
    percent_axis(axes)
    axes.axvline(nominal(axis), color=GRID, linewidth=0.8, zorder=1)
    axes.axhline(HOLDS, color=MUTED, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1)
    axes.fill_between(x, low, high, color=ACCENT, alpha=0.16, linewidth=0, zorder=2)
    if (own != rate).any():
        axes.plot(x, own, color=MUTED, linewidth=1, linestyle=(0, (3, 2)), zorder=3)
    axes.plot(x, rate, color=ACCENT, linewidth=1.6, zorder=4)
    axes.vlines(x, low, high, color=ACCENT, linewidth=1, alpha=0.6, zorder=4)
    axes.plot(x, rate, color=ACCENT, marker="o", markersize=3.6, linestyle="none", zorder=5)
    axes.set_xlabel(axis_title(axis))
    held = view.held()
    said = "holds nowhere" if held is None else f"holds from {with_unit(axis, held[0])} to {with_unit(axis, held[1])}"
    counts = {point.trials for point in view.points}
    trials = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)}\N{EN DASH}{max(counts)}"
    caption = f"Success over {axis_title(axis)}; {trials} trials a point"
    if view.label:
        caption += f"; {view.label}"
    alt = f"Success of {view.sweep.target} over {axis_title(axis)}: {said} at {100 * HOLDS:.0f} % or more."
    return ReportFigure(name, canvas, view.as_rows(), alt, caption)


def heat_map(view: SweepView, name: str) -> ReportFigure:
    """Success over two axes as coloured cells; a phase runs from left to right."""
    across, up = view.axes if view.axes[0] == "phase" else (view.axes[1], view.axes[0])
    found = {tuple(dict(p.point)[axis] for axis in (across, up)): p for p in view.points}
    xs, ys = (np.array(sorted({key[i] for key in found})) for i in (0, 1))
    values = np.full((len(ys), len(xs)), np.nan)
    for (x, y), point in found.items():
        values[np.searchsorted(ys, y), np.searchsorted(xs, x)] = point.followed / point.trials
    canvas, axes = new_canvas(max(4.6, min(7.0, 1.6 + 0.34 * len(xs))), max(2.4, min(5.2, 1.0 + 0.2 * len(ys))))
    axes.pcolormesh(
        _edges(xs), _edges(ys), values, cmap=COLOURS, vmin=0, vmax=1, edgecolor=PAPER, linewidth=0.6, zorder=2
    )
    if len(found) <= MAX_NUMBERED:
        for (x, y), point in found.items():
            share = f"{100 * point.followed / point.trials:.0f}"
            axes.text(x, y, share, ha="center", va="center", fontsize=6.5, color="#1c2630", zorder=3)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set(xlabel=axis_title(across), ylabel=axis_title(up))
    _colour_bar(canvas, axes)
    counts = sorted({point.trials for point in view.points})
    trials = str(counts[0]) if len(counts) == 1 else f"{counts[0]}\N{EN DASH}{counts[-1]}"
    caption = f"Success by {axis_title(up)} and {axis_title(across)}; {trials} trials a cell"
    if view.label:
        caption += f"; {view.label}"
    total = sum(point.trials for point in view.points)
    alt = f"Success of {view.sweep.target} by {up} and {across}: {view.followed} of {total} trials held."
    return ReportFigure(name, canvas, view.as_rows(), alt, caption)


def ribbons(views: Sequence[SweepView], name: str) -> ReportFigure:
    """One ribbon for each perturbation: its settings from least to greatest, coloured by success."""
    canvas, axes = new_canvas(7.4, 0.5 + 0.38 * len(views))
    axes.set_axis_off()
    axes.set(xlim=(-0.34, 1.3), ylim=(len(views) - 0.4, -0.6))
    for row, view in enumerate(views):
        axis, points = view.axes[0], view.points
        width = 1 / len(points)
        for i, point in enumerate(points):
            colour = SUCCESS(point.followed / point.trials)
            axes.barh(row, width, left=i * width, height=0.62, color=colour, edgecolor=PAPER, linewidth=0.8)
        ends = [with_unit(axis, points[i].point[0][1]) for i in (0, -1)]
        title = axis_title(axis).partition(" (")[0]
        axes.text(-0.075, row, title, ha="right", va="center", fontsize=8.5, color=INK)
        axes.text(-0.01, row, ends[0], ha="right", va="center", fontsize=7.5, color=MUTED)
        axes.text(1.01, row, ends[1], ha="left", va="center", fontsize=7.5, color=MUTED)
        held = view.held()
        text = "does not hold" if held is None else f"{with_unit(axis, held[0])} to {with_unit(axis, held[1])}"
        axes.text(1.3, row, text, ha="right", va="center", fontsize=8, color=BAD if held is None else INK)
    rows = [row for view in views for row in view.as_rows()]
    caption = f"Success by perturbation; right: the widest range with {100 * HOLDS:.0f} % and more at every setting"
    return ReportFigure(name, canvas, rows, f"Success under {len(views)} kinds of perturbation.", caption)


def durations(attempts: Sequence[AttemptRecord], name: str) -> ReportFigure | None:
    """A histogram of simulated durations, successes and failures; None where all are the same."""
    good = [a.simulated_s for a in attempts if a.succeeded]
    bad = [a.simulated_s for a in attempts if not a.succeeded]
    everything = [*good, *bad]
    if len(everything) < 3 or max(everything) - min(everything) < 0.02:
        return None
    canvas, axes = new_canvas(5.6, 1.7)
    bins = np.linspace(min(everything), max(everything), min(30, 6 + int(math.sqrt(len(everything)) * 2)) + 1)
    axes.hist([good, bad], bins=list(bins), stacked=True, color=[ACCENT, BAD], edgecolor=PAPER, linewidth=0.7)
    axes.set(xlabel="duration (s, simulated)", ylabel="attempts")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    rows = [
        {"run": a.run, "walk": a.walk, "position": a.position, "succeeded": a.succeeded}
        | {"cycles": a.cycles, "simulated_s": a.simulated_s}
        for a in attempts
    ]
    caption = "Durations of the successes" + (" and, in red, of the failures" if bad else "")
    alt = f"Durations from {min(everything):.2f} to {max(everything):.2f} s over {len(everything)} attempts."
    return ReportFigure(name, canvas, rows, alt, caption)


def matrix(
    nodes: Sequence[str],
    edges: Sequence[EdgeStatistics],
    in_graph: Mapping[tuple[str, str], Sequence[str]],
    name: str,
) -> ReportFigure:
    """Sources by targets: the success of planned edges; edges without an attempt are outlined."""
    size = max(3.5, 0.48 * len(nodes))
    canvas, axes = new_canvas(size + 1.6, size + 1.2)
    index = {node: i for i, node in enumerate(nodes)}
    for source, target in in_graph:
        at = (index[target] - 0.46, index[source] - 0.46)
        _cell(axes, at, facecolor="none", edgecolor=GRID)
    for edge in edges:
        if edge.kind == "corrective" or edge.source not in index or edge.target not in index:
            continue
        x, y = index[edge.target], index[edge.source]
        _cell(axes, (x - 0.46, y - 0.46), facecolor=SUCCESS(edge.success.rate), edgecolor="none")
        axes.text(x, y - 0.1, f"{100 * edge.success.rate:.0f}", ha="center", va="center", fontsize=8, color="#1c2630")
        axes.text(x, y + 0.24, f"{edge.success.attempts}", ha="center", va="center", fontsize=5.5, color="#1c2630")
    axes.set(xlim=(-0.55, len(nodes) - 0.45), ylim=(len(nodes) - 0.45, -0.55), aspect="equal")
    axes.set_xticks(range(len(nodes)), [n.replace("_", " ") for n in nodes], rotation=55, ha="left", color=INK)
    axes.set_yticks(range(len(nodes)), [n.replace("_", " ") for n in nodes], color=INK)
    axes.xaxis.tick_top()
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    rows = [edge.as_dict() for edge in edges]
    return ReportFigure(name, canvas, rows, f"Success of {len(rows)} edges.", "Source by target")


def forest(comparison: Comparison, name: str) -> ReportFigure | None:
    """The differences with their intervals, one line for each node and edge of both samples."""
    rows = comparison.shown
    if not rows:
        return None
    colours = {Verdict.BETTER: GOOD, Verdict.WORSE: BAD}
    canvas, axes = new_canvas(7.0, 0.7 + 0.24 * len(rows))
    axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    for i, change in enumerate(rows):
        colour = colours.get(change.verdict, MUTED)
        low, high = change.interval or (0.0, 0.0)
        axes.hlines(i, low, high, color=colour, linewidth=1.6, zorder=2)
        axes.plot([change.difference or 0.0], [i], marker="o", markersize=4.5, color=colour, zorder=3)
    labels = [change.name.replace("_", " ").replace("->", "\N{RIGHTWARDS ARROW}") for change in rows]
    axes.set_yticks(range(len(rows)), labels, color=INK)
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlim=(-1.05, 1.05))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=""))
    axes.set_xlabel(f"change of success from {comparison.name_a} to {comparison.name_b} (percentage points)")
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    axes.spines["left"].set_visible(False)
    table: list[dict[str, Any]] = [change.as_dict() for change in comparison.changes]
    caption = "Difference with Newcombe's 95 % interval; coloured where it is significant"
    return ReportFigure(name, canvas, table, f"Change of success of {len(rows)} nodes and edges.", caption)


def _cell(axes: Axes, at: tuple[float, float], *, facecolor: Any, edgecolor: str) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle(at, 0.92, 0.92, facecolor=facecolor, edgecolor=edgecolor, linewidth=0.8, zorder=2))


def _colour_bar(canvas: Canvas, axes: Axes) -> None:
    bar = canvas.colorbar(ScalarMappable(Normalize(0, 1), COLOURS), ax=axes, fraction=0.05, pad=0.02, aspect=18)
    bar.outline.set_visible(False)
    bar.set_ticks([0, 0.5, 1], labels=["0 %", "50 %", "100 %"])
    bar.ax.tick_params(colors=MUTED, labelsize=7.5, length=0)


def _edges(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Borders of cells whose middles are the values."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
