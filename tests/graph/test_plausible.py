"""What a graph calls plausible of every motion, and the nodes that may go beyond it."""

from __future__ import annotations

import pytest
from small_project import GRAPH, make_small

from ctrlgraph.errors import SourceError
from ctrlgraph.graph.editor import with_new_edges
from ctrlgraph.graph.model import Edge, Node
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.insertion.scratch_project import graph_text
from ctrlgraph.learning.candidate import closeness
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.measures import joined_conditions
from ctrlgraph.simulation.outcome import Conclusion
from ctrlgraph.simulation.simulation import Simulation

BLOCK = "plausible: {impact: [0, 12], slip: [0, 0.1]}\n"
WIDER = "plausible: {impact: {range: [0, 20], because: it  is a jump}}, "
GRAPH_WITH = GRAPH.replace("nodes:\n", f"{BLOCK}nodes:\n", 1).replace("spring: {", f"spring: {{{WIDER}", 1)


def findings(text: str) -> list[str]:
    with pytest.raises(SourceError) as caught:
        parse_graph(text)
    return [f"{each.span.line}:{each.span.column} {each.message} ({each.hint})" for each in caught.value.findings]


def test_the_ranges_hold_for_every_node_and_are_wider_where_one_says_why() -> None:
    graph = parse_graph(GRAPH_WITH)
    assert graph.plausible == {"impact": (0, 12), "slip": (0, 0.1)}
    assert graph.node("stand").plausible == graph.plausible
    assert graph.node("spring").plausible == {"impact": (0, 20), "slip": (0, 0.1)}
    assert graph.node("spring").widened == {"impact": "it is a jump"}
    assert graph.node("stand").conditions == graph.node("stand").success | graph.plausible


def test_a_graph_is_written_as_it_was_read() -> None:
    graph = parse_graph(GRAPH_WITH)
    again = parse_graph(graph_text(graph))
    assert again.to_dict() == graph.to_dict()
    assert [again.node(node.name) == node for node in graph] == [True] * len(graph)
    grown = parse_graph(with_new_edges(GRAPH_WITH, [Edge("stand", "hop"), Edge("hop", "stand")], Node("hop", "hop.t")))
    assert grown.node("hop").plausible == graph.plausible


def test_a_node_is_another_one_where_other_things_are_plausible() -> None:
    plain, bound = parse_graph(GRAPH), parse_graph(GRAPH_WITH)
    also = parse_graph(GRAPH_WITH.replace("stand: {", "stand: {also: {squat: a low stand is one}, ", 1))
    assert plain.node("stand").digest != bound.node("stand").digest
    assert bound.node("stand").digest == also.node("stand").digest
    assert bound.digest == also.digest != plain.digest
    assert also.node("stand").also == {"squat": "a low stand is one"}


def test_what_is_wrong_with_it_is_told_at_its_place() -> None:
    text = GRAPH.replace("nodes:\n", "plausible: {impakt: [0, 12], slip: [0, 0.1]}\nnodes:\n", 1)
    assert findings(text) == ["3:13 unknown measure 'impakt' in 'plausible' (did you mean 'impact'?)"]
    unbound = GRAPH.replace("spring: {", f"spring: {{{WIDER}", 1)
    assert [each.partition(" ")[2] for each in findings(unbound)] == [
        "'plausible' of node 'spring' widens the range of 'impact', but the graph has no such range "
        "(give the range under 'plausible' at the top level of the file first)"
    ]
    narrower = GRAPH_WITH.replace("range: [0, 20]", "range: [0, 9]")
    assert [each.partition(" ")[2] for each in findings(narrower)] == [
        "'plausible' of node 'spring' must widen the range of 'impact', but 0 to 9 does not contain 0 to 12 "
        "(if the range is meant to be narrower, write it under 'success' of the node)"
    ]
    silent = GRAPH_WITH.replace("because: it  is a jump", "because: ' '")
    assert "must give a reason" in findings(silent)[0]
    unknown = GRAPH_WITH.replace("stand: {", "stand: {also: {sqat: low}, ", 1)
    assert [each.partition(" ")[2] for each in findings(unknown)] == [
        "unknown node 'sqat' in 'also' of node 'stand' (did you mean 'squat'?)"
    ]


def test_conditions_on_one_measure_are_cut_to_what_they_have_in_common() -> None:
    assert joined_conditions({"slip": (0, 0.5)}, {"slip": (-1, 0.1), "impact": (0, 3)}) == {
        "slip": (0, 0.1),
        "impact": (0, 3),
    }


def test_every_attempt_is_held_to_it(tmp_path) -> None:
    directory = make_small(tmp_path / "small")
    outcomes = {}
    for name, most in (("loose", 40.0), ("tight", 0.5)):
        text = GRAPH.replace("nodes:\n", f"plausible: {{peak_joint_speed: [0, {most}]}}\nnodes:\n", 1)
        (directory / "graph.yaml").write_text(text)
        project = Project(directory)
        with Simulation(project.character) as s:
            outcomes[name] = s.run_rollout(project.rollout(None, "squat", 1))
    assert outcomes["loose"].succeeded
    assert outcomes["tight"].conclusion is Conclusion.FAILED
    value = outcomes["tight"].measures["peak_joint_speed"]
    assert outcomes["tight"].reason == f"peak_joint_speed {value:.3g} is above 0.5"
    node = project.graph.node("squat")
    assert 0.5 < closeness(outcomes["tight"].measures, node.conditions) < 1.0


def test_a_node_without_conditions_of_its_own_is_not_judged_by_what_is_plausible(tmp_path) -> None:
    directory = make_small(tmp_path / "small")
    bare = GRAPH.replace("nodes:\n", "plausible: {impact: [0, 50]}\nnodes:\n", 1)
    start = bare.index("success:", bare.index("squat:"))
    bare = bare[: bare.rindex(",", 0, start)] + bare[bare.index("}}", start) + 1 :]
    (directory / "graph.yaml").write_text(bare)
    project = Project(directory)
    with Simulation(project.character) as simulation:
        outcome = simulation.run_rollout(project.rollout(None, "squat", 1))
    assert outcome.conclusion is Conclusion.ENDED
