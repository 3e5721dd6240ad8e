"""What the page of a report shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.experiments.sweeps.engine_comparison import EngineComparison
from ctrlgraph.report.comparison import Comparison
from ctrlgraph.report.drawing import PageFigure
from ctrlgraph.report.evidence import Evidence
from ctrlgraph.report.node_pages import EdgeRow, NodePage
from ctrlgraph.report.sweep_comparison import SweepChange, SweepsComparison
from ctrlgraph.report.sweeps import SweepView


@dataclass(frozen=True)
class ReportPage:
    """Everything that the page shows.

    graph_svg: the graph's picture as an SVG document; live_graph: the graph as a browser draws it; sweep_changes: the
    targets that were swept before and after, each with its figure; engines: the questions that sweeps have put to
    several engines; everything: whether what was never tried is shown as all else is, and not only named.
    """

    title: str
    command: str
    made: str
    versions: dict[str, str]
    graph_hash: str
    character: str
    evidence: Evidence
    edges: tuple[EdgeRow, ...]
    sheets: tuple[NodePage, ...]
    views: tuple[SweepView, ...]
    comparison: Comparison | None
    sweep_comparison: SweepsComparison | None
    sweep_changes: tuple[tuple[SweepChange, PageFigure], ...]
    engines: tuple[EngineComparison, ...]
    graph_svg: str
    live_graph: dict[str, Any]
    forest: PageFigure | None
    everything: bool = False

    @property
    def shown(self) -> list[NodePage]:
        """Return the sheets that the page has."""
        return [sheet for sheet in self.sheets if sheet.tried or self.everything]

    @property
    def left_out(self) -> list[NodePage]:
        """Return those of nodes that were never tried, which it only names."""
        return [sheet for sheet in self.sheets if not (sheet.tried or self.everything)]

    @property
    def in_matrix(self) -> list[str]:
        """Return the nodes of the matrix: those with an edge that was tried; all of them where there is none."""
        tried = {name for row in self.edges if row.success is not None for name in (row.source, row.target)}
        names = [sheet.node.name for sheet in self.sheets]
        return [name for name in names if self.everything or name in tried] or names

    def as_dict(self) -> dict[str, Any]:
        tally = self.evidence.tally
        counts = ("transitions", "succeeded", "failed", "recovered", "resets", "simulated_s")
        return {
            "title": self.title,
            "command": self.command,
            "made": self.made,
            "versions": self.versions,
            "graph_hash": self.graph_hash,
            "runs": [run.id for run in self.evidence.runs],
            "attempts": len(self.evidence.attempts),
            "stale_attempts": self.evidence.stale,
            "summary": {name: getattr(tally, name) for name in counts},
            "nodes": [sheet.as_dict() for sheet in self.sheets],
            "edges": [row.as_dict() for row in self.edges],
            "sweeps": [
                {"id": view.sweep.id, "target": view.sweep.target, "points": view.as_rows()} for view in self.views
            ],
            "beside_source": self.beside_source(),
            "engines": [each.as_dict() for each in self.engines],
            "comparison": None if self.comparison is None else self.comparison.as_dict(),
            "sweep_comparison": None if self.sweep_comparison is None else self.sweep_comparison.as_dict(),
        }

    @property
    def engine_names(self) -> list[str]:
        """Return the engines of these questions, each once."""
        return list(dict.fromkeys(name for each in self.engines for name in each.counts))

    def beside_source(self) -> list[dict[str, Any]]:
        """Return the sources' figures beside those of the sweeps."""
        return [row.as_dict() for view in self.views for row in view.beside]
