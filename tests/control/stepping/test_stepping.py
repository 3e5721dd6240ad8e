"""Gaits, the steps between them, their outcomes, and plans over gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.gait_search import constant_centre, cycle
from ctrlgraph.control.stepping.gait_set import GaitSet, Transitions
from ctrlgraph.control.stepping.planning import Preference, footholds, gaps_of, plan_steps, require_level
from ctrlgraph.control.stepping.sampler import COLUMNS, StepSampler
from ctrlgraph.control.stepping.stepping import load_steps
from ctrlgraph.control.tracking.steps import Stepper
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import Grid, GridAxis, OutcomeStatus, OutcomeTable, StaleFile, tabulate
from ctrlgraph.terrain import parse

PROJECT = Path(__file__).parents[3] / "projects" / "tracking"
KEPT = [13, 34, 36, 54, 56, 74, 76, 94, 96]  # strides .34 to .66 m


@pytest.fixture(scope="module")
def gaits(walker) -> GaitSet:
    return GaitSet.load(PROJECT / "stepping" / "gaits.npz", walker.digest)


@pytest.fixture(scope="module")
def few(gaits) -> GaitSet:
    arrays = {name: array[KEPT] for name, array in gaits._arrays.items()}
    return GaitSet(**arrays, character=gaits.character)


@pytest.fixture(scope="module")
def stepper(walker) -> Stepper:
    return Stepper(walker)


@pytest.fixture(scope="module")
def table(walker, few, tmp_path_factory) -> OutcomeTable:
    sampler = StepSampler(walker, few, 0.05)
    return tabulate(sampler.space, sampler.outcomes, tmp_path_factory.mktemp("steps") / "steps.npz")


@pytest.mark.slow
def test_the_shipped_set_has_a_hundred_gaits_that_walk_with_their_strides_and_speeds(gaits, stepper) -> None:
    assert gaits.count == 100
    assert (len(set(gaits.stride.tolist())), len(set(gaits.speed.tolist()))) == (10, 10)
    transitions = Transitions(gaits, stepper)
    for i in range(0, 100, 3):
        found = cycle(stepper, transitions.step(i, i), constant_centre(stepper, float(gaits.centre[i])))
        assert found is not None
        assert found.length == pytest.approx(gaits.stride[i], abs=1e-9)
        # a search on a coarser grid misses the slowest long steps most
        assert found.speed == pytest.approx(gaits.speed[i], rel=5e-3 if gaits.speed[i] > 0.5 else 0.03)
        assert found.rate == pytest.approx(gaits.begin_rate[i], rel=1e-6)


@pytest.mark.slow
def test_steps_between_all_pairs_are_consistent_with_their_neighbors(gaits, stepper) -> None:
    """Ten thousand steps: each begins after the impact of its source and ends as its target."""
    transitions = Transitions(gaits, stepper)
    own = [transitions.step(i, i) for i in range(gaits.count)]
    after = [stepper.start_after(step.end) for step in own]
    for source in range(gaits.count):
        for target in range(gaits.count):
            step = transitions.step(source, target)
            end, wanted = step.end, own[target].end
            slopes = step.degree * (step.coefficients[:, 1] - step.coefficients[:, 0]) / step.span
            assert np.abs(step.coefficients[:, 0] - after[source].angles).max() < 1e-12
            assert np.abs(slopes - after[source].slopes).max() < 1e-9
            assert step.theta[0] == after[source].theta
            assert np.abs(end.angles - wanted.angles).max() < 1e-12
            assert np.abs(end.slopes - wanted.slopes).max() < 1e-9


def test_a_set_is_read_back_only_for_its_character(few, tmp_path) -> None:
    few.save(tmp_path / "gaits.npz")
    assert GaitSet.load(tmp_path / "gaits.npz", few.character).digest == few.digest
    with pytest.raises(StaleFile, match="was computed with another character"):
        GaitSet.load(tmp_path / "gaits.npz", "another")


def test_invalid_arrays_of_gaits_are_refused(few) -> None:
    with pytest.raises(ValueError, match="'middle' of a gait set must have the shape"):
        replace(few, middle=few.middle[:, :2])
    with pytest.raises(ValueError, match="'theta' of a gait set must have finite numbers"):
        replace(few, theta=few.theta * np.nan)


@pytest.mark.slow
def test_a_tabulated_step_is_the_step_that_is_taken(table, walker, few, stepper) -> None:
    grid = table.space.grid
    transitions = Transitions(few, stepper)
    for state in (12, 31, 50, 74):
        source, rate = grid.point(state)
        for target in range(few.count):
            profile = stepper.follow(transitions.step(int(source), target))
            policy = transitions.policy(target, stepper.foot, 0.05, profile.theta.size)
            result = stepper.go(profile, policy, rate)
            if table.status[state, target] == OutcomeStatus.CONTINUED:
                gait, after, advance = table.after[state, target, :3]
                assert (gait, advance) == (target, pytest.approx(few.stride[target], abs=1e-9))
                assert after == pytest.approx(result.rate * transitions.starts[target].ratio, rel=1e-12)
                assert table.duration[state, target] == result.duration


@pytest.mark.slow
def test_steps_beyond_the_limits_of_friction_or_torque_fail(table) -> None:
    on = table.status == OutcomeStatus.CONTINUED
    assert 0.3 < on.mean() < 0.95
    assert table.column("cone")[on].max() <= 0.75
    assert table.column("torque")[on].max() <= 280.0
    too_much = table.column("cone") > 0.75
    assert too_much.any() and not on[too_much].any()
    assert not on[0].any()  # from 0.3 rad/s no step comes over


def test_a_foothold_keeps_the_whole_sole_off_every_gap() -> None:
    positions = GridAxis("position", 0.0, 2.0, 201)
    clear = footholds(positions, [(1.0, 1.3)], (-0.07, 0.19), 0.03)
    allowed = positions.values[clear]
    below, beyond = allowed[allowed < 1.1].max(), allowed[allowed > 1.1].min()
    assert (below, beyond) == pytest.approx((0.78, 1.4), abs=1e-9)


def test_gaps_are_found_in_the_ground() -> None:
    assert gaps_of(parse("course=3:gap:0.2:1,5:gap:0.3:1")) == [(3.0, 3.2), (5.0, 5.3)]
    assert gaps_of(parse("flat")) == []


def test_a_wide_lower_stretch_is_a_gap_too() -> None:
    assert gaps_of(parse("course=3:gap:5:1")) == [(3.0, 8.0)]
    assert gaps_of(parse("box=1:0.4:0.1,3:0.4:0.1")) == []


@pytest.mark.parametrize("words", ["slope=5", "box=1:0.4:0.1", "stairs=1:3:0.3:0.1"])
def test_only_level_ground_is_accepted(words: str) -> None:
    require_level(parse("course=3:gap:0.2:1,5:gap:3:1"))
    with pytest.raises(
        CtrlGraphError, match=r"^steps can only be planned on level ground with or without gaps, but '.*' goes up or"
    ):
        require_level(parse(words))


def planned_steps(plan, table, few, position, gait, rate) -> Iterator[tuple[float, int]]:
    """Yield position and gait of each step to the end of a course, from the last gait and theta's rate."""
    assert plan.can_reach_end(position, gait, rate)
    while position < plan.end:
        target = plan.action(position, gait, rate)
        assert target >= 0
        state = table.space.grid.nearest([float(gait), rate])
        position, gait, rate = position + few.stride[target], target, float(table.after[state, target, 1])
        yield position, target


@pytest.mark.slow
def test_a_plan_steps_over_gaps_and_never_into_one(table, few) -> None:
    foot = (-0.07, 0.19)
    plan = plan_steps(table, [(3.0, 3.3)], foot, few.begin_rate)
    for begin in (0.0, 0.1, 0.31):
        for position, _ in planned_steps(plan, table, few, begin, 0, 1.2):
            assert position + foot[1] <= 3.0 or position + foot[0] >= 3.3


@pytest.mark.slow
def test_no_plan_crosses_a_gap_that_is_wider_than_the_longest_stride(table, few) -> None:
    plan = plan_steps(table, [(3.0, 3.5)], (-0.07, 0.19), few.begin_rate)
    assert not plan.can_reach_end(0.0, 0, 1.2)
    assert plan_steps(table, [], (-0.07, 0.19), few.begin_rate).can_reach_end(0.0, 0, 1.2)


@pytest.mark.slow
@pytest.mark.parametrize(("spare", "kept"), [(0.12, 0.05), (0.24, 0.1)])
def test_the_margin_shrinks_where_it_cannot_be_kept(table, few, spare, kept) -> None:
    heel, toe = -0.07, 0.19
    end = 3.0 + float(few.stride.max()) - (toe - heel) - spare
    plan = plan_steps(table, [(3.0, end)], (heel, toe), few.begin_rate, margin=0.1)
    steps = planned_steps(plan, table, few, 0.0, 0, 1.2)
    nearest = min(max(3.0 - position - toe, position + heel - end) for position, _ in steps)
    rounded = 0.02  # distance of the positions
    assert kept - rounded <= nearest


@pytest.mark.slow
def test_a_preference_gives_longer_or_shorter_steps(table, few) -> None:
    def strides(preference: Preference) -> float:
        gaps = [(3.0, 3.2), (6.0, 6.2)]
        plan = plan_steps(table, gaps, (-0.07, 0.19), few.begin_rate, preference=preference)
        return float(np.mean([few.stride[gait] for _, gait in planned_steps(plan, table, few, 0.0, 1, 1.3)]))

    assert strides(Preference.SHORTER) < strides(Preference.NONE) <= strides(Preference.LONGER)
    assert strides(Preference.LONGER) - strides(Preference.SHORTER) > 0.05


@pytest.mark.slow
def test_a_course_without_length_is_refused(table, few) -> None:
    with pytest.raises(CtrlGraphError, match="at most 1000 m, not 0"):
        plan_steps(table, [], (-0.07, 0.19), few.begin_rate, length=0.0)
    assert table.space.columns == COLUMNS


@pytest.mark.slow
@pytest.mark.parametrize("number", [1e300, -np.inf])
def test_a_table_with_numbers_out_of_range_is_refused(table, walker, few, tmp_path, number) -> None:
    path = tmp_path / "steps.npz"
    sampler = StepSampler(walker, few, 0.05)
    table.save(path)
    assert load_steps(path, sampler).status.shape == table.status.shape
    after = table.after.copy()
    after[0, 0, COLUMNS.index("torque")] = number
    replace(table, after=after).save(path)
    with pytest.raises(CtrlGraphError, match="numbers too large for a step"):
        load_steps(path, sampler)


@pytest.mark.slow
@pytest.mark.parametrize(("low", "high"), [(1000.0, 1003.0), (-1e300, 3.0)])
def test_a_table_of_other_states_is_refused(table, walker, few, tmp_path, low, high) -> None:
    path, space = tmp_path / "steps.npz", table.space
    gait, rate = space.grid.axes
    grid = Grid([replace(gait, low=low, high=high), rate])
    replace(table, space=replace(space, grid=grid)).save(path)
    with pytest.raises(CtrlGraphError, match="was computed for other initial states"):
        load_steps(path, StepSampler(walker, few, 0.05))
