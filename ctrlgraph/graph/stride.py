"""Estimates of how far and how long a node moves the character, from its earlier executions."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from ctrlgraph.graph.model import ControllerGraph, Edge, Node

CYCLE_M = 1.0
"""Assumed distance per cycle of a gait that has not been executed yet, m."""
CYCLE_S = 1.0
"""Assumed duration per cycle of a node that has no earlier execution and no condition on its speed, s."""
_KEPT = 50
_Seen = tuple[int, float, float]


class StrideModel:
    """Estimates of how far, m, and how long, s, the target node of an edge moves the character in a number of cycles.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.graph.stride import StrideModel
    >>> graph = Project.find().graph
    >>> strides, edge = StrideModel(), graph.planned_edge("stand", "walk")
    >>> strides.note(edge, 3, 1.0, 2.0), strides.note(edge, 5, 2.6, 3.5)
    (None, None)
    >>> round(strides.distance(graph, edge, 4), 3)
    1.8
    """

    def __init__(self) -> None:
        self._by_edge: dict[tuple[str, str], list[_Seen]] = defaultdict(list)
        self._by_node: dict[str, list[_Seen]] = defaultdict(list)

    def note(self, edge: Edge, cycles: int, distance: float, seconds: float) -> None:
        """Add one execution of the target node of an edge to the data.

        Args:
            edge: edge over which the target was entered.
            cycles: number of cycles of the target.
            distance: horizontal distance that the character moved, positive forward, m.
            seconds: duration, simulated s.
        """
        for seen in (self._by_edge[edge.source, edge.target], self._by_node[edge.target]):
            seen.append((cycles, distance, seconds))
            del seen[:-_KEPT]

    def distance(self, graph: ControllerGraph, edge: Edge, cycles: int) -> float:
        """Return the expected distance that the target node of an edge moves the character, m, positive forward.

        The estimate is a linear fit to executions of the target over this edge. If there are none, executions over any
        edge are used. If there are none either, the estimate for a gait is `CYCLE_M` per cycle. For another node it is
        the middle of the range of `distance` in the node's success conditions, or 0 without this condition.

        Args:
            graph: controller graph.
            edge: edge over which the target is entered.
            cycles: number of cycles of the target.
        """
        seen = self._seen(edge)
        return _line(seen, cycles, 1) if seen else _guess(graph.node(edge.target), cycles)

    def knows(self, graph: ControllerGraph, edge: Edge) -> bool:
        """Return whether `distance` has a basis: an earlier execution, the cycles of a gait, or a condition.

        Args:
            graph: controller graph.
            edge: edge over which the target is entered.
        """
        node = graph.node(edge.target)
        return bool(self._seen(edge)) or node.cycles[1] > 1 or "distance" in node.success

    def seconds(self, graph: ControllerGraph, edge: Edge, cycles: int) -> float:
        """Return the expected duration of the target node of an edge, s.

        The estimate is a fit as in `distance`. Without earlier executions, it is the expected distance divided by the
        middle of the range of `speed` in the success conditions, or `CYCLE_S` per cycle.

        Args:
            graph: controller graph.
            edge: edge over which the target is entered.
            cycles: number of cycles of the target.
        """
        seen = self._seen(edge)
        if seen:
            return max(_line(seen, cycles, 2), 0.0)
        distance, speed = _guess(graph.node(edge.target), cycles), self.speed(graph, edge)
        return distance / speed if distance > 0.0 and speed > 0.0 else CYCLE_S * cycles

    def speed(self, graph: ControllerGraph, edge: Edge) -> float:
        """Return the expected mean speed of the target node of an edge, m/s; 0 if it is unknown or not positive.

        The estimate is the distance of all earlier executions divided by their duration. Without earlier executions, it
        is the middle of the range of `speed` in the success conditions.

        Args:
            graph: controller graph.
            edge: edge over which the target is entered.
        """
        seen = self._seen(edge)
        if seen:
            _, distance, seconds = np.sum(seen, axis=0)
            return max(float(distance / seconds), 0.0) if seconds > 0.0 else 0.0
        speed = sum(graph.node(edge.target).success.get("speed", (0.0, 0.0))) / 2
        return speed if 0.0 < speed < math.inf else 0.0

    def _seen(self, edge: Edge) -> list[_Seen]:
        return self._by_edge.get((edge.source, edge.target)) or self._by_node.get(edge.target) or []


def _guess(node: Node, cycles: int) -> float:
    if node.cycles[1] > 1:
        return CYCLE_M * cycles
    low, high = node.success.get("distance", (0.0, 0.0))
    return (low + high) / 2 if math.isfinite(low + high) else 0.0


def _line(seen: list[_Seen], cycles: int, what: int) -> float:
    table = np.array(seen, dtype=np.float64)
    numbers, ways = table[:, 0], table[:, what]
    if np.ptp(numbers) == 0.0:
        # a single number of cycles does not determine an offset
        return float(ways.mean() * cycles / numbers[0])
    slope, offset = np.polyfit(numbers, ways, 1)
    return float(offset + slope * cycles)
