"""The graph beside a live motion: laid out once, with what the log has of its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.playback import graph_of

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


def graph_panel(project: Project) -> dict[str, Any]:
    """Return a project's graph as `graph.js` draws it, with the success of all attempts that are logged, whatever
    the scripts were then."""
    try:
        with project.read_log() as log:
            statistics = log.statistics()
    except CtrlGraphError:  # nothing is logged yet
        return graph_of(project.graph)
    return graph_of(
        project.graph,
        node_success={node.name: node.success.count for node in statistics.nodes},
        edge_success={(edge.source, edge.target, edge.kind): edge.success.count for edge in statistics.edges},
    )
