"""Export of the graph to JSON, GraphML and Graphviz DOT, for other programs.

As in every picture, static poses are rectangles and dynamic motions are diamonds. Naive edges are solid, learned edges
have open arrowheads, and corrective edges are dashed.

With statistics of the log, nodes and edges with attempts have these attributes: `attempts`, `successes`, `rate`, `low`
and `high` (Wilson's 95 % interval of the rate) and `mean_s` (mean duration of the successes, simulated s).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import networkx as nx

from ctrlgraph.errors import printable
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind
from ctrlgraph.run_log.statistics import Statistics, SuccessRate

Measured = dict[str, int | float]


def to_json(graph: ControllerGraph) -> str:
    """Return the graph as node-link JSON. In networkx, `node_link_graph(data, edges="edges")` reads it."""
    return json.dumps(nx.node_link_data(_flat(graph), edges="edges"), indent=2)


def to_graphml(graph: ControllerGraph, logged: Statistics | None = None) -> str:
    """Return the graph as GraphML, which yEd, Gephi and networkx's `parse_graphml` read.

    Args:
        graph: controller graph.
        logged: statistics of the log, added as attributes.
    """
    flat, (nodes, edges) = _flat(graph), _measured(logged)
    for name, attributes in flat.nodes(data=True):
        attributes.update(nodes.get(name, {}))
    for source, target, attributes in flat.edges(data=True):
        attributes.update(edges.get((source, target, attributes["kind"]), {}))
    return "\n".join(printable(line) for line in nx.generate_graphml(flat)) + "\n"


def _measured(logged: Statistics | None) -> tuple[dict[str, Measured], dict[tuple[str, str, str], Measured]]:
    """Return statistics as attributes: for each node by name, and for each edge by (source, target, kind).

    Args:
        logged: statistics of the log; None for no attributes.
    """
    if logged is None:
        return {}, {}
    nodes = {row.name: _rate(row.success) for row in logged.nodes}
    return nodes, {(row.source, row.target, row.kind): _rate(row.success) for row in logged.edges}


def _rate(success: SuccessRate) -> Measured:
    kept = ("attempts", "successes", "rate", "low", "high", "mean_s")
    return {name: value for name, value in success.as_dict().items() if name in kept and math.isfinite(value)}


def to_dot(graph: ControllerGraph, logged: Statistics | None = None) -> str:
    """Return the graph in Graphviz's DOT language.

    Args:
        graph: controller graph.
        logged: statistics of the log, added as attributes and tooltips.
    """
    nodes, edges = _measured(logged)
    lines = ["digraph controllers {", "  rankdir=LR;"]
    for node in graph:
        shape = "box" if node.is_static else "diamond"
        style = ", peripheries=2" if node.name == graph.start else ""
        lines.append(f"  {_quoted(node.name)} [shape={shape}{style}{_dot_measured(nodes.get(node.name))}];")
    for node in graph.drafts.values():
        shape = "box" if node.is_static else "diamond"
        lines.append(f"  {_quoted(node.name)} [shape={shape}, style=dotted];")
    for edge in graph.edges:
        label = f"[{_dot_style(edge)}{_dot_measured(edges.get((edge.source, edge.target, edge.kind.value)))}]"
        lines.append(f"  {_quoted(edge.source)} -> {_quoted(edge.target)} {label};")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_measured(known: Measured | None) -> str:
    if known is None:
        return ""
    values = "".join(f', {name}="{value:.6g}"' for name, value in known.items())
    return f'{values}, tooltip="{known["successes"]} of {known["attempts"]} succeeded"'


def _flat(graph: ControllerGraph) -> nx.MultiDiGraph[str]:
    """Return a networkx graph whose attributes are the fields of the graph file, as strings and numbers."""
    flat: nx.MultiDiGraph[str] = nx.MultiDiGraph(character=graph.character, start=graph.start)
    for node in graph:
        flat.add_node(node.name, **_attributes(node.as_dict()))
    for edge in graph.edges:
        weight = {"weight": edge.weight} if edge.planned else {}
        flat.add_edge(edge.source, edge.target, key=edge.key, **_attributes(edge.as_dict() | weight))
    return flat


def _attributes(entry: Mapping[str, Any]) -> dict[str, str | float | int]:
    """Return the fields of a node or edge as attributes of the exported graph; lists and mappings become JSON text."""
    return {
        name: value if isinstance(value, str | int | float) else json.dumps(value)
        for name, value in entry.items()
        if name not in ("from", "to")
    }


def _dot_style(edge: Edge) -> str:
    if edge.kind is EdgeKind.LEARNED:
        return "arrowhead=empty"
    if edge.when is not None:
        return f"style=dashed, label={_quoted(edge.when)}"
    return "style=solid"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
