"""The graph for other tools: what networkx and Graphviz read back."""

from __future__ import annotations

import json

import networkx as nx

from ctrlgraph.graph.export import to_dot, to_graphml, to_json
from ctrlgraph.graph.reader import parse_graph

GRAPH = parse_graph(
    """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, args: [0.5, 0.5], kind: static, success: {torso: [-.3, .inf]}}
  "a \\"flip\\"": {script: flip.t, cycles: [1, 3]}
  prone: {script: prone.t, kind: static}
edges: [{from: stand, to: "a \\"flip\\"", weight: 2}, {from: ["a \\"flip\\"", prone], to: stand},
  {from: stand, to: prone, kind: corrective, when: fallen},
  {from: prone, to: stand, kind: learned, parameters: learned/up.yaml}]
"""
)


def test_json_is_networkx_node_link_data():
    graph = nx.node_link_graph(json.loads(to_json(GRAPH)), edges="edges")
    assert set(graph.nodes) == set(GRAPH.nodes)
    assert graph.nodes["stand"]["args"] == "[0.5, 0.5]"
    assert graph.edges["stand", "prone", "corrective fallen"]["when"] == "fallen"
    assert graph.edges["stand", 'a "flip"', "naive"]["weight"] == 2.0


def test_graphml_reads_back_with_every_edge():
    graph = nx.parse_graphml(to_graphml(GRAPH), force_multigraph=True)
    kinds = sorted((source, target, data["kind"]) for source, target, data in graph.edges(data=True))
    assert kinds == sorted((edge.source, edge.target, edge.kind.value) for edge in GRAPH.edges)


def test_dot_draws_poses_as_boxes_motions_as_diamonds_and_each_kind_of_edge_its_way():
    assert to_dot(GRAPH) == (
        "digraph controllers {\n"
        "  rankdir=LR;\n"
        '  "stand" [shape=box, peripheries=2];\n'
        '  "a \\"flip\\"" [shape=diamond];\n'
        '  "prone" [shape=box];\n'
        '  "stand" -> "a \\"flip\\"" [style=solid];\n'
        '  "a \\"flip\\"" -> "stand" [style=solid];\n'
        '  "prone" -> "stand" [style=solid];\n'
        '  "stand" -> "prone" [style=dashed, label="fallen"];\n'
        '  "prone" -> "stand" [arrowhead=empty];\n'
        "}\n"
    )
