"""A learned edge in the graph file: put in place of the naive one, everything else stays."""

from __future__ import annotations

import pytest
from small_project import GRAPH

from ctrlgraph.errors import SourceError
from ctrlgraph.graph.editor import with_adapted_file, with_learned_edge
from ctrlgraph.graph.model import EdgeKind
from ctrlgraph.graph.reader import parse_graph

FILE = "learned/a.yaml"


def learned(text: str, source: str, target: str):
    """The edge in the changed text, after a look at whether all other lines are as they were."""
    changed = with_learned_edge(text, source, target, FILE)
    [edge] = [e for e in parse_graph(changed, "graph.yaml").edges if (e.source, e.target) == (source, target)]
    assert edge.kind is EdgeKind.LEARNED and edge.parameters == FILE
    assert with_learned_edge(changed, source, target, FILE) == changed
    return changed, edge


def test_a_naive_edge_is_replaced_where_it_stands_with_its_weight_and_comment():
    changed, edge = learned(GRAPH, "stand", "squat")
    assert edge.weight == 2
    old, new = GRAPH.splitlines(), changed.splitlines()
    [row] = [i for i, line in enumerate(old) if "to: squat, weight" in line]
    assert new[row] == f"  - {{from: stand, to: squat, weight: 2, kind: learned, parameters: {FILE}}}  # down"
    assert new[:row] + new[row + 1 :] == old[:row] + old[row + 1 :]


def test_a_new_edge_is_a_line_after_the_others_and_a_comment_that_shows_one_stays():
    changed, _ = learned(GRAPH, "squat", "spring")
    line = f"  - {{from: squat, to: spring, kind: learned, parameters: {FILE}}}"
    assert changed.splitlines() == [*GRAPH.splitlines(), line]
    assert "# what leads back: {from: squat, to: spring} would not" in changed


BLOCK = "  - from: squat   # slowly\n    to: stand\n    weight: 3  # often\n"


@pytest.mark.parametrize("more", ["", "    kind: learned\n    parameters: old.yaml  # last year's\n"])
def test_an_edge_in_block_style_keeps_its_lines_and_comments(more):
    text = GRAPH.replace("  - {from: squat, to: stand}  # and slowly up\n", BLOCK + more)
    changed, edge = learned(text, "squat", "stand")
    assert edge.weight == 3
    assert BLOCK in changed
    assert ("# last year's" in changed) == bool(more)
    assert changed.count("parameters:") == 1


def test_an_edge_of_a_list_gets_a_learned_one_beside_it():
    text = GRAPH.replace("{from: squat, to: stand}", "{from: [squat, spring], to: stand}").replace(
        "  - {from: spring, to: stand}\n", ""
    )
    changed = with_learned_edge(text, "squat", "stand", FILE)
    graph = parse_graph(changed, "graph.yaml")
    assert graph.planned_edge("squat", "stand").parameters == FILE
    assert graph.planned_edge("spring", "stand").kind is EdgeKind.NAIVE


def test_a_corrective_edge_stays_beside_it():
    text = GRAPH + "  - {from: squat, to: spring, kind: corrective, when: failed}\n"
    changed = with_learned_edge(text, "squat", "spring", FILE)
    kinds = [e.kind for e in parse_graph(changed, "graph.yaml").edges if (e.source, e.target) == ("squat", "spring")]
    assert sorted(kind.value for kind in kinds) == ["corrective", "learned"]


def test_a_faulty_graph_is_left_alone():
    with pytest.raises(SourceError):
        with_learned_edge(GRAPH.replace("start: stand", "start: nowhere"), "squat", "spring", FILE)


@pytest.mark.parametrize("node", ["stand", "spring"])
def test_a_node_in_braces_over_several_lines_can_be_adapted(node):
    changed = with_adapted_file(GRAPH, node, FILE)
    assert parse_graph(changed, "graph.yaml").node(node).adapted == FILE
    assert changed.replace(f", adapted: {FILE}", "") == GRAPH
