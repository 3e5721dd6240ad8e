"""Bisection: the same limit as a grid finds, with fewer trials."""

from __future__ import annotations

import pytest
import stand_ins
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.robustness.perturbation import AXES, Perturbations
from ctrlgraph.robustness.sweeps.limit import bisect, decide_value, find_limits
from ctrlgraph.robustness.sweeps.scenario import Limit, Scenario
from ctrlgraph.robustness.sweeps.sweep import new_sweeps
from ctrlgraph.robustness.worker_pool import WorkerPool


def searched(last: int, holds, confirm: int = 0) -> tuple[tuple[int | None, int | None], list[int]]:
    """The answer of a search, and the numbers that it tried."""
    search, tried = bisect(last, confirm), []
    number = next(search)
    while True:
        tried.append(number)
        try:
            number = search.send(holds(number))
        except StopIteration as end:
            return end.value, tried


@given(st.integers(0, 3000), st.integers(0, 4000))
def test_bisection_finds_the_last_number_that_succeeds(last: int, limit: int) -> None:
    answer, tried = searched(last, lambda number: number <= limit)
    assert answer == ((last, None) if limit >= last else (limit, limit + 1))
    assert len(tried) == len(set(tried))
    assert len(tried) <= 2 + 2 * max(1, last).bit_length()
    assert all(0 <= number <= last for number in tried)


def test_nothing_succeeds_where_the_unperturbed_does_not() -> None:
    assert searched(100, lambda number: False) == ((None, 0), [0])


@given(st.lists(st.booleans(), min_size=2, max_size=200))
def test_regardless_of_succeeds_where_the_answer_is_a_step_from_a_failure(outcomes) -> None:
    (holds, fails), _ = searched(len(outcomes) - 1, outcomes.__getitem__)
    assert holds is None or outcomes[holds]
    if fails is not None:
        assert not outcomes[fails]
        assert holds is None or fails == holds + 1


@given(st.lists(st.booleans(), min_size=2, max_size=200), st.integers(1, 10))
def test_a_confirmed_limit_succeeds_at_evenly_spread_values_below_it(outcomes, confirm: int) -> None:
    (holds, fails), tried = searched(len(outcomes) - 1, outcomes.__getitem__, confirm)
    assert len(tried) == len(set(tried))
    if holds is None:
        assert not outcomes[0]
        return
    below = [round(holds * (i + 1) / (confirm + 1)) for i in range(confirm)]
    assert all(outcomes[number] for number in [0, *below, holds])
    assert (holds == len(outcomes) - 1) if fails is None else (fails == holds + 1 and not outcomes[fails])


def test_a_hole_below_the_limit_is_found_where_it_is_confirmed() -> None:
    def outcome(number: int) -> bool:
        return number <= 40 and number not in (5, 6, 7)

    assert searched(100, outcome)[0] == (40, 41)
    assert searched(100, outcome, 5)[0] == (4, 5)  # 40 / 6 is 7


@pytest.mark.parametrize(
    ("recovered", "tried", "trials", "expected"),
    [(0, 0, 10, None), (9, 9, 10, True), (8, 8, 10, None), (2, 4, 10, False), (3, 4, 10, None), (1, 1, 1, True)],
)
def test_a_verdict_comes_as_soon_as_no_trial_can_change_it(recovered, tried, trials, expected) -> None:
    assert decide_value(recovered, tried, trials) is expected


def limits(project, store, work, axis: str, step: float, **parts):
    scenario = Scenario(targets=("stand",), limit=Limit(axis, step), **parts)
    (sweep,) = new_sweeps(project, scenario, seed=3)
    store.begin(sweep)
    up, down = find_limits(project, store, [sweep], WorkerPool(work=work))
    return sweep, up, down


def test_the_limit_of_a_formula_is_that_of_its_grid(project, store) -> None:
    sweep, up, down = limits(project, store, stand_ins.formula, "slope", 0.5)
    assert (up.succeeds, up.fails) == (stand_ins.SUCCEEDS_TO, stand_ins.SUCCEEDS_TO + 0.5)
    assert (down.succeeds, down.fails) == (stand_ins.SUCCEEDS_FROM, stand_ins.SUCCEEDS_FROM - 0.5)
    assert len(store.trials(sweep.id)) == up.trials + down.trials + 1
    # 1, 2, 4, 8, 16 steps up, then 12, 14, 15; a grid would have tried 1 to 16
    assert up.trials == 8


def test_a_confirmed_search_is_resumed_as_it_was_asked(project, store) -> None:
    scenario = Scenario(targets=("stand",), limit=Limit("slope", 0.5, confirm=4))
    (sweep,) = new_sweeps(project, scenario, seed=3)
    store.begin(sweep)
    up, down = find_limits(project, store, [sweep], WorkerPool(work=stand_ins.formula))
    again = next(other for other in store.sweeps() if other.id == sweep.id)
    tried = {trial.point[0][1] for trial in store.trials(again.id)}
    assert {1.5, 3.0, 4.5, 6.0} <= tried  # 7.5 in fifths
    assert again.is_limit
    assert again.fixed == {}

    def nothing_left(batch):
        raise AssertionError(batch)

    assert find_limits(project, store, [again], WorkerPool(work=nothing_left)) == [up, down]


def test_with_noise_trials_are_made_until_the_verdict_and_stored(project, store) -> None:
    sweep, up, down = limits(project, store, stand_ins.formula, "slope", 0.5, fixed=Perturbations(noise=1.0), trials=20)
    by_point: dict[object, list[bool]] = {}
    for trial in store.trials(sweep.id):
        by_point.setdefault(trial.point, []).append(trial.recovered)
    for held in by_point.values():
        assert decide_value(sum(held), len(held), 20) is not None
        assert len(held) <= 4 or decide_value(sum(held[:-4]), len(held) - 4, 20) is None
    assert down.succeeds is not None and up.succeeds is not None
    assert stand_ins.SUCCEEDS_FROM < down.succeeds < up.succeeds < stand_ins.SUCCEEDS_TO


def test_an_axis_that_only_grows_is_searched_in_one_direction(project, store) -> None:
    scenario = Scenario(targets=("stand",), limit=Limit("delay", 0.1), fixed=Perturbations())
    (sweep,) = new_sweeps(project, scenario, seed=3)
    store.begin(sweep)
    (only,) = find_limits(project, store, [sweep], WorkerPool(work=stand_ins.formula))
    assert (only.direction, only.succeeds, only.fails) == (1, AXES["delay"].high, None)
