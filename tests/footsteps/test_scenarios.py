"""Each scenario has the property that the figure of the source shows."""

from __future__ import annotations

import re
from functools import cache

import pytest

from ctrlgraph.footsteps.scenarios.figures import FIGURES


@cache
def measures(name: str) -> dict[str, float]:
    return FIGURES[name].run().measures


def test_all_figures_of_the_source_have_a_scenario() -> None:
    numbers = ["3.1", "4.1", "4.2", "4.3", "5.1", "5.2", "6.1", "6.2", "7.1", "7.2", "7.3", "7.4", "7.5"]
    assert [figure.number for figure in FIGURES.values()] == numbers


@pytest.mark.parametrize("name", ["contraction", "update", "polygon"])
def test_a_scenario_is_the_same_every_time(name: str) -> None:
    assert FIGURES[name].run().measures == measures(name)


def test_a_pendulum_contracts_twice_in_each_sway_and_not_without_the_force_that_contracts_it() -> None:
    found = measures("contraction")
    assert found["contractions_per_sway"] == 2.0
    assert found["contraction_mm"] > 20.0
    assert found["without_mm"] < 0.01


def test_a_foot_is_active_only_within_its_ground_contact() -> None:
    found = measures("step-weight")
    assert found["middle"] > 0.999
    assert found["half_active_s"] < found["half_contact_s"]
    assert found["in_the_air"] < 0.1 < found["source_in_the_air"]


def test_each_foot_of_a_trot_has_one_contact_in_a_cycle_and_some_foot_is_always_active() -> None:
    found = measures("pattern")
    assert found["contacts_per_cycle"] == 1.0
    assert found["least_active"] > 0.9
    assert found["in_the_air"] < 0.1


@pytest.mark.parametrize("robot", ["biped", "quadruped"])
def test_separation_grows_towards_the_other_foot_and_beyond_it(robot: str) -> None:
    found = measures("separation")
    assert found[f"{robot}_reference"] < 0.1
    assert 100.0 < found[f"{robot}_on_the_other_foot"] < 0.01 * found[f"{robot}_crossed"]


def test_an_update_moves_forces_steps_and_shares_and_brings_the_pressure_to_its_support() -> None:
    found = measures("update")
    assert found["energy_after"] < 0.2 * found["energy_before"]
    assert found["apart_after_mm"] < 0.3 * found["apart_before_mm"]
    assert min(found["force_change_mps2"], found["share_change"], found["step_change_mm"]) > 0.1


def test_the_response_relative_to_the_base_hardly_depends_on_the_command() -> None:
    found = measures("base")
    assert found["difference_mm"] < 0.3 * found["response_mm"]
    assert found["bases_apart_mm"] > 5.0 * found["response_mm"]


def test_a_foot_rolls_less_about_its_heel_which_is_nearer_to_the_ankle() -> None:
    found = measures("foot-roll")
    assert 5.0 < found["heel_deg"] < found["toes_deg"] < 45.0


def test_an_ankle_rises_before_lift_off_and_higher_than_that_of_a_level_foot() -> None:
    found = measures("ankle-path")
    assert found["highest_mm"] > found["highest_level_mm"] + 20.0
    assert found["on_the_ground_mm"] > 10.0


@pytest.mark.parametrize("robot", ["table", "quadruped", "biped", "crawler"])
def test_no_leg_is_longer_than_98_percent_while_the_heading_turns_by_half_a_circle_and_back(robot: str) -> None:
    found = measures("robots")
    assert found[f"{robot}_reach"] <= 0.98
    assert found[f"{robot}_feet_off_mm"] < 2.0


def test_steps_avoid_unsafe_places_and_stay_apart() -> None:
    found = measures("unsafe")
    assert found["unsafety_with"] < 0.05 * found["unsafety_without"]
    assert found["most_with"] < 0.2
    assert found["most_with"] < found["most_below_soles"] < 1.5
    assert found["feet_apart_m"] > 0.15


def test_notes_name_only_measures_of_their_scenario() -> None:
    for name, figure in FIGURES.items():
        assert set(re.findall(r"`(\w+)`", figure.note)) <= measures(name).keys()


def test_support_points_are_inside_the_true_hull_and_cover_it_but_for_a_margin() -> None:
    found = measures("polygon")
    assert found["outside_hull_mm"] == 0.0
    assert found["largest_error_mm"] < 50.0
    assert found["contact_points_inside_hull"] > 0


def test_the_pressure_follows_its_support_until_a_push_makes_it_leave_the_hull() -> None:
    found = measures("pressure")
    assert found["outside_before_mm"] == 0.0
    assert found["apart_before_mm"] < 10.0
    assert found["outside_after_mm"] > 10.0
    assert found["outside_s"] < 0.5


def test_a_command_at_twice_the_feasible_speed_is_slowed_down() -> None:
    found = measures("slowing")
    assert found["length_ratio"] < 0.5
    assert found["speed_mps"] <= found["feasible_mps"]
    assert found["inside_hull"] == 1.0
    assert found["swing_mps"] <= 3.0
    assert found["reach"] <= 0.98
