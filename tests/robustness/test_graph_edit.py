"""A node and edges added to a graph file as lines of text: everything else stays as it is."""

from __future__ import annotations

import math

import pytest

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.model import Edge, EdgeKind, Node, NodeKind
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.robustness.graph_edit import with_new_edges

GRAPH = """\
# A graph.
character: humanoid
start: stand

nodes:
  stand: {script: stand.t, kind: static}  # upright
  walk:  # forward
    script: walk.t
    cycles: [2, 8]

  # what comes next
edges:
  - {from: stand, to: walk}  # off
  - {from: walk, to: stand, weight: 2}

  - {from: "*", to: stand, kind: corrective, when: failed}  # back
"""

HOP = Node(
    name="hop: high",
    script="stunts/hop.t",
    args=(0.5, -1.0),
    kind=NodeKind.DYNAMIC,
    timeout=10.0,
    success={"torso": (-0.3, 0.4), "feet_contact": (2.0, 2.0), "com_height": (0.8, math.inf)},
    description="A hop: both feet, once",
)

LEARNED = Edge("walk", "hop: high", EdgeKind.LEARNED, parameters="learned/walk-hop.yaml")


def test_a_node_stands_below_the_others_and_its_edges_below_theirs() -> None:
    changed = with_new_edges(GRAPH, [Edge("stand", "hop: high"), LEARNED, Edge("hop: high", "stand")], HOP)
    node = """\
  'hop: high':
    script: stunts/hop.t
    args: [0.5, -1]
    kind: dynamic
    timeout: 10
    success: {torso: [-0.3, 0.4], feet_contact: [2, 2], com_height: [0.8, .inf]}
    description: 'A hop: both feet, once'
"""
    edges = """\
  - {from: stand, to: 'hop: high'}
  - {from: walk, to: 'hop: high', kind: learned, parameters: learned/walk-hop.yaml}
  - {from: 'hop: high', to: stand}
"""
    assert node in changed and edges in changed
    assert changed.replace(node, "").replace(edges, "") == GRAPH
    graph = parse_graph(changed)
    assert graph.node("hop: high") == HOP
    assert LEARNED in graph.edges
    assert [edge.target for edge in graph.corrective_edges("hop: high")] == ["stand"]


def test_edges_of_a_node_that_is_there_are_added_alone() -> None:
    changed = with_new_edges(GRAPH, [Edge("walk", "walk")])
    assert changed.replace("  - {from: walk, to: walk}\n", "") == GRAPH


def test_a_node_without_a_way_out_is_refused() -> None:
    with pytest.raises(SourceError, match="no way out of node 'hop: high'"):
        with_new_edges(GRAPH, [Edge("stand", "hop: high")], HOP)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("nodes:\n", "nodes: {stand: {script: stand.t, kind: static}, walk: {script: walk.t}}\nrest:\n"),
        ("edges:\n", "edges: [{from: stand, to: walk}, {from: walk, to: stand}]\nrest:\n"),
    ],
)
def test_nodes_and_edges_in_one_line_are_left_alone(before: str, after: str) -> None:
    text = GRAPH[: GRAPH.index(before)] + after.partition("rest:")[0]
    if before == "nodes:\n":
        text += GRAPH[GRAPH.index("edges:") :]
    with pytest.raises(CtrlGraphError, match=r"^graph\.yaml has no "):
        with_new_edges(text, [Edge("stand", "hop: high"), Edge("hop: high", "stand")], HOP)
