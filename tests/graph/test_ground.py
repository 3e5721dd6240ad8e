"""Edges that are planned on some ground only: what the file says, and which ways are open where."""

from __future__ import annotations

import math

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from ctrlgraph.errors import SourceError
from ctrlgraph.graph.ground import EVERYWHERE, GroundRange
from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.terrain.terrain import TerrainPreview, slope

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, kind: static}
  run: {script: run.t}
  walk: {script: walk.t}
  prone: {script: prone.t, kind: static}
edges:
  - {from: stand, to: run, ground: {slope: [-1, 3]}}
  - {from: stand, to: walk}
  - {from: walk, to: run}
  - {from: walk, to: stand}
  - {from: run, to: prone, ground: {slope: [0, 2], obstacle: [0, 0.1]}}
  - {from: run, to: walk}
  - {from: prone, to: stand}
  - {from: "*", to: prone, kind: corrective, when: failed}
"""


@pytest.fixture
def graph() -> ControllerGraph:
    return parse_graph(GRAPH)


def test_a_range_holds_its_ends_and_what_lies_between() -> None:
    found = GroundRange.of({"slope": (-1.0, 3.0)})
    assert [TerrainPreview(s) in found for s in (-1.01, -1.0, 0.0, 3.0, 3.01)] == [False, True, True, True, False]
    assert TerrainPreview(0.0, 5.0) in found


def test_a_hill_of_so_many_degrees_is_one(graph: ControllerGraph) -> None:
    edge = graph.planned_edge("stand", "run")
    assert edge is not None
    assert slope(3).preview(1.7) in edge.ground
    assert slope(-1).preview(-3.1) in edge.ground


def test_what_the_file_says_is_kept(graph: ControllerGraph) -> None:
    assert [edge.ground.as_dict() for edge in graph.planned_edges("run")] == [
        {"slope": [0.0, 2.0], "obstacle": [0.0, 0.1]},
        {},
    ]
    again = parse_graph(yaml.safe_dump(graph.to_dict(), sort_keys=False))
    assert again.edges == graph.edges


@pytest.mark.parametrize(("ground", "said"), [("{slop: [0, 1]}", "slop"), ("4", "ground")])
def test_a_ground_that_makes_no_sense_is_named_with_its_place(ground: str, said: str) -> None:
    with pytest.raises(SourceError) as raised:
        parse_graph(GRAPH.replace("{slope: [-1, 3]}", ground))
    assert said in str(raised.value)
    assert ":9:" in str(raised.value)


def test_a_corrective_edge_is_for_any_ground() -> None:
    text = GRAPH.replace("when: failed}", "when: failed, ground: {slope: [0, 1]}}")
    with pytest.raises(
        SourceError, match="only a naive or learned edge can have 'ground', but this edge is corrective"
    ):
        parse_graph(text)


def test_the_shortest_way_keeps_to_edges_that_are_for_this_ground(graph: ControllerGraph) -> None:
    assert graph.shortest_paths("stand")["run"] == ["stand", "run"]
    assert graph.shortest_paths("stand", TerrainPreview(1.0))["run"] == ["stand", "run"]
    assert graph.shortest_paths("stand", TerrainPreview(5.0))["run"] == ["stand", "walk", "run"]


def test_where_no_edge_is_for_this_ground_the_others_are_better_than_none(graph: ControllerGraph) -> None:
    assert graph.shortest_paths("run", TerrainPreview(5.0))["prone"] == ["run", "prone"]
    # but ways that are for it come first: whoever looks for the nearest pose finds the stand
    assert list(graph.shortest_paths("run", TerrainPreview(5.0))) == ["run", "walk", "stand", "prone"]


def test_of_two_edges_between_the_same_nodes_the_one_for_this_ground_is_meant() -> None:
    text = GRAPH.replace(
        "  - {from: stand, to: walk}\n",
        "  - {from: stand, to: walk}\n"
        "  - {from: stand, to: walk, kind: learned, parameters: w.yaml, ground: {slope: [-1, 1]}}\n",
    )
    graph = parse_graph(text)
    kinds = {s: graph.planned_edge("stand", "walk", TerrainPreview(s)).kind.value for s in (0.0, 2.0)}  # type: ignore[union-attr]
    assert kinds == {0.0: "learned", 2.0: "naive"}
    assert graph.planned_edge("stand", "walk").kind.value == "learned"  # type: ignore[union-attr]


@given(st.floats(-20, 20), st.floats(0, 1))
def test_any_ground_is_one_of_those_that_the_graph_tells_apart(hill: float, height: float) -> None:
    graph = parse_graph(GRAPH)
    here = TerrainPreview(hill, height)
    # the tolerance at the ends of ranges belongs to no stretch
    assume(all(abs(hill - end) > 1e-5 for end in (-1, 0, 2, 3)) and abs(height - 0.1) > 1e-5 and height > 1e-5)
    assert any(all((here in edge.ground) == (other in edge.ground) for edge in graph.edges) for other in graph.grounds)


def test_a_graph_without_grounds_tells_none_apart() -> None:
    graph = parse_graph(
        GRAPH.replace(", ground: {slope: [-1, 3]}", "").replace(", ground: {slope: [0, 2], obstacle: [0, 0.1]}", "")
    )
    assert len(graph.grounds) == 1
    assert all(edge.ground == EVERYWHERE for edge in graph.edges)
    assert EVERYWHERE.slope == (-math.inf, math.inf)
