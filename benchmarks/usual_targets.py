"""Targets that are entered without stunts.

`ctrlgraph robustness sweep` enters a node over the fewest edges. To `supine` these lead through a handstand, which
fails on slippery ground long before a sit-up does. Benchmarks of a motion should enter it as people would.
"""

from __future__ import annotations

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.robustness.evaluation_plan import ARROW, split_target, way_to


def ordinary_target(graph: ControllerGraph, target: str) -> str:
    """Return the target, preceded by nodes that lead to it without a stunt if its shortest path has one.

    Args:
        graph: Controller graph.
        target: A node, an edge or a path (`supine->sit_up`).

    Returns:
        The target itself if its shortest path has no stunt, or if every path has one; otherwise a longer path such as
        `lie_back->supine->sit_up`, whose first node is reached without stunts.
    """
    stunts = {node.name for node in graph if node.file.startswith("controllers/stunts/")}
    names = split_target(target)
    if not stunts & set(_way(graph, names[0])[:-1]):
        return target
    edges = (edge for edge in graph.edges if edge.source not in stunts)
    ordinary = ControllerGraph(character=graph.character, start=graph.start, nodes=graph.nodes.values(), edges=edges)
    try:
        way = _way(ordinary, names[0])
    except CtrlGraphError:
        return target
    first = max(i for i, name in enumerate(way[:-1]) if not stunts & set(_way(graph, name)))
    return ARROW.join([*way[first:], *names[1:]])


def _way(graph: ControllerGraph, name: str) -> list[str]:
    """Return the nodes of the shortest path to a node, which is the last of them."""
    return [segment.node for segment in way_to(graph, name)]
