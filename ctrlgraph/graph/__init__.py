"""The controller graph: its file, its rules, and its form for other tools."""

from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.export import save_graph, to_dot, to_graphml, to_json
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node, NodeKind
from ctrlgraph.graph.reader import check_graph, load_graph, parse_graph

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
