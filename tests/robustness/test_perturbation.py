"""The vocabulary: names, ranges, what goes together, and the same thing said in two ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.perturbation import AXES, Perturbations, perturbations


def message(*values: tuple[str, object]) -> str:
    with pytest.raises(CtrlGraphError) as error:
        perturbations(values)
    return str(error.value)


@pytest.mark.parametrize("axis", AXES.values(), ids=str)
def test_the_neutral_value_of_an_axis_is_no_perturbation(axis) -> None:
    assert perturbations([(axis.name, axis.neutral)]).environment == Perturbations().environment
    assert axis.low <= axis.neutral <= axis.high


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([("slop", 3)], "there is no perturbation 'slop' (did you mean 'slope'?)"),
        ([("slope", 50)], "slope must be within -45 and 45 deg, not 50"),
        ([("friction", -1)], "friction must be within 0 and 10, not -1"),
        ([("slope", "steep")], "slope must be a number, not 'steep'"),
        ([("push", "nan")], "push must be a finite number, not 'nan'"),
        ([("push", True)], "push must be a finite number, not 'True'"),
        ([("slope", 2), ("terrain", "flat")], "slope and terrain both define the ground: give only one of them"),
        (
            [("phase", 0.5), ("push_time", 1)],
            "phase and push_time both set the time of the push: give only one of them",
        ),
        ([("mass.rFoot", 20)], "mass.rFoot must be within 0.1 and 10 x, not 20"),
        ([("delay", 1)], "delay must be within 0 and 0.5 s, not 1"),
    ],
)
def test_what_makes_no_sense_is_reported_in_one_sentence(values, expected) -> None:
    assert message(*values) == expected


def test_a_terrain_is_checked_when_it_is_given() -> None:
    assert message(("terrain", "stairs=1")).startswith("terrain 'stairs=1' is not one of flat, slope=DEGREES")


@given(
    st.fixed_dictionaries({}, optional={a.name: st.floats(a.low, a.high) for a in AXES.values() if a.name != "phase"})
)
def test_what_is_written_down_makes_the_same_perturbations(values) -> None:
    made = perturbations(values)
    assert perturbations(made.as_dict()) == made


def test_masses_of_single_links_are_written_down_by_name() -> None:
    made = perturbations([("mass.rFoot", 2), ("mass.head", 0.5)])
    assert made.as_dict() == {"mass.head": 0.5, "mass.rFoot": 2.0}
    assert made.environment.body.masses == (("head", 0.5), ("rFoot", 2.0))


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ({}, False),
        ({"slope": 5, "mass": 1.2, "delay": 0.01}, False),
        ({"noise": 0.1}, True),
        ({"actuator_noise": 0.1}, True),
        ({"push": 100}, True),  # at a random moment
        ({"push": 100, "phase": 0.5}, False),
        ({"push": 100, "push_time": 0.5}, False),
        ({"push": 100, "phase": "random"}, True),
    ],
)
def test_trials_differ_only_where_something_is_drawn(values, drawn) -> None:
    assert perturbations(values).drawn is drawn


def test_what_acts_on_the_course_alone_does_not_change_the_entry() -> None:
    course = {"push": 100, "phase": 0.5, "noise": 0.2, "actuator_noise": 0.1, "delay": 0.02}
    assert perturbations(course).environment == Perturbations().environment
