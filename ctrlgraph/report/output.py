"""The files of a report: the page, its data, and a PNG, CSV and JSON of every figure.

Each file is either the old one or the whole new one; the page is written last.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import replacing, table_cell
from ctrlgraph.paths import display_path
from ctrlgraph.report.drawing import ReportFigure, plain_text

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.report.report_page import ReportPage
    from ctrlgraph.runs.statistics import Statistics

FIGURES = "figures"
PAGE = "report.html"
DATA = "report.json"


class Output:
    """A directory that a report is written into; it is made where it does not exist."""

    def __init__(self, directory: Path) -> None:
        """
        Raises:
            CtrlGraphError: it cannot be made, or a link in it would take the figures elsewhere.
        """
        self.directory = directory
        self.figures = directory / FIGURES
        if self.figures.exists() and not self.figures.resolve().is_relative_to(directory.resolve()):
            shown = display_path(self.figures)
            raise CtrlGraphError(f"cannot write into '{shown}': it is a link that leads out of '{directory}'")
        try:
            self.figures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise CtrlGraphError(f"cannot write into '{directory}': {reason}") from None

    def graph(self, graph: ControllerGraph, statistics: Statistics) -> str:
        """Write the graph coloured by success, and return it as an SVG document."""
        from ctrlgraph.view.graph_figure import write_graph_figure

        nodes = {row.name: row.success.rate for row in statistics.nodes}
        edges = {(row.source, row.target, row.kind): row.success.rate for row in statistics.edges}
        with plain_text():
            for suffix in ("png", "svg"):
                write_graph_figure(
                    graph,
                    self.figures / f"graph.{suffix}",
                    node_success=nodes,
                    edge_success=edges,
                    drafts=list(graph.drafts.values()),
                )
        self._rows("graph", [row.as_dict() for row in statistics.nodes])
        return (self.figures / "graph.svg").read_text(encoding="utf-8")

    def write(self, report: ReportPage) -> Path:
        """Write everything, the page last, and return its path.

        Raises:
            CtrlGraphError: a file cannot be written.
        """
        from ctrlgraph.report.page import render

        changes = [figure for _, figure in report.sweep_changes]
        for figure in (report.matrix, *([report.forest] if report.forest else []), *changes):
            self._figure(figure)
        if beside := report.beside_source():
            self._rows("beside-source", [row for item in beside for row in _flat(item)])
        if report.engines:
            self._rows("engines", [_flat_engines(each.as_dict()) for each in report.engines])
        for sheet in report.sheets:
            for figure in (*sheet.drawings, *([sheet.durations] if sheet.durations else [])):
                self._figure(figure)
            if sheet.strip is not None:
                self._strip(f"{sheet.slug}-filmstrip", sheet.strip)
            if sheet.failures:
                self._rows(f"{sheet.slug}-failures", [row.as_dict() for row in sheet.failures])
        self._rows("edges", [row.as_dict() for row in report.edges])
        self._text(self.directory / DATA, json.dumps(finite(report.as_dict()), indent=2, ensure_ascii=False) + "\n")
        self._text(self.directory / PAGE, render(report))
        return self.directory / PAGE

    def _figure(self, figure: ReportFigure) -> None:
        figure.write_png(self.figures / f"{figure.name}.png")
        self._rows(figure.name, figure.rows)

    def _strip(self, name: str, strip: Filmstrip) -> None:
        with replacing(self.figures / f"{name}.png") as temporary:
            temporary.write_bytes(strip.png)
        row = {"path": " -> ".join(strip.path), "status": strip.status, "reason": strip.reason}
        self._rows(name, [row | {"duration_s": strip.duration_s}])

    def _rows(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """The numbers of a figure, as CSV and as JSON; columns in the order in which they first come."""
        data = [finite(dict(row)) for row in rows]
        self._text(self.figures / f"{name}.json", json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        columns = list(dict.fromkeys(key for row in data for key in row))
        table = io.StringIO()
        writer = csv.DictWriter(table, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: table_cell(value) for key, value in row.items()} for row in data)
        self._text(self.figures / f"{name}.csv", table.getvalue())

    def _text(self, path: Path, text: str) -> None:
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def _flat(beside: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each of a source's figures, with the ranges that hold here."""
    head = {name: beside[name] for name in ("sweep", "target", "axis", "text")}
    for name in ("everywhere", "widest"):
        low, high = beside[name] or (None, None)
        head |= {f"{name}_low": low, f"{name}_high": high}
    yield from (head | figure for figure in beside["figures"] or [{}])


def _flat_engines(compared: Mapping[str, Any]) -> dict[str, Any]:
    """A question to several engines as one row: each engine's counts, and the first condition that differs."""
    counts = {f"{name}_{key}": value for name, count in compared["engines"].items() for key, value in count.items()}
    head = {"target": compared["target"], **compared["given"], **compared["point"]}
    tested = {name: compared[name] for name in ("p", "p_adjusted", "certain", "differs")}
    return head | counts | tested | {f"first_{name}": value for name, value in (compared["first"] or {}).items()}


def finite(value: Any) -> Any:
    """Return the value without what JSON cannot say: NaN and infinity become null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value
