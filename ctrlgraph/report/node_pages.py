"""What a report says of one node: its numbers, its edges, its failures, and its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ctrlgraph.report import figures, sweep_figures
from ctrlgraph.report.drawing import PageFigure, ReportFigure, plain_text
from ctrlgraph.report.failures import FailureRow, ScriptLines, failure_rows
from ctrlgraph.report.sweeps import SweepView, curves, maps

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.report.evidence import Evidence
    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.runs.statistics import EdgeStatistics, SuccessRate


@dataclass(frozen=True)
class EdgeRow:
    """An edge of the graph, or one that the log knows; success is None where it was never attempted."""

    source: str
    target: str
    kind: str
    success: SuccessRate | None
    in_graph: bool

    def as_dict(self) -> dict[str, Any]:
        numbers = {"attempts": 0, "successes": 0} if self.success is None else self.success.as_dict()
        return {"source": self.source, "target": self.target, "kind": self.kind, "in_graph": self.in_graph} | numbers


@dataclass(frozen=True)
class NodePage:
    """Everything about one node; slug: its name as anchors and files spell it.

    success and the numbers are of all its attempts; stale: how many of these were made with other
    scripts; trials: of sweeps that end in it.
    """

    node: Node
    slug: str
    success: SuccessRate | None
    stale: int
    trials: int
    strip: Filmstrip | None
    drawings: tuple[PageFigure, ...]
    durations: PageFigure | None
    failures: tuple[FailureRow, ...]
    incoming: tuple[EdgeRow, ...]
    outgoing: tuple[EdgeRow, ...]

    @property
    def tried(self) -> bool:
        """Tell whether there is an attempt or a trial of it."""
        return self.success is not None or self.trials > 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.node.name,
            "kind": self.node.kind.value,
            "success": None if self.success is None else self.success.as_dict(),
            "stale_attempts": self.stale,
            "trials": self.trials,
            "failures": [row.as_dict() for row in self.failures],
            "filmstrip": None if self.strip is None else list(self.strip.path),
        }


@dataclass
class Slugs:
    """Names as file names and anchors: letters, digits, - and _ only, each its own."""

    taken: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        if name not in self.taken:
            plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)[:60] or "node"
            slug, number = plain, 2
            # a file system may not tell large from small letters
            while slug.lower() in {other.lower() for other in self.taken.values()}:
                slug, number = f"{plain}-{number}", number + 1
            self.taken[name] = slug
        return self.taken[name]


def edge_rows(graph: ControllerGraph, logged: Iterable[EdgeStatistics]) -> list[EdgeRow]:
    """Return every edge of the graph once for its kind, and those that only the log knows, by name."""
    known = {(edge.source, edge.target, edge.kind): edge.success for edge in logged}
    present = dict.fromkeys((edge.source, edge.target, edge.kind.value) for edge in graph.edges)
    return [EdgeRow(*key, known.get(key), key in present) for key in sorted(known.keys() | present.keys())]


def node_sheet(
    node: Node,
    slug: str,
    evidence: Evidence,
    edges: Sequence[EdgeRow],
    views: Sequence[SweepView],
    lines: ScriptLines,
    write: Callable[[ReportFigure], PageFigure],
) -> NodePage:
    """Return the sheet of one node, without its filmstrip; `write` writes its figures."""
    failed = [found for found in evidence.statistics.failures if found.failure.node == node.name]
    mine = [view for view in views if view.node == node.name]
    trials = [trial for view in mine for trial in view.trials]
    success = next((row.success for row in evidence.statistics.nodes if row.name == node.name), None)
    with plain_text():
        drawings = _drawings(node.name, slug, views)
        times = figures.durations(partial(evidence.attempts.at, node.name), f"{slug}-durations")
    return NodePage(
        node=node,
        slug=slug,
        success=success,
        stale=evidence.attempts.stale.get(node.name, 0),
        trials=len(trials),
        strip=None,
        drawings=tuple(map(write, drawings)),
        durations=None if times is None else write(times),
        failures=tuple(failure_rows(failed, trials, lines)),
        incoming=tuple(row for row in edges if row.target == node.name and _shown(row)),
        outgoing=tuple(row for row in edges if row.source == node.name and _shown(row)),
    )


def _drawings(name: str, slug: str, views: Sequence[SweepView]) -> list[ReportFigure]:
    lines, cells = curves(views, name), maps(views, name)
    drawings = [sweep_figures.ribbons(lines, f"{slug}-perturbations")] if len(lines) > 1 else []
    drawings += [sweep_figures.heat_map(view, f"{slug}-map-{i + 1}") for i, view in enumerate(cells)]
    return drawings + [sweep_figures.curve(view, f"{slug}-curve-{i + 1}") for i, view in enumerate(lines)]


def _shown(row: EdgeRow) -> bool:
    """Corrective edges come from everywhere: only those that were taken are worth a line."""
    return row.kind != "corrective" or row.success is not None
