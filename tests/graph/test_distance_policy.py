"""The policy past a place: how far nodes lead on decides it, and how long they take."""

from __future__ import annotations

import math

import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.distance_policy import DistancePolicy
from ctrlgraph.graph.goal_planner import EdgeEvidence
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node
from ctrlgraph.graph.stride import StrideModel
from ctrlgraph.graph.transition_model import GraphEvidence

SURE = EdgeEvidence(10**9, 10**9, 1.0)
STAND_WALK, STAND_RUN, WALK_STOP, RUN_STOP = (
    Edge(*pair) for pair in (("stand", "walk"), ("stand", "run"), ("walk", "stand"), ("run", "stand"))
)
EDGES = (STAND_WALK, STAND_RUN, WALK_STOP, RUN_STOP)


def graph(*more: Edge) -> ControllerGraph:
    nodes = [Node("stand", "s.t"), Node("walk", "w.t", cycles=(2, 6)), Node("run", "r.t", cycles=(4, 8))]
    return ControllerGraph(character="h", start="stand", nodes=nodes, edges=[*EDGES, *more])


def strides(walk_s: float = 1.0, run_s: float = 0.7) -> StrideModel:
    """A walk of 1 m a cycle, a run of 2 m, standing still for a second."""
    model = StrideModel()
    for edge, metres, seconds, numbers in ((STAND_WALK, 1.0, walk_s, (2, 6)), (STAND_RUN, 2.0, run_s, (4, 8))):
        for cycles in numbers:
            model.note(edge, cycles, metres * cycles, seconds * cycles)
    for edge in (WALK_STOP, RUN_STOP):
        model.note(edge, 1, 0.0, 1.0)
    return model


def policy(metres: float, run: EdgeEvidence = SURE, **more: float) -> DistancePolicy:
    evidence = dict.fromkeys(EDGES, SURE) | {STAND_RUN: run}
    return DistancePolicy(graph(), metres, GraphEvidence(evidence), strides(**more))


def steps(found: DistancePolicy, to_go: float) -> list[tuple[str, int]]:
    return [(step.edge.target, cycles) for step, cycles in found.plan("stand", to_go).steps]


def test_the_quickest_motion_that_comes_far_enough_is_taken() -> None:
    assert steps(policy(2.0), 2.0) == [("walk", 2)]  # 2 s, where the run's least cycles take 2.8
    assert steps(policy(8.0), 8.0) == [("run", 4)]
    assert policy(8.0).plan("stand", 8.0).seconds == pytest.approx(2.8, rel=1e-3)


def test_what_fails_too_often_is_not_taken() -> None:
    risky = EdgeEvidence(1000, 300, 1.0)  # and then it begins anew
    assert {name for name, _ in steps(policy(4.0, run=risky), 4.0)} == {"walk", "stand"}
    assert steps(policy(4.0), 4.0) == [("run", 4)]


def test_the_way_that_is_left_decides() -> None:
    far = policy(12.0)
    assert far.transition("stand", 2.0).edge == STAND_WALK
    assert far.transition("stand", 12.0).edge == STAND_RUN


def test_a_long_way_is_one_motion_after_another() -> None:
    taken = steps(policy(100.0), 100.0)
    metres = {"walk": 1.0, "run": 2.0, "stand": 0.0}
    assert sum(metres[name] * (cycles if name != "stand" else 1) for name, cycles in taken) >= 100.0
    assert policy(100.0).plan("stand", 100.0).seconds == pytest.approx(6.25 * 6.6, rel=0.05)


def test_a_motion_backward_leads_away() -> None:
    back = strides()
    model = StrideModel()
    for cycles in (2, 6):
        model.note(STAND_WALK, cycles, -1.0 * cycles, cycles)
    for cycles in (4, 8):
        model.note(STAND_RUN, cycles, 2.0 * cycles, 5.0 * cycles)
    model.note(RUN_STOP, 1, 0.0, 1.0)
    evidence = GraphEvidence(dict.fromkeys(EDGES, SURE))
    assert steps(DistancePolicy(graph(), 6.0, evidence, model), 6.0) == [("run", 4)]
    assert steps(DistancePolicy(graph(), 6.0, evidence, back), 6.0) != []


def test_a_failure_that_is_answered_costs_its_time_and_not_the_way() -> None:
    up = Edge("run", "stand", EdgeKind.CORRECTIVE, when=FailureCondition.FAILED)
    evidence = dict.fromkeys(EDGES, SURE) | {STAND_RUN: EdgeEvidence(10**6, 900_000, 1.0, 2.0), up: SURE}
    found = DistancePolicy(graph(up), 8.0, GraphEvidence(evidence, {up: 10**9}), strides())
    plan = found.plan("stand", 8.0)
    assert plan.no_reset == pytest.approx(1.0, abs=1e-4)
    assert plan.seconds == pytest.approx(2.8 + (2.0 + 1.0) / 9, rel=1e-2)
    assert plan.explain().startswith("policy stand -> run x4, 8.0 m on: p = 1.00 without beginning anew, about 3.1 s\n")


@pytest.mark.parametrize("metres", [0.0, -1.0, 1e4, math.nan, math.inf])
def test_a_place_that_is_not_ahead_is_refused(metres: float) -> None:
    with pytest.raises(CtrlGraphError, match=r"^the place to go to lies ahead, within 10000 m, not at "):
        policy(metres)


@pytest.mark.parametrize("metres", [1e300, -1e300, math.nan])
def test_distances_that_no_walk_has_leave_a_policy(metres: float) -> None:
    model = strides()
    model.note(WALK_STOP, 2, metres, 1.0)
    found = DistancePolicy(graph(), 8.0, GraphEvidence(dict.fromkeys(EDGES, SURE)), model)
    assert found.transition("stand", 8.0) is not None
