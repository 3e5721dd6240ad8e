"""Random choice of the transitions of a walk: an edge, by weight and earlier visits, and the number of cycles."""

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
    """A transition that a planner has chosen: an edge, and the number of cycles for which its target node runs."""

    edge: Edge
    cycles: int


def draw_cycles(node: Node, rng: np.random.Generator) -> int:
    """Return a random number of cycles for a node, from the node's minimum to its maximum, all equally likely."""
    low, high = node.cycles
    return int(rng.integers(low, high, endpoint=True))


def draw_transition(
    graph: ControllerGraph,
    source: str,
    rng: np.random.Generator,
    preview: TerrainPreview | None = None,
    balance: VisitBalance | None = None,
) -> PlannedTransition:
    """Choose a planned edge out of `source` at random, and a number of cycles of its target.

    The probability of an edge is proportional to its weight or, with `balance`, to its share (`VisitBalance.shares`).

    Args:
        graph: controller graph.
        source: name of the source node.
        rng: random generator.
        preview: ground under and ahead of the character. If given, only edges for this ground are chosen. If there are
            none, those whose ground ranges are nearest to this ground are used.
        balance: counter of visits, which gives rarely taken edges larger shares. The chosen edge is added to it.

    Raises:
        CtrlGraphError: no planned edge with a weight above 0 leads out of the source.
    """
    edges = [edge for edge in graph.planned_edges(source) if edge.weight > 0.0]
    if preview is not None:
        nearest = min((graph.beyond(edge, preview) for edge in edges), default=0.0)
        edges = [edge for edge in edges if graph.beyond(edge, preview) <= nearest]
    if not edges:
        raise CtrlGraphError(f"no naive or learned edge with a weight above 0 leads out of node '{source}': add one")
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
    """Yield, for each walk, how often the walks before it take each edge, assuming that no transition fails.

    The numbers depend on the generators alone and not on simulations, so that the walks can be simulated in parallel.
    They have the order of `VisitBalance.taken`. The choices of a walk are computed when the next numbers are requested.

    Args:
        graph: controller graph.
        source: name of the node in which each walk begins.
        rngs: random generator of each walk.
        transitions: number of transitions of each walk.
        preview: ground of the walks, which is the same at every position.
    """
    balance = VisitBalance(graph)
    for rng in rngs:
        yield balance.taken
        node = source
        for _ in range(transitions):
            node = draw_transition(graph, node, rng, preview, balance).edge.target
