"""The HTML page of a report: its data, and functions for the jinja2 templates that show the data.

All texts are escaped, except drawings, scripts and JSON that ctrlgraph itself has generated.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ctrlgraph.pictures.graph_figure import SUCCESS
from ctrlgraph.playback.assets import embedded_bytes, embedded_json, joined, stylesheet
from ctrlgraph.playback.page import content_security
from ctrlgraph.report.comparison import Comparison, SweepChange, SweepsComparison
from ctrlgraph.report.drawing import PageFigure, inline_svg
from ctrlgraph.report.evidence import Evidence
from ctrlgraph.report.node_pages import EdgeRow, NodePage
from ctrlgraph.report.sweeps import SweepView, axis_title, fixed_label, with_unit
from ctrlgraph.robustness.sweeps.engine_comparison import EngineComparison
from ctrlgraph.robustness.sweeps.summary import REQUIRED, Range
from ctrlgraph.simulation.measures import range_text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.statistics import SuccessCount


@dataclass(frozen=True)
class ReportPage:
    """Data that the HTML page of a report shows."""

    title: str
    """Title of the page."""
    command: str
    """Command line that made the report."""
    created: str
    """Local time at which the report was made."""
    versions: dict[str, str]
    """Versions of ctrlgraph and of libraries, by name."""
    graph_hash: str
    """Hash of the graph."""
    character: str
    """Name of the character in the graph file."""
    evidence: Evidence
    """Logged runs and the statistics of their attempts."""
    edges: tuple[EdgeRow, ...]
    """Edges of the graph and of the log."""
    node_pages: tuple[NodePage, ...]
    """Data about each node of the graph."""
    views: tuple[SweepView, ...]
    """Sweeps with their trials."""
    comparison: Comparison | None
    """Comparison of two logged runs or versions of the graph, if requested."""
    sweep_comparison: SweepsComparison | None
    """Comparison of two sets of sweeps, if requested."""
    sweep_changes: tuple[tuple[SweepChange, PageFigure], ...]
    """(comparison of two sweeps, figure) for each pair of sweeps that has axes."""
    engines: tuple[EngineComparison, ...]
    """Comparisons of sweeps that were run on several engines, one for each point."""
    graph_svg: str
    """Picture of the graph as an SVG document."""
    live_graph: dict[str, Any]
    """Graph as data for `graph.js`."""
    everything: bool = False
    """True shows nodes and edges that were never tried in as much detail as the others."""

    @property
    def shown(self) -> list[NodePage]:
        """Data about the nodes that are shown in detail."""
        return [node_page for node_page in self.node_pages if node_page.tried or self.everything]

    @property
    def omitted(self) -> list[NodePage]:
        """Data about the nodes that were never tried, of which the page lists only the names."""
        return [node_page for node_page in self.node_pages if not (node_page.tried or self.everything)]

    @property
    def in_matrix(self) -> list[str]:
        """Names of the nodes in the matrix of edges: nodes with an edge that was tried, or all if no edge was tried."""
        tried = {name for row in self.edges if row.success is not None for name in (row.source, row.target)}
        names = [node_page.node.name for node_page in self.node_pages]
        return [name for name in names if self.everything or name in tried] or names

    def as_dict(self) -> dict[str, Any]:
        """Return the data of the report for its JSON file, without figures."""
        tally = self.evidence.tally
        counts = ("transitions", "succeeded", "failed", "recovered", "resets", "simulated_s")
        return {
            "title": self.title,
            "command": self.command,
            "made": self.created,
            "versions": self.versions,
            "graph_hash": self.graph_hash,
            "runs": [run.id for run in self.evidence.runs],
            "attempts": self.evidence.attempts,
            "stale_attempts": self.evidence.stale,
            "summary": {name: getattr(tally, name) for name in counts},
            "nodes": [node_page.as_dict() for node_page in self.node_pages],
            "edges": [row.as_dict() for row in self.edges],
            "sweeps": [
                {"id": view.sweep.id, "target": view.sweep.target, "points": view.as_rows()} for view in self.views
            ],
            "engines": [each.as_dict() for each in self.engines],
            "comparison": None if self.comparison is None else self.comparison.as_dict(),
            "sweep_comparison": None if self.sweep_comparison is None else self.sweep_comparison.as_dict(),
        }

    @property
    def engine_names(self) -> list[str]:
        """Names of the compared engines, without duplicates."""
        return list(dict.fromkeys(name for each in self.engines for name in each.counts))


MODULES = ("playback.js", "figure.js", "player.js", "graph.js")
"""JavaScript modules that the page shares with other pages of ctrlgraph."""
MAX_FAILURES = 10
"""Maximum number of kinds of failures shown for a node."""
MAX_OPEN = 12
"""Maximum number of nodes for which the sections of all nodes are unfolded."""
N_WEAKEST = 6
"""Number of nodes whose sections are unfolded otherwise, and of rows in the tables of the summary."""


def render(report: ReportPage) -> str:
    """Return the HTML text of a report's page."""
    page = environment().get_template("report.html.j2")
    script = joined(MODULES, {"report.js": _script()})
    return page.render(
        report=report,
        policy=content_security(script, None),
        theme=_markup(stylesheet()),
        script=_markup(script),
        live_graph=_markup(embedded_json(report.live_graph, "graph-data")),
        evidence=report.evidence,
        tally=report.evidence.tally,
        matrix=matrix_rows(report),
        names=report.in_matrix,
        opened={node_page.node.name for node_page in opened(report.shown)},
        slugs={node_page.node.name: node_page.slug for node_page in report.shown},
        weakest=weakest(report.edges),
        untried=[row for row in report.edges if row.in_graph and row.kind != "corrective" and row.success is None],
        failures=commonest_failures(report.shown),
        max_failures=MAX_FAILURES,
        holds=REQUIRED,
        graph=_markup(inline_svg(report.graph_svg, "graph", "The graph, coloured by success.", themed=False)),
    )


@cache
def environment() -> Environment:
    """Return the jinja2 environment with the templates of the page and their filters."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # all templates are HTML, independent of their suffix
    templates = Environment(
        loader=PackageLoader("ctrlgraph.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (percent, interval, words, day, number, points, counted, limits, span, chance, setting)
    templates.filters |= {function.__name__: function for function in filters}
    templates.filters |= {
        "cell": cell_style,
        "drawing": _drawing,
        "strip": _data_url,
        "motion": _motion,
        "axis": axis_title,
    }
    templates.globals |= {"with_unit": with_unit}
    return templates


def matrix_rows(report: ReportPage) -> list[tuple[str, list[list[EdgeRow]]]]:
    """Return the rows of the matrix of edges, each as (source node, list of the edges to each target node).

    A matrix cell has planned edges before corrective ones. Corrective edges that were never taken are omitted.
    """
    names = report.in_matrix
    cells: dict[tuple[str, str], list[EdgeRow]] = {}
    for row in sorted(report.edges, key=lambda row: row.kind == "corrective"):
        if row.kind != "corrective" or row.success is not None:
            cells.setdefault((row.source, row.target), []).append(row)
    return [(source, [cells.get((source, target), []) for target in names]) for source in names]


def weakest(edges: tuple[EdgeRow, ...]) -> list[EdgeRow]:
    """Return up to `N_WEAKEST` planned (naive or learned) edges that failed at least once, the least reliable first."""
    tried = [(row.success.rate, row.success.count.lowest, row) for row in edges if row.success is not None]
    found = [item for item in tried if item[2].kind != "corrective" and item[0] < 1]
    found.sort(key=lambda item: (item[0], item[1], item[2].source, item[2].target))
    return [row for _, _, row in found[:N_WEAKEST]]


def commonest_failures(node_pages: Sequence[NodePage]) -> list[tuple[NodePage, Any]]:
    """Return (data about the node, kind of failure) of up to `N_WEAKEST` failures that are most frequent in walks."""
    rows = [(node_page, row) for node_page in node_pages for row in node_page.failures if row.walks]
    return sorted(rows, key=lambda item: (-item[1].walks, item[0].node.name))[:N_WEAKEST]


def opened(node_pages: Sequence[NodePage]) -> Sequence[NodePage]:
    """Return the data about nodes whose sections are unfolded at first: all nodes if few, else the least reliable."""
    if len(node_pages) <= MAX_OPEN:
        return node_pages
    rated = [(page.success.rate, page) for page in node_pages if page.success is not None and page.success.rate < 1]
    return [page for _, page in sorted(rated, key=lambda item: item[0])[:N_WEAKEST]]


def percent(share: float | None) -> str:
    """Format a share (0 to 1) as a percentage such as "97 %", or as a dash for None."""
    return "\N{EN DASH}" if share is None else f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def interval(count: SuccessCount) -> str:
    """Format Wilson's 95 % confidence interval of a success rate, in percent, as a text such as "91-99"."""
    low, high = count.interval
    return f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f}"


def setting(each: EngineComparison) -> str:
    """Format the perturbations under which engines are compared as a short text, such as "slope 4°, noise 0.1"."""
    return ", ".join(fixed_label(name, value) for name, value in (*each.given.items(), *each.point))


def points(share: float | None) -> str:
    """Format a difference of shares (-1 to 1) in percentage points, such as "+12", or as a dash for None."""
    if share is None:
        return "\N{EN DASH}"
    rounded = round(100 * share)
    sign = "+" if rounded > 0 else "\N{MINUS SIGN}" if rounded < 0 else "\N{PLUS-MINUS SIGN}"
    return f"{sign}{abs(rounded)}"


def number(value: float | None, digits: int = 2) -> str:
    """Format a number with a fixed number of decimals, such as "0.25", or as a dash for None.

    Args:
        value: Number to format.
        digits: Number of digits after the decimal point.
    """
    return "\N{EN DASH}" if value is None else f"{value:.{digits}f}"


def chance(p: float | None) -> str:
    """Format a p-value with three decimals, or as "< 0.001" if it is smaller, or as a dash for None."""
    return "<\N{THIN SPACE}0.001" if p is not None and p < 0.001 else number(p, 3)


def cell_style(share: float) -> str:
    """Return the CSS of a table cell: a background coloured by a share (0 to 1), and a readable colour of the text."""
    red, green, blue, _ = SUCCESS(share)
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    ink = "#ffffff" if light < 0.18 else "#16202a"
    return f"background:rgb({255 * red:.0f} {255 * green:.0f} {255 * blue:.0f});color:{ink}"


def words(name: str) -> str:
    """Format the name of a node or edge for readers: spaces in place of "_", and an arrow in place of "->"."""
    return name.replace("_", " ").replace("->", "\N{RIGHTWARDS ARROW}")


def counted(count: int, noun: str) -> str:
    """Format a count with its noun, such as "1 trial" or "2 trials".

    Args:
        count: Number of items.
        noun: Noun in the singular.
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def limits(ends: tuple[float, float]) -> str:
    """Format the range (low, high) of a success condition as a text, such as "0 to 2" or "at least 1"."""
    return range_text(*ends).replace("-", "\N{MINUS SIGN}")


def span(ends: Range | None, axis: str) -> str:
    """Format a range of a perturbation with its unit, such as "0 N to 200 N", or as "nothing" for None.

    Args:
        ends: Smallest and largest value, or None.
        axis: Name of the perturbation.
    """
    return "nothing" if ends is None else f"{with_unit(axis, ends[0])} to {with_unit(axis, ends[1])}"


def day(seconds: float | None) -> str:
    """Format a time (s since 1970) as local date and time, such as "2026-01-31 12:00", or as "" for None."""
    return "" if seconds is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _drawing(figure: PageFigure) -> Markup:
    return _markup(figure.svg)


def _data_url(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _motion(filmstrip: Filmstrip, slug: str) -> Markup:
    return _markup(embedded_bytes(filmstrip.motion, f"motion-{slug}"))


@cache
def _script() -> str:
    return files("ctrlgraph.report").joinpath("templates", "report.js").read_text(encoding="utf-8")


def _markup(svg: str) -> Markup:
    """Mark a text that ctrlgraph has generated, such as a drawing or a script, as safe HTML, so that it is not escaped.

    Texts in drawings have been escaped by matplotlib.
    """
    from markupsafe import Markup

    return Markup(svg)
