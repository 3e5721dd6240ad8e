"""Data for the picture of the graph on the live page, with success rates from the run log."""

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
"""Niceness (lowered priority) of the process that lays out the graph. With a niceness of 10, a layout took more than
seven minutes on a machine with six processes per core."""


def graph_panel(project: Project) -> dict[str, Any]:
    """Return the graph of a project as data for `graph.js`, with success rates of nodes and edges from the run log.

    Attempts with earlier versions of the scripts count, too.
    """
    try:
        with project.read_log() as log:
            statistics = log.statistics()
    except CtrlGraphError:  # no log yet
        return graph_of(project.graph)
    return measured_graph(project.graph, statistics)


def edge_evidence(project: Project) -> dict[Edge, EdgeEvidence]:
    """Return the numbers of logged attempts and successes of each edge of a project's graph, by edge.

    Edges without logged attempts are omitted.
    """
    try:
        with project.read_log() as log:
            measured = {(e.source, e.target, e.kind): e.success for e in log.statistics().edges}
    except CtrlGraphError:
        return {}
    tried = ((edge, measured.get((edge.source, edge.target, edge.kind.value))) for edge in project.graph.edges)
    return {edge: EdgeEvidence(rate.attempts, rate.successes, rate.mean_s) for edge, rate in tried if rate is not None}


def graph_panel_in_process(directory: Path) -> dict[str, Any]:
    """Call `graph_panel` in a separate process, and return its result.

    The layout takes about a second. In this process, it would block the simulation of the live motion.

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
        raise CtrlGraphError("the graph cannot be drawn: correct the errors that 'ctrlgraph check' shows") from None
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
