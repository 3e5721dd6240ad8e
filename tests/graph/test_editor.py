"""A node and edges added to a graph file as lines of text: everything else stays as it is."""

from __future__ import annotations

import math

import pytest

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.editor import with_adapted_file, with_ground, with_new_edges
from ctrlgraph.graph.ground import GroundRange
from ctrlgraph.graph.model import Edge, EdgeKind, Node, NodeKind
from ctrlgraph.graph.reader import parse_graph

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
    file="stunts/hop.t",
    args=(0.5, -1.0),
    kind=NodeKind.DYNAMIC,
    timeout=10.0,
    success={"torso": (-0.3, 0.4), "feet_contact": (2.0, 2.0), "com_height": (0.8, math.inf)},
    description="A hop: both feet, once",
)

LEARNED = Edge("walk", "hop: high", EdgeKind.LEARNED, parameters="learned/walk-hop.yaml")


HILL = GroundRange(slope=(-2.0, 3.5))


def test_the_ground_of_an_edge_is_written_to_its_line() -> None:
    changed = with_ground(GRAPH, "walk", "stand", HILL)
    assert changed == GRAPH.replace("stand, weight: 2}", "stand, weight: 2, ground: {slope: [-2, 3.5]}}")
    again = with_ground(changed, "walk", "stand", GroundRange(slope=(0.0, 1.0)))
    assert again == changed.replace("[-2, 3.5]", "[0, 1]")
    assert with_ground(again, "walk", "stand", GroundRange()) == GRAPH


def test_of_two_edges_between_the_same_nodes_the_learned_one_gets_the_ground() -> None:
    line = "  - {from: stand, to: walk, kind: learned, parameters: learned/stand-walk.yaml}\n"
    text = GRAPH.replace("  - {from: walk, to: stand, weight: 2}\n", line + "  - {from: walk, to: stand, weight: 2}\n")
    changed = with_ground(text, "stand", "walk", HILL)
    assert changed == text.replace("stand-walk.yaml}", "stand-walk.yaml, ground: {slope: [-2, 3.5]}}")


def test_the_ground_of_an_edge_in_block_style_is_a_line_of_its_own() -> None:
    text = GRAPH.replace("  - {from: walk, to: stand, weight: 2}\n", "  - from: walk\n    to: stand  # back\n")
    changed = with_ground(text, "walk", "stand", HILL)
    assert changed == text.replace("# back\n", "# back\n    ground: {slope: [-2, 3.5]}\n", 1)
    assert with_ground(changed, "walk", "stand", GroundRange()) == text


def test_the_first_field_of_an_entry_can_be_removed() -> None:
    text = GRAPH.replace("{from: walk, to: stand, weight: 2}", "{ground: {slope: [0, 1]}, from: walk, to: stand}")
    edge = parse_graph(with_ground(text, "walk", "stand", GroundRange())).planned_edge("walk", "stand")
    assert edge is not None and edge.ground == GroundRange()


def test_an_edge_that_shares_its_entry_is_left_alone() -> None:
    text = GRAPH.replace("{from: walk, to: stand, weight: 2}", "{from: [walk, stand], to: stand}")
    with pytest.raises(CtrlGraphError, match=r"has no separate entry for the edge walk -> stand"):
        with_ground(text, "walk", "stand", HILL)


def test_an_entry_that_another_one_repeats_is_left_alone() -> None:
    text = GRAPH.replace("{script: stand.t, kind: static}", "&pose {script: stand.t, kind: static}")
    text = text.replace("  walk:  # forward\n", "  again: *pose\n  walk:  # forward\n")
    text = text.replace("edges:\n", "edges:\n  - {from: stand, to: again}\n  - {from: again, to: stand}\n")
    with pytest.raises(CtrlGraphError, match="without changing other entries"):
        with_adapted_file(text, "stand", "learned/a.yaml")


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
    with pytest.raises(SourceError, match="no edge leads out of node 'hop: high'"):
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
    with pytest.raises(CtrlGraphError, match=r"^cannot add .*graph\.yaml"):
        with_new_edges(text, [Edge("stand", "hop: high"), Edge("hop: high", "stand")], HOP)
