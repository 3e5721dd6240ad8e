"""The policy to a goal: what it weighs that the most reliable path does not, and how it explains itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.goal_planner import EdgeEvidence, most_reliable_edges, plan_path
from ctrlgraph.graph.ground import GroundRange
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node
from ctrlgraph.graph.policy_planner import plan_policy
from ctrlgraph.graph.transition_model import (
    FAILURE_COST_S,
    GIVE_UP_S,
    RESET_COST_S,
    UNKNOWN_S,
    GraphEvidence,
    TransitionModel,
)
from ctrlgraph.policies import evaluate
from ctrlgraph.terrain.terrain import TerrainPreview

NAMES = "abcde"
SURE = 10**9
"""So many attempts that their share is the probability."""


def graph_of(*edges: Edge, start: str = "a") -> ControllerGraph:
    return ControllerGraph(character="humanoid", start=start, nodes=[Node(n, f"{n}.t") for n in NAMES], edges=edges)


def seen(p: float, seconds: float = 1.0, failure_s: float | None = None) -> EdgeEvidence:
    """An edge that succeeds so often, and takes so long either way."""
    return EdgeEvidence(SURE, round(SURE * p), seconds, seconds if failure_s is None else failure_s)


def corrective(source: str, target: str) -> Edge:
    return Edge(source, target, EdgeKind.CORRECTIVE, when=FailureCondition.FAILED)


def known(*answered: tuple[Edge, EdgeEvidence], resets: tuple[str, ...] = (), **more: int) -> GraphEvidence:
    """Evidence in which every failure of a node is answered by its corrective edge."""
    edges = dict(answered)
    answers = {edge: SURE for edge in edges if not edge.planned}
    return GraphEvidence(edges, answers, dict.fromkeys(resets, SURE))


AB, BD, AC, CD = Edge("a", "b"), Edge("b", "d"), Edge("a", "c"), Edge("c", "d")


def test_where_nothing_fails_the_quickest_way_is_taken() -> None:
    evidence = known((AB, seen(1, 5)), (BD, seen(1, 5)), (AC, seen(1, 4)), (CD, seen(1, 5)))
    plan = plan_policy(graph_of(AB, BD, AC, CD), "a", "d", evidence)
    assert plan.nodes == ("a", "c", "d")
    assert plan.prospects.seconds == pytest.approx(9.0, abs=1e-4)
    assert plan.prospects.no_reset == pytest.approx(1.0, abs=1e-6)


def test_a_risk_is_taken_where_its_failure_costs_little() -> None:
    """The short way fails in one of ten walks, into e, from where it is a second back: the sure way takes 30 s more."""
    edges = (AB, BD, Edge("a", "d"), corrective("d", "e"), Edge("e", "a"))
    values = (seen(1, 15), seen(1, 16), seen(0.9), seen(1), seen(1))
    plan = plan_policy(graph_of(*edges), "a", "d", known(*zip(edges, values, strict=True)))
    assert plan.nodes == ("a", "d")
    assert plan.path is not None and plan.path.nodes == ("a", "b", "d")
    # 1 s, and in a tenth of the walks 3 s and all of it again
    assert plan.prospects.seconds == pytest.approx((1 + 0.1 * 2) / 0.9, rel=1e-4)
    assert plan.path_prospects is not None and plan.path_prospects.seconds == pytest.approx(31, rel=1e-4)


def test_the_same_risk_is_not_taken_where_failing_means_to_begin_anew() -> None:
    edges = (AB, BD, Edge("a", "d"))
    evidence = known(*zip(edges, (seen(1, 3), seen(1, 3), seen(0.9)), strict=True), resets=("d",))
    assert plan_policy(graph_of(*edges), "a", "d", evidence).nodes == ("a", "b", "d")
    assert plan_policy(graph_of(*edges), "a", "d", evidence, reset_cost=0.0).nodes == ("a", "d")


def test_of_two_failures_that_are_as_probable_the_one_that_is_got_over_soon_is_risked() -> None:
    """b fails into e, which leads on at once; c fails for good. To the most reliable path they are the same."""
    edges = (AB, BD, AC, CD, corrective("b", "e"), Edge("e", "d"))
    values = (seen(0.8), seen(1), seen(0.8), seen(1), seen(1), seen(1))
    evidence = known(*zip(edges, values, strict=True), resets=("c",))
    plan = plan_policy(graph_of(*edges), "a", "d", evidence)
    assert plan.nodes == ("a", "b", "d")
    assert plan.prospects.no_reset == pytest.approx(1.0, abs=1e-4)
    assert plan.prospects.no_failure == pytest.approx(0.8, abs=1e-4)


def test_what_is_expected_is_what_walks_come_to() -> None:
    """The model's numbers, against walks that are drawn from it."""
    edges = (AB, BD, corrective("b", "c"), corrective("d", "c"), Edge("c", "b"))
    values = (seen(0.6, 2, 1), seen(0.7, 3, 4), seen(0.5, 6, 5), seen(0.9, 1, 2), seen(0.8, 2, 3))
    evidence = known(*zip(edges, values, strict=True), resets=("c",))
    model = TransitionModel(graph_of(*edges), "d", evidence)
    plan = plan_policy(model.graph, "a", "d", evidence)
    table, choice = model.table, model.solution.choice
    rng = np.random.default_rng(5)
    arrived, times = 0, []
    for _ in range(4000):
        state, seconds, anew = 0, 0.0, False
        while state >= 0:
            first, last = table.outcome_start[choice[state]], table.outcome_start[choice[state] + 1]
            o = first + rng.choice(last - first, p=table.probability[first:last])
            seconds, anew, state = seconds + table.duration[o], anew or model.is_reset[o], table.next_state[o]
        times.append(seconds)
        arrived += not anew
        if not anew:
            times[-1] = -seconds
    lasting = [-t for t in times if t < 0]
    assert plan.prospects.no_reset == pytest.approx(arrived / 4000, abs=0.03)
    assert plan.prospects.seconds == pytest.approx(np.mean(lasting), rel=0.05)
    assert plan.prospects.seconds_in_all == pytest.approx(np.mean(np.abs(times)), rel=0.05)


counts = st.tuples(st.integers(0, 20), st.integers(0, 20), st.floats(0.1, 9), st.floats(0.1, 9))
PAIRS = [(a, b) for a in NAMES for b in NAMES if a != b]


@given(st.dictionaries(st.sampled_from(PAIRS), counts, min_size=6), st.sets(st.sampled_from(PAIRS), max_size=6))
def test_no_choice_of_edges_costs_less(drawn: dict, answers: set[tuple[str, str]]) -> None:
    """Among them the most reliable path's."""
    edges = {
        Edge(*pair): EdgeEvidence(good + bad, good, seconds, later)
        for pair, (good, bad, seconds, later) in drawn.items()
    }
    graph = graph_of(*edges, *(corrective(*pair) for pair in sorted(answers)))
    evidence = GraphEvidence(edges)
    try:
        plan = plan_policy(graph, "a", "e", evidence)
    except CtrlGraphError:
        with pytest.raises(CtrlGraphError):
            plan_path(graph, "a", "e", edges)
        return
    model = TransitionModel(graph, "e", evidence)
    best = model.solution
    by_path = best.choice.copy()
    for node, edge in most_reliable_edges(graph, "e", edges).items():
        by_path[model.state(node)] = model.choice(node, edge)
    cost = -evaluate(model.table, by_path, model.table.reward, tolerance=1e-13)
    assert -best.value[0] <= cost[0] * (1 + 1e-6)
    assert 0.0 < plan.prospects.no_reset <= 1.0 + 1e-9
    # how it goes on from every node that some walk may come to is settled
    assert set(plan.choices) >= {node for node in most_reliable_edges(graph, "e", edges)}


@given(st.dictionaries(st.sampled_from(PAIRS), st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=4))
def test_the_first_edges_of_most_reliable_paths_lie_on_most_reliable_paths(drawn: dict) -> None:
    edges = {Edge(*pair): EdgeEvidence(good + bad, good, 1.0) for pair, (good, bad) in drawn.items()}
    graph = graph_of(*edges)
    first = most_reliable_edges(graph, "e", edges)
    for source in NAMES[:-1]:
        try:
            best = plan_path(graph, source, "e", edges).probability
        except CtrlGraphError:
            assert source not in first
            continue
        node, product = source, 1.0
        while node != "e":
            product *= edges[first[node]].probability
            node = first[node].target
        assert product == pytest.approx(best, rel=1e-6)


def test_an_edge_that_failed_in_this_run_counts_half() -> None:
    edges = (AB, BD, AC, CD, corrective("b", "a"), corrective("c", "a"))
    values = (seen(0.9), seen(1), seen(0.9, 1.5), seen(1), seen(1), seen(1))
    evidence = known(*zip(edges, values, strict=True))
    assert plan_policy(graph_of(*edges), "a", "d", evidence).nodes == ("a", "b", "d")
    failed = {edge: replace(each, failed_now=edge == AB) for edge, each in evidence.edges.items()}
    assert plan_policy(graph_of(*edges), "a", "d", replace(evidence, edges=failed)).nodes == ("a", "c", "d")


def test_edges_for_other_ground_are_only_taken_where_nothing_else_leads_there() -> None:
    direct = Edge("a", "d", ground=GroundRange(slope=(-1.0, 1.0)))
    graph = graph_of(direct, AB, BD)
    assert plan_policy(graph, "a", "d", GraphEvidence(), TerrainPreview(0.0)).nodes == ("a", "d")
    assert plan_policy(graph, "a", "d", GraphEvidence(), TerrainPreview(5.0)).nodes == ("a", "b", "d")
    assert plan_policy(graph_of(direct), "a", "d", GraphEvidence(), TerrainPreview(5.0)).nodes == ("a", "d")


def test_what_follows_a_rare_failure_is_taken_from_the_failures_of_others() -> None:
    """At b there was none yet; elsewhere nine of ten were answered by e."""
    to_e, reset_e = corrective("c", "e"), corrective("b", "e")
    graph = graph_of(AB, BD, AC, CD, to_e, reset_e, Edge("e", "d"))
    evidence = GraphEvidence({to_e: EdgeEvidence(90, 90, 1.0)}, {to_e: 90}, {"c": 10})
    answers = TransitionModel(graph, "d", evidence).answers("b")
    assert [answer.edge for answer in answers] == [reset_e, None]
    assert answers[0].probability == pytest.approx(90.5 / 101)
    assert answers[0].success == pytest.approx(91 / 92)
    # and its own count, when there are some
    own = replace(evidence, resets={"c": 10, "b": 18})
    assert TransitionModel(graph, "d", own).answers("b")[0].edge is None


def test_a_node_without_corrective_edges_begins_anew() -> None:
    model = TransitionModel(graph_of(AB), "b", GraphEvidence())
    assert [(answer.edge, answer.probability) for answer in model.answers("b")] == [(None, 1.0)]
    value = model.solution.value
    # half of the tries fail: one failure, on average, each of which costs a reset
    assert -value[0] == pytest.approx(2 * UNKNOWN_S + FAILURE_COST_S + UNKNOWN_S + RESET_COST_S)


def test_who_falls_to_where_nothing_leads_on_has_not_arrived() -> None:
    edges = (AB, corrective("b", "e"))
    plan = plan_policy(graph_of(*edges), "a", "b", known(*zip(edges, (seen(0.75), seen(1)), strict=True)))
    assert plan.prospects.no_reset == pytest.approx(0.75, abs=1e-4)
    assert GIVE_UP_S > 1e5


def test_where_no_edges_lead_it_is_told() -> None:
    with pytest.raises(CtrlGraphError, match=r"^no naive or learned edges lead from 'a' to 'e'$"):
        plan_policy(graph_of(AB, corrective("b", "e")), "a", "e", GraphEvidence())
    with pytest.raises(CtrlGraphError, match=r"^a reset costs 0 to 100000 s, not -1$"):
        plan_policy(graph_of(AB), "a", "b", GraphEvidence(), reset_cost=-1.0)


@pytest.mark.parametrize("duration", [1e308, -1e308, math.inf, -5.0, 0.0, math.nan])
def test_durations_that_no_walk_has_leave_a_policy_that_arrives(duration: float) -> None:
    evidence = dict.fromkeys((AB, BD, AC, CD), EdgeEvidence(5, 5, duration, duration))
    plan = plan_policy(graph_of(AB, BD, AC, CD), "a", "d", GraphEvidence(evidence))
    assert len(plan.nodes) == 3 and math.isfinite(plan.prospects.seconds)


def test_a_policy_explains_itself() -> None:
    edges = (AB, BD, Edge("a", "d"), corrective("d", "e"), Edge("e", "a"))
    values = (seen(1, 15), seen(1, 16), EdgeEvidence(8, 8, 1.0), EdgeEvidence(1, 1, 1.0), EdgeEvidence(1, 1, 2.0))
    evidence = replace(known(*zip(edges, values, strict=True)), corrections={edges[3]: 1})
    assert plan_policy(graph_of(*edges), "a", "d", evidence).explain() == (
        "policy a -> d: p = 0.90 without a failure, 0.94 without a reset, about 1.2 s\n"
        "  a -> d (naive): p = 0.90, 8 of 8 succeeded (68-100 %)\n"
        "    after a failure: e -> a (83 %), a reset (17 %)\n"
        "  rather than the most reliable path a -> b -> d: p = 1.00 without a failure, 1.00 without a reset,"
        " about 31.0 s"
    )


def test_a_policy_of_what_was_never_tried_says_so() -> None:
    plan = plan_policy(graph_of(AB, BD), "a", "d", GraphEvidence({AB: seen(1)}))
    assert plan.explain().splitlines()[0].endswith("; 1 of 2 edges not tried yet, half assumed to succeed")
    assert "the most reliable path is the same: " in plan.explain().splitlines()[-1]


def test_where_one_is_needs_no_policy() -> None:
    assert plan_policy(graph_of(AB), "a", "a", GraphEvidence()).explain() == "'a' is where the walk begins"


def test_a_policy_as_data_has_both_ways_and_what_follows_failures() -> None:
    edges = (AB, BD, corrective("b", "a"))
    data = plan_policy(
        graph_of(*edges), "a", "d", known(*zip(edges, (seen(0.5), seen(1), seen(1)), strict=True))
    ).as_dict()
    assert data["nodes"] == data["most_reliable_path"]["nodes"] == ["a", "b", "d"]
    assert data["expected"]["no_reset"] == pytest.approx(1.0, abs=1e-6)
    assert data["choices"] == {"a": "b", "b": "d"}
    (answer, anew) = data["after_failure"]["b"]
    assert answer["to"] == "a" and answer["then"] == ["a", "b", "d"] and anew["to"] is None
