"""Graph files: what is read, and what each fault is called."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from mistakes import read_mistakes

from ctrlgraph.errors import SourceError
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.model import EdgeKind, NodeKind
from ctrlgraph.graph.reader import check_graph, load_graph, parse_graph

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, args: [0.5, 1e-1], kind: static, timeout: 15, success: {torso: [-.3, .3]}}
  walk: {script: walk.t, kind: dynamic, cycles: [2, 8], bounds: {com_height: [0.6, .inf]}, description: "on and on"}
  prone: {script: prone.t, kind: static}
edges:
  - {from: stand, to: walk, weight: 2}
  - {from: walk, to: stand}
  - {from: prone, to: stand}
  - {from: [walk, stand], to: prone, kind: corrective, when: fallen forward}
  - {from: "*", to: prone, kind: corrective, when: failed, order: 2}
"""


def findings_of(text: str) -> str:
    with pytest.raises(SourceError) as raised:
        parse_graph(text)
    return str(raised.value)


def changed(old: str, new: str) -> str:
    assert GRAPH.count(old) == 1
    return GRAPH.replace(old, new)


def test_nodes_and_edges_are_what_the_file_says():
    graph = parse_graph(GRAPH)
    stand, walk = graph.node("stand"), graph.node("walk")
    assert (stand.kind, stand.args, stand.timeout) == (NodeKind.STATIC, (0.5, 0.1), 15.0)
    assert stand.success == {"torso": (-0.3, 0.3)}
    assert (walk.cycles, walk.timeout) == ((2, 8), 20.0)
    assert walk.bounds == {"com_height": (0.6, math.inf)}
    assert [(str(edge), edge.kind, edge.weight) for edge in graph.planned_edges("stand")] == [
        ("stand -> walk", EdgeKind.NAIVE, 2.0)
    ]


def test_every_node_stands_for_all_but_the_target():
    graph = parse_graph(GRAPH)
    always = [edge.source for edge in graph.edges if edge.when is FailureCondition.FAILED]
    assert always == ["stand", "walk"]


def test_corrective_edges_are_tried_by_order_then_as_written():
    text = changed("order: 2", "order: 0")
    conditions = [edge.when for edge in parse_graph(GRAPH).corrective_edges("walk")]
    assert conditions == [FailureCondition.FALLEN_FORWARD, FailureCondition.FAILED]
    assert "is never taken" in findings_of(text)  # now `failed` comes first and covers the other


def test_an_edge_that_is_written_out_wins_over_every_node():
    text = GRAPH + '  - {from: "*", to: walk, weight: 9}\n'
    weights = {edge.source: edge.weight for edge in parse_graph(text).edges if edge.target == "walk"}
    assert weights == {"stand": 2.0, "prone": 9.0}


def test_every_node_leaves_out_those_whose_bounds_stop_them_before():
    text = changed("bounds: {com_height: [0.6, .inf]}", "bounds: {com_height: [0.7, .inf], torso: [-0.6, 1.2]}")
    text += '  - {from: "*", to: prone, kind: corrective, when: fallen backward}\n'
    graph = parse_graph(text)
    assert [edge.source for edge in graph.edges if edge.when is FailureCondition.FALLEN_BACKWARD] == ["stand"]
    assert parse_graph(yaml.safe_dump(graph.to_dict(), sort_keys=False)).digest == graph.digest


def test_the_data_of_a_graph_read_back_the_same():
    graph = parse_graph(GRAPH)
    again = parse_graph(yaml.safe_dump(graph.to_dict(), sort_keys=False))
    assert again.to_dict() == graph.to_dict()
    assert again.digest == graph.digest


def test_the_digest_leaves_descriptions_out_and_nothing_else():
    graph = parse_graph(GRAPH)
    assert parse_graph(changed("on and on", "for ever")).digest == graph.digest
    assert parse_graph(changed("[-.3, .3]", "[-.3, .4]")).digest != graph.digest


MISTAKES = read_mistakes("graph.txt")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_shown_at_its_place(name: str):
    assert findings_of(MISTAKES[name].made_in(GRAPH)) == MISTAKES[name].shown


def test_all_faults_are_reported_at_once_in_the_order_of_the_text():
    text = GRAPH.replace("start: stand", "start: nowhere").replace("cycles: [2, 8]", "cycles: []")
    text = text.replace("to: walk,", "to: wlk,").replace("when: failed", "when: often")
    lines = [line for line in findings_of(text).splitlines() if "error:" in line]
    assert [re.search(r":(\d+):", line)[1] for line in lines] == ["2", "5", "8", "12"]  # type: ignore[index]


def test_a_node_that_only_corrective_edges_lead_to_is_reachable():
    assert "prone" in parse_graph(GRAPH)


def test_where_no_walk_has_to_go_on_no_way_out_is_needed():
    """A dynamic motion after which a correction resets, and an experiment that random walks never enter."""
    end = changed("prone: {script: prone.t, kind: static}", "prone: {script: prone.t}")
    parse_graph(end.replace("  - {from: prone, to: stand}\n", ""))
    lone = "  lone: {script: lone.t, kind: static}\nedges:\n  - {from: stand, to: lone, weight: %s}\n"
    parse_graph(changed("edges:\n", lone % "0"))
    assert "no edge leads out of node 'lone'" in findings_of(changed("edges:\n", lone % "1"))


def test_one_node_alone_needs_no_way_out():
    alone = "character: humanoid\nstart: stand\nnodes:\n  stand: {script: stand.t}\n"
    assert list(parse_graph(alone).nodes) == ["stand"]
    assert list(parse_graph(alone + "edges: []\n").nodes) == ["stand"]
    two = alone + "  walk: {script: walk.t}\nedges:\n  - {from: walk, to: stand}\n"
    assert "no edge leads out of node 'stand'" in findings_of(two)


def test_a_node_that_never_leads_home_is_a_warning(tmp_path: Path):
    text = GRAPH.replace("- {from: prone, to: stand}", "- {from: prone, to: kip}\n  - {from: kip, to: prone}")
    text = text.replace("edges:\n", "  kip: {script: kip.t}\nedges:\n")
    messages = [finding.message for finding in _written(tmp_path, text) if finding.severity == "warning"]
    assert messages == [
        "no naive or learned edges lead from node 'prone' back to 'stand'",
        "no naive or learned edges lead from node 'kip' back to 'stand'",
    ]


def test_no_node_has_to_lead_home_where_the_start_is_no_pose_of_rest(tmp_path: Path):
    text = GRAPH.replace("- {from: prone, to: stand}", "- {from: prone, to: kip}\n  - {from: kip, to: prone}")
    text = text.replace("edges:\n", "  kip: {script: kip.t}\nedges:\n").replace("start: stand", "start: walk")
    assert [finding.message for finding in _written(tmp_path, text) if finding.severity == "warning"] == []


def test_text_that_is_not_yaml_is_shown_where_it_breaks():
    first, *rest = findings_of("nodes: [1, 2\nedges: 3\n").splitlines()
    assert first == "graph.yaml:2:6: error: the text is not valid YAML: expected ',' or ']', but got ':'"
    assert rest == ["    edges: 3", "         ^"]


def test_a_node_may_be_adapted_and_a_pair_have_a_naive_and_a_learned_edge():
    text = GRAPH.replace("cycles: [2, 8]", "cycles: [2, 8], adapted: learned/walk.yaml")
    graph = parse_graph(text + "  - {from: walk, to: stand, kind: learned, parameters: learned/up.yaml, weight: 3}\n")
    assert graph.node("walk").adapted == "learned/walk.yaml"
    assert [(edge.kind, edge.weight) for edge in graph.planned_edges("walk")] == [("naive", 1.0), ("learned", 3.0)]
    chosen = graph.planned_edge("walk", "stand")
    assert chosen is not None and chosen.kind is EdgeKind.LEARNED
    assert graph.planned_edge("walk", "prone") is None
    again = parse_graph(yaml.safe_dump(graph.to_dict(), sort_keys=False))
    assert (again.node("walk"), again.edges) == (graph.node("walk"), graph.edges)


def test_a_missing_file_is_one_finding(tmp_path: Path):
    path = tmp_path / "graph.yaml"
    assert [finding.render() for finding in check_graph(path)] == [
        f"{path}: error: the graph file does not exist: correct its path or create it"
    ]
    with pytest.raises(SourceError):
        load_graph(path)


def test_missing_files_are_named_with_what_is_there_instead(tmp_path: Path):
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters" / "humanoid.yaml").touch()
    (tmp_path / "stand.t").touch()
    (tmp_path / "prone.t").touch()
    text = GRAPH.replace("humanoid", "humaniod").replace("stand.t", "stnd.t").replace("walk.t", "prone.t")
    text += "  - {from: stand, to: prone, kind: learned, parameters: learned/none.yaml}\n"
    text = text.replace("cycles: [2, 8]", "cycles: [2, 8], adapted: learned/walk.yaml")
    assert [(f.message, f.hint) for f in _written(tmp_path, text) if f.code.startswith(("missing", "unknown"))] == [
        ("no character 'humaniod': there is no file characters/humaniod.yaml or .xml", "did you mean 'humanoid'?"),
        ("no script 'stnd.t' for node 'stand'", "did you mean 'stand.t'?"),
        ("there is no file of learned constants 'learned/walk.yaml': correct the path, or learn the edge", None),
        ("there is no file of learned constants 'learned/none.yaml': correct the path, or learn the edge", None),
    ]


def _written(directory: Path, text: str):
    (directory / "graph.yaml").write_text(text)
    return check_graph(directory / "graph.yaml")


@given(st.text(max_size=200))
def test_any_text_is_a_graph_or_findings(text: str):
    with pytest.raises(SourceError):
        parse_graph(text)


@given(data=st.data())
def test_any_graph_with_a_piece_cut_out_or_put_in_is_a_graph_or_located_findings(data: st.DataObject):
    start = data.draw(st.integers(0, len(GRAPH)))
    end = data.draw(st.integers(start, min(len(GRAPH), start + 12)))
    piece = data.draw(st.text(alphabet="{}[],:*-&!#'\"\n\t 0.eyes", max_size=6))
    text = GRAPH[:start] + piece + GRAPH[end:]
    try:
        parse_graph(text)
    except SourceError as error:
        for finding in error.findings:
            assert finding.render()
            assert finding.span is None or finding.span.line >= 1


def test_a_node_may_be_mirrored_and_says_so_again_when_it_is_written():
    graph = parse_graph(changed("args: [0.5, 1e-1],", "args: [0.5, 1e-1], mirrored: true,"))
    stand, plain = graph.node("stand"), parse_graph(GRAPH).node("stand")
    assert stand.mirrored and not plain.mirrored
    assert stand.as_dict()["mirrored"] is True and "mirrored" not in plain.as_dict()
    assert stand.digest != plain.digest
