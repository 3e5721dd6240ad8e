"""The objective: what a candidate costs. A search follows it, so it must rise and fall with what matters."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.candidate import STAGE_COST, CaseResult, closeness, shortfall
from ctrlgraph.learning.cost import EXTRA, LEARNING, TUNING, bent, case_cost, least_cost, score
from ctrlgraph.learning.problem import TERMS, Objective
from ctrlgraph.learning.tuning import check_weights
from ctrlgraph.simulation.outcome import Outcome, Status

amounts = st.floats(0, 1e4)
others = [name for name in TERMS if name not in ("failure", "change")]
weights = st.sampled_from([TUNING, LEARNING, {**LEARNING, "time": 1.0, "energy": 1.0}])
objectives = st.builds(Objective, weights, st.floats(0, 3))


def result(failure: float = 0.0, reached: int = 2, stages: int = 2, **terms: float) -> CaseResult:
    failed = "" if reached == stages else "walk"
    return CaseResult(
        {"failure": failure, **terms}, "completed", "" if not failed else "it fell", failed, reached, stages, 1.0
    )


@st.composite
def results(draw, succeeded: bool | None = None, reached: int | None = None) -> CaseResult:
    terms = draw(st.fixed_dictionaries({}, optional=dict.fromkeys(others, amounts)))
    if draw(st.booleans()) if succeeded is None else succeeded:
        return result(**terms)
    reached = draw(st.integers(0, 1)) if reached is None else reached
    return result(STAGE_COST * (2 - reached) - draw(st.floats(0, 0.95 * STAGE_COST)), reached, **terms)


measures = st.dictionaries(st.sampled_from(["turned", "com_height", "com_speed"]), st.floats(-10, 10))
ranges = st.tuples(st.floats(-3, 3), st.floats(0, 3) | st.just(math.inf)).map(lambda r: (r[0], r[0] + r[1]))
conditions = st.dictionaries(st.sampled_from(["turned", "com_height", "com_speed"]), ranges)


def outcome(status: Status, seconds: float, measured: dict[str, float]) -> Outcome:
    return Outcome(status, "", 0, None, seconds, 0.0, 0.0, "", 0, measured)


# --- a case ---


@given(objectives, results(succeeded=True), results(succeeded=False))
def test_a_failed_case_is_dearer_than_any_that_succeeds(objective, held, failed):
    assert case_cost(objective, failed) > case_cost(objective, held)


@given(objectives, results(succeeded=False, reached=1), results(succeeded=False, reached=0))
def test_who_reaches_a_controller_more_is_cheaper(objective, one, other):
    assert case_cost(objective, one) < case_cost(objective, other)


@given(objectives, results(succeeded=True), st.sampled_from(others), st.floats(1e-3, 100))
def test_more_of_a_term_is_never_cheaper(objective, held, name, more):
    worse = replace(held, terms={**held.terms, name: held.terms.get(name, 0.0) + more})
    assert case_cost(objective, worse) >= case_cost(objective, held)


@given(st.floats(0, 1e6), st.floats(0.01, 1e6))
def test_what_is_far_off_still_has_a_slope(extra, more):
    assert bent(extra) < bent(extra + more) < EXTRA
    assert bent(extra) == extra or extra > 4.0


# --- how far a failed controller got ---


@given(
    st.sampled_from([Status.FAILED, Status.TIMEOUT, Status.DIVERGED]),
    st.floats(0, 100),
    measures,
    conditions,
    conditions,
)
def test_a_failed_controller_is_never_worth_a_whole_one(status, seconds, measured, success, bounds):
    assert 0 <= shortfall(outcome(status, seconds, measured), success, bounds, 2.0) <= 0.95 * STAGE_COST


@given(st.floats(0, 10), st.floats(0, 10), measures, conditions)
def test_who_lasts_longer_before_falling_has_come_farther(one, other, measured, success):
    bounds = {"turned": (20.0, 30.0)}  # left, however far it turned
    short, long = (shortfall(outcome(Status.FAILED, s, measured), success, bounds, 3.0) for s in sorted((one, other)))
    assert short <= long


@pytest.mark.slow
@given(st.floats(0, 100), measures, conditions)
def test_who_ends_has_come_farther_than_who_falls(seconds, measured, success):
    fell = shortfall(outcome(Status.FAILED, seconds, measured), success, {"turned": (20.0, 30.0)}, 3.0)
    ended = shortfall(outcome(Status.FAILED, seconds, measured), success, {}, 3.0)
    assert fell <= 0.5 * STAGE_COST <= ended


@given(measures, conditions.filter(bool))
def test_nearer_to_the_conditions_is_closer_and_within_them_is_one(measured, success):
    name, (low, _) = next(iter(success.items()))
    rest = {**measured, **{other: sum(r) / 2 if math.isfinite(r[1]) else r[0] for other, r in success.items()}}
    within = closeness(rest, success)
    assert within == pytest.approx(1)
    near, far = (closeness({**rest, name: low - distance}, success) for distance in (0.1, 1.0))
    assert 0 <= far < near < within
    assert closeness({**rest, name: math.nan}, success) <= far


def test_an_angle_comes_nearer_to_its_range_on_the_circle():
    found = [closeness({"torso": torso}, {"torso": (2.8, 3.5)}) for torso in (0.0, -2.0, -2.7, -3.0)]
    assert found == sorted(found) and found[-1] == 1.0


# --- a candidate ---


@given(objectives, st.lists(results(), min_size=1, max_size=6), st.lists(st.floats(-3, 3), max_size=3))
def test_the_cost_is_the_mean_and_the_worst_case_and_the_change(objective, found, x):
    costs = [case_cost(objective, each) for each in found]
    share = (np.mean(costs) + objective.worst * max(costs)) / (1 + objective.worst)
    change = float(np.mean(np.square(x))) if x else 0.0
    scored = score(objective, found, np.array(x))
    assert scored.cost == pytest.approx(share + objective.weights["change"] * change)
    assert scored.succeeded == sum(each.succeeded for each in found)
    assert scored.costs[scored.worst] == max(scored.costs)
    assert bool(scored.reason) == (not found[scored.worst].succeeded)


@given(objectives, st.lists(results(), min_size=2, max_size=6), st.floats(-3, 3), st.floats(0, 40))
def test_giving_up_the_hopeless_never_changes_which_candidate_is_best(objective, found, x, limit):
    whole = score(objective, found, np.array([x]))
    costs: list[float] = []
    tried: list[CaseResult | None] = [None] * len(found)
    for i, each in enumerate(found):
        tried[i] = each
        costs.append(case_cost(objective, each))
        assert least_cost(objective, costs, len(found), np.array([x])) <= whole.cost * (1 + 1e-12)
        if least_cost(objective, costs, len(found), np.array([x])) > limit:
            break
    given_up = score(objective, tried, np.array([x]))
    if None in tried:
        assert given_up.cost > limit and whole.cost > limit * (1 - 1e-12)
    else:
        assert given_up == whole


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_a_weight_that_turns_the_search_round_is_refused(value):
    with pytest.raises(CtrlGraphError, match="energy"):
        check_weights({"energy": value})


def test_an_unknown_term_is_refused_with_those_that_there_are():
    with pytest.raises(CtrlGraphError, match="the cost has no term 'energie': use failure"):
        check_weights({"energie": 1.0})
