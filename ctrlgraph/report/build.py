"""Building of a report (HTML page): collect logged runs and sweeps, draw the figures, write the page."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.engine.engine import DEFAULT_ENGINE, versions
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.playback.graph_data import measured_graph
from ctrlgraph.report import figures
from ctrlgraph.report.comparison import Comparison, SweepChange, SweepsComparison, compare_named
from ctrlgraph.report.drawing import ReportFigure, plain_text
from ctrlgraph.report.evidence import Evidence, gather
from ctrlgraph.report.filmstrips import Filmstrip, filmstrips_of
from ctrlgraph.report.node_pages import ScriptLines, Slugs, edge_rows, node_page
from ctrlgraph.report.output import Output
from ctrlgraph.report.report_page import ReportPage
from ctrlgraph.report.sweeps import SweepView, open_sweeps, read_sweeps
from ctrlgraph.robustness.sweeps.engine_comparison import EngineComparison, compare_engines, engine_of
from ctrlgraph.simulation.environment import Environment

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

Progress = Callable[[int, int, str], None]
"""Called with the number of completed steps, the number of steps, and the name of the next step."""


MIN_PARALLEL_FILMSTRIPS = 8
"""Minimum number of filmstrips for which worker processes are started. They need a few seconds to start."""

NOTHING_TO_REPORT = (
    "there is nothing to report: no attempt or sweep is logged that matches"
    " (run 'ctrlgraph walk' or 'ctrlgraph robustness sweep' first)"
)


def build_report(
    project: Project,
    runs: Sequence[str],
    directory: Path,
    *,
    compare_runs: tuple[str, str] | None = None,
    current: bool = False,
    filmstrips: bool = True,
    everything: bool = False,
    command: str = "",
    progress: Progress | None = None,
) -> Path:
    """Write a report on logged runs and sweeps, and return the path of its HTML page.

    Args:
        project: Project with the graph, the run log and the sweeps.
        runs: Logged runs to report: ids, `last` or `graph:HASH` (see `evidence.gather`). Empty: all logged runs.
        directory: Directory to which the report is written.
        compare_runs: Two logged runs, two `graph:HASH` or two `sweep:ID` to compare, the earlier first.
        current: True uses only attempts and sweeps that were made with the current scripts, graph and character.
        filmstrips: True simulates each node that was tried, and draws a filmstrip of it.
        everything: True shows nodes and edges that were never tried in as much detail as the others.
        command: Command line, which is shown on the page.
        progress: Called before each step, such as reading the log or drawing a filmstrip.

    Raises:
        CtrlGraphError: No attempt or sweep is logged, the dependencies of reports are not installed, or a file cannot
            be written.
        RunLogError: There is no logged run or sweep of a given name, or the log cannot be read.
        SourceError: A file of the project has errors.
    """
    require("report")
    report_progress = progress or (lambda done, total, what: None)
    total = len(project.graph) + 2
    report_progress(0, total, "reading the log")
    with contextlib.ExitStack() as stack:
        evidence, views, comparison = _collect(project, runs, compare_runs, current)
        targets = _filmstrip_targets(project, evidence, views, everything) if filmstrips else ()
        total += len(targets)
        # other processes draw filmstrips while this one draws the rest; they take a few seconds to start
        is_serial = len(targets) < MIN_PARALLEL_FILMSTRIPS or (os.cpu_count() or 1) == 1
        executor = None if is_serial else stack.enter_context(IsolatedProcesses(2))
        strips = filmstrips_of(project, targets, _world(project, evidence), executor)
        output = stack.enter_context(Output(directory))
        edges = edge_rows(project.graph, evidence.statistics.edges)
        slugs, lines, node_pages = Slugs(), ScriptLines(project.directory), []
        for i, node in enumerate(project.graph):
            report_progress(i + 1, total, node.name)
            node_pages.append(node_page(node, slugs.of(node.name), evidence, edges, views, lines, output.figure))
        graph_svg = output.graph(project.graph, evidence.statistics)
        drawn: dict[str, Filmstrip | None] = {}
        for name, filmstrip in strips:
            drawn[name] = filmstrip
            report_progress(len(project.graph) + len(drawn), total, f"filmstrip of {name}")
        node_pages = [replace(each, filmstrip=drawn.get(each.node.name)) for each in node_pages]
        report_progress(total - 1, total, "writing")
        with plain_text():
            changes = _sweep_changes(comparison) if isinstance(comparison, SweepsComparison) else []
        page = output.write(
            ReportPage(
                title=f"{project.directory.absolute().name}: results",
                command=command,
                created=time.strftime("%Y-%m-%d %H:%M"),
                versions=versions(project.engine),
                graph_hash=project.graph.digest,
                character=project.graph.character,
                evidence=evidence,
                edges=tuple(edges),
                node_pages=tuple(node_pages),
                views=tuple(views),
                comparison=comparison if isinstance(comparison, Comparison) else None,
                sweep_comparison=comparison if isinstance(comparison, SweepsComparison) else None,
                sweep_changes=tuple((change, output.figure(figure)) for change, figure in changes),
                engines=tuple(_engine_comparisons(views)),
                graph_svg=graph_svg,
                live_graph=measured_graph(project.graph, evidence.statistics),
                everything=everything,
            )
        )
    report_progress(total, total, "done")
    return page


def _collect(
    project: Project, runs: Sequence[str], compare_runs: tuple[str, str] | None, current: bool
) -> tuple[Evidence, list[SweepView], Comparison | SweepsComparison | None]:
    """Read the logged runs, the sweeps, and the comparison if one is requested. Arguments as for `build_report`.

    Raises:
        CtrlGraphError: No attempt or sweep is logged.
        RunLogError: There is no logged run or sweep of a given name, or the log cannot be read.
    """
    with open_sweeps(project) as source:
        comparison = compare_named(project, compare_runs, source, current=current) if compare_runs else None
        views = [view for view in read_sweeps(source, project) if not (current and view.stale)]
    both = compare_runs if compare_runs and isinstance(comparison, Comparison) else ()
    evidence = gather(project, [*runs, *both] if runs else (), current=current)
    if not evidence.attempts and not views:
        raise CtrlGraphError(NOTHING_TO_REPORT)
    return evidence, views, comparison


def _engine_comparisons(views: Sequence[SweepView]) -> list[EngineComparison]:
    """Compare sweeps that differ only in the engine. Other engines are compared with the default engine."""
    default_first = sorted(views, key=lambda view: engine_of(view.sweep) != DEFAULT_ENGINE)
    return compare_engines((view.sweep, view.trials) for view in default_first)


def _sweep_changes(comparison: SweepsComparison) -> list[tuple[SweepChange, ReportFigure]]:
    """Draw a figure for each pair of compared sweeps, and return (pair, figure). Pairs without an axis are omitted."""
    slugs, names = Slugs(), (comparison.name_a, comparison.name_b)
    drawn = []
    for pair in comparison.pairs:
        axes = pair.after.axes
        draw = {1: figures.curve_change, 2: figures.map_change}.get(len(axes))
        if draw is not None:
            slug = slugs.of(f"comparison-{pair.after.sweep.target}-{'-'.join(axes)}")
            drawn.append((pair, draw(pair, names, slug)))
    return drawn


def _filmstrip_targets(
    project: Project, evidence: Evidence, views: Sequence[SweepView], everything: bool
) -> tuple[tuple[str, str | None], ...]:
    """Return (node, its most frequent predecessor in the log or None) of each node whose filmstrip is drawn."""
    tried = {row.name for row in evidence.statistics.nodes} | {view.node for view in views}
    names = (node.name for node in project.graph if everything or node.name in tried)
    return tuple((name, evidence.usual_source(name)) for name in names)


def _world(project: Project, evidence: Evidence) -> Environment:
    """Return the environment for filmstrips: that of the newest logged run on the project's engine.

    Its terrain is replaced by level ground if it has obstacles, since a node could begin anywhere before one. Without
    such a run, it is the environment of the project.
    """
    for run in reversed(evidence.runs):
        world = run.environment
        if world is not None and world.engine == project.engine:
            return replace(world, terrain="flat") if world.ground().obstacles else world
    return project.environment()
