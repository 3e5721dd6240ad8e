"""Random walks that cover a graph: edges are chosen so that a long walk takes all edges about equally often.

If edges are chosen by weight alone, a walk stays mostly in the loops next to its start. It is not enough to prefer the
edges that were taken least: a node with one edge in and twenty edges out must be entered twenty times as often as each
of the twenty edges is taken, and counts at one node do not show this. Therefore a flow is computed first: how often
each edge is to be taken, relative to the others. It is the minimum circulation with at least the edge's weight on each
edge and at least 2.5 through each node. This is a linear program (Ahuja, Magnanti and Orlin, "Network Flows", 1993,
section 1.2: minimum cost flow with lower bounds). A walk that chooses edges in proportion to the flow takes them in
this proportion in the long run. It takes the rarest edge as often as any walk of this length can.

An edge that was taken more often than the flow requires is chosen less often. Earlier walks count as if no transition
had failed (`random_planner.rehearsed`), so that many short walks cover a graph like one long walk.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview

NODE = 2.5
"""Minimum flow through a node, relative to the minimum flow 1 of an edge of weight 1."""
DAMPING = 0.1
"""Factor by which the share of an edge is multiplied when the count of the edge grows by the edge's flow."""


class Balance(enum.StrEnum):
    """How random walks choose edges: by weight alone (WEIGHTS), or with preference for rarely taken edges (VISITS)."""

    WEIGHTS = "weights"
    VISITS = "visits"


class VisitBalance:
    """Counter of how often planned edges were taken, which makes a random walk prefer rarely taken edges.

    >>> from ctrlgraph import Project
    >>> graph = Project.find().graph
    >>> balance = VisitBalance(graph)
    >>> edges = [graph.planned_edge("stand", "walk"), graph.planned_edge("stand", "run")]
    >>> before, _ = balance.shares(edges)
    >>> balance.note(edges[0])
    >>> after, _ = balance.shares(edges)
    >>> bool(after < before)
    True
    """

    def __init__(self, graph: ControllerGraph, taken: NDArray[Any] | None = None) -> None:
        """
        Args:
            graph: controller graph.
            taken: how often each edge was taken before, from the property `taken` of a counter for the same graph; None
                for a new count.
        """
        edges = [edge for edge in graph.edges if edge.planned and edge.weight > 0.0]
        self._index = {edge: i for i, edge in enumerate(edges)}
        self._taken = np.zeros(len(edges)) if taken is None else taken.copy()
        self._graph = graph
        self._ground: tuple[TerrainPreview | None, NDArray[Any]] = (None, np.zeros(0))
        self._flows: dict[bytes, NDArray[Any]] = {}

    @property
    def taken(self) -> NDArray[Any]:
        """Return how often each planned edge with a weight above 0 was taken, (edges,), in the order of the file."""
        return self._taken.copy()

    def note(self, edge: Edge) -> None:
        """Count that an edge was taken."""
        if edge in self._index:
            self._taken[self._index[edge]] += 1.0

    def shares(self, edges: list[Edge], preview: TerrainPreview = LEVEL) -> NDArray[Any]:
        """Return the shares of n edges out of one node, (n,): relative probabilities with which to choose them next.

        The sum of the shares is not 1.

        Args:
            edges: planned edges with weights above 0.
            preview: ground under and ahead of the character.
        """
        at = [self._index[edge] for edge in edges]
        flow = self._flow(preview)[at]
        rounds = self._taken[at] / flow
        shares: NDArray[Any] = flow * DAMPING ** (rounds - rounds.min())  # stays above 0 after any number of walks
        return shares

    def _flow(self, preview: TerrainPreview) -> NDArray[Any]:
        """Return how often each edge is to be taken relative to the others (the flow) on a ground, (edges,).

        Args:
            preview: ground under and ahead of the character. Edges for other ground have the flow 1.
        """
        if preview != self._ground[0]:
            open_here = np.array([self._graph.beyond(edge, preview) == 0.0 for edge in self._index])
            key = open_here.tobytes()
            if key not in self._flows:
                ends = [(edge.source, edge.target) for edge in self._index]
                self._flows[key] = least_circulation(ends, open_here, [edge.weight for edge in self._index])
            self._ground = preview, self._flows[key]
        return self._ground[1]


def least_circulation(
    edges: list[tuple[str, str]], is_open: NDArray[Any], weights: Sequence[float] | None = None
) -> NDArray[Any]:
    """Return the flows of n edges, (n,), with the smallest sum.

    At each node the flow in equals the flow out and is at least `NODE`. The flow of each edge is at least its weight.
    An edge has the flow 1 if it cannot be taken, or if no path leads from its target back to its source.

    Args:
        edges: (source, target) of each edge, as names of nodes.
        is_open: (n,) whether each edge can be taken.
        weights: (n,) minimum flow of each edge; 1 by default.
    """
    from scipy.optimize import linprog  # takes most of a second to load
    from scipy.sparse import coo_array

    flows, least = np.ones(len(edges)), weights or [1.0] * len(edges)
    network = nx.DiGraph([edge for edge, opened in zip(edges, is_open, strict=True) if opened])
    for part in nx.strongly_connected_components(network):
        inside = [i for i, (a, b) in enumerate(edges) if is_open[i] and a in part and b in part]
        if inside:
            row = {name: k for k, name in enumerate(sorted(part))}
            sources, targets = (np.array([row[edges[i][end]] for i in inside]) for end in (0, 1))
            column, one = np.arange(len(inside)), np.ones(len(inside))
            shape = (len(part), len(inside))
            into = coo_array((one, (targets, column)), shape)  # an edge from a node to itself is incoming, too
            balance = into - coo_array((one, (sources, column)), shape)
            flows[inside] = linprog(
                one,
                A_ub=-into,
                b_ub=np.full(len(part), -NODE),
                A_eq=balance,
                b_eq=np.zeros(len(part)),
                bounds=[(least[i], None) for i in inside],
            ).x
    return flows
