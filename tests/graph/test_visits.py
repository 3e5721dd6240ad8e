"""Random walks drawn by visits: what is rarely taken comes up, and the seed still decides."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from small_project import ROOT

from ctrlgraph.graph import ControllerGraph, load_graph, parse_graph
from ctrlgraph.graph.random_planner import random_walk
from ctrlgraph.graph.visits import VisitBalance
from ctrlgraph.terrain.profile import LEVEL, TerrainPreview

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
edges:
  - {from: hub, to: near, weight: 9}
  - {from: near, to: hub}
  - {from: hub, to: far}
  - {from: far, to: farther}
  - {from: far, to: hub, weight: 9}
  - {from: farther, to: farthest}
  - {from: farther, to: hub, weight: 9}
  - {from: farthest, to: hub}
  - {from: hub, to: hill, ground: {slope: [5, 9]}}
  - {from: hill, to: hub}
"""


@pytest.fixture(scope="module")
def graph() -> ControllerGraph:
    return parse_graph(GRAPH)


def visits(
    graph: ControllerGraph, walks: int, transitions: int, *, balanced: bool, head_start: bool = True
) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(walks):
        rng = np.random.default_rng(seed)
        balance = VisitBalance(graph, rng if head_start else None) if balanced else None
        walk = random_walk(graph, graph.start, rng, lambda: LEVEL, balance)
        for transition in itertools.islice(walk, transitions):
            seen[transition.edge.target] += 1
            seen[str(transition.edge)] += 1
    return seen


def test_what_is_far_from_the_start_is_visited_as_often_as_what_is_near(graph) -> None:
    plain, balanced = (visits(graph, 10, 100, balanced=b) for b in (False, True))
    assert plain["farthest"] < 10  # 0.1 ** 3 of the draws
    assert balanced["farthest"] > 60
    edges = [str(edge) for edge in graph.edges if edge.target != "hill" and edge.source != "hill"]
    least, most = (each(balanced[edge] for edge in edges) for each in (min, max))
    assert least > 0.25 * most
    assert min(plain[edge] for edge in edges) < 0.02 * most


def test_walks_too_short_for_every_edge_take_every_edge_together() -> None:
    shipped = load_graph(ROOT / "graph.yaml")
    blank, started = (visits(shipped, 25, 200, balanced=True, head_start=h) for h in (False, True))
    planned = [str(edge) for edge in shipped.edges if edge.planned]
    assert min(started[edge] for edge in planned) > 2 * min(blank[edge] for edge in planned)


def test_an_edge_for_other_ground_is_not_drawn_and_draws_nobody(graph) -> None:
    assert visits(graph, 5, 50, balanced=True)["hill"] == 0


def test_of_edges_that_were_taken_as_often_the_weights_decide(graph) -> None:
    near, far = graph.planned_edge("hub", "near"), graph.planned_edge("hub", "far")
    assert near is not None and far is not None
    loops = parse_graph(GRAPH.replace("  - {from: far, to: farther}\n", "  - {from: far, to: farther, weight: 0}\n"))
    shares = VisitBalance(loops).shares([near, far], LEVEL)
    assert shares[0] / shares[1] == pytest.approx(9.0)


def test_the_worth_of_an_edge_falls_each_time_that_it_is_taken(graph) -> None:
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


def test_on_the_shipped_graph_every_node_comes_up_more_often_than_by_weights() -> None:
    shipped = load_graph(ROOT / "graph.yaml")
    plain, balanced = (visits(shipped, 20, 200, balanced=b) for b in (False, True))
    rarest = [min(seen[name] for name in shipped.nodes) for seen in (plain, balanced)]
    assert rarest[1] > 1.5 * rarest[0]
