"""The most reliable path: which one it is, and how it is explained."""

from __future__ import annotations

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.goal_planner import EdgeEvidence, plan_path
from ctrlgraph.graph.ground import GroundRange
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node
from ctrlgraph.terrain.terrain import TerrainPreview

NAMES = "abcde"


def graph_of(*edges: Edge) -> ControllerGraph:
    return ControllerGraph(character="humanoid", start="a", nodes=[Node(n, f"{n}.t") for n in NAMES], edges=edges)


AB, BD, AC, CD = Edge("a", "b"), Edge("b", "d"), Edge("a", "c"), Edge("c", "d")
DIAMOND = graph_of(AB, BD, AC, CD, Edge("a", "e", EdgeKind.CORRECTIVE, when=FailureCondition.FAILED))


def test_the_path_with_the_greatest_product_is_taken():
    evidence = {AB: EdgeEvidence(98, 98, 9.0), BD: EdgeEvidence(98, 48, 9.0)}  # .99 x .49
    evidence |= {AC: EdgeEvidence(8, 7, 1.0), CD: EdgeEvidence(8, 7, 1.0)}  # .8 x .8
    plan = plan_path(DIAMOND, "a", "d", evidence)
    assert plan.nodes == ("a", "c", "d")
    assert plan.probability == pytest.approx(0.64)


def test_equal_paths_are_told_apart_by_their_duration():
    for slow, fast in (((AB, BD), (AC, CD)), ((AC, CD), (AB, BD))):
        evidence = dict.fromkeys(slow, EdgeEvidence(5, 5, 2.0)) | dict.fromkeys(fast, EdgeEvidence(5, 5, 1.9))
        assert plan_path(DIAMOND, "a", "d", evidence).steps[0].edge == fast[0]


def test_without_a_log_the_path_with_the_fewest_edges_is_taken():
    graph = graph_of(AB, BD, AC, CD, Edge("b", "e"), Edge("e", "d"))
    plan = plan_path(graph, "a", "e", {})
    assert (plan.nodes, plan.probability) == (("a", "b", "e"), 0.25)


def test_edges_for_other_ground_are_only_taken_where_nothing_else_leads_there():
    direct = Edge("a", "d", ground=GroundRange(slope=(-1.0, 1.0)))
    graph = graph_of(direct, AB, BD)
    assert plan_path(graph, "a", "d", {}, TerrainPreview(0.0)).nodes == ("a", "d")
    assert plan_path(graph, "a", "d", {}, TerrainPreview(5.0)).nodes == ("a", "b", "d")
    assert plan_path(graph_of(direct), "a", "d", {}, TerrainPreview(5.0)).nodes == ("a", "d")


def test_an_edge_that_failed_in_this_run_counts_half_each_time():
    evidence = dict.fromkeys((AB, BD), EdgeEvidence(98, 98, 1.0)) | dict.fromkeys((AC, CD), EdgeEvidence(8, 7, 1.0))
    assert plan_path(DIAMOND, "a", "d", evidence).nodes == ("a", "b", "d")
    evidence[BD] = EdgeEvidence(98, 98, 1.0, failed_now=1)
    assert evidence[BD].probability == pytest.approx(0.495)
    assert plan_path(DIAMOND, "a", "d", evidence).nodes == ("a", "c", "d")


def test_of_several_edges_between_two_nodes_the_better_one_is_taken():
    learned = Edge("a", "b", EdgeKind.LEARNED, parameters="x.yaml")
    evidence = {AB: EdgeEvidence(8, 4), learned: EdgeEvidence(8, 8)}
    assert plan_path(graph_of(AB, learned), "a", "b", evidence).steps[0].edge is learned


def test_of_equally_good_edges_between_two_nodes_the_learned_one_is_taken():
    """It was kept for being better than the naive one when it was learned."""
    learned = Edge("a", "b", EdgeKind.LEARNED, parameters="x.yaml")
    for edges in ((AB, learned), (learned, AB)):
        assert plan_path(graph_of(*edges), "a", "b", {}).steps[0].edge is learned


def test_after_the_learned_edge_has_failed_the_naive_one_is_tried():
    learned = Edge("a", "b", EdgeKind.LEARNED, parameters="x.yaml")
    evidence = {AB: EdgeEvidence(8, 6), learned: EdgeEvidence(8, 8, failed_now=1)}
    assert plan_path(graph_of(AB, learned), "a", "b", evidence).steps[0].edge is AB


def test_corrective_edges_are_never_planned():
    with pytest.raises(CtrlGraphError) as raised:
        plan_path(DIAMOND, "a", "e", {})
    assert str(raised.value) == "no naive or learned edges lead from 'a' to 'e': add edges, or choose another goal"


def test_a_plan_explains_itself():
    evidence = {AB: EdgeEvidence(8, 8, 1.5), BD: EdgeEvidence(2, 1, 2.0, failed_now=2)}
    evidence |= {AC: EdgeEvidence(8, 0)}
    assert plan_path(DIAMOND, "a", "d", evidence).explain() == (
        "a -> b -> d: p = 0.11, about 3.5 s\n"
        "  a -> b (naive): p = 0.90, 8 of 8 succeeded (68-100 %)\n"
        "  b -> d (naive): p = 0.12, 1 of 2 succeeded (9-91 %), 2 failed in this run\n"
        "  rather than a -> c -> d: 1 of 2 edges not tried yet"
    )


@pytest.mark.parametrize(
    ("evidence", "time"), [({}, "time unknown"), ({AB: EdgeEvidence(8, 8, 1.5)}, "more than 1.5 s")]
)
def test_a_plan_gives_no_time_for_what_never_succeeded(evidence: dict[Edge, EdgeEvidence], time: str):
    explained = plan_path(graph_of(AB, BD), "a", "d", evidence).explain()
    assert explained.splitlines()[0].partition(", ")[2] == time


def test_where_one_is_needs_no_steps():
    assert plan_path(DIAMOND, "a", "a", {}).explain() == "'a' is where the walk begins"


PAIRS = [(a, b) for a in NAMES for b in NAMES if a != b]


@given(st.dictionaries(st.sampled_from(PAIRS), st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=4))
def test_no_path_is_more_reliable_than_the_planned_one(counts: dict[tuple[str, str], tuple[int, int]]):
    evidence = {
        Edge(*pair): EdgeEvidence(successes + failures, successes, 1.0)
        for pair, (successes, failures) in counts.items()
    }
    graph = graph_of(*evidence)
    network = nx.DiGraph(list(counts))
    network.add_nodes_from(NAMES)
    paths = list(nx.all_simple_edge_paths(network, "a", "e"))
    if not paths:
        with pytest.raises(CtrlGraphError):
            plan_path(graph, "a", "e", evidence)
        return
    best = max(math.prod(evidence[Edge(*pair)].probability for pair in path) for path in paths)
    assert plan_path(graph, "a", "e", evidence).probability == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("duration", [1e308, -1e308, math.inf, -5.0])
def test_durations_that_no_walk_has_leave_the_path_as_it_is(duration: float):
    evidence = dict.fromkeys((AB, BD, AC, CD), EdgeEvidence(5, 5, duration))
    assert plan_path(DIAMOND, "a", "d", evidence).nodes in (("a", "b", "d"), ("a", "c", "d"))
