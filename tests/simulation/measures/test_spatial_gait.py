"""Gaits of quadrupeds with prescribed contacts are measured and named as in the literature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from box_quadruped import FEET, box_quadruped, gait_contacts, moving, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.simulation.measures import GAITS, SpatialMotion, classify_gait, footfall_sequence, measures_of
from ctrlgraph.terrain.spatial.spatial_terrain import extruded
from ctrlgraph.terrain.terrain import flat

BOX = box_quadruped()
TIME = np.arange(0.0, 4.0, 0.01)

WALK = {"HL": 0.0, "FL": 0.25, "HR": 0.5, "FR": 0.75}
"""Lateral sequence, the feet one by one."""
DIAGONAL_WALK = {"HL": 0.0, "FR": 0.25, "HR": 0.5, "FL": 0.75}
TROT = {"HL": 0.0, "FR": 0.0, "HR": 0.5, "FL": 0.5}
PACE = {"HL": 0.0, "FL": 0.0, "HR": 0.5, "FR": 0.5}
BOUND = {"HL": 0.0, "HR": 0.0, "FL": 0.5, "FR": 0.5}
HALF_BOUND = {"HL": 0.0, "HR": 0.0, "FL": 0.4, "FR": 0.55}
TRANSVERSE = {"HL": 0.0, "HR": 0.15, "FL": 0.5, "FR": 0.65}
ROTARY = {"HL": 0.0, "HR": 0.15, "FR": 0.5, "FL": 0.65}
PRONK = dict.fromkeys(FEET, 0.0)

NAMED = [
    ("walk", WALK, 0.7),
    ("walk", DIAGONAL_WALK, 0.6),
    ("amble", WALK, 0.4),
    ("trot", TROT, 0.6),
    ("trot", TROT, 0.4),
    ("pace", PACE, 0.5),
    ("bound", BOUND, 0.3),
    ("half-bound", HALF_BOUND, 0.3),
    ("transverse gallop", TRANSVERSE, 0.3),
    ("rotary gallop", ROTARY, 0.3),
    ("pronk", PRONK, 0.4),
]


def motion_of(phases: dict[str, float], duty: float, stride: float = 0.4, *, speed: float = 0.0) -> SpatialMotion:
    contact = gait_contacts(TIME, phases, duty, stride)
    return SpatialMotion(
        moving(BOX, TIME, path=lambda t: (speed * t, 0.0, 0.0), contact=contact), BOX, extruded(flat())
    )


def apart(angle: float, other: float) -> float:
    return abs(math.remainder(angle - other, math.tau))


@pytest.mark.parametrize(("name", "phases", "duty"), NAMED)
def test_a_gait_is_named_by_its_contacts(name: str, phases: dict[str, float], duty: float) -> None:
    motion = motion_of(phases, duty)
    assert classify_gait(motion) == name
    assert name in GAITS
    assert measures_of(motion)["duty_factor"] == pytest.approx(duty, abs=0.026)


@pytest.mark.parametrize(("name", "phases", "duty"), NAMED)
@given(shift=st.floats(0.0, 1.0), seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=15)
def test_the_name_depends_neither_on_the_start_nor_on_small_errors(name, phases, duty, shift, seed) -> None:
    error = np.random.default_rng(seed).uniform(-0.02, 0.02, 4)
    phases = {foot: phase + shift + e for (foot, phase), e in zip(phases.items(), error, strict=True)}
    assert classify_gait(motion_of(phases, duty, 0.8)) == name


@pytest.mark.parametrize(
    ("phases", "ipsilateral", "diagonal", "front", "hind"),
    [
        (WALK, 0.25, -0.25, 0.5, 0.5),
        (DIAGONAL_WALK, -0.25, 0.25, 0.5, 0.5),
        (TROT, 0.5, 0.0, 0.5, 0.5),
        (PACE, 0.0, 0.5, 0.5, 0.5),
        (BOUND, 0.5, 0.5, 0.0, 0.0),
        (TRANSVERSE, 0.5, 0.5, -0.15, -0.15),
        (ROTARY, 0.5, 0.5, 0.15, -0.15),
        (PRONK, 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_phases_are_those_of_the_strikes(phases, ipsilateral, diagonal, front, hind) -> None:
    values = measures_of(motion_of(phases, 0.4))
    expected = {"ipsilateral": ipsilateral, "diagonal": diagonal, "front": front, "hind": hind}
    for name, share in expected.items():
        assert apart(values[f"{name}_phase"], math.tau * share) < math.tau * 0.013, name


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        (WALK, "hind left, front left, hind right, front right"),
        (TROT, "hind left + front right, front left + hind right"),
        (PACE, "front left + hind left, front right + hind right"),
        (BOUND, "hind left + hind right, front left + front right"),
        (ROTARY, "hind left, hind right, front right, front left"),
    ],
)
def test_the_footfall_sequence_begins_with_the_left_hind_foot(phases: dict[str, float], expected: str) -> None:
    found = footfall_sequence(motion_of(phases, 0.4))
    assert [set(group) for group in found] == [set(group.split(" + ")) for group in expected.split(", ")]


def test_strides_have_a_length_and_a_frequency() -> None:
    values = measures_of(motion_of(TROT, 0.5, 0.4, speed=1.5))
    assert values["stride_frequency"] == pytest.approx(2.5)
    assert values["stride_length"] == pytest.approx(0.6)
    assert measures_of(motion_of(WALK, 0.7, 0.4))["cadence"] == pytest.approx(10.0, rel=0.1)


def test_the_length_of_a_stride_is_along_the_heading() -> None:
    """The character walks backward along y, with its head to -y."""
    trace = moving(
        BOX,
        TIME,
        path=lambda t: (0.0, 1.5 * t, 0.0),
        turn=turns(yaw=-np.pi / 2),
        contact=gait_contacts(TIME, TROT, 0.5, 0.4),
    )
    values = measures_of(SpatialMotion(trace, BOX, extruded(flat())))
    assert values["stride_length"] == pytest.approx(-0.6)


def test_a_foot_that_bounces_while_it_stands_makes_no_stride() -> None:
    contact = gait_contacts(TIME, TROT, 0.6, 0.4)
    clean = motion_of(TROT, 0.6)
    for foot, mask in contact.items():
        contact[foot] = mask & ~((TIME / 0.4 - TROT[foot] + 1e-6) % 1.0 > 0.2) | mask & (
            (TIME * 100).astype(int) % 7 > 0
        )
    bouncing = SpatialMotion(moving(BOX, TIME, contact=contact), BOX, extruded(flat()))
    assert classify_gait(bouncing) == "trot"
    assert measures_of(bouncing)["stride_frequency"] == pytest.approx(measures_of(clean)["stride_frequency"])


@pytest.mark.parametrize(("touch", "strides"), [(0.05, 1), (0.07, 2)])
def test_a_foot_that_touches_the_ground_for_a_moment_within_a_swing_does_not_strike(touch: float, strides: int) -> None:
    """Each left hind foot leaves the ground, touches it again for a time, and then swings."""
    contact = gait_contacts(TIME, WALK, 0.6, 0.8)
    clean = motion_of(WALK, 0.6, 0.8)
    since = (TIME + 1e-6) % 0.8
    contact["HL"] = contact["HL"] | (since > 0.54) & (since < 0.54 + touch)
    motion = SpatialMotion(moving(BOX, TIME, contact=contact), BOX, extruded(flat()))
    foot = FEET["HL"]
    assert len(motion.strikes[foot]) in (strides * len(clean.strikes[foot]), strides * len(clean.strikes[foot]) + 1)
    if strides == 1:
        assert classify_gait(motion) == "walk"
        for name in ("hind_phase", "ipsilateral_phase", "stride_frequency", "cadence", "duty_factor"):
            assert measures_of(motion)[name] == pytest.approx(measures_of(clean)[name], abs=1e-6), name


def test_standing_and_flying_have_no_gait() -> None:
    for duty, always in ((1.0, 1.0), (0.0, 0.0)):
        motion = motion_of(TROT, duty)
        values = measures_of(motion)
        assert values["duty_factor"] == always
        assert math.isnan(values["diagonal_phase"]) and math.isnan(values["front_phase"])
        assert (classify_gait(motion), footfall_sequence(motion)) == ("unknown", ())


def test_strides_that_are_not_alike_have_no_gait() -> None:
    contact = gait_contacts(TIME, TROT, 0.5, 0.4) | gait_contacts(TIME, {"FL": 0.0}, 0.5, 0.8)
    slower = SpatialMotion(moving(BOX, TIME, contact=contact), BOX, extruded(flat()))
    assert classify_gait(slower) == "unknown"
    contact |= gait_contacts(TIME, {"FL": 0.0}, 0.5, 0.43)  # the phase drifts
    drifting = SpatialMotion(moving(BOX, TIME, contact=contact), BOX, extruded(flat()))
    assert classify_gait(drifting) == "unknown"
