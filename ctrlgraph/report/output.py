"""The files of a report: the page, its data, and a PNG, CSV and JSON of every figure.

All files are written beside their places first, and moved there in the end.
"""

from __future__ import annotations

import csv
import json
import math
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import TEMPORARY_SUFFIX, replacing, sweep_temporaries, table_cell
from ctrlgraph.paths import display_path
from ctrlgraph.report.drawing import PageFigure, ReportFigure, Rows, plain_text

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.report.report_page import ReportPage
    from ctrlgraph.runs.statistics import Statistics

FIGURES = "figures"
PAGE = "report.html"
DATA = "report.json"


class Output:
    """A directory that a report is written into; it is made where it does not exist.

    The files become those of the directory once all of them are written, when the `with` block ends: a report that is
    interrupted leaves the directory as it was.
    """

    def __init__(self, directory: Path) -> None:
        """
        Raises:
            CtrlGraphError: the directory cannot be made, or a link in it would take the figures elsewhere.
        """
        self.directory = directory
        figures = directory / FIGURES
        if figures.exists() and not figures.resolve().is_relative_to(directory.resolve()):
            shown = display_path(figures)
            raise CtrlGraphError(f"cannot write into '{shown}': it is a link that leads out of '{directory}'")
        self._is_new = not directory.exists()
        beside = directory.parent if self._is_new else directory
        try:
            if not beside.exists():
                beside.mkdir(parents=True, exist_ok=True)
            sweep_temporaries(beside, pattern=f".report-*{TEMPORARY_SUFFIX}")
            self._scratch = Path(tempfile.mkdtemp(prefix=".report-", suffix=TEMPORARY_SUFFIX, dir=beside))
            self._staged = self._scratch / "report"  # whoever may read new files may read it, unlike its parent
            self.figures = self._staged / FIGURES
            self.figures.mkdir(parents=True)
        except OSError as error:
            raise self._cannot_write(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._publish()
        except OSError as fault:
            raise self._cannot_write(fault) from None
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _publish(self) -> None:
        """Move the files to where they belong, the page last."""
        if self._is_new and not self.directory.exists():
            self._staged.rename(self.directory)
            return
        (self.directory / FIGURES).mkdir(exist_ok=True)
        files = [path for path in self._staged.rglob("*") if path.is_file()]
        for path in sorted(files, key=lambda path: path.name == PAGE):
            path.replace(self.directory / path.relative_to(self._staged))

    def _cannot_write(self, error: OSError) -> CtrlGraphError:
        return CtrlGraphError(f"cannot write into '{self.directory}': {(error.strerror or str(error)).lower()}")

    def graph(self, graph: ControllerGraph, statistics: Statistics) -> str:
        """Write the graph coloured by success, and return it as an SVG document."""
        from ctrlgraph.view.graph_figure import write_graph_figure

        nodes = {row.name: row.success.rate for row in statistics.nodes}
        edges = {(row.source, row.target, row.kind): row.success.rate for row in statistics.edges}
        with plain_text():
            write_graph_figure(
                graph,
                *(self.figures / f"graph.{suffix}" for suffix in ("png", "svg")),
                node_success=nodes,
                edge_success=edges,
                drafts=list(graph.drafts.values()),
            )
        self._rows("graph", [row.as_dict() for row in statistics.nodes])
        return (self.figures / "graph.svg").read_text(encoding="utf-8")

    def write(self, report: ReportPage) -> Path:
        """Write what is no figure, and return where the page will be.

        Raises:
            CtrlGraphError: a file cannot be written.
        """
        from ctrlgraph.report.page import render

        if beside := report.beside_source():
            self._rows("beside-source", [row for item in beside for row in _flat(item)])
        if report.engines:
            self._rows("engines", [_flat_engines(each.as_dict()) for each in report.engines])
        for sheet in report.sheets:
            if sheet.strip is not None:
                self._strip(f"{sheet.slug}-filmstrip", sheet.strip)
            if sheet.failures:
                self._rows(f"{sheet.slug}-failures", [row.as_dict() for row in sheet.failures])
        self._rows("edges", [row.as_dict() for row in report.edges])
        self._text(self._staged / DATA, json.dumps(finite(report.as_dict()), indent=2, ensure_ascii=False) + "\n")
        self._text(self._staged / PAGE, render(report))
        return self.directory / PAGE

    def figure(self, figure: ReportFigure) -> PageFigure:
        """Write a figure's files, and return what the page shows of it, which takes less memory.

        Raises:
            CtrlGraphError: a file cannot be written.
        """
        figure.write_png(self.figures / f"{figure.name}.png")
        self._rows(figure.name, figure.rows)
        return PageFigure(figure.name, figure.inline(), figure.caption)

    def _strip(self, name: str, strip: Filmstrip) -> None:
        with replacing(self.figures / f"{name}.png") as temporary:
            temporary.write_bytes(strip.png)
        row = {"path": " -> ".join(strip.path), "status": strip.status, "reason": strip.reason}
        self._rows(name, [row | {"duration_s": strip.duration_s}])

    def _rows(self, name: str, rows: Sequence[Mapping[str, Any]] | Rows) -> None:
        """The numbers of a figure, as CSV and as JSON; columns in the order in which they first come."""
        columns = rows.columns if isinstance(rows, Rows) else dict.fromkeys(key for row in rows for key in row)
        with (
            replacing(self.figures / f"{name}.json") as json_path,
            replacing(self.figures / f"{name}.csv") as csv_path,
            json_path.open("w", encoding="utf-8") as json_file,
            csv_path.open("w", encoding="utf-8") as csv_file,
        ):
            table = csv.writer(csv_file, lineterminator="\n")
            table.writerow(columns)
            json_file.write("[")
            between = "\n "
            for row in map(finite, rows):
                json_file.write(between + json.dumps(row, ensure_ascii=False))
                between = ",\n "
                table.writerow([table_cell(row.get(key)) for key in columns])
            json_file.write("\n]\n")

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
