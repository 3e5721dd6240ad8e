"""Edges and nodes that are for an obstacle: what the file says, and where they may be taken."""

from __future__ import annotations

import html

import pytest
import yaml

from ctrlgraph.errors import SourceError
from ctrlgraph.graph.export import to_graphml
from ctrlgraph.graph.ground import GroundRange, TakeOff, sizes_taken
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.terrain.obstacles import ObstacleAhead, ObstacleKind
from ctrlgraph.terrain.terrain import TerrainPreview

RISE, DROP, GAP, HURDLE = ObstacleKind
NODE_LINE, EDGE_LINE = 6, 10
GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, kind: static}
  walk: {script: walk.t}
  step_up: {script: step_up.t, obstacle: {kind: rise, size: [0.1, 0.18], distance: [0.25, 0.36]}}
  leap: {script: leap.t}
edges:
  - {from: stand, to: step_up}
  - {from: walk, to: leap, ground: {gap: [0.2, 0.5], drop: [0, 0.1], slope: [-2, 2]}}
  - {from: stand, to: walk, ground: {clear: 0.8}}
  - {from: [walk, step_up, leap], to: stand}
  - {from: stand, to: leap, weight: 0}
"""


@pytest.fixture
def graph() -> ControllerGraph:
    return parse_graph(GRAPH)


def edge(graph: ControllerGraph, source: str, target: str) -> Edge:
    found = graph.planned_edge(source, target)
    assert found is not None
    return found


def ahead(kind: ObstacleKind, distance: float, size: float, slope: float = 0.0) -> TerrainPreview:
    return TerrainPreview(slope, 0.0, ObstacleAhead(kind, distance, size))


@pytest.mark.parametrize(
    ("preview", "fits"),
    [
        (TerrainPreview(), False),
        (ahead(RISE, 0.3, 0.15), True),
        (ahead(RISE, 0.24, 0.15), False),
        (ahead(RISE, 0.37, 0.15), False),
        (ahead(RISE, 0.3, 0.19), False),
        (ahead(DROP, 0.3, 0.15), False),
    ],
)
def test_a_node_is_entered_where_its_obstacle_is_as_near_and_as_high_as_it_says(preview, fits, graph) -> None:
    assert (graph.beyond(edge(graph, "stand", "step_up"), preview) == 0.0) is fits


@pytest.mark.parametrize(
    ("preview", "fits"),
    [
        (TerrainPreview(), False),
        (ahead(GAP, 3.0, 0.4), True),
        (ahead(GAP, 3.0, 0.6), False),
        (ahead(GAP, 3.0, 0.4, slope=3.0), False),
        (ahead(DROP, 3.0, 0.1), True),  # any of those that are named
        (ahead(RISE, 3.0, 0.1), False),
    ],
)
def test_an_edge_is_for_the_obstacles_that_it_names(preview, fits, graph) -> None:
    assert (preview in edge(graph, "walk", "leap").ground) is fits


def test_an_edge_that_needs_plain_ground_is_for_so_much_of_it(graph) -> None:
    ground = edge(graph, "stand", "walk").ground
    assert [ahead(GAP, d, 0.4) in ground for d in (0.79, 0.8, 5.0)] == [False, True, True]
    assert TerrainPreview() in ground
    assert ground.beyond(ahead(GAP, 0.3, 0.4)) == pytest.approx(50.0)


def test_what_a_motion_takes_is_what_its_edge_or_its_node_says(graph) -> None:
    taken = {str(edge): set(wanted.sizes) for edge, wanted in graph.takeoffs}
    assert taken == {"stand -> step_up": {RISE}, "walk -> leap": {GAP, DROP}}


def test_the_shortest_way_keeps_off_motions_whose_obstacle_is_not_there(graph) -> None:
    # the way over the walk, since nothing is there to step on; and straight where there is a gap
    assert graph.shortest_paths("stand", ahead(GAP, 3.0, 0.4))["leap"] == ["stand", "leap"]
    assert list(graph.shortest_paths("stand", TerrainPreview()))[-1] == "step_up"


def test_what_the_file_says_is_kept(graph) -> None:
    again = parse_graph(yaml.safe_dump(graph.to_dict(), sort_keys=False))
    assert (again.edges, again.nodes) == (graph.edges, graph.nodes)
    assert graph.node("step_up").as_dict()["obstacle"] == {
        "kind": "rise",
        "size": [0.1, 0.18],
        "distance": [0.25, 0.36],
    }


def test_it_is_exported(graph) -> None:
    text = html.unescape(to_graphml(graph))
    assert '{"kind": "rise"' in text and '{"slope": [-2.0, 2.0], "drop": [0.0, 0.1], "gap": [0.2, 0.5]}' in text


def test_where_a_node_may_be_entered_does_not_decide_its_outcome(graph) -> None:
    """What was logged of it stays evidence when the distance is corrected."""
    other = parse_graph(GRAPH.replace("[0.25, 0.36]", "[0.2, 0.36]"))
    assert other.node("step_up").digest == graph.node("step_up").digest


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (
            "kind: rise",
            "kind: hill",
            NODE_LINE,
            "nodes.step_up.obstacle.kind must be 'rise', 'drop', 'gap' or 'hurdle'",
        ),
        ("size: [0.1, 0.18]", "size: [-1, 0]", NODE_LINE, "must be a range of lengths of at least 0 m"),
        ("gap: [0.2, 0.5]", "gpa: [0.2, 0.5]", EDGE_LINE, "unknown field 'gpa'"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_place(old: str, new: str, line: int, said: str) -> None:
    with pytest.raises(SourceError) as raised:
        parse_graph(GRAPH.replace(old, new))
    assert said in str(raised.value)
    assert f":{line}:" in str(raised.value)


def test_a_range_with_nothing_said_leaves_nothing_out() -> None:
    assert GroundRange().as_dict() == {}
    assert ahead(RISE, 0.0, 5.0, slope=40.0) in GroundRange()


def test_the_sizes_that_are_taken_are_told_as_ranges_that_do_not_touch(graph) -> None:
    taken = [wanted for _, wanted in graph.takeoffs]
    assert len(taken) == 2
    assert sizes_taken(taken, RISE) == [(0.1, 0.18)]
    assert sizes_taken(taken, DROP) == [(0.0, 0.1)]
    assert sizes_taken(taken, HURDLE) == []
    more = [TakeOff({RISE: ends}, (0.0, 1.0)) for ends in ((0.3, 0.4), (0.05, 0.1), (0.15, 0.2))]
    assert sizes_taken([*taken, *more], RISE) == [(0.05, 0.2), (0.3, 0.4)]
