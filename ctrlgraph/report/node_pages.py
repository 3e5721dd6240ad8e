"""The part of a report about one node: success, edges, failures by line of a script, and figures."""

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
"""Status in a report of trials in which the node succeeded, but no static pose was reached afterwards."""

NO_POSE = "no static pose was reached"

_Place = tuple[str, str, int | None, str, int | None]
"""(status, reason, phase, script, line)."""


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A kind of failure of a node: the reason, the line of the script at which the node failed, and the frequency."""

    status: str
    """How the node ended (see `Outcome.status`), or `NOT_RECOVERED`."""
    reason: str
    """Reason without measured numbers."""
    phase: int | None
    """Phase in which the node ended."""
    script: str
    """Path of the script in the project, empty if unknown."""
    line: int | None
    """Number of the line in the script, from 1; None if unknown."""
    quote: str
    """Current text of the line, without indentation."""
    walks: int
    """Number of failures of this kind in logged walks."""
    trials: int
    """Number of failures of this kind in trials of sweeps."""

    @property
    def total(self) -> int:
        """Number of failures of this kind in walks and in trials of sweeps."""
        return self.walks + self.trials

    @property
    def place(self) -> str:
        """Script and line, for example `walk.t:12`. Empty if the script is unknown."""
        return f"{self.script}:{self.line}" if self.script and self.line is not None else self.script


class ScriptLines:
    """Reads single lines of a project's scripts, to quote them in a report. Each file is read only once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: dict[str, list[str]] = {}

    def line(self, script: str, number: int | None) -> str:
        """Return a line of a script without indentation, empty if the file or the line does not exist.

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
    """Count the kinds of failures of a node in walks and in trials of sweeps, the most frequent first.

    Args:
        walked: Counts of each kind of failure in logged walks.
        trials: Trials of sweeps. Trials that recovered are ignored.
        lines: Reader of the script lines to quote.
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
    """Success of an edge, for a table of the report. The edge is in the current graph or only in the run log."""

    source: str
    """Name of the source node."""
    target: str
    """Name of the target node."""
    kind: str
    """Kind of the edge: naive, learned or corrective."""
    success: SuccessRate | None
    """Success of attempts over the edge. None if it was never tried."""
    in_graph: bool
    """True if the current graph has the edge."""

    def as_dict(self) -> dict[str, Any]:
        """Return the edge and its success as data for JSON."""
        numbers = {"attempts": 0, "successes": 0} if self.success is None else self.success.as_dict()
        return {"source": self.source, "target": self.target, "kind": self.kind, "in_graph": self.in_graph} | numbers


@dataclass(frozen=True)
class NodePage:
    """Data of a report about one node: success, sweeps, failures and edges."""

    node: Node
    """Node of the graph."""
    slug: str
    """Name of the node in anchors and file names."""
    success: SuccessRate | None
    """Success of all logged attempts. None without attempts."""
    stale: int
    """Number of attempts that were made with other scripts, another graph or another character than now."""
    trials: int
    """Number of trials in sweeps of which the node is the last tested node."""
    filmstrip: Filmstrip | None
    """Picture of the motion, None if it was not drawn."""
    drawings: tuple[PageFigure, ...]
    """Figures of the sweeps."""
    durations: PageFigure | None
    """Histogram of the durations of attempts, None if they are too few or equal."""
    failures: tuple[FailureRow, ...]
    """Kinds of failures, the most frequent first."""
    incoming: tuple[EdgeRow, ...]
    """Edges to the node. Corrective edges that were never taken are omitted."""
    outgoing: tuple[EdgeRow, ...]
    """Edges from the node. Corrective edges that were never taken are omitted."""

    @property
    def tried(self) -> bool:
        """True if the node has logged attempts or trials in sweeps."""
        return self.success is not None or self.trials > 0

    def as_dict(self) -> dict[str, Any]:
        """Return the data about the node for JSON, without figures."""
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
    """Makes slugs: distinct names for files and anchors that consist of ASCII letters, digits, - and _."""

    taken: dict[str, str] = field(default_factory=dict)
    """Slugs that were made so far, by the name for which each was made."""

    def of(self, name: str) -> str:
        """Return the slug of a name, such as "walk--run" for "walk->run". A name keeps its slug at later calls."""
        if name not in self.taken:
            plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)[:60] or "node"
            slug, number = plain, 2
            # file systems can be case-insensitive
            while slug.lower() in {other.lower() for other in self.taken.values()}:
                slug, number = f"{plain}-{number}", number + 1
            self.taken[name] = slug
        return self.taken[name]


def edge_rows(graph: ControllerGraph, logged: Iterable[EdgeStatistics]) -> list[EdgeRow]:
    """Return the success of all edges of a graph and of the run log, sorted by source, target and kind.

    Args:
        graph: Current graph.
        logged: Statistics of the edges in the run log.
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
    """Collect the data of a report about one node, without a filmstrip, and write the files of the node's figures.

    Args:
        node: Node to describe.
        slug: Name of the node in anchors and file names.
        evidence: Statistics of logged attempts.
        edges: Success of all edges of the graph and the log.
        views: All sweeps of the report.
        lines: Reader of the lines of scripts to quote.
        write: Writes the files of a figure, and returns the figure as it is shown on the page.
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
    """Return True if the report shows an edge: it is not corrective, or it was taken at least once."""
    return row.kind != "corrective" or row.success is not None
