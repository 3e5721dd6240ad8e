"""The controller graph: its file, its rules, and its form for other tools.

The names are imported when they are asked for: reading a graph needs no networkx, which its export does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.graph.conditions import FailureCondition
    from ctrlgraph.graph.export import save_graph, to_dot, to_graphml, to_json
    from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node, NodeKind
    from ctrlgraph.graph.reader import check_graph, load_graph, parse_graph

_HOMES = {
    "ControllerGraph": "model",
    "Edge": "model",
    "EdgeKind": "model",
    "FailureCondition": "conditions",
    "Node": "model",
    "NodeKind": "model",
    "check_graph": "reader",
    "load_graph": "reader",
    "parse_graph": "reader",
    "save_graph": "export",
    "to_dot": "export",
    "to_graphml": "export",
    "to_json": "export",
}

__all__ = [
    "ControllerGraph",
    "Edge",
    "EdgeKind",
    "FailureCondition",
    "Node",
    "NodeKind",
    "check_graph",
    "load_graph",
    "parse_graph",
    "save_graph",
    "to_dot",
    "to_graphml",
    "to_json",
]


def __getattr__(name: str) -> Any:
    """Return a public name of the package.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
