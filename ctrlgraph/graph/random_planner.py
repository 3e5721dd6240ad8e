"""Random walks: edges are drawn by weight, optionally also by visits; cycles are drawn from the range of each node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.graph.visits import VisitBalance
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview


@dataclass(frozen=True, slots=True)
class PlannedTransition:
    """One step of a plan: over `edge` to its target, which runs `cycles` times."""

    edge: Edge
    cycles: int


def draw_cycles(node: Node, rng: np.random.Generator) -> int:
    """Return a number of cycles from the node's range, each equally likely."""
    low, high = node.cycles
    return int(rng.integers(low, high, endpoint=True))


def draw_transition(
    graph: ControllerGraph,
    source: str,
    rng: np.random.Generator,
    preview: TerrainPreview | None = None,
    balance: VisitBalance | None = None,
) -> PlannedTransition:
    """Return one of the planned edges out of `source`, with the probability weight / sum of weights.

    Args:
        graph: controller graph.
        source: name of the source node.
        rng: random generator.
        preview: the ground; edges for other ground are only drawn if there are no edges for this ground; then those for
            the nearest ground are drawn.
        balance: gives rarely visited edges larger shares; it counts the drawn edge.

    Raises:
        CtrlGraphError: no planned edge with a weight above 0 leads out of the source.
    """
    edges = [edge for edge in graph.planned_edges(source) if edge.weight > 0.0]
    if preview is not None:
        nearest = min((graph.beyond(edge, preview) for edge in edges), default=0.0)
        edges = [edge for edge in edges if graph.beyond(edge, preview) <= nearest]
    if not edges:
        raise CtrlGraphError(f"no naive or learned edge leads out of node '{source}'")
    # one draw on the cumulated weights; `choice` would need normalised weights
    cumulated = np.cumsum(
        [edge.weight for edge in edges] if balance is None else balance.shares(edges, preview or LEVEL)
    )
    chosen = int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right"))
    edge = edges[min(chosen, len(edges) - 1)]
    if balance is not None:
        balance.note(edge)
    return PlannedTransition(edge, draw_cycles(graph.node(edge.target), rng))


def rehearsed(
    graph: ControllerGraph, source: str, rngs: Iterable[np.random.Generator], transitions: int, preview: TerrainPreview
) -> Iterator[NDArray[Any]]:
    """Yield, for each walk from `source`, the visits of each edge in the earlier walks, as if no transition failed.

    Walks can then run in parallel: the draws depend on their generators alone. A walk is rehearsed when the next one
    is requested.

    Args:
        graph: controller graph.
        source: name of the source node.
        rngs: random generator of each walk.
        transitions: number of transitions of each walk.
        preview: the ground, the same everywhere.
    """
    balance = VisitBalance(graph)
    for rng in rngs:
        yield balance.taken
        node = source
        for _ in range(transitions):
            node = draw_transition(graph, node, rng, preview, balance).edge.target
