"""What a planner expects of a motion it has seen."""

from __future__ import annotations

import pytest

from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.graph.stride import StrideModel

GRAPH = parse_graph("""\
character: humanoid
start: stand
nodes:
  stand: {script: s.t, kind: static}
  walk: {script: w.t, cycles: [2, 8]}
edges: [{from: stand, to: walk}, {from: walk, to: walk}, {from: walk, to: stand}]
""")
ENTER, ON, STOP = GRAPH.edges


def test_what_was_never_seen_is_guessed() -> None:
    strides = StrideModel()
    assert (strides.distance(GRAPH, ENTER, 3), strides.distance(GRAPH, STOP, 1)) == (3.0, 0.0)
    assert strides.seconds(GRAPH, ENTER, 3) == 3.0


def test_of_a_single_motion_the_middle_of_its_condition_is_guessed() -> None:
    graph = parse_graph("""\
character: humanoid
start: stand
nodes:
  stand: {script: s.t, kind: static}
  hop: {script: h.t, success: {distance: [0.2, 0.6], speed: [0.1, 0.3]}}
  crawl: {script: c.t, cycles: [2, 5], success: {distance: [0.2, 5]}}
edges: [{from: stand, to: hop}, {from: stand, to: crawl}, {from: hop, to: stand}, {from: crawl, to: stand}]
""")
    hop, crawl, *_ = graph.edges
    strides = StrideModel()
    assert strides.distance(graph, hop, 1) == pytest.approx(0.4)
    assert strides.seconds(graph, hop, 1) == pytest.approx(2.0)  # at the middle of its speeds
    assert strides.distance(graph, crawl, 2) == 2.0


def test_two_numbers_of_cycles_tell_the_stride_and_what_a_start_costs() -> None:
    strides = StrideModel()
    strides.note(ENTER, 2, 0.5, 2.0)
    strides.note(ENTER, 4, 2.0, 3.0)
    assert strides.distance(GRAPH, ENTER, 6) == pytest.approx(3.5)
    assert strides.seconds(GRAPH, ENTER, 6) == pytest.approx(4.0)


def test_one_number_tells_the_mean() -> None:
    strides = StrideModel()
    strides.note(ENTER, 4, 2.0, 3.0)
    assert strides.distance(GRAPH, ENTER, 2) == pytest.approx(1.0)


def test_of_the_same_node_after_another_the_same_is_expected_until_that_was_seen() -> None:
    strides = StrideModel()
    strides.note(ENTER, 4, 2.0, 3.0)
    assert strides.distance(GRAPH, ON, 4) == pytest.approx(2.0)
    strides.note(ON, 4, 4.0, 3.0)
    assert strides.distance(GRAPH, ON, 4) == pytest.approx(4.0)
    assert strides.distance(GRAPH, ENTER, 4) == pytest.approx(2.0)


def test_the_speed_is_that_of_earlier_executions_or_the_middle_of_the_condition() -> None:
    graph = parse_graph("""\
character: humanoid
start: stand
nodes:
  stand: {script: s.t, kind: static}
  hop: {script: h.t, success: {speed: [0.1, 0.3]}}
edges: [{from: stand, to: hop}, {from: hop, to: stand}]
""")
    hop, stop = graph.edges
    strides = StrideModel()
    assert strides.speed(graph, hop) == pytest.approx(0.2)
    assert strides.speed(graph, stop) == 0.0
    strides.note(hop, 1, 0.5, 2.0)
    strides.note(hop, 1, 0.1, 4.0)
    assert strides.speed(graph, hop) == pytest.approx(0.1)
