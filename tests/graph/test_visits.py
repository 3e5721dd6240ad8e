"""Random walks drawn by visits: what is rarely taken comes up, and the seed still decides."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_project import ROOT

from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.random_planner import draw_transition, rehearsed
from ctrlgraph.graph.reader import load_graph, parse_graph
from ctrlgraph.graph.visits import NODE, VisitBalance, least_circulation
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview

# two loops at the hub, and a way of three transitions to a remote one
GRAPH = """\
character: humanoid
start: hub
nodes:
  hub: {script: a.t, kind: static}
  near: {script: a.t}
  far: {script: a.t}
  farther: {script: a.t}
  farthest: {script: a.t}
  hill: {script: a.t}
edges: [{from: hub, to: near, weight: 9}, {from: near, to: hub}, {from: hub, to: far},
  {from: far, to: farther}, {from: far, to: hub, weight: 9}, {from: farther, to: farthest},
  {from: farther, to: hub, weight: 9}, {from: farthest, to: hub},
  {from: hub, to: hill, ground: {slope: [5, 9]}}, {from: hill, to: hub}]
"""


@pytest.fixture(scope="module")
def graph() -> ControllerGraph:
    return parse_graph(GRAPH)


def visits(graph: ControllerGraph, walks: int, transitions: int, *, balanced: bool) -> Counter[str]:
    seen: Counter[str] = Counter()
    rngs = [np.random.default_rng(seed) for seed in range(walks)]
    before = list(rehearsed(graph, graph.start, rngs, transitions, LEVEL))
    for seed in range(walks):
        balance = VisitBalance(graph, before[seed]) if balanced else None
        node, rng = graph.start, np.random.default_rng(seed)
        for _ in range(transitions):
            edge = draw_transition(graph, node, rng, LEVEL, balance).edge
            node = edge.target
            seen[node] += 1
            seen[str(edge)] += 1
    return seen


def on_level_ground(graph: ControllerGraph) -> list[Edge]:
    """The planned edges that a walk on level ground can come to."""
    edges = [e for e in graph.edges if e.planned and e.weight > 0.0 and graph.beyond(e, LEVEL) == 0.0]
    network = nx.DiGraph([(edge.source, edge.target) for edge in edges])
    reached = nx.descendants(network, graph.start) | {graph.start}
    return [edge for edge in edges if edge.source in reached]


def test_every_edge_is_taken_in_proportion_to_the_least_circulation(graph) -> None:
    edges = on_level_ground(graph)
    ends, weights = [(edge.source, edge.target) for edge in edges], [edge.weight for edge in edges]
    flows = least_circulation(ends, np.ones(len(edges), dtype=bool), weights)
    taken, plain = (visits(graph, 10, 100, balanced=b) for b in (True, False))
    rounds = np.array([taken[str(edge)] for edge in edges]) / flows
    assert rounds == pytest.approx(np.full(len(edges), 1000 / flows.sum()), rel=0.05)
    assert min(plain[str(edge)] for edge in edges) < 10


@pytest.mark.slow
def test_many_short_walks_cover_the_shipped_graph_like_one_long_one() -> None:
    shipped = load_graph(ROOT / "graph.yaml")
    edges, nodes = on_level_ground(shipped), {str(edge.target) for edge in on_level_ground(shipped)}
    flows = least_circulation(
        [(edge.source, edge.target) for edge in edges], np.ones(len(edges), dtype=bool), [edge.weight for edge in edges]
    )
    plain, balanced = (visits(shipped, 50, 200, balanced=b) for b in (False, True))
    share = 10_000 / flows.sum()
    assert min(balanced[str(edge)] for edge in edges) >= 0.9 * share > 15
    assert min(plain[str(edge)] for edge in edges) <= 5
    assert min(balanced[node] for node in nodes) >= 0.9 * NODE * share > 10 > min(plain[node] for node in nodes)


def test_an_edge_of_a_loop_flows_at_least_as_much_as_its_weight() -> None:
    loops = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
    is_open = np.ones(4, dtype=bool)
    assert least_circulation(loops, is_open, [7.0, 1.0, 3.0, 0.5]) == pytest.approx([7, 7, 3, 3])


def test_the_least_circulation_is_conserved_and_comes_to_every_node() -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")]
    # a is come to by one edge alone, which carries what a node is due; c sends 1 to b besides
    assert least_circulation(ring, np.ones(4, dtype=bool)) == pytest.approx([NODE, NODE + 1, NODE, 1])
    assert least_circulation(ring, np.array([1, 1, 1, 0], dtype=bool)) == pytest.approx([NODE, NODE, NODE, 1])
    assert least_circulation([("a", "b"), ("b", "c")], np.ones(2, dtype=bool)) == pytest.approx([1, 1])


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), min_size=1))
def test_a_circulation_takes_every_edge_and_leaves_every_node_as_often_as_it_comes(pairs) -> None:
    edges = sorted(pairs)
    flows = least_circulation(edges, np.ones(len(edges), dtype=bool))
    assert (flows >= 1.0 - 1e-9).all()
    network = nx.DiGraph(edges)
    for part in nx.strongly_connected_components(network):
        inside = [(e, f) for e, f in zip(edges, flows, strict=True) if e[0] in part and e[1] in part]
        for node in part:
            into = sum(f for (_, b), f in inside if b == node)
            out = sum(f for (a, _), f in inside if a == node)
            assert into == pytest.approx(out)
            assert not inside or into > NODE - 1e-6


def test_an_edge_for_other_ground_is_not_drawn_and_draws_nobody(graph) -> None:
    assert visits(graph, 5, 50, balanced=True)["hill"] == 0


def test_the_share_of_an_edge_falls_each_time_that_it_is_taken(graph) -> None:
    edges = [e for e in graph.planned_edges("hub") if e.target != "hill"]
    balance = VisitBalance(graph)
    shares = []
    for _ in range(4):
        near, far = balance.shares(edges, LEVEL)
        shares.append(near / far)
        balance.note(edges[0])
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 2 * shares[-1]


def test_where_everything_is_for_other_ground_there_are_shares_all_the_same(graph) -> None:
    only = [edge for edge in graph.planned_edges("hub") if edge.target == "hill"]
    assert VisitBalance(graph).shares(only, TerrainPreview(40.0)) == pytest.approx([1.0])


def test_the_same_seed_gives_the_same_walk(graph) -> None:
    assert visits(graph, 3, 60, balanced=True) == visits(graph, 3, 60, balanced=True)
