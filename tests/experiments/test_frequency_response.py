"""The frequency response of two bodies on a hinge is that of linear theory, and a character's is near it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ctrlgraph.character.yaml_reader import load_character, parse_character
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.frequency_response import (
    expected_response,
    frequency_response,
    listed_numbers,
    reduced_inertia,
    write_response,
)

BIPED = Path(__file__).parents[2] / "projects" / "biped" / "characters" / "biped.yaml"

ROTOR = """
name: rotor
links:
  base: {mass: 5, size: [.6, .6], at: [0, 0], contacts: [[0, 0, .1]]}
  disc: {mass: 2, size: [.5, .5], at: [%s]}
joints:
  axle: {parent: base, child: disc, at: [%s], limits: [-3, 3], torque: [500, 500]}
"""


def rotor(disc: str = "0, 0", axle: str = "0, 0"):
    return parse_character(ROTOR % (disc, axle), "rotor.yaml")


def test_two_discs_on_one_axle_turn_their_reduced_inertia() -> None:
    first, second = (link.inertia for link in rotor().links)
    assert reduced_inertia(rotor(), "axle") == pytest.approx(first * second / (first + second))


def test_a_rod_that_swings_on_a_heavy_base_turns_its_inertia_about_the_hinge() -> None:
    """With a base that nothing moves, the reduced inertia is I + m d^2."""
    heavy = parse_character((ROTOR % (".3, -.4", "0, 0")).replace("mass: 5", "mass: 10000"), "rotor.yaml")
    disc = heavy.links[1]
    assert reduced_inertia(heavy, "axle") == pytest.approx(disc.inertia + 2 * 0.25, rel=3e-3)


def test_far_below_the_resonance_the_joint_follows_and_at_it_a_light_damper_lets_it_swing() -> None:
    inertia, kp = 0.5, 50.0
    gain, lag = expected_response(inertia, kp, 0.1, 0.01)
    assert (gain, lag) == pytest.approx((1.0, 0.0), abs=1e-3)
    resonance = math.sqrt(kp / inertia) / (2 * math.pi)
    gain, lag = expected_response(inertia, kp, 0.1, resonance)
    assert gain == pytest.approx(kp / (0.1 * 2 * math.pi * resonance), rel=1e-3)
    assert lag == pytest.approx(90, abs=2)


@pytest.mark.parametrize("places", [("0, 0", "0, 0"), (".1, -.3", "0, -.2")])
def test_the_engine_gives_the_gain_and_lag_of_linear_theory(places: tuple[str, str]) -> None:
    """An engine acts at the end of each step, so that it may lag by one step more."""
    dt = 0.0005
    found = list(
        frequency_response(
            rotor(*places), "axle", frequencies=[0.5, 2.0, 4.0], gains=[(10, 1), (20, 0.5)], amplitude=0.03, dt=dt
        )
    )
    assert [(point.kp, point.frequency) for point in found] == [(k, f) for k in (10, 20) for f in (0.5, 2.0, 4.0)]
    for point in found:
        assert point.gain == pytest.approx(point.expected_gain, rel=0.01)
        step = 360 * point.frequency * dt
        assert point.expected_lag - 0.5 < point.lag < point.expected_lag + step + 0.5
        assert point.distortion < 0.01
        assert point.saturation == 0.0


def test_a_torque_limit_that_is_reached_is_reported() -> None:
    weak = parse_character((ROTOR % ("0, 0", "0, 0")).replace("[500, 500]", "[1, 1]"), "rotor.yaml")
    (point,) = frequency_response(weak, "axle", frequencies=[2.0], gains=[(50, 5)])
    assert point.saturation > 0.5
    assert point.gain < 0.8 * point.expected_gain


def test_the_hip_of_the_biped_is_stiffer_with_more_kp() -> None:
    """At kp/kd = 10, as the source keeps it."""
    biped = load_character(BIPED)
    soft, stiff = frequency_response(biped, "rHip", frequencies=[1.0], gains=[(200, 20), (1600, 160)])
    assert soft.lag > 3 * stiff.lag > 0
    assert stiff.gain == pytest.approx(stiff.expected_gain, rel=0.02)
    assert soft.gain > 1.3 > 1.1 > stiff.gain


def test_a_joint_whose_range_is_one_sided_swings_about_its_middle() -> None:
    (point,) = frequency_response(load_character(BIPED), "rKnee", frequencies=[1.0], gains=[(800, 80)])
    assert point.gain == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"joint": "axel"}, r"^the character rotor has no joint 'axel'; did you mean 'axle'\?$"),
        ({"amplitude": 4.0}, r"^axle goes from -3 to 3 rad: an amplitude of 4 does not fit$"),
        ({"amplitude": -1.0}, r"^the amplitude must be above 0 rad, not -1$"),
        (
            {"frequencies": [60.0]},
            r"^a frequency must be above 0 and at most 50 Hz \(ten time steps a cycle\), not 60$",
        ),
    ],
)
def test_what_cannot_be_driven_is_refused(asked: dict[str, object], message: str) -> None:
    with pytest.raises(CtrlGraphError, match=message):
        list(frequency_response(rotor(), **({"joint": "axle", "frequencies": [1.0], "gains": [(10, 1)]} | asked)))


def test_numbers_are_listed_or_counted_through() -> None:
    assert listed_numbers("the frequencies", "0.5:1:0.25") == [0.5, 0.75, 1.0]
    assert listed_numbers("the frequencies", "2,1") == [2.0, 1.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0:1:0.5", "the frequencies must be FROM:TO:STEP or NUMBER,NUMBER..., all above 0, not '0:1:0.5'"),
        ("a", "the frequencies must be FROM:TO:STEP or NUMBER,NUMBER..., all above 0, not 'a'"),
        ("2:1:0.5", "the frequencies go from 2 up to 1: that is down"),
        ("1:1e9:1e-9", "the frequencies are more than 1000"),
    ],
)
def test_other_texts_are_no_numbers(text: str, message: str) -> None:
    with pytest.raises(CtrlGraphError) as raised:
        listed_numbers("the frequencies", text)
    assert str(raised.value) == message


def test_the_table_has_a_row_for_each_point(tmp_path: Path) -> None:
    found = list(frequency_response(rotor(), "axle", frequencies=[1.0, 2.0], gains=[(10, 1)], amplitude=0.05))
    write_response(found, tmp_path / "axle.csv")
    header, *rows = (tmp_path / "axle.csv").read_text().splitlines()
    assert header.startswith("kp,kd,frequency,gain,lag,")
    assert [row.split(",")[2] for row in rows] == ["1.0", "2.0"]
