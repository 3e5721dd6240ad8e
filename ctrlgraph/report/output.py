"""Files of a report: the page, its data as JSON, and a PNG and a CSV file of each figure."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import TEMPORARY_SUFFIX, finite, replacing, sweep_temporaries, table_cell, write_text
from ctrlgraph.paths import display_path
from ctrlgraph.report.drawing import PageFigure, ReportFigure, plain_text

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.report.report_page import ReportPage
    from ctrlgraph.run_log.statistics import Statistics

FIGURES = "figures"
PAGE = "report.html"
DATA = "report.json"


class Output:
    """Writes the files of a report during a `with` block.

    Files are first written to a temporary directory. They are moved to the directory of the report when the block ends
    without an error. Otherwise the directory of the report is unchanged.

    Args:
        directory: Directory of the report. It is created if it does not exist.

    Raises:
        CtrlGraphError: The directory cannot be created or written, or its `figures` is a link that leads out of it.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        figures = directory / FIGURES
        if figures.exists() and not figures.resolve().is_relative_to(directory.resolve()):
            shown = display_path(figures)
            raise CtrlGraphError(
                f"cannot write into '{shown}': it is a link that leads out of '{directory}', so replace it by a"
                " directory"
            )
        self._is_new = not directory.exists()
        parent = directory.parent if self._is_new else directory
        try:
            if not parent.exists():
                parent.mkdir(parents=True, exist_ok=True)
            sweep_temporaries(parent, pattern=f".report-*{TEMPORARY_SUFFIX}")
            self._scratch = Path(tempfile.mkdtemp(prefix=".report-", suffix=TEMPORARY_SUFFIX, dir=parent))
            self._staged = self._scratch / "report"  # this directory has the default permissions, unlike its parent
            self.figures = self._staged / FIGURES
            self.figures.mkdir(parents=True)
        except OSError as error:
            raise self._cannot_write(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._publish()
        except OSError as fault:
            raise self._cannot_write(fault) from None
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _publish(self) -> None:
        """Move all files from the temporary directory to the directory of the report, the page last."""
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
        """Write a picture of the graph, coloured by success, and return it as the text of an SVG document.

        Args:
            graph: Graph to draw.
            statistics: Success rates of the nodes and edges in the run log.
        """
        from ctrlgraph.pictures.graph_figure import write_graph_figure

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
        """Write the HTML page, its data as JSON, the filmstrips, and CSV files of tables that have no figure.

        Returns:
            Path that the page will have when the `with` block has ended.

        Raises:
            CtrlGraphError: A file cannot be written.
        """
        from ctrlgraph.report.report_page import render

        if report.engines:
            self._rows("engines", [_engine_row(each.as_dict()) for each in report.engines])
        for node_page in report.node_pages:
            if node_page.filmstrip is not None:
                self._filmstrip(f"{node_page.slug}-filmstrip", node_page.filmstrip)
            if node_page.failures:
                self._rows(f"{node_page.slug}-failures", list(map(asdict, node_page.failures)))
        self._rows("edges", [row.as_dict() for row in report.edges])
        write_text(self._staged / DATA, json.dumps(finite(report.as_dict()), indent=2, ensure_ascii=False) + "\n")
        write_text(self._staged / PAGE, render(report))
        return self.directory / PAGE

    def figure(self, figure: ReportFigure) -> PageFigure:
        """Write the PNG and the CSV file of a figure, and return the figure as it is shown on the page.

        Raises:
            CtrlGraphError: A file cannot be written.
        """
        figure.write_png(self.figures / f"{figure.name}.png")
        self._rows(figure.name, figure.rows)
        return PageFigure(figure.name, figure.inline(), figure.caption)

    def _filmstrip(self, name: str, filmstrip: Filmstrip) -> None:
        with replacing(self.figures / f"{name}.png") as temporary:
            temporary.write_bytes(filmstrip.png)
        row = {"path": " -> ".join(filmstrip.path), "status": filmstrip.status, "reason": filmstrip.reason}
        self._rows(name, [row | {"duration_s": filmstrip.duration_s}])

    def _rows(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows to the CSV file `name`. The columns are all keys of the rows, in the order of first occurrence."""
        columns = dict.fromkeys(key for row in rows for key in row)
        with replacing(self.figures / f"{name}.csv") as path, path.open("w", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(columns)
            for row in map(finite, rows):
                table.writerow([table_cell(row.get(key)) for key in columns])


def _engine_row(compared: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a comparison of engines at one point (`EngineComparison.as_dict`) to a row of the file `engines.csv`."""
    counts = {f"{name}_{key}": value for name, count in compared["engines"].items() for key, value in count.items()}
    head = {"target": compared["target"], **compared["given"], **compared["point"]}
    tested = {name: compared[name] for name in ("p", "p_adjusted", "certain", "differs")}
    return head | counts | tested | {f"first_{name}": value for name, value in (compared["first"] or {}).items()}
