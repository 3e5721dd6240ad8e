"""A report: evidence gathered, sheets and figures made, one HTML page written, and every figure beside it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.sweeps.engine_comparison import EngineComparison, compare_engines, engine_of
from ctrlgraph.extras import require
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.playback.graph_data import graph_of
from ctrlgraph.report import figures, sweep_figures
from ctrlgraph.report.compared import compared
from ctrlgraph.report.comparison import Comparison
from ctrlgraph.report.drawing import PageFigure, ReportFigure, plain_text
from ctrlgraph.report.evidence import Evidence, gather
from ctrlgraph.report.failures import ScriptLines
from ctrlgraph.report.filmstrips import Filmstrip, strips_of
from ctrlgraph.report.node_pages import EdgeRow, NodePage, Slugs, edge_rows, node_sheet
from ctrlgraph.report.output import Output
from ctrlgraph.report.report_page import ReportPage
from ctrlgraph.report.sweep_comparison import SweepChange, SweepsComparison
from ctrlgraph.report.sweeps import SweepSource, SweepView, open_sweeps, read_sweeps
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.world import versions

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

Progress = Callable[[int, int, str], None]
"""Told how many steps of how many are done, and what comes next."""


MANY_STRIPS = 8
"""For so many filmstrips it is worth starting a second process."""

NOTHING = (
    "there is nothing to report: no attempt and no sweep is logged of what was asked for"
    " ('ctrlgraph walk' and 'ctrlgraph robustness' make some)"
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
    title: str | None = None,
    command: str = "",
    sweeps: SweepSource | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write a report of these runs (all, where none is named) into `directory`, and return its page.

    compare_runs: two names of runs (or `graph:HASH`, or `sweep:ID`) to compare, the earlier first;
    current: only attempts that the present scripts compare with; filmstrips: whether nodes are
    simulated for one; everything: whether nodes and edges that were never tried have their sheets and rows as well, and
    are not only named; sweeps: where sweeps are, the project's own store where None.

    Raises:
        CtrlGraphError: there is nothing to report, an extra is missing, or a file cannot be written.
        RunLogError: a run is unknown, or the log cannot be read.
        SourceError: the project has faults.
    """
    require("report")
    tell = progress or (lambda done, total, what: None)
    total = len(project.graph) + 2
    tell(0, total, "reading the log")
    with contextlib.ExitStack() as stack:
        evidence, views, comparison = _material(project, runs, compare_runs, current, sweeps)
        stack.enter_context(evidence)
        asked = _strips_to_draw(project, evidence, views, everything) if filmstrips else ()
        total += len(asked)
        # a process of its own draws strips while this one draws the rest; it needs a few seconds before it does
        alone = len(asked) < MANY_STRIPS or (os.cpu_count() or 1) == 1
        executor = None if alone else stack.enter_context(IsolatedProcesses(1))
        strips = strips_of(project, asked, _world(project, evidence), executor)
        output = stack.enter_context(Output(directory))
        edges = edge_rows(project.graph, evidence.statistics.edges)
        sheets = _sheets(project, evidence, edges, views, output.figure, lambda done, what: tell(done, total, what))
        graph_svg = output.graph(project.graph, evidence.statistics)
        with plain_text():
            output.figure(_matrix(project, evidence))
        drawn: dict[str, Filmstrip | None] = {}
        for name, strip in strips:
            drawn[name] = strip
            tell(len(project.graph) + len(drawn), total, f"filmstrip of {name}")
        sheets = [dataclasses.replace(sheet, strip=drawn.get(sheet.node.name)) for sheet in sheets]
        tell(total - 1, total, "writing")
        with plain_text():
            forest = figures.forest(comparison, "comparison") if isinstance(comparison, Comparison) else None
            changes = _sweep_changes(comparison) if isinstance(comparison, SweepsComparison) else []
        page = output.write(
            ReportPage(
                title=title or f"{project.directory.absolute().name}: what holds, and what breaks",
                command=command,
                made=time.strftime("%Y-%m-%d %H:%M"),
                versions=versions(project.engine),
                graph_hash=project.graph.digest,
                character=project.graph.character,
                evidence=evidence,
                edges=tuple(edges),
                sheets=tuple(sheets),
                views=tuple(views),
                comparison=comparison if isinstance(comparison, Comparison) else None,
                sweep_comparison=comparison if isinstance(comparison, SweepsComparison) else None,
                sweep_changes=tuple((change, output.figure(figure)) for change, figure in changes),
                engines=tuple(_on_engines(views)),
                graph_svg=graph_svg,
                live_graph=_live_graph(project, evidence),
                forest=None if forest is None else output.figure(forest),
                everything=everything,
            )
        )
    tell(total, total, "done")
    return page


def _material(
    project: Project,
    runs: Sequence[str],
    compare_runs: tuple[str, str] | None,
    current: bool,
    sweeps: SweepSource | None,
) -> tuple[Evidence, list[SweepView], Comparison | SweepsComparison | None]:
    """What a report is made of; the evidence is to be closed.

    Raises:
        CtrlGraphError: there is nothing to report.
        RunLogError: a run or sweep is unknown, or the log cannot be read.
    """
    with _source(project, sweeps) as source:
        comparison = compared(project, compare_runs, source, current=current) if compare_runs else None
        views = [view for view in read_sweeps(source, project) if not (current and view.stale)]
    both = compare_runs if compare_runs and isinstance(comparison, Comparison) else ()
    evidence = gather(project, [*runs, *both] if runs else (), current=current)
    if not len(evidence.attempts) and not views:
        evidence.attempts.close()
        raise CtrlGraphError(NOTHING)
    return evidence, views, comparison


def _on_engines(views: Sequence[SweepView]) -> list[EngineComparison]:
    """The questions that were put to several engines; the others are compared with the usual one."""
    usual_first = sorted(views, key=lambda view: engine_of(view.sweep) != DEFAULT_ENGINE)
    return compare_engines((view.sweep, view.trials) for view in usual_first)


def _source(project: Project, sweeps: SweepSource | None) -> contextlib.AbstractContextManager[SweepSource | None]:
    return open_sweeps(project) if sweeps is None else contextlib.nullcontext(sweeps)


def _sweep_changes(comparison: SweepsComparison) -> list[tuple[SweepChange, ReportFigure]]:
    """Each target that was swept before and after, with its figure; those without an axis have none."""
    slugs, names = Slugs(), (comparison.name_a, comparison.name_b)
    drawn = []
    for pair in comparison.pairs:
        axes = pair.after.axes
        draw = {1: sweep_figures.curve_change, 2: sweep_figures.map_change}.get(len(axes))
        if draw is not None:
            slug = slugs.of(f"comparison-{pair.after.sweep.target}-{'-'.join(axes)}")
            drawn.append((pair, draw(pair, names, slug)))
    return drawn


def _strips_to_draw(
    project: Project, evidence: Evidence, views: Sequence[SweepView], everything: bool
) -> tuple[tuple[str, str | None], ...]:
    """Nodes that were tried, or all of them, each with the node that it usually follows."""
    tried = {row.name for row in evidence.statistics.nodes} | {view.node for view in views}
    names = (node.name for node in project.graph if everything or node.name in tried)
    return tuple((name, evidence.attempts.usual_source(name)) for name in names)


def _sheets(
    project: Project,
    evidence: Evidence,
    edges: Sequence[EdgeRow],
    views: Sequence[SweepView],
    write: Callable[[ReportFigure], PageFigure],
    tell: Callable[[int, str], None],
) -> list[NodePage]:
    """The sheets of all nodes, without filmstrips."""
    slugs, lines = Slugs(), ScriptLines(project.directory)
    sheets = []
    for i, node in enumerate(project.graph):
        tell(i + 1, node.name)
        sheets.append(node_sheet(node, slugs.of(node.name), evidence, edges, views, lines, write))
    return sheets


def _world(project: Project, evidence: Evidence) -> Environment:
    """The world of the newest run on the project's engine, whose motions the strips shall show; level ground without
    one, and where that run had obstacles: a motion would meet them wherever they lie."""
    for run in reversed(evidence.runs):
        world = run.environment
        if world is not None and world.engine == project.engine:
            return replace(world, terrain="flat") if world.ground().obstacles else world
    return project.environment()


def _live_graph(project: Project, evidence: Evidence) -> dict[str, Any]:
    nodes = {row.name: row.success.count for row in evidence.statistics.nodes}
    edges = {(row.source, row.target, row.kind): row.success.count for row in evidence.statistics.edges}
    return graph_of(project.graph, node_success=nodes, edge_success=edges)


def _matrix(project: Project, evidence: Evidence) -> ReportFigure:
    planned: dict[tuple[str, str], list[str]] = {}
    for edge in project.graph.edges:
        if edge.planned:
            planned.setdefault((edge.source, edge.target), []).append(edge.kind.value)
    return figures.matrix(list(project.graph.nodes), evidence.statistics.edges, planned, "matrix")
