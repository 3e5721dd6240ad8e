"""What `when` means, and which conditions cover which."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.control.falls import FALLEN_COM_HEIGHT, FALLEN_TORSO
from ctrlgraph.graph.conditions import FALLS, LYING_IN_SPACE, FailureCondition
from ctrlgraph.simulation.outcome import Outcome, Status

C = FailureCondition
HEIGHTS = st.floats(0.0, 1.5)
TORSOS = st.floats(-3.14, 3.14)
CONDITIONS = st.sampled_from(list(C))


def outcome(torso: float, com_height: float, status: Status = Status.FAILED) -> Outcome:
    measures = {"torso": torso, "com_height": com_height}
    return Outcome(status, "", None, None, 1.0, 0.0, 0.0, "", measures=measures)


def test_a_torso_far_from_upright_has_fallen_to_its_side():
    assert C.FALLEN_FORWARD.holds(outcome(FALLEN_TORSO, 0.9))
    assert C.FALLEN_BACKWARD.holds(outcome(-FALLEN_TORSO, 0.9))
    assert not C.FALLEN.holds(outcome(FALLEN_TORSO - 1e-6, 0.9))


@pytest.mark.parametrize(
    ("roll", "condition"),
    [
        (-1.6, C.FALLEN_LEFT),
        (1.6, C.FALLEN_RIGHT),
        (-2.3, C.FALLEN_LEFT),
        (3.1, C.FALLEN_ON_BACK),
        (-2.5, C.FALLEN_ON_BACK),
    ],
)
def test_a_character_in_space_has_fallen_on_a_side_or_on_the_back(roll: float, condition: FailureCondition):
    measures = {"tilt": abs(roll), "roll": roll, "pitch": 0.1, "com_height": 0.1}
    end = Outcome(Status.FAILED, "", None, None, 1.0, 0.0, 0.0, "", measures=measures)
    assert [each for each in LYING_IN_SPACE if each.holds(end)] == [condition]
    assert C.FALLEN.holds(end)


def test_a_low_trunk_in_space_has_not_fallen_while_it_is_upright():
    measures = {"tilt": 0.3, "roll": 0.3, "pitch": 0.0, "com_height": 0.1}
    end = Outcome(Status.FAILED, "", None, None, 1.0, 0.0, 0.0, "", measures=measures)
    assert not any(each.holds(end) for each in FALLS)


@given(TORSOS, HEIGHTS)
def test_a_planar_character_never_lies_on_a_side(torso: float, height: float):
    assert not any(each.holds(outcome(torso, height)) for each in LYING_IN_SPACE)


def test_a_low_centre_of_mass_has_fallen_to_the_side_that_the_torso_leans_to():
    low = FALLEN_COM_HEIGHT - 1e-6
    assert C.FALLEN_FORWARD.holds(outcome(0.1, low)) and not C.FALLEN_BACKWARD.holds(outcome(0.1, low))
    assert C.FALLEN_BACKWARD.holds(outcome(-0.1, low)) and not C.FALLEN_FORWARD.holds(outcome(-0.1, low))
    assert not C.FALLEN.holds(outcome(0.1, FALLEN_COM_HEIGHT))


@given(TORSOS, HEIGHTS, st.sampled_from(Status))
def test_fallen_is_fallen_forward_or_backward_but_never_both(torso: float, height: float, status: Status):
    end = outcome(torso, height, status)
    forward, backward = C.FALLEN_FORWARD.holds(end), C.FALLEN_BACKWARD.holds(end)
    assert C.FALLEN.holds(end) == (forward or backward)
    assert not (forward and backward)


@given(TORSOS, HEIGHTS, CONDITIONS)
def test_nothing_answers_a_success_or_a_divergence(torso: float, height: float, condition: FailureCondition):
    for status in (Status.COMPLETED, Status.DIVERGED):
        assert not condition.holds(outcome(torso, height, status))


@given(TORSOS, HEIGHTS)
def test_failed_answers_every_other_failure_and_timeout_only_a_timeout(torso: float, height: float):
    for status in (Status.FAILED, Status.TIMEOUT):
        assert C.FAILED.holds(outcome(torso, height, status))
        assert C.TIMEOUT.holds(outcome(torso, height, status)) == (status is Status.TIMEOUT)


@given(TORSOS, HEIGHTS, CONDITIONS)
def test_falling_answers_a_predicted_fall_in_its_direction(torso: float, height: float, condition: FailureCondition):
    for direction in ("forward", "backward"):
        end = replace(outcome(torso, height), falling=direction)
        if condition.predicted:
            assert condition.holds(end) == (condition.predicted == direction)
            assert not condition.holds(outcome(torso, height))
        else:
            assert condition.holds(end) == condition.holds(outcome(torso, height))


@given(TORSOS, HEIGHTS, st.sampled_from([Status.FAILED, Status.TIMEOUT]))
def test_a_covered_condition_never_holds_alone(torso: float, height: float, status: Status):
    end = outcome(torso, height, status)
    for size in (1, 2):
        for earlier in itertools.combinations(C, size):
            for condition in C:
                if condition.covered_by(set(earlier)) and condition.holds(end):
                    assert any(other.holds(end) for other in earlier)


@given(st.tuples(TORSOS, TORSOS, TORSOS).map(sorted), st.tuples(HEIGHTS, HEIGHTS).map(sorted))
def test_an_excluded_condition_never_holds_within_the_bounds(torsos, heights):
    (least, torso, most), (lowest, height) = torsos, heights
    bounds = {"torso": (least, most), "com_height": (lowest, 2.0)}
    for condition in C:
        assert not (condition.excluded_by(bounds) and condition.holds(outcome(torso, height)))


def test_bounds_that_stop_a_fall_before_it_counts_exclude_it_on_their_side():
    bounds = {"torso": (-2.0, 0.5), "com_height": (0.7, 2.0)}
    assert C.FALLEN_FORWARD.excluded_by(bounds)
    assert not C.FALLEN_BACKWARD.excluded_by(bounds)
    assert not C.FALLEN.excluded_by(bounds)
    assert not C.TIMEOUT.excluded_by(bounds)


def test_bounds_upside_down_exclude_no_fall() -> None:
    for torso in ((2.8, 3.5), (2.8 - 6.2832, 3.5 - 6.2832)):
        bounds = {"torso": torso, "com_height": (0.7, 2.0)}
        assert not any(condition.excluded_by(bounds) for condition in C)
