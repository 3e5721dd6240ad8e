"""The page: jinja2 templates filled with a report, everything escaped but our own drawings."""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ctrlgraph.experiments.sweeps.summary import REQUIRED, Range
from ctrlgraph.playback.assets import joined, stylesheet
from ctrlgraph.playback.embedding import embedded_bytes, embedded_json
from ctrlgraph.playback.page import content_security
from ctrlgraph.report.drawing import PageFigure, inline_svg
from ctrlgraph.report.sweeps import axis_title, fixed_label, with_unit
from ctrlgraph.simulation.measures import range_text
from ctrlgraph.view.graph_figure import SUCCESS

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from ctrlgraph.experiments.sweeps.engine_comparison import EngineComparison
    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.report.node_pages import EdgeRow, NodePage
    from ctrlgraph.report.report_page import ReportPage
    from ctrlgraph.runs.statistics import SuccessRate
    from ctrlgraph.statistics import SuccessCount

MODULES = ("playback.js", "figure.js", "player.js", "graph.js")
"""What the page takes of the modules that all pages share."""
MAX_FAILURES = 10
FEW = 12
"""Sheets: of more, only the `WEAKEST` are unfolded."""
WEAKEST = 6


def render(report: ReportPage) -> str:
    """Return the page as HTML."""
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
        opened={sheet.node.name for sheet in opened(report.shown)},
        slugs={sheet.node.name: sheet.slug for sheet in report.shown},
        weakest=weakest(report.edges),
        untried=[row for row in report.edges if row.in_graph and row.kind != "corrective" and row.success is None],
        failures=commonest_failures(report.shown),
        max_failures=MAX_FAILURES,
        holds=REQUIRED,
        sourced=any(view.beside for view in report.views),
        graph=_markup(inline_svg(report.graph_svg, "graph", "The graph, coloured by success.", themed=False)),
    )


@cache
def environment() -> Environment:
    """Templates of this package, with what they format numbers with."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # every template makes HTML, whatever its name ends in
    made = Environment(
        loader=PackageLoader("ctrlgraph.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "percent": percent,
        "interval": interval,
        "cell": cell_style,
        "words": words,
        "day": day,
        "drawing": _drawing,
        "strip": _strip,
        "motion": _motion,
        "axis": axis_title,
        "number": number,
        "points": points,
        "counted": counted,
        "limits": limits,
        "span": span,
        "chance": chance,
        "interval_of": interval_of,
        "setting": setting,
    }
    made.globals |= {"with_unit": with_unit}
    return made


def matrix_rows(report: ReportPage) -> list[tuple[str, list[list[EdgeRow]]]]:
    """For each source, the edges to each target, planned ones first."""
    names = report.in_matrix
    cells: dict[tuple[str, str], list[EdgeRow]] = {}
    for row in sorted(report.edges, key=lambda row: row.kind == "corrective"):
        if row.kind != "corrective" or row.success is not None:
            cells.setdefault((row.source, row.target), []).append(row)
    return [(source, [cells.get((source, target), []) for target in names]) for source in names]


def weakest(edges: tuple[EdgeRow, ...]) -> list[EdgeRow]:
    """Return the planned edges with failures, those of the lowest success first."""
    tried = [(row.success.rate, row.success.count.lowest, row) for row in edges if row.success is not None]
    found = [item for item in tried if item[2].kind != "corrective" and item[0] < 1]
    found.sort(key=lambda item: (item[0], item[1], item[2].source, item[2].target))
    return [row for _, _, row in found[:WEAKEST]]


def commonest_failures(sheets: Sequence[NodePage]) -> list[tuple[NodePage, Any]]:
    """Return the most frequent failures in walks, each with the sheet of its node."""
    rows = [(sheet, row) for sheet in sheets for row in sheet.failures if row.walks]
    return sorted(rows, key=lambda item: (-item[1].walks, item[0].node.name))[:WEAKEST]


def opened(sheets: Sequence[NodePage]) -> Sequence[NodePage]:
    """Return the sheets that are unfolded from the beginning: all where they are few, else the least reliable ones."""
    if len(sheets) <= FEW:
        return sheets
    tried = [sheet for sheet in sheets if sheet.success is not None and sheet.success.rate < 1]
    return sorted(tried, key=lambda sheet: sheet.success.rate if sheet.success is not None else 1.0)[:WEAKEST]


def percent(share: float | None) -> str:
    """Return a share from 0 to 1 as "97 %"; None is a dash."""
    return "\N{EN DASH}" if share is None else f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def interval(success: SuccessRate) -> str:
    """Wilson's interval as "91-99"."""
    return interval_of(success.count)


def interval_of(count: SuccessCount) -> str:
    """Return Wilson's interval of a count as "91-99"."""
    low, high = count.interval
    return f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f}"


def setting(each: EngineComparison) -> str:
    """Return the perturbations of a question to several engines, in short."""
    return ", ".join(fixed_label(name, value) for name, value in (*each.given.items(), *each.point))


def points(share: float | None) -> str:
    """Return a difference of shares in percentage points, with its sign."""
    if share is None:
        return "\N{EN DASH}"
    rounded = round(100 * share)
    sign = "+" if rounded > 0 else "\N{MINUS SIGN}" if rounded < 0 else "\N{PLUS-MINUS SIGN}"
    return f"{sign}{abs(rounded)}"


def number(value: float | None, digits: int = 2) -> str:
    return "\N{EN DASH}" if value is None else f"{value:.{digits}f}"


def chance(p: float | None) -> str:
    """Return a p-value."""
    return "<\N{THIN SPACE}0.001" if p is not None and p < 0.001 else number(p, 3)


def cell_style(share: float) -> str:
    """Background and letters of a cell, readable on each other."""
    red, green, blue, _ = SUCCESS(share)
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    ink = "#ffffff" if light < 0.18 else "#16202a"
    return f"background:rgb({255 * red:.0f} {255 * green:.0f} {255 * blue:.0f});color:{ink}"


def words(name: str) -> str:
    """Return a node's or edge's name as people read it."""
    return name.replace("_", " ").replace("->", "\N{RIGHTWARDS ARROW}")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def limits(ends: tuple[float, float]) -> str:
    """Return a range of a success condition."""
    return range_text(*ends).replace("-", "\N{MINUS SIGN}")


def span(ends: Range | None, axis: str) -> str:
    """Return a range of an axis that holds."""
    return "nothing" if ends is None else f"{with_unit(axis, ends[0])} to {with_unit(axis, ends[1])}"


def day(seconds: float | None) -> str:
    """Return a moment, in local time."""
    return "" if seconds is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _drawing(figure: PageFigure) -> Markup:
    return _markup(figure.svg)


def _strip(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _motion(strip: Filmstrip, slug: str) -> Markup:
    return _markup(embedded_bytes(strip.motion, f"motion-{slug}"))


@cache
def _script() -> str:
    return files("ctrlgraph.report").joinpath("templates", "report.js").read_text(encoding="utf-8")


def _markup(svg: str) -> Markup:
    """Our own drawing as it is: matplotlib escapes the text in it; so it is with our own scripts and data."""
    from markupsafe import Markup

    return Markup(svg)
