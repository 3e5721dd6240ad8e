"""Measures of motions in space that are known in closed form, and their symmetries."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from box_quadruped import FEET, HEIGHT, RADIUS, box_quadruped, moving, product, turns
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial.spatial_pairs import mirror_signs
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.measures import (
    MEASURES,
    SpatialMotion,
    lacking,
    measure_spatial,
    register,
    register_in_space,
    require,
)
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial.spatial_terrain import Block, SpatialTerrain, extruded
from ctrlgraph.terrain.terrain import flat, heights, slope

BOX = box_quadruped()
LEVEL = extruded(flat())
TIME = np.linspace(0.0, 2.0, 201)
STANDING = dict.fromkeys(FEET, np.ones(len(TIME), bool))
WEIGHT = BOX.mass * 9.81


def values(trace: SpatialTrace, terrain: SpatialTerrain = LEVEL) -> dict[str, float]:
    return measure_spatial(trace, BOX, terrain)


def exertions(n: int = len(TIME)) -> dict[str, np.ndarray]:
    """Forces and work of zero."""
    links, joints = len(BOX.links), len(BOX.joints)
    shapes = {"impulse": (n, links, 3), "slip": (n, links), "joint_work": (n, joints, 2)}
    shapes |= {"joint_peak": (n, joints, 3), "mean_peak": (n, 2)}
    return {name: np.zeros(shape) for name, shape in shapes.items()}


# --- where it goes ---


@pytest.mark.parametrize("yaw", [0.0, 0.7, 2.5, -3.0])
def test_speed_and_distance_are_along_and_across_the_heading(yaw: float) -> None:
    """The trunk points to `yaw`, and the character moves ahead at 0.8 m/s and to the left at 0.3 m/s."""
    ahead, left = np.array([np.cos(yaw), np.sin(yaw)]), np.array([-np.sin(yaw), np.cos(yaw)])
    x, y = 0.8 * ahead + 0.3 * left
    found = values(moving(BOX, TIME, path=lambda t: (x * t, y * t, 0.0), turn=turns(yaw=yaw)))
    assert found["distance"] == pytest.approx(1.6)
    assert (found["lateral_distance"], found["path_deviation"]) == pytest.approx((0.6, 0.6))
    assert (found["speed"], found["forward_speed"]) == pytest.approx((0.8, 0.8))
    assert found["lateral_speed"] == pytest.approx(0.3)
    assert found["path_length"] == pytest.approx(2.0 * math.hypot(0.8, 0.3))
    assert (found["com_speed"], found["max_com_speed"]) == pytest.approx((math.hypot(0.8, 0.3),) * 2)
    assert found["heading"] == pytest.approx(yaw)
    assert (found["heading_drift"], found["turn_rate"]) == (0.0, 0.0)


def test_a_circle_is_walked_forward_though_it_leads_nowhere() -> None:
    """Once around a circle of 0.5 m radius to the left in 2 s, starting at the heading 3 rad."""
    yaw = 3.0 + np.pi * TIME
    found = values(moving(BOX, TIME, path=lambda t: (0.5 * np.sin(yaw), -0.5 * np.cos(yaw), 0.0), turn=turns(yaw=yaw)))
    assert found["forward_speed"] == pytest.approx(math.pi / 2, rel=1e-4)
    assert found["lateral_speed"] == pytest.approx(0.0, abs=1e-9)
    assert found["path_length"] == pytest.approx(math.pi, rel=1e-4)
    assert found["distance"] == pytest.approx(0.0, abs=1e-9)
    assert found["path_deviation"] == pytest.approx(1.0)
    assert found["heading_drift"] == pytest.approx(2 * math.pi)
    assert found["turn_rate"] == pytest.approx(math.pi)
    assert found["heading"] == pytest.approx(3.0)


def test_a_path_that_returns_to_its_line_deviated_in_between() -> None:
    found = values(moving(BOX, TIME, path=lambda t: (t, -0.2 * np.sin(np.pi * t / 2), 0.0)))
    assert found["lateral_distance"] == pytest.approx(0.0, abs=1e-12)
    assert found["path_deviation"] == pytest.approx(0.2)


# --- attitude ---


def test_a_pure_roll_tilts_without_pitch_and_heading() -> None:
    found = values(moving(BOX, TIME, turn=turns(roll=0.6 * np.sin(np.pi * TIME / 4))))
    assert [found[name] for name in ("roll", "tilt", "max_tilt")] == pytest.approx([0.6, 0.6, 0.6])
    assert (found["pitch"], found["heading"], found["heading_drift"]) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_the_left_side_is_up_in_a_positive_roll_and_the_front_down_in_a_positive_pitch() -> None:
    rolled, pitched = (moving(BOX, TIME, turn=turns(**{name: 0.3})) for name in ("roll", "pitch"))
    assert rolled.position[0, FEET["FL"], 2] > rolled.position[0, FEET["FR"], 2]
    assert pitched.position[0, FEET["FL"], 2] < pitched.position[0, FEET["HL"], 2]
    assert (values(rolled)["roll"], values(pitched)["pitch"]) == pytest.approx((0.3, 0.3))


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5), st.floats(-3.1, 3.1))
@settings(deadline=None, max_examples=50)
def test_roll_pitch_and_heading_are_the_angles_of_the_rotation(roll: float, pitch: float, yaw: float) -> None:
    found = values(moving(BOX, TIME[:2], turn=turns(roll, pitch, yaw)))
    assert (found["roll"], found["pitch"], found["heading"]) == pytest.approx((roll, pitch, yaw), abs=1e-9)
    assert math.cos(found["tilt"]) == pytest.approx(math.cos(roll) * math.cos(pitch), abs=1e-9)


def test_the_attitude_does_not_depend_on_the_axes_of_the_trunk() -> None:
    trunk = replace(BOX.links[0], orientation=tuple(turns(0.5, -1.0, 2.0)[0]))
    character = replace(BOX, links=(trunk, *BOX.links[1:]))
    found = measure_spatial(moving(character, TIME, turn=turns(0.1, 0.2, 0.3)), character, LEVEL)
    assert [found[name] for name in ("roll", "pitch", "heading")] == pytest.approx([0.1, 0.2, 0.3])


def test_on_its_back_it_is_inverted() -> None:
    assert values(moving(BOX, TIME, turn=turns(roll=3.0)))["inverted"] == pytest.approx(2.0)
    assert values(moving(BOX, TIME, turn=turns(roll=2.5)))["inverted"] == 0.0


# --- heights ---


def test_heights_are_above_the_ground_below() -> None:
    trace = moving(BOX, TIME, path=lambda t: (t, 0.5, 0.1 * np.sin(np.pi * t)))
    com = float(trace.com[0, 2])
    found = values(trace)
    assert [found[f"{name}com_height"] for name in ("", "min_", "max_")] == pytest.approx([com, com - 0.1, com + 0.1])
    assert found["highest_link"] == pytest.approx(HEIGHT)
    sloped = values(trace, extruded(slope(10)))
    assert sloped["com_height"] == pytest.approx(com - 2 * math.tan(math.radians(10)))
    assert sloped["climb"] == pytest.approx(2 * math.tan(math.radians(10)))
    block = SpatialTerrain("block", flat(), blocks=(Block(2.0, 0.5, 0.2, 0.2, 0.15),))
    assert values(trace, block)["com_height"] == pytest.approx(com - 0.15)
    gap = heights([(0, 0), (1.9, 0), (1.9, -1), (2.5, -1), (2.5, 0)])
    assert values(trace, extruded(gap))["com_height"] == pytest.approx(com)


def test_the_height_of_a_foot_counts_while_another_foot_touches() -> None:
    trace = moving(BOX, TIME, contact=STANDING | {"FL": TIME < 1.0})
    swing = 0.08 * np.sin(np.pi * np.clip(TIME - 1.0, 0.0, 1.0))
    trace.pose[:, FEET["FL"], 2] += swing
    found = values(trace)
    assert found["foot_height"] == pytest.approx(RADIUS + 0.1 + 0.08)
    assert found["foot_clearance"] == pytest.approx(0.08)
    trace.contact[:] = False
    assert (values(trace)["foot_height"], values(trace)["foot_clearance"]) == (0.0, 0.0)
    assert values(trace)["max_foot_clearance"] == pytest.approx(0.08)


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5))
@settings(deadline=None, max_examples=20)
def test_the_clearance_is_that_of_the_lowest_end_of_a_capsule(roll: float, pitch: float) -> None:
    trace = moving(BOX, TIME[:2], path=lambda t: (0.0, 0.0, 2.0), turn=turns(roll, pitch))
    motion = SpatialMotion(trace, BOX, LEVEL)
    ends = rotation_matrix(trace.orientation[0, FEET["HL"]]) @ [[0.0, 0.0], [0.0, 0.0], [-0.1, 0.1]]
    lowest = trace.position[0, FEET["HL"], 2] + ends[2].min() - RADIUS
    assert motion.clearances(FEET["HL"]) == pytest.approx([lowest, lowest])


# --- support ---


@pytest.mark.parametrize(("up", "feet"), [(-0.001, 4), (0.0004, 4), (0.0006, 0)])
def test_a_foot_within_half_a_millimetre_of_the_ground_at_the_end_touches_it(up: float, feet: int) -> None:
    assert values(moving(BOX, TIME, path=lambda t: (0.0, 0.0, up)))["feet_contact"] == feet


def test_feet_in_contact_at_the_end_are_counted() -> None:
    contact = STANDING | {"FL": TIME < 1.9, "HR": TIME < 1.985}
    assert values(moving(BOX, TIME, path=lambda t: (0.0, 0.0, 0.1), contact=contact))["feet_contact"] == 3


def test_a_flight_is_the_time_without_any_contact() -> None:
    contact = dict.fromkeys(FEET, (TIME < 0.495) | (TIME > 0.905))
    found = values(moving(BOX, TIME, contact=contact))
    assert found["flight"] == pytest.approx(0.4)
    assert found["flight_share"] == pytest.approx(41 / 201)


def test_loads_and_slip_are_those_of_the_forces() -> None:
    done = exertions()
    for foot, share in zip(FEET.values(), (0.1, 0.2, 0.3, 0.3), strict=True):
        done["impulse"][:, foot, 2] = share * WEIGHT * 0.01
    done["impulse"][:, 0, 2] = 0.1 * WEIGHT * 0.01
    done["impulse"][:, :, 0] = 5.0  # not vertical
    done["slip"][1:101, FEET["HL"]] = 0.0005
    done["slip"][1:101, 0] = 0.001
    found = values(moving(BOX, TIME, contact=STANDING, **done))
    assert (found["feet_load"], found["trunk_load"]) == pytest.approx((0.9, 0.1))
    assert (found["feet_slip"], found["slip"]) == pytest.approx((0.05, 0.1))


def test_an_impact_is_in_body_weights() -> None:
    done = exertions()
    done["mean_peak"][:, 0] = WEIGHT
    done["mean_peak"][77, 0] = 3.5 * WEIGHT
    assert values(moving(BOX, TIME, **done))["impact"] == pytest.approx(3.5)


# --- joints ---


def test_power_and_cost_of_transport_are_those_of_the_work() -> None:
    """2 J of positive and 1 J of negative work per sample, over 1.5 m ahead, and 2 m to the left."""
    done = exertions()
    done["joint_work"][:, 3] = [2.0, 1.0]
    done["mean_peak"][50, 1] = 600.0
    done["joint_peak"][50, 4] = [7.0, 20.0, 25.0]
    found = values(moving(BOX, TIME, path=lambda t: (0.75 * t, t, 0.0), turn=turns(yaw=0.3), **done))
    assert found["mean_power"] == pytest.approx(200 / BOX.mass)
    assert found["peak_power"] == pytest.approx(600 / BOX.mass)
    assert found["cost_of_transport"] == pytest.approx(600 / (WEIGHT * 2.5))
    assert (found["peak_joint_speed"], found["peak_torque"]) == (7.0, 25.0)


def test_forces_and_work_are_unknown_in_a_trace_that_was_read_from_a_file() -> None:
    found = values(moving(BOX, TIME))
    needed = {name for name, each in MEASURES.items() if each.exertions and each.moves != "plane"}
    assert {name for name in needed if not math.isnan(found.get(name, math.nan))} == set()


def test_the_excess_of_a_joint_beyond_its_limit_is_measured() -> None:
    trace = moving(BOX, TIME)
    assert values(trace)["limit_excess"] == 0.0
    trace.joint_angle[50, 0] = -0.95  # the lower limit of the abduction is -0.8
    assert values(trace)["limit_excess"] == pytest.approx(0.15)


def test_it_has_settled_since_centre_of_mass_and_joints_came_to_rest() -> None:
    trace = moving(BOX, TIME, path=lambda t: (0.3 * np.minimum(t, 0.5), 0.0, 0.0))
    assert values(trace)["settle"] == pytest.approx(1.5, abs=0.021)
    trace.joint_angle[:, 2] = np.minimum(TIME, 1.2)
    assert values(trace)["settle"] == pytest.approx(0.8, abs=0.021)


# --- symmetries ---


def wandering(seed: int) -> SpatialTrace:
    """A smooth random motion with forces. No two feet strike at the same time."""
    rng = np.random.default_rng(seed)
    time = np.arange(120) * 0.01
    waves = rng.normal(0.0, 0.3, (6, 3)) @ np.sin(np.outer(rng.uniform(1.0, 6.0, 3), time) + 1.0)
    trace = moving(
        BOX, time, path=lambda t: (waves[0] + t, waves[1], 0.1 * waves[2]), turn=turns(waves[3], waves[4] / 2, waves[5])
    )
    done = exertions(len(time))
    for array in done.values():
        array[...] = rng.exponential(0.1, array.shape)
    trace.joint_angle[:] = np.cumsum(rng.normal(0.0, 0.05, trace.joint_angle.shape), axis=0)
    for i in range(len(BOX.links)):
        blocks = np.repeat(rng.random(15) < 0.6, len(BOX.links))
        trace.contact[:, i] = blocks[i : i + len(time)]
        done["impulse"][~trace.contact[:, i], i] = 0.0
    return replace(trace, **done)


def same(found: dict[str, float], expected: dict[str, float]) -> None:
    """Assert that values agree, angles on the circle."""
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        difference = found[name] - value
        difference = math.remainder(difference, math.tau) if MEASURES[name].circular else difference
        assert difference == pytest.approx(0.0, abs=1e-7) or (math.isnan(found[name]) and math.isnan(value)), name


@given(st.integers(0, 10**6), st.floats(-3.0, 3.0))
@settings(deadline=None, max_examples=30)
def test_a_rotation_of_the_motion_about_the_vertical_changes_only_the_heading(seed: int, angle: float) -> None:
    trace = wandering(seed)
    spin = turns(yaw=angle)[0]
    turn, pose = rotation_matrix(spin), trace.pose.copy()
    pose[:, :, :3] = pose[:, :, :3] @ turn.T
    pose[:, :, 3:] = product(spin, pose[:, :, 3:])
    rotated = replace(
        trace,
        pose=pose,
        com=trace.com @ turn.T,
        com_velocity=trace.com_velocity @ turn.T,
        impulse=trace.impulse @ turn.T,
    )
    expected = values(trace)
    same(values(rotated), expected | {"heading": expected["heading"] + angle})


SIDED = {"roll", "heading", "heading_drift", "turn_rate", "lateral_speed", "lateral_distance"}
SIDED |= {"front_phase", "hind_phase"}


@given(st.integers(0, 10**6))
@example(185624)  # phases that cancel each other
@settings(deadline=None, max_examples=30)
def test_the_mirror_image_changes_the_sign_of_lateral_measures_only(seed: int) -> None:
    trace = wandering(seed)
    links, joints, image = list(BOX.opposite_links), list(BOX.opposite_joints), np.array([1.0, -1.0, 1.0])
    mirrored = replace(
        trace,
        pose=trace.pose[:, links] * [*image, 1.0, -1.0, 1.0, -1.0],  # an axis of rotation is a pseudovector
        joint_angle=trace.joint_angle[:, joints] * mirror_signs(BOX),
        contact=trace.contact[:, links],
        com=trace.com * image,
        com_velocity=trace.com_velocity * image,
        impulse=trace.impulse[:, links] * image,
        slip=trace.slip[:, links],
        joint_work=trace.joint_work[:, joints],
        joint_peak=trace.joint_peak[:, joints],
    )
    expected = {name: -value if name in SIDED else value for name, value in values(trace).items()}
    same(values(mirrored), expected)


# --- the registry ---


def test_every_measure_in_space_is_computed_if_the_character_has_the_roles() -> None:
    absent = {name for name, each in MEASURES.items() if each.exists_for(BOX) and each.missing(BOX)}
    assert absent == {"head_height", "hands_contact", "hands_load", "shins_contact", "shins_load", "shins_share"}
    assert values(wandering(0)).keys() == {name for name, each in MEASURES.items() if each.exists_for(BOX)} - absent


def test_an_empty_trace_has_no_measures() -> None:
    assert values(moving(BOX, TIME).between(5, 6)) == {}


def test_a_measure_of_the_other_kind_of_motion_is_refused_with_a_sentence(humanoid) -> None:
    told = "'torso' cannot be measured: it exists only in the plane, and the character box is spatial"
    assert lacking(["torso", "com_height", "roll"], BOX) == {"torso": told}
    told = "'roll' cannot be measured: it exists only in space, and the character humanoid is planar"
    assert lacking(["torso", "com_height", "roll"], humanoid) == {"roll": told}
    with pytest.raises(CtrlGraphError) as error:
        require(["torso"], BOX)
    assert str(error.value).endswith("is spatial (`ctrlgraph measures` lists the measures that the character can have)")


def test_a_measure_that_needs_more_legs_is_refused_with_a_sentence() -> None:
    biped = replace(BOX, roles=replace(BOX.roles, legs=BOX.roles.legs[:2]))
    told = "'diagonal_phase' cannot be measured: the character box has 2 of 4 legs"
    assert lacking(["diagonal_phase"], biped) == {"diagonal_phase": told}
    assert "diagonal_phase" not in measure_spatial(moving(biped, TIME), biped, LEVEL)


def test_errors_of_a_registration_in_space_are_reported() -> None:
    def impact(motion) -> float:
        """Return the impact once more."""
        return 0.0

    def torso(motion) -> float:
        """Return the angle of the trunk."""
        return 0.0

    def tailed(motion) -> float:
        """Return the number of tails."""
        return 0.0

    with pytest.raises(CtrlGraphError, match="there is already a measure 'impact' in space: choose another name"):
        register_in_space(unit="1", sampled="course")(impact)
    with pytest.raises(
        CtrlGraphError, match="the measure 'torso' in the plane has the unit 'rad' and is sampled 'end'"
    ):
        register_in_space(unit="m", sampled="end")(torso)
    with pytest.raises(CtrlGraphError, match=r"'tailed' needs the unknown role 'tails': use head, .*, legs"):
        register_in_space(unit="1", sampled="end", needs={"tails": 1})(tailed)
    with pytest.raises(CtrlGraphError, match="'tailed' needs the unknown role 'legs'"):
        register(unit="1", sampled="end", needs={"legs": 1})(tailed)
    assert "tailed" not in MEASURES and MEASURES["torso"].moves == "plane"
