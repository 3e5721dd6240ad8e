"""Random walks: which edges are drawn, how often, and in which cycles."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.ground import GroundRange
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node
from ctrlgraph.graph.random_planner import PlannedTransition, draw_cycles, draw_transition
from ctrlgraph.terrain.terrain import TerrainPreview

NODES = [Node("a", "a.t"), Node("b", "b.t", cycles=(2, 4)), Node("c", "c.t"), Node("end", "end.t")]
EDGES = [
    Edge("a", "b", weight=3.0),
    Edge("a", "c"),
    Edge("a", "end", weight=0.0),
    Edge("a", "end", EdgeKind.CORRECTIVE, when=FailureCondition.FAILED),
    Edge("b", "a"),
    Edge("c", "b", EdgeKind.LEARNED, parameters="x.yaml"),
]
GRAPH = ControllerGraph(character="humanoid", start="a", nodes=NODES, edges=EDGES)


def test_edges_are_drawn_in_proportion_to_their_weights():
    rng = np.random.default_rng(1)
    drawn = Counter(draw_transition(GRAPH, "a", rng).edge.target for _ in range(4000))
    assert set(drawn) == {"b", "c"}
    assert drawn["b"] / 4000 == pytest.approx(0.75, abs=0.03)  # 4 standard deviations


def test_a_learned_edge_beside_a_naive_one_is_drawn_by_a_weight_of_its_own():
    both = [Edge("a", "b"), Edge("a", "b", EdgeKind.LEARNED, weight=3.0, parameters="x.yaml"), Edge("b", "a")]
    graph = ControllerGraph(character="humanoid", start="a", nodes=NODES[:2], edges=both)
    rng = np.random.default_rng(5)
    drawn = Counter(draw_transition(graph, "a", rng).edge.kind for _ in range(4000))
    assert drawn[EdgeKind.LEARNED] / 4000 == pytest.approx(0.75, abs=0.03)  # 4 standard deviations
    assert set(drawn) == {EdgeKind.LEARNED, EdgeKind.NAIVE}


def test_only_edges_for_the_ground_are_drawn_where_there_are_some():
    hilly = GroundRange(slope=(2.0, 9.0))
    edges = [Edge("a", "b"), Edge("a", "c", ground=hilly), Edge("b", "a", ground=hilly), Edge("c", "a")]
    graph = ControllerGraph(character="humanoid", start="a", nodes=NODES[:3], edges=edges)
    rng = np.random.default_rng(6)
    for hill, source, expected in ((0.0, "a", {"b"}), (4.0, "a", {"b", "c"}), (0.0, "b", {"a"})):
        drawn = {draw_transition(graph, source, rng, TerrainPreview(hill)).edge.target for _ in range(60)}
        assert drawn == expected


def test_where_no_edge_is_for_the_ground_the_nearest_is_drawn():
    ends = {"b": (-2.0, 1.0), "c": (-9.0, -5.0)}
    edges = [Edge("a", name, ground=GroundRange(slope=slopes)) for name, slopes in ends.items()]
    graph = ControllerGraph(
        character="humanoid", start="a", nodes=NODES[:3], edges=[*edges, Edge("b", "a"), Edge("c", "a")]
    )
    rng = np.random.default_rng(8)
    for hill, expected in ((4.0, "b"), (-3.0, "b"), (-4.0, "c")):
        assert {draw_transition(graph, "a", rng, TerrainPreview(hill)).edge.target for _ in range(20)} == {expected}


def test_each_number_of_cycles_in_the_range_is_equally_likely():
    rng = np.random.default_rng(2)
    drawn = Counter(draw_cycles(GRAPH.node("b"), rng) for _ in range(3000))
    assert set(drawn) == {2, 3, 4}
    assert all(count == pytest.approx(1000, abs=110) for count in drawn.values())


def walked(seed: int) -> list[PlannedTransition]:
    rng, node, transitions = np.random.default_rng(seed), "a", []
    for _ in range(20):
        transitions.append(draw_transition(GRAPH, node, rng))
        node = transitions[-1].edge.target
    return transitions


@given(st.integers(0, 2**32 - 1))
def test_a_walk_follows_planned_edges_and_its_seed_alone(seed: int):
    walk = walked(seed)
    assert walk == walked(seed)
    for last, following in itertools.pairwise(walk):
        assert last.edge.target == following.edge.source
        assert following.edge.planned
    for transition in walk:
        low, high = GRAPH.node(transition.edge.target).cycles
        assert low <= transition.cycles <= high


def test_a_node_without_a_way_out_ends_the_walk_with_a_sentence():
    with pytest.raises(CtrlGraphError) as raised:
        draw_transition(GRAPH, "end", np.random.default_rng(0))
    assert str(raised.value) == "no naive or learned edge with a weight above 0 leads out of node 'end': add one"
