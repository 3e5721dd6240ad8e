"""The part of a report about one node: numbers, edges, failures by script line, and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.script.library import read_script
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import contained
from ctrlgraph.report import figures
from ctrlgraph.report.drawing import PageFigure, ReportFigure, plain_text
from ctrlgraph.report.sweeps import SweepView, curves, maps
from ctrlgraph.robustness.sweeps.summary import trial_reason

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.report.evidence import Evidence
    from ctrlgraph.report.filmstrips import Filmstrip
    from ctrlgraph.run_log.statistics import EdgeStatistics, FailureStatistics, SuccessRate
    from ctrlgraph.simulation.trial import Trial

NOT_RECOVERED = "afterwards"
"""Status of a node that succeeded if no static pose was reached afterwards; it replaces the logged status."""

NO_POSE = "no static pose was reached"

_Place = tuple[str, str, int | None, str, int | None]
"""Status, reason, phase, script, line."""


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A kind of failure at a script line."""

    status: str
    reason: str
    phase: int | None
    script: str
    line: int | None
    quote: str
    """Present text of the line, without indentation."""
    walks: int
    """Occurrences in logged walks."""
    trials: int
    """Number of occurrences in trials of sweeps."""

    @property
    def total(self) -> int:
        """Return the number of occurrences."""
        return self.walks + self.trials

    @property
    def place(self) -> str:
        """Return script and line, for example `walk.t:12`."""
        if not self.script:
            return ""
        return self.script if self.line is None else f"{self.script}:{self.line}"


class ScriptLines:
    """Lines of a project's scripts. Each file is read once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: dict[str, list[str]] = {}

    def line(self, script: str, number: int | None) -> str:
        """Return a line of a script; empty if the file or line does not exist.

        Args:
            script: Path of the script in the project.
            number: Line number, from 1.
        """
        if not script or number is None:
            return ""
        if script not in self._files:
            try:
                # the log, and therefore the name, can be untrusted
                self._files[script] = read_script(contained(self._directory, script), script).splitlines()
            except CtrlGraphError:
                self._files[script] = []
        lines = self._files[script]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def failure_rows(walked: Iterable[FailureStatistics], trials: Iterable[Trial], lines: ScriptLines) -> list[FailureRow]:
    """Return the failures in walks and trials, the most frequent first.

    Args:
        walked: Failures in walks.
        trials: Trials of sweeps.
        lines: Script lines to quote.
    """
    in_walks: Counter[_Place] = Counter()
    in_trials: Counter[_Place] = Counter()
    for found in walked:
        failure = found.failure
        in_walks[failure.status, failure.reason, failure.phase, failure.script or "", failure.line] += found.count
    for trial in trials:
        if not trial.succeeded:
            in_trials[trial.status, trial_reason(trial.reason), trial.phase, trial.script or "", trial.line] += 1
        elif not trial.recovered:
            in_trials[NOT_RECOVERED, trial_reason(trial.reason) or NO_POSE, None, "", None] += 1
    rows = [
        FailureRow(*place, lines.line(place[3], place[4]), in_walks[place], in_trials[place])
        for place in in_walks.keys() | in_trials.keys()
    ]
    return sorted(rows, key=_order)


def _order(row: FailureRow) -> tuple[int, str, str, int, str]:
    return -row.total, row.reason, row.place, -1 if row.phase is None else row.phase, row.status


@dataclass(frozen=True)
class EdgeRow:
    """An edge of the graph or of the log."""

    source: str
    target: str
    kind: str
    success: SuccessRate | None
    """Success; None if the edge was never tried."""
    in_graph: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the row as JSON data."""
        numbers = {"attempts": 0, "successes": 0} if self.success is None else self.success.as_dict()
        return {"source": self.source, "target": self.target, "kind": self.kind, "in_graph": self.in_graph} | numbers


@dataclass(frozen=True)
class NodePage:
    """All data of a report about one node."""

    node: Node
    slug: str
    """Name in anchors and file names."""
    success: SuccessRate | None
    """Success of all attempts."""
    stale: int
    """Number of attempts with other scripts."""
    trials: int
    """Number of trials in sweeps that end at the node."""
    filmstrip: Filmstrip | None
    drawings: tuple[PageFigure, ...]
    durations: PageFigure | None
    failures: tuple[FailureRow, ...]
    incoming: tuple[EdgeRow, ...]
    outgoing: tuple[EdgeRow, ...]

    @property
    def tried(self) -> bool:
        """Return whether there are attempts or trials."""
        return self.success is not None or self.trials > 0

    def as_dict(self) -> dict[str, Any]:
        """Return the page as JSON data."""
        return {
            "name": self.node.name,
            "kind": self.node.kind.value,
            "success": None if self.success is None else self.success.as_dict(),
            "stale_attempts": self.stale,
            "trials": self.trials,
            "failures": list(map(asdict, self.failures)),
            "filmstrip": None if self.filmstrip is None else list(self.filmstrip.path),
        }


@dataclass
class Slugs:
    """Distinct names for files and anchors, of letters, digits, - and _."""

    taken: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """Return the slug of a name."""
        if name not in self.taken:
            plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)[:60] or "node"
            slug, number = plain, 2
            # file systems can be case-insensitive
            while slug.lower() in {other.lower() for other in self.taken.values()}:
                slug, number = f"{plain}-{number}", number + 1
            self.taken[name] = slug
        return self.taken[name]


def edge_rows(graph: ControllerGraph, logged: Iterable[EdgeStatistics]) -> list[EdgeRow]:
    """Return all edges of the graph and of the log, sorted by name.

    Args:
        graph: Graph with the edges.
        logged: Statistics of logged edges.
    """
    known = {(edge.source, edge.target, edge.kind): edge.success for edge in logged}
    present = dict.fromkeys((edge.source, edge.target, edge.kind.value) for edge in graph.edges)
    return [EdgeRow(*key, known.get(key), key in present) for key in sorted(known.keys() | present.keys())]


def node_page(
    node: Node,
    slug: str,
    evidence: Evidence,
    edges: Sequence[EdgeRow],
    views: Sequence[SweepView],
    lines: ScriptLines,
    write: Callable[[ReportFigure], PageFigure],
) -> NodePage:
    """Return the page of one node, without its filmstrip.

    Args:
        node: Node to describe.
        slug: Its name in files and anchors.
        evidence: Logged attempts.
        edges: All edges.
        views: All sweeps.
        lines: Script lines to quote.
        write: Writes a figure.
    """
    failed = [found for found in evidence.statistics.failures if found.failure.node == node.name]
    own_views = [view for view in views if view.node == node.name]
    trials = [trial for view in own_views for trial in view.trials]
    success = next((row.success for row in evidence.statistics.nodes if row.name == node.name), None)
    with plain_text():
        drawings = _drawings(node.name, slug, views)
        bad, good = evidence.durations[node.name]
        times = figures.durations(good, bad, f"{slug}-durations")
    return NodePage(
        node=node,
        slug=slug,
        success=success,
        stale=evidence.stale_by_node[node.name],
        trials=len(trials),
        filmstrip=None,
        drawings=tuple(map(write, drawings)),
        durations=None if times is None else write(times),
        failures=tuple(failure_rows(failed, trials, lines)),
        incoming=tuple(row for row in edges if row.target == node.name and _shown(row)),
        outgoing=tuple(row for row in edges if row.source == node.name and _shown(row)),
    )


def _drawings(name: str, slug: str, views: Sequence[SweepView]) -> list[ReportFigure]:
    lines, cells = curves(views, name), maps(views, name)
    drawings = [figures.ribbons(lines, f"{slug}-perturbations")] if len(lines) > 1 else []
    drawings += [figures.heat_map(view, f"{slug}-map-{i + 1}") for i, view in enumerate(cells)]
    return drawings + [figures.curve(view, f"{slug}-curve-{i + 1}") for i, view in enumerate(lines)]


def _shown(row: EdgeRow) -> bool:
    """Return whether to show an edge. Corrective edges come from all nodes; only those that were taken are shown."""
    return row.kind != "corrective" or row.success is not None
