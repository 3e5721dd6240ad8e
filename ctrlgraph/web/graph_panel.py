"""The graph beside a live motion: laid out once, with what the log has of its edges."""

from __future__ import annotations

import math
import multiprocessing
import os
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ctrlgraph.ambient import isolate_new_interpreters
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import EdgeEvidence
from ctrlgraph.playback.graph_data import graph_of, measured_graph

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Edge
    from ctrlgraph.project.project import Project

_NICENESS = 5  # at 10, on a machine with six processes for each core, no graph was there after seven minutes


def graph_panel(project: Project) -> dict[str, Any]:
    """Return a project's graph as `graph.js` draws it, with the success of all attempts that are logged, whatever
    the scripts were then."""
    try:
        with project.read_log() as log:
            statistics = log.statistics()
    except CtrlGraphError:  # nothing is logged yet
        return graph_of(project.graph)
    return measured_graph(project.graph, statistics)


def evidence(project: Project) -> dict[Edge, EdgeEvidence]:
    """Return what the log has of the edges of a project's graph; nothing of those that were never tried."""
    try:
        with project.read_log() as log:
            measured = {(e.source, e.target, e.kind): e.success for e in log.statistics().edges}
    except CtrlGraphError:
        return {}
    found = {}
    for edge in project.graph.edges:
        rate = measured.get((edge.source, edge.target, edge.kind.value))
        if rate is not None:
            mean = rate.mean_s if math.isfinite(rate.mean_s) else 0.0
            found[edge] = EdgeEvidence(rate.attempts, rate.successes, mean)
    return found


def graph_panel_elsewhere(directory: Path) -> dict[str, Any]:
    """Return the same of the project in a directory, made by a process of its own: to find a place for everything takes
    a second of Python, in which a live motion would stutter.

    Raises:
        CtrlGraphError: it cannot be made.
    """
    isolate_new_interpreters()
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_make, args=(sending, directory), name="graph", daemon=True)
    process.start()
    sending.close()
    try:
        return cast("dict[str, Any]", receiving.recv())
    except EOFError:
        raise CtrlGraphError("the graph cannot be drawn") from None
    finally:
        receiving.close()
        process.join(1.0)


def _make(sending: Connection, directory: Path) -> None:
    from ctrlgraph.project.project import Project

    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(CtrlGraphError, KeyboardInterrupt, BrokenPipeError):
        sending.send(graph_panel(Project(directory)))
    sending.close()
