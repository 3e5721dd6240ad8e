"""Evidence of the log about a graph's edges in one environment.

Only attempts with the same controllers, conditions and character count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctrlgraph.graph.goal_planner import EdgeEvidence
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.transition_model import GraphEvidence

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.run_log import RunLog

_NOTHING = (0, 0, float("nan"), float("nan"))


def edge_evidence(
    edges: Mapping[Edge, str], log: RunLog, failed_now: Mapping[Edge, int] | None = None
) -> dict[Edge, EdgeEvidence]:
    """Return the evidence about edges.

    Args:
        edges: hash of each edge.
        log: log of the project.
        failed_now: number of failures of edges in this run.
    """
    results, now = log.edge_results(list(edges.values())), failed_now or {}
    return {edge: EdgeEvidence(*results.get(name, _NOTHING), now.get(edge, 0)) for edge, name in edges.items()}


def graph_evidence(
    project: Project, log: RunLog, world: str, failed_now: Mapping[Edge, int] | None = None
) -> GraphEvidence:
    """Return the evidence about all edges, and about what followed failures.

    Args:
        project: the project of the graph.
        log: its log.
        world: digest of the environment.
        failed_now: number of failures of edges in this run.
    """
    hashes = {edge: project.edge_hash(edge, world) for edge in project.graph.edges}
    by_name = {name: edge for edge, name in hashes.items()}
    start = project.edge_hash(None, world)
    corrections: Counter[Edge] = Counter()
    resets: Counter[str] = Counter()
    for (failed, later), count in log.successors_of_failures(list(by_name)).items():
        if later == start:
            resets[by_name[failed].target] += count
        elif later in by_name and not by_name[later].planned:
            corrections[by_name[later]] += count
    return GraphEvidence(edge_evidence(hashes, log, failed_now), corrections, resets)
