"""The figures of a report that come from the log: durations of a node, the matrix of edges, a comparison."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ctrlgraph.report.change import ChangeVerdict
from ctrlgraph.report.comparison import Comparison
from ctrlgraph.report.drawing import ACCENT, BAD, GOOD, GRID, PAPER, ReportFigure, Rows, Values, new_canvas
from ctrlgraph.view.figure import INK, MUTED
from ctrlgraph.view.graph_figure import SUCCESS

if TYPE_CHECKING:
    from ctrlgraph.runs.picked import PickedAttempt
    from ctrlgraph.runs.statistics import EdgeStatistics


def durations(attempts: Callable[[], Iterable[PickedAttempt]], name: str) -> ReportFigure | None:
    """Return a histogram of simulated durations, successes and failures; None where all are the same.

    Args:
        attempts: gives the attempts anew each time that it is called.
        name: of the figure.
    """
    good, bad = array("d"), array("d")
    for attempt in attempts():
        (good if attempt.succeeded else bad).append(attempt.simulated_s)
    everything = np.concatenate([good, bad])
    if len(everything) < 3 or np.ptp(everything) < 0.02:
        return None
    canvas, axes = new_canvas(5.6, 1.7, margins=(0.6, 0.45, 0.12, 0.08))
    shortest, longest = float(everything.min()), float(everything.max())
    bins = np.linspace(shortest, longest, min(30, 6 + int(math.sqrt(len(everything)) * 2)) + 1)
    both = [np.asarray(good), np.asarray(bad)]
    axes.hist(both, bins=list(bins), stacked=True, color=[ACCENT, BAD], edgecolor=PAPER, linewidth=0.7)
    values, counts = Values(), [np.histogram(seconds, bins)[0] for seconds in both]
    for i, (well, badly) in enumerate(zip(*counts, strict=True)):
        if well + badly:
            said = f"{bins[i]:.2f} to {bins[i + 1]:.2f} s: {well} succeeded" + (f", {badly} failed" if badly else "")
            values.over(axes, (float(bins[i]), 0.0), float(bins[i + 1] - bins[i]), float(well + badly), said)
    axes.set(xlabel="duration (s, simulated)", ylabel="attempts")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    rows = Rows(
        ("run", "walk", "position", "succeeded", "cycles", "simulated_s"),
        lambda: ((a.run, a.walk, a.position, bool(a.succeeded), a.cycles, a.simulated_s) for a in attempts()),
        len(everything),
    )
    caption = "Durations of the successes" + (" and, in red, of the failures" if bad else "")
    alt = f"Durations from {shortest:.2f} to {longest:.2f} s over {len(everything)} attempts."
    return ReportFigure(name, canvas, rows, alt, caption, values)


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
    """Return the differences with their intervals, one line for each node and edge of both samples."""
    rows = comparison.shown
    if not rows:
        return None
    colours, values = {ChangeVerdict.BETTER: GOOD, ChangeVerdict.WORSE: BAD}, Values()
    canvas, axes = new_canvas(7.0, 0.7 + 0.24 * len(rows))
    axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    for i, change in enumerate(rows):
        colour = colours.get(change.verdict, MUTED)
        low, high = change.interval or (0.0, 0.0)
        axes.hlines(i, low, high, color=colour, linewidth=1.6, zorder=2)
        axes.plot([change.difference or 0.0], [i], marker="o", markersize=4.5, color=colour, zorder=3)
        before, after = (f"{count.successes} of {count.trials}" for count in (change.before, change.after))
        values.over(axes, (-1.0, i - 0.5), 2.0, 1.0, f"{change.name}: {before}, then {after}; {change.verdict.value}")
    labels = [change.name.replace("_", " ").replace("->", "\N{RIGHTWARDS ARROW}") for change in rows]
    axes.set_yticks(range(len(rows)), labels, color=INK)
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlim=(-1.05, 1.05))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=""))
    axes.set_xlabel(f"change of success from {comparison.name_a} to {comparison.name_b} (percentage points)")
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    axes.spines["left"].set_visible(False)
    table: list[dict[str, Any]] = [change.as_dict() for change in comparison.changes]
    caption = "Difference with Newcombe's 95 % interval; coloured where it is significant"
    return ReportFigure(name, canvas, table, f"Change of success of {len(rows)} nodes and edges.", caption, values)


def _cell(axes: Axes, at: tuple[float, float], *, facecolor: Any, edgecolor: str) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle(at, 0.92, 0.92, facecolor=facecolor, edgecolor=edgecolor, linewidth=0.8, zorder=2))
