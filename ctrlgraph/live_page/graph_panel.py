"""The picture of the graph next to a live motion, with success rates from the log."""

from __future__ import annotations

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

_NICENESS = 5
"""Niceness (low priority) of the process that makes the layout. At 10, a layout took more than seven minutes on a
machine with six processes per core."""


def graph_panel(project: Project) -> dict[str, Any]:
    """Return the graph of a project as data for `graph.js`, with the success of all logged attempts.

    Attempts with earlier versions of the scripts count, too.
    """
    try:
        with project.read_log() as log:
            statistics = log.statistics()
    except CtrlGraphError:  # no log yet
        return graph_of(project.graph)
    return measured_graph(project.graph, statistics)


def edge_evidence(project: Project) -> dict[Edge, EdgeEvidence]:
    """Return the logged attempts of each edge of the graph of a project. Edges without attempts are omitted."""
    try:
        with project.read_log() as log:
            measured = {(e.source, e.target, e.kind): e.success for e in log.statistics().edges}
    except CtrlGraphError:
        return {}
    tried = ((edge, measured.get((edge.source, edge.target, edge.kind.value))) for edge in project.graph.edges)
    return {edge: EdgeEvidence(rate.attempts, rate.successes, rate.mean_s) for edge, rate in tried if rate is not None}


def graph_panel_in_process(directory: Path) -> dict[str, Any]:
    """Return the data of `graph_panel`, computed in a separate process.

    The layout takes about a second, during which the thread of a live motion would be blocked.

    Args:
        directory: Directory of the project.

    Raises:
        CtrlGraphError: If the process fails, for example because the project has errors.
    """
    isolate_new_interpreters()
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_send_graph_panel, args=(sending, directory), name="graph", daemon=True)
    process.start()
    sending.close()
    try:
        return cast("dict[str, Any]", receiving.recv())
    except EOFError:
        raise CtrlGraphError("the graph cannot be drawn") from None
    finally:
        receiving.close()
        process.join(1.0)


def _send_graph_panel(sending: Connection, directory: Path) -> None:
    from ctrlgraph.project.project import Project

    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(CtrlGraphError, KeyboardInterrupt, BrokenPipeError):
        sending.send(graph_panel(Project(directory)))
    sending.close()
