"""Random walks that come to everything: edges drawn so that a long walk takes each of them about as often as any other.

By the edges' weights alone, a walk spends most of its transitions in the loops next to its start. Counting visits and
going where there were fewest is not enough either: a motion that one edge leads to and twenty lead out of must be
entered twenty times as often as each of them is taken, which no count at the fork can know. So the flow is found
first: the least circulation that takes every edge once or more and comes to every node two and a half times, a linear
program (Ahuja, Magnanti and Orlin, "Network Flows", 1993, section 1.2: minimum cost flow with lower bounds). A walk
that draws each edge out of a node in proportion to its flow takes, in the long run, every edge in proportion to it, and
the rarest one as often as any walk of that length can. An edge that was taken more often than its share is drawn less,
which evens out what chance leaves; what counts as taken includes what the walks before would take if none failed
(`random_planner.rehearsed`), so that many short walks cover a graph like one long walk.
"""

from __future__ import annotations

import enum
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.terrain.profile import LEVEL, TerrainPreview

NODE = 2.5
"""How often a node is come to at least, for once that the rarest edge is taken."""
DAMPING = 0.1
"""What is left of an edge's share each time that a walk has taken it once for each unit of its flow."""


class Balance(enum.StrEnum):
    """What random walks draw their edges by: their WEIGHTS, or how rarely they come up (VISITS)."""

    WEIGHTS = "weights"
    VISITS = "visits"


class VisitBalance:
    """Counts how often the planned edges of a graph were taken, and says what share each of some edges should have.

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
            taken: (edges,) how often each was taken before, as `taken` of another balance of this graph says.
        """
        edges = [edge for edge in graph.edges if edge.planned and edge.weight > 0.0]
        self._index = {edge: i for i, edge in enumerate(edges)}
        self._taken = np.zeros(len(edges)) if taken is None else taken.copy()
        self._graph = graph
        self._ground: tuple[TerrainPreview | None, NDArray[Any]] = (None, np.zeros(0))
        self._flows: dict[bytes, NDArray[Any]] = {}

    @property
    def taken(self) -> NDArray[Any]:
        """Return (edges,) how often each edge was taken."""
        return self._taken.copy()

    def note(self, edge: Edge) -> None:
        """Count an edge that is taken."""
        if edge in self._index:
            self._taken[self._index[edge]] += 1.0

    def shares(self, edges: list[Edge], preview: TerrainPreview = LEVEL) -> NDArray[Any]:
        """Return (n,) the shares of edges of one node in its draws, not normalised.

        preview: the ground; edges that are not for it are not drawn.
        """
        at = [self._index[edge] for edge in edges]
        flow = self._flow(preview)[at]
        rounds = self._taken[at] / flow
        shares: NDArray[Any] = flow * DAMPING ** (rounds - rounds.min())  # some share is left after any number of walks
        return shares

    def _flow(self, preview: TerrainPreview) -> NDArray[Any]:
        """(edges,) how often each is taken by the least circulation on this ground; 1 for what is not for it."""
        if preview != self._ground[0]:
            open_here = np.array([self._graph.beyond(edge, preview) == 0.0 for edge in self._index])
            key = open_here.tobytes()
            if key not in self._flows:
                ends = [(edge.source, edge.target) for edge in self._index]
                self._flows[key] = least_circulation(ends, open_here)
            self._ground = preview, self._flows[key]
        return self._ground[1]


def least_circulation(edges: list[tuple[str, str]], is_open: NDArray[Any]) -> NDArray[Any]:
    """Return (n,) the flows over edges (source, target) that are least in sum, where into every node goes as much as
    out of it, `NODE` or more, and over every edge 1 or more.

    An edge that is not open, or over which no walk comes back, carries 1.
    """
    from scipy.optimize import linprog  # takes most of a second to load

    flows = np.ones(len(edges))
    network = nx.DiGraph([edge for edge, opened in zip(edges, is_open, strict=True) if opened])
    for part in nx.strongly_connected_components(network):
        inside = [i for i, (a, b) in enumerate(edges) if is_open[i] and a in part and b in part]
        if inside:
            row = {name: k for k, name in enumerate(sorted(part))}
            balance = np.zeros((len(part), len(inside)))
            for k, i in enumerate(inside):
                balance[row[edges[i][0]], k] -= 1.0
                balance[row[edges[i][1]], k] += 1.0
            into = np.maximum(balance, 0.0)
            for k, i in enumerate(inside):
                into[row[edges[i][1]], k] = 1.0  # an edge of a node to itself, too, comes to it
            flows[inside] = linprog(
                np.ones(len(inside)),
                A_ub=-into,
                b_ub=np.full(len(part), -NODE),
                A_eq=balance,
                b_eq=np.zeros(len(part)),
                bounds=(1.0, None),
            ).x
    return flows
