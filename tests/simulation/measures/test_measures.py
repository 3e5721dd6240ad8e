"""Measures of motions that are known in closed form."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.simulation.measures import BOUNDS, MEASURES, arc, broken, measure, overshoot, range_text
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain, boxes, flat, heights, slope, stairs


@pytest.fixture
def trace_of(humanoid):
    """A trace of n samples over `duration` from functions of time; links are `up` above where the reference pose has
    them."""

    def make(
        duration=2.0, n=201, *, com=lambda t: (0 * t, 0 * t + 1), torso=lambda t: 0 * t, contact=None, up=0.01
    ) -> Trace:
        time = np.linspace(0, duration, n)
        com_xy = np.stack(com(time), axis=1)
        links = np.array([(link.x, link.y + up) for link in humanoid.links])
        touching = np.zeros((n, len(links)), bool)
        for name, when in (contact or {}).items():
            touching[:, humanoid.link_index(name)] = when(time)
        return Trace(
            time=time,
            position=np.repeat(links[None], n, axis=0) + np.stack([com_xy[:, 0], 0 * time], axis=1)[:, None, :],
            angle=np.repeat(torso(time)[:, None], len(links), axis=1),
            contact=touching,
            com=com_xy,
            com_velocity=np.gradient(com_xy, time, axis=0),
            phase=np.zeros(n, np.int64),
            energy=np.zeros(n),
        )

    return make


def test_every_measure_is_computed_and_described(trace_of, humanoid) -> None:
    planar = {name for name, each in MEASURES.items() if each.moves != "space"}
    assert set(measure(trace_of(), humanoid, flat())) == planar
    assert set(BOUNDS) <= set(MEASURES)


def test_an_empty_trace_has_no_measures(trace_of, humanoid) -> None:
    assert measure(trace_of().between(5, 6), humanoid, flat()) == {}


def test_a_uniform_walk(trace_of, humanoid) -> None:
    always = {"rFoot": lambda t: t >= 0}
    values = measure(trace_of(4.0, com=lambda t: (1.5 * t + 2, 0 * t + 0.9), contact=always), humanoid, flat())
    assert values["distance"] == pytest.approx(6.0)
    assert values["duration"] == pytest.approx(4.0)
    assert (values["speed"], values["com_speed"]) == pytest.approx((1.5, 1.5))
    assert [values[f"{name}com_height"] for name in ("", "min_", "max_")] == pytest.approx([0.9, 0.9, 0.9])
    assert values["feet_contact"] == 1
    assert values["flight"] == values["flight_share"] == 0.0


def test_an_obstacle_is_crossed_when_all_feet_were_before_and_are_behind_it(trace_of, humanoid) -> None:
    def crossed(way: float, ground: Terrain) -> float:
        trace = trace_of(com=lambda t: (t / 2 * way, 0 * t + 1))
        return measure(trace, humanoid, ground)["crossed"]

    gap = heights([(0.5, 0), (0.5, -1), (0.9, -1), (0.9, 0)])
    feet = [link.x for link in humanoid.links if link.name in ("rFoot", "lFoot")]
    to_the_far_rim = 0.9 - min(feet)
    assert crossed(to_the_far_rim + 0.01, gap) == 1.0
    assert crossed(to_the_far_rim - 0.01, gap) == 0.0
    assert crossed(0.0, gap) == 0.0  # a gap ahead
    behind = heights([(-0.9, 0), (-0.9, -1), (-0.5, -1), (-0.5, 0)])
    assert crossed(2.0, behind) == crossed(-2.0, behind) == 0.0  # nor one from which it comes, nor to which backward
    assert crossed(2.0, flat()) == 0.0
    assert crossed(2.0, stairs(1, 3, 0.3, 0.15)) == 3.0
    assert crossed(1.5 - min(feet), boxes([(0.5, 0.5, 0.1)])) == 2.0  # up and down


def test_stairs_foot_over_foot_have_one_foot_on_each_tread(trace_of, humanoid) -> None:
    ground = stairs(1, 4, 0.3, -0.15)
    feet = [humanoid.link_index(name) for name in ("rFoot", "lFoot")]

    def share(right: list[float], left: list[float]) -> float:
        """Let each foot stand at these places one after the other, and return the share of treads with one foot."""
        trace = trace_of(com=lambda t: (2 * t, 0 * t + 1))
        position, contact = trace.position.copy(), trace.contact.copy()
        for foot, places in zip(feet, (right, left), strict=True):
            position[:, foot, 0] = np.repeat(places, -(-len(trace.time) // len(places)))[: len(trace.time)]
            contact[:, foot] = True
        return measure(replace(trace, position=position, contact=contact), humanoid, ground)["one_foot_treads"]

    assert share([0, 1.15, 1.75], [0.5, 1.45, 2.1]) == 1.0
    assert share([0, 1.15, 1.45, 2.1], [0, 1.15, 1.75, 2.1]) == pytest.approx(2 / 3)  # both feet on the first tread
    assert share([0, 1.15, 2.1], [0, 1.75, 2.1]) == pytest.approx(2 / 3)  # no foot on the second one
    assert share([0, 1.15], [0, 1.45]) == 0.0  # no tread is behind both feet


def test_the_level_changes_at_rises_and_drops_but_not_on_slopes_and_over_gaps(trace_of, humanoid) -> None:
    def change(terrain: Terrain, *, backward: bool = False) -> float:
        trace = trace_of(com=lambda t: (3 - 1.5 * t if backward else 1.5 * t, 0 * t + 1))
        return measure(trace, humanoid, terrain)["level_change"]

    assert change(slope(5)) == 0.0
    assert change(stairs(1, 2, 0.5, 0.15)) == pytest.approx(0.3)
    assert change(stairs(1, 2, 0.5, 0.15), backward=True) == pytest.approx(-0.3)
    assert change(heights([(0, 0), (2, 0.1), (2, 0.25), (4, 0.35)])) == pytest.approx(0.15)
    assert change(heights([(0, 0), (2.5, 0), (2.5, -1), (2.9, -1), (2.9, 0)])) == 0.0
    assert change(boxes([(1, 0.1, 0.2)])) == 0.0


def test_a_backward_somersault_in_a_jump(trace_of, humanoid) -> None:
    """Off the ground from 0.5 to 1.5 s, turning at 2 pi rad/s in between and standing before and after."""
    grounded = {name: lambda t: (t < 0.495) | (t > 1.505) for name in ("rFoot", "lFoot")}
    values = measure(
        trace_of(
            torso=lambda t: -2 * np.pi * np.clip(t - 0.5, 0, 1),
            com=lambda t: (0 * t, 1 + 4.9 * np.clip((t - 0.5) * (1.5 - t), 0, None)),
            contact=grounded,
        ),
        humanoid,
        flat(),
    )
    assert values["turned"] == pytest.approx(-2 * math.pi)
    assert values["flight_turned"] == pytest.approx(-2 * math.pi)
    assert values["torso"] == pytest.approx(0.0, abs=1e-9)
    assert values["flight"] == pytest.approx(1.0, abs=0.021)
    assert values["flight_share"] == pytest.approx(0.5, abs=0.01)
    assert values["max_com_height"] == pytest.approx(1 + 4.9 / 4)


def test_a_turn_in_flight_counts_as_long_as_both_feet_are_off_the_ground(trace_of, humanoid) -> None:
    """A hand that touches ends the flight but not the turn in the air."""
    contact = {"rFoot": lambda t: (t < 0.5) | (t > 1.5), "rHand": lambda t: (t > 1.2) & (t < 1.3)}
    values = measure(trace_of(torso=lambda t: t, contact=contact), humanoid, flat())
    assert values["flight"] == pytest.approx(0.7, abs=0.021)
    assert values["flight_turned"] == pytest.approx(1.0, abs=0.021)


def _steps(right, left):
    """Contact of both feet over time: each touches while its phase of a 1 s cycle is within the range."""
    return {
        "rFoot": lambda t: (t % 1 >= right[0]) & (t % 1 < right[1]),
        "lFoot": lambda t: (t % 1 >= left[0]) & (t % 1 < left[1]),
    }


def test_a_flight_that_ends_on_its_own_foot_is_a_hop(trace_of, humanoid) -> None:
    """The right foot stands, leaves the ground for 0.2 s, lands again, and only then the left foot takes over."""
    feet = {"rFoot": lambda t: (t < 0.405) | ((t > 0.605) & (t < 1.0)), "lFoot": lambda t: t >= 0.905}
    assert measure(trace_of(contact=feet), humanoid, flat())["hop_share"] == 1.0


def test_leaps_from_foot_to_foot_and_jumps_with_both_are_no_hops(trace_of, humanoid) -> None:
    leaps, jumps = _steps((0.005, 0.305), (0.505, 0.805)), _steps((0.005, 0.505), (0.005, 0.505))
    for contact in (leaps, jumps):
        values = measure(trace_of(contact=contact), humanoid, flat())
        assert values["flight_share"] > 0.3
        assert values["hop_share"] == 0.0


def test_steps_are_strikes_of_one_foot_after_the_other(trace_of, humanoid) -> None:
    """Right down at 0 (it stands), 1 and 2 s, left at 0.5 and 1.5 s: four steps."""
    walk = {"rFoot": lambda t: (t % 1) < 0.605, "lFoot": lambda t: ((t + 0.5) % 1) < 0.605}
    values = measure(trace_of(2.4, 241, contact=walk), humanoid, flat())
    assert values["steps"] == 4
    assert values["cadence"] == pytest.approx(4 / 2.4)


def test_hops_on_one_foot_are_one_step_and_a_foot_that_bounces_takes_none(trace_of, humanoid) -> None:
    hops = {"rFoot": lambda t: (t % 0.5) > 0.105, "lFoot": lambda t: t < 0}
    assert measure(trace_of(contact=hops), humanoid, flat())["steps"] == 1
    bounce = {"rFoot": lambda t: (t < 0.505) | (t > 0.535), "lFoot": lambda t: t >= 0}
    assert measure(trace_of(contact=bounce), humanoid, flat())["steps"] == 0


def _moved(trace: Trace, y: np.ndarray) -> Trace:
    """The trace with all links raised by y."""
    position = trace.position + np.stack([0 * y, y], axis=1)[:, None, :]
    return Trace(**{**trace.__dict__, "position": position})


def test_a_fall_gains_no_energy_and_a_lift_gains_weight_times_height(trace_of, humanoid) -> None:
    trace = trace_of(1.0, 101)
    fall = _moved(trace, -0.5 * 9.81 * trace.time**2)
    assert measure(fall, humanoid, flat())["energy_rise"] == pytest.approx(0.0, abs=1e-6)
    lifted = _moved(trace, 0.3 * trace.time)
    assert measure(lifted, humanoid, flat())["energy_rise"] == pytest.approx(humanoid.mass * 9.81 * 0.3, rel=0.02)
    assert measure(fall, humanoid, flat(), gravity=0.0)["energy_rise"] > 1000


def test_an_inelastic_impact_loses_energy_and_gains_none(trace_of, humanoid) -> None:
    trace = trace_of(1.0, 101)
    landed = _moved(trace, -0.5 * 9.81 * np.minimum(trace.time, 0.515) ** 2)
    assert measure(landed, humanoid, flat())["energy_rise"] == pytest.approx(0.0, abs=1e-6)


def test_the_excess_of_a_joint_beyond_its_limit_is_measured(trace_of, humanoid) -> None:
    trace = trace_of()
    assert measure(trace, humanoid, flat())["limit_excess"] == 0.0
    shin = humanoid.link_index("rShin")
    trace.angle[50, shin] = -0.3  # the knee's lower limit is -0.05
    values = measure(trace, humanoid, flat())
    assert values["limit_excess"] >= 0.25 - 1e-9


def test_the_highest_link_of_a_standing_character_is_the_head(trace_of, humanoid) -> None:
    head = humanoid.links[humanoid.link_index("head")]
    assert measure(trace_of(), humanoid, flat())["highest_link"] == pytest.approx(head.y + 0.01)


def test_a_foot_that_scrapes_makes_no_hop(trace_of, humanoid) -> None:
    values = measure(trace_of(contact={"rFoot": lambda t: (t < 0.505) | (t > 0.535)}), humanoid, flat())
    assert (values["flight"] > 0.0, values["hop_share"]) == (True, 0.0)


def test_the_hands_support_while_no_foot_touches(trace_of, humanoid) -> None:
    contact = {
        "rFoot": lambda t: (t < 0.605) | (t > 1.405),
        "rHand": lambda t: (t > 0.395) & (t < 1.005),
        "lHand": lambda t: (t > 0.795) & (t < 1.205),
    }
    values = measure(trace_of(contact=contact), humanoid, flat())
    assert values["hands_support"] == pytest.approx(0.6, abs=0.021)


@pytest.mark.parametrize(
    ("foot", "hand", "expected"),
    [
        (lambda t: t < 0.205, lambda t: (t < 1.005) | (t > 1.035), 1.79),  # the hand bounces
        (lambda t: t < 0.205, lambda t: (t < 1.005) | (t > 1.065), 0.94),  # it is lifted
        (lambda t: (t < 0.205) | ((t > 1.005) & (t < 1.035)), lambda t: (t < 1.005) | (t > 1.035), 0.96),  # on a foot
    ],
)
def test_a_hand_that_bounces_supports_on(foot, hand, expected, trace_of, humanoid) -> None:
    values = measure(trace_of(contact={"rFoot": foot, "rHand": hand}), humanoid, flat())
    assert values["hands_support"] == pytest.approx(expected, abs=0.021)


def test_extremes_of_the_trunk_are_wrapped(trace_of, humanoid) -> None:
    values = measure(trace_of(torso=lambda t: 2 * np.pi + 0.4 * np.sin(np.pi * t)), humanoid, flat())
    assert values["max_torso"] == pytest.approx(0.4, abs=1e-3)
    assert values["min_torso"] == pytest.approx(-0.4, abs=1e-3)


def test_half_a_turn_is_plus_pi(trace_of, humanoid) -> None:
    values = measure(trace_of(torso=lambda t: 0 * t - np.pi), humanoid, flat())
    assert values["torso"] == pytest.approx(math.pi)


@pytest.mark.parametrize(
    ("terrain", "height"), [(slope(10), 1 - 2 * math.tan(math.radians(10))), (boxes([(1.5, 1, 0.3)]), 0.7)]
)
def test_heights_are_above_the_ground_below(terrain, height, trace_of, humanoid) -> None:
    values = measure(trace_of(com=lambda t: (t, 0 * t + 1)), humanoid, terrain)
    assert values["com_height"] == pytest.approx(height)
    head = humanoid.links[humanoid.link_index("head")]
    assert values["head_height"] == pytest.approx(head.y + 0.01 - terrain.height(2.0 + head.x))


def test_the_share_of_time_on_the_trunk(trace_of, humanoid) -> None:
    values = measure(trace_of(contact={"pelvis": lambda t: t < 0.995, "rShin": lambda t: t >= 0}), humanoid, flat())
    assert values["trunk_contact"] == pytest.approx(0.5, abs=0.01)
    assert values["hands_contact"] == 0


def test_a_foot_that_loses_touch_for_a_single_step_stands_still(trace_of, humanoid) -> None:
    feet = {"rFoot": lambda t: t < 1.995, "lFoot": lambda t: t >= 0, "rHand": lambda t: t > 1.985}
    values = measure(trace_of(2.0, contact=feet), humanoid, flat())
    assert (values["feet_contact"], values["hands_contact"]) == (2, 0)
    lifted = measure(trace_of(2.0, contact=feet | {"rFoot": lambda t: t < 1.96}), humanoid, flat())
    assert lifted["feet_contact"] == 1


@pytest.mark.parametrize(("up", "feet"), [(0.0004, 2), (0.0006, 0)])
def test_what_is_within_half_a_millimetre_of_the_ground_at_the_end_touches_it(up, feet, trace_of, humanoid) -> None:
    assert measure(trace_of(up=up), humanoid, flat())["feet_contact"] == feet
    assert measure(trace_of(up=up), humanoid, boxes([(-1.0, 2.0, 0.001)]))["feet_contact"] == 2


def test_each_condition_that_does_not_hold_has_a_sentence() -> None:
    conditions = {"torso": (-0.3, 0.3), "com_height": (0.85, 1.1), "speed": (0.5, 2.0)}
    assert broken({"torso": 1.32, "com_height": 0.4, "speed": 0.5}, conditions) == [
        "torso 1.32 is above 0.3",
        "com_height 0.4 is below 0.85",
    ]
    assert broken({"torso": 0.3, "com_height": 0.85, "speed": 2.0}, conditions) == []


def test_a_reason_has_enough_digits_to_distinguish_value_and_end() -> None:
    assert broken({"com_height": 0.67998}, {"com_height": (0.68, 1)}) == ["com_height 0.67998 is below 0.68"]
    assert broken({"speed": 2.50000001}, {"speed": (0, 2.5)}) == ["speed 2.50000001 is above 2.5"]


def test_what_is_not_a_number_holds_no_condition() -> None:
    assert broken({"torso": math.nan}, {"torso": (-1, 1)}) == ["torso nan is below -1"]


ANGLES = st.floats(-10.0, 10.0)


@given(ANGLES, ANGLES, st.floats(0.0, 8.0), st.integers(-3, 3))
def test_an_angle_is_within_a_range_that_holds_it_after_some_turns(value, lower, width, turns) -> None:
    upper = lower + width
    held = any(lower <= value + k * math.tau <= upper for k in range(-5, 6))
    beyond = overshoot("torso", value, lower, upper)
    if abs(beyond) > 1e-9:
        assert not held
        assert overshoot("torso", value + turns * math.tau, lower, upper) == pytest.approx(beyond, abs=1e-9)
        nearest = value - beyond
        assert abs(overshoot("torso", nearest, lower, upper)) < 1e-9
    elif beyond == 0.0:
        assert any(lower - 1e-9 <= value + k * math.tau <= upper + 1e-9 for k in range(-5, 6))


def test_upside_down_is_one_range() -> None:
    for torso in (3.14, -3.14, 2.8, 3.5 - math.tau):
        assert broken({"torso": torso}, {"torso": (2.8, 3.5)}) == []
    assert broken({"torso": 2.5}, {"torso": (2.8, 3.5)}) == ["torso 2.5 is below 2.8"]
    assert broken({"torso": -2.5}, {"torso": (2.8, 3.5)}) == ["torso -2.5 is below 2.8"]
    assert broken({"turned": -3.14}, {"turned": (2.8, 3.5)}) == ["turned -3.14 is below 2.8"]


def test_an_infinite_end_is_half_a_turn() -> None:
    assert overshoot("torso", 3.0, 1.0, math.inf) == overshoot("torso", -3.0, -math.inf, -1.0) == 0.0
    assert overshoot("torso", -2.0, 1.0, math.inf) != 0.0
    assert overshoot("torso", 3.0, -math.inf, 1.0) != 0.0
    assert arc(-math.inf, math.inf) == (0.0, math.inf)
    assert overshoot("torso", 0.0, -math.inf, -4.0) != 0.0


def test_the_share_of_time_on_both_feet_and_the_longest_on_one(trace_of, humanoid) -> None:
    walk = {"rFoot": lambda t: t < 1.505, "lFoot": lambda t: t > 0.495}
    values = measure(trace_of(contact=walk), humanoid, flat())
    assert values["double_support"] == pytest.approx(0.5, abs=0.01)
    assert values["single_support"] == pytest.approx(0.49, abs=0.011)
    leaning = measure(trace_of(contact=walk | {"rHand": lambda t: t < 0.3}), humanoid, flat())
    assert leaning["single_support"] == pytest.approx(0.48, abs=0.011)


def test_strides_are_from_strike_to_strike_of_one_foot(trace_of, humanoid) -> None:
    """1.5 m/s and a stride each second: 1.5 m; a body that moves as one has feet that do."""
    walk = {"rFoot": lambda t: (t % 1) < 0.605, "lFoot": lambda t: ((t + 0.5) % 1) < 0.605}
    trace = trace_of(4.4, 441, com=lambda t: (1.5 * t, 0 * t + 1), contact=walk)
    values = measure(trace, humanoid, flat())
    assert (values["stride_length"], values["stride_frequency"]) == pytest.approx((1.5, 1.0), rel=1e-6)
    assert values["symmetry_index"] < 0.03
    limp = walk | {"lFoot": lambda t: ((t + 0.7) % 1) < 0.605}
    # steps of 0.3 s and 0.7 s
    assert measure(trace_of(4.4, 441, contact=limp), humanoid, flat())["symmetry_index"] == pytest.approx(0.8, abs=0.05)


def test_the_knee_is_read_in_its_foots_swings_and_at_their_strikes(trace_of, humanoid) -> None:
    contact = {"rFoot": lambda t: (t % 1) < 0.505, "lFoot": lambda t: t >= 0}
    trace = trace_of(3.2, 321, contact=contact)
    for link in ("rShin", "rFoot"):
        trace.angle[:, humanoid.link_index(link)] = 0.2 + 0.9 * np.sin(np.pi * (2 * (trace.time % 1) - 1)).clip(0)
    values = measure(trace, humanoid, flat())
    assert values["knee_swing"] == pytest.approx(1.1, abs=1e-3)
    assert values["knee_strike"] == pytest.approx(0.2, abs=0.03)


def test_knees_and_hips_are_bent_at_the_end_the_way_they_can(trace_of, humanoid) -> None:
    trace = trace_of()
    for thigh, shin, forward in (("rThigh", "rShin", -0.6), ("lThigh", "lShin", -0.2)):
        trace.angle[-1, humanoid.link_index(thigh)] += forward
        trace.angle[-1, humanoid.link_index(shin)] += forward + 0.5
    values = measure(trace, humanoid, flat())
    assert values["knee_flexion"] == pytest.approx(0.5)
    assert values["hip_flexion"] == pytest.approx(0.4)


def test_a_foot_is_high_only_while_another_one_stands(trace_of, humanoid) -> None:
    trace = trace_of(contact={"lFoot": lambda t: t < 1})
    position = trace.position.copy()
    position[:, humanoid.link_index("rFoot"), 1] = np.where(trace.time < 1, 0.2 + 0.3 * trace.time, 0.9)
    position[:, humanoid.link_index("lFoot"), 1] = 2.0
    raised = Trace(**{**trace.__dict__, "position": position})
    assert measure(raised, humanoid, flat())["foot_height"] == pytest.approx(0.5, abs=0.01)
    box = heights([(-9.0, 0.0), (-9.0, 0.1), (9.0, 0.1)])
    assert measure(raised, humanoid, box)["foot_height"] == pytest.approx(0.4, abs=0.01)


@pytest.mark.parametrize(("rise", "expected"), [(0.0, 0.3), (0.1, 0.2), (-0.1, 0.3)])
def test_the_clearance_of_a_swing_counts_above_the_higher_ground(rise, expected, trace_of, humanoid) -> None:
    trace = trace_of(2.0, 201, contact={"rFoot": lambda t: (t < 0.495) | ((t > 1.495) & (t < 1.655)) | (t > 1.855)})
    foot = humanoid.link_index("rFoot")
    trace.position[(trace.time > 1.7) & (trace.time < 1.8), foot, 1] += 0.05  # the second swing is lower
    lifted = (trace.time > 0.7) & (trace.time < 0.9)
    trace.position[:, foot, 0] = np.where(trace.time < 1.0, 0.0, 1.0)
    lower = (trace.time > 1.1) & (trace.time < 1.2)  # above the other ground
    trace.position[:, foot, 1] += 0.3 * lifted + (expected - 0.05) * lower + rise * (trace.time >= 1.0)
    step = heights([(-9.0, 0.0), (0.5, 0.0), (0.5, rise), (9.0, rise)])
    standing = measure(trace_of(), humanoid, flat())["max_foot_clearance"]
    assert measure(trace, humanoid, step)["max_swing_clearance"] == pytest.approx(expected + standing, abs=1e-3)
    assert measure(trace_of(), humanoid, flat())["max_swing_clearance"] == 0.0


def test_the_clearance_of_a_foot_counts_also_without_a_foot_on_the_ground(trace_of, humanoid) -> None:
    trace = trace_of()
    foot = humanoid.link_index("rFoot")
    trace.angle[:, foot] += np.linspace(0.0, 0.4, len(trace))
    trace.position[:, foot, 1] += 0.3
    link = humanoid.links[foot]
    ends = [link.y + c.y * math.cos(0.4) - c.x * math.sin(0.4) - c.radius for c in link.contacts]
    flat_ends = [link.y + c.y - c.radius for c in link.contacts]
    expected = 0.31 + max(min(ends), min(flat_ends))
    assert measure(trace, humanoid, flat())["max_foot_clearance"] == pytest.approx(expected, abs=1e-3)
    buried = trace_of(up=-0.5)
    assert measure(buried, humanoid, flat())["max_foot_clearance"] == 0.0


def test_the_share_of_the_shins_and_the_greatest_speed_are_those_of_the_course(trace_of, humanoid) -> None:
    trace = trace_of(2.0, 201, com=lambda t: (1.5 * t * t, 0 * t + 1), contact={"rShin": lambda t: t < 0.5})
    values = measure(trace, humanoid, flat())
    assert values["shins_share"] == pytest.approx(0.25, abs=0.01)
    assert values["max_com_speed"] == pytest.approx(6.0, abs=0.05)


def test_the_trunk_leans_on_the_circle_and_is_upside_down_near_half_a_turn(trace_of, humanoid) -> None:
    values = measure(trace_of(torso=lambda t: np.pi + 0.2 * np.sin(np.pi * t)), humanoid, flat())
    assert abs(values["trunk_lean"]) == pytest.approx(np.pi, abs=1e-3)
    assert values["inverted"] == pytest.approx(2.0)
    turning = measure(trace_of(torso=lambda t: np.pi * t), humanoid, flat())
    assert turning["inverted"] == pytest.approx(1.2 / np.pi, abs=0.011)


def test_feet_are_pitched_while_they_touch_the_ground(trace_of, humanoid) -> None:
    trace = trace_of(contact={"rFoot": lambda t: t < 1, "lFoot": lambda t: t >= 1})
    trace.angle[:, humanoid.link_index("rFoot")] = np.where(trace.time < 1, 0.5 + 2 * np.pi, 2.0)
    trace.angle[:, humanoid.link_index("lFoot")] = np.where(trace.time < 1, 2.0, -0.1)
    values = measure(trace, humanoid, flat())
    assert values["foot_pitch"] == pytest.approx(0.2, abs=0.01)
    assert measure(trace, humanoid, slope(5))["foot_pitch"] == pytest.approx(0.2 + np.deg2rad(5), abs=0.01)
    assert measure(trace_of(), humanoid, flat())["foot_pitch"] == pytest.approx(0.0)


def test_arms_swing_against_the_trunk(trace_of, humanoid) -> None:
    trace = trace_of(torso=lambda t: 0.5 * t)
    for link, way in (("rArm", 0.3), ("lArm", -0.1)):
        trace.angle[:, humanoid.link_index(link)] += way * np.sin(np.pi * trace.time)
    values = measure(trace, humanoid, flat())
    assert values["arm_range"] == pytest.approx((0.6 + 0.2) / 2, rel=1e-3)
    assert values["arm_swing"] == pytest.approx(0.1, rel=1e-3)  # of the left arm, in the second half of its swing


def test_one_arm_that_is_raised_for_a_while_is_measured(trace_of, humanoid) -> None:
    trace = trace_of()
    raised = np.interp(trace.time, [0.2, 0.5, 0.8], [0.0, 2.0, 0.0])
    for link in ("rArm", "rForearm", "rHand"):
        trace.angle[:, humanoid.link_index(link)] -= raised
    trace.angle[:, humanoid.link_index("rForearm")] -= raised / 2
    values = measure(trace, humanoid, flat())
    assert values["max_arm_difference"] == pytest.approx(2.0)
    assert values["elbow_range"] == pytest.approx(1.0)
    assert values["arm_flexion"] == pytest.approx(0.0)


def test_the_posture_of_arms_head_trunk_and_knees_is_that_of_the_last_second(trace_of, humanoid) -> None:
    trace = trace_of()
    late = trace.time >= trace.time[-1] - 1.0
    for links, angle in (
        ("rArm lArm rForearm lForearm", -1.0),
        ("rForearm lForearm", -0.5),
        ("rForearm", -0.2),
        ("head", 0.3),
    ):
        for link in links.split():
            trace.angle[late, humanoid.link_index(link)] += angle
    trace.angle[:, [humanoid.link_index(link) for link in ("rShin", "lShin")]] += np.array([0.2, 0.4])
    trace.angle[late, humanoid.root] -= 0.1
    values = measure(trace, humanoid, flat())
    expected = {"arm_flexion": 1.0, "elbow_flexion": 0.6, "arm_asymmetry": 0.2, "head_tilt": 0.3, "trunk_flexion": 0.1}
    assert {name: values[name] for name in expected} == pytest.approx(expected)
    assert values["mean_knee_flexion"] == pytest.approx(0.3)


def test_a_nod_is_measured_although_the_mean_angle_of_the_head_is_zero(trace_of, humanoid) -> None:
    trace = trace_of()
    trace.angle[:, humanoid.link_index("head")] += 0.3 * np.sin(2 * np.pi * trace.time)
    values = measure(trace, humanoid, flat())
    assert values["head_range"] == pytest.approx(0.6, rel=1e-3)
    assert values["head_tilt"] == pytest.approx(0.0, abs=1e-3)


def test_the_pelvis_tilts_and_the_hips_extend(trace_of, humanoid) -> None:
    trace = trace_of()
    trace.angle[:, humanoid.root] += 0.2
    trace.angle[:, humanoid.link_index("rThigh")] += 0.3 * np.sin(np.pi * trace.time)
    values = measure(trace, humanoid, flat())
    assert values["pelvis_tilt"] == pytest.approx(0.2)
    assert values["hip_extension"] == pytest.approx((0.1 - 0.2) / 2, abs=1e-3)


@pytest.mark.parametrize(("way", "phase"), [(1.0, 1.0), (-1.0, -1.0), (0.0, 0.0)])
def test_the_arms_swing_with_the_leg_of_their_side_or_against_it(trace_of, humanoid, way, phase) -> None:
    trace = trace_of()
    swing = 0.3 * np.sin(2 * np.pi * trace.time)
    for links, side in (("rArm rForearm rHand", way), ("lArm lForearm lHand", -way), ("rThigh rShin rFoot", 1.0)):
        for link in links.split():
            trace.angle[:, humanoid.link_index(link)] += side * swing
    assert measure(trace, humanoid, flat())["arm_leg_phase"] == pytest.approx(phase)


def test_the_apex_is_above_the_take_off(trace_of, humanoid) -> None:
    grounded = {"rFoot": lambda t: (t < 0.505) | (t > 1.495)}
    height = lambda t: (0 * t, 1 + 4.905 * np.clip((t - 0.5) * (1.5 - t), 0, None))  # noqa: E731
    values = measure(trace_of(com=height, contact=grounded), humanoid, flat())
    assert values["apex"] == pytest.approx(9.81 / 8, rel=1e-3)
    assert measure(trace_of(), humanoid, flat())["apex"] == pytest.approx(0.0)


def test_the_feet_are_apart_in_flight_and_the_knees_bend_after_it(trace_of, humanoid) -> None:
    touches = lambda t: (t < 0.505) | (t > 1.205)  # noqa: E731
    trace = trace_of(contact={"rFoot": touches, "lFoot": touches})
    rises = np.interp(trace.time, [0.6, 0.8, 1.0], [0.0, 0.4, 0.0])
    trace.position[:, humanoid.link_index("rFoot"), 1] += rises
    trace.position[:, humanoid.link_index("lFoot"), 0] += np.interp(trace.time, [1.3, 1.5], [0.0, 0.7])
    trace.angle[:, [humanoid.link_index(link) for link in ("rShin", "rFoot")]] += np.interp(
        trace.time, [0.8, 0.9, 1.0, 1.3, 1.5, 1.6, 1.8, 2.0], [0.0, 1.5, 0.0, 0.0, 0.8, 0.0, 0.0, 2.0]
    )[:, None]
    values = measure(trace, humanoid, flat())
    assert values["flight_feet_distance"] == pytest.approx(0.4)
    assert values["landing_knee_flexion"] == pytest.approx(0.8 / 2)  # mean of both knees, from 1.2 to 1.7 s
    assert measure(trace_of(contact={"rFoot": lambda t: t >= 0}), humanoid, flat())["landing_knee_flexion"] == 0.0


def test_rest_lasts_until_the_end(trace_of, humanoid) -> None:
    values = measure(trace_of(torso=lambda t: np.minimum(t, 1.0)), humanoid, flat())
    assert values["settle"] == pytest.approx(2.0)  # the body turns as one, and no joint moves
    trace = trace_of()
    trace.angle[:, humanoid.link_index("head")] = 0.6 * np.minimum(trace.time, 0.8)
    assert measure(trace, humanoid, flat())["settle"] == pytest.approx(1.2)


def test_a_pause_is_the_longest_rest_before_the_last_movement(trace_of, humanoid) -> None:
    assert measure(trace_of(), humanoid, flat())["pause"] == 0.0
    trace = trace_of()
    trace.angle[:, humanoid.link_index("head")] = np.interp(trace.time, [0.3, 0.5, 0.9, 1.1], [0.0, 0.4, 0.4, 0.0])
    values = measure(trace, humanoid, flat())
    assert (values["pause"], values["settle"]) == pytest.approx((0.4, 0.9))


# --- what was exerted ---


@pytest.fixture
def exerted(trace_of, humanoid):
    """A trace of 2 s with impulses, slip and work, given as functions of time that fill (n, ...) in place."""

    def make(fill, **options) -> Trace:
        trace = trace_of(**options)
        n, n_links, n_joints = len(trace), len(humanoid.links), len(humanoid.joints)
        sums = {
            "impulse": np.zeros((n, n_links, 2)),
            "slip": np.zeros((n, n_links)),
            "joint_work": np.zeros((n, n_joints, 2)),
            "joint_peak": np.zeros((n, n_joints, 3)),
            "mean_peak": np.zeros((n, 2)),
        }
        fill(trace.time, **sums)
        return Trace(**{**trace.__dict__, **sums})

    return make


def test_without_exertions_their_measures_are_nan(trace_of, humanoid) -> None:
    values = measure(trace_of(), humanoid, flat())
    unknown = {name for name, value in values.items() if math.isnan(value)}
    loads = {f"{role}_load" for role in ("feet", "hands", "shins", "trunk")}
    power = {"peak_power", "mean_power", "cost_of_transport", "peak_joint_speed", "peak_torque"}
    assert unknown == loads | power | {"impact", "slip", "feet_slip"}


def test_power_is_what_joints_do(exerted, humanoid) -> None:
    def fill(time, impulse, slip, joint_work, joint_peak, mean_peak) -> None:
        joint_work[1:, :2, 0] = 0.35  # two joints do 35 W each, a third takes up 70
        joint_work[1:, 2, 1] = 0.7
        mean_peak[99:102, 1] = 70.0, 1470.0, 100.0

    values = measure(exerted(fill, com=lambda t: (t, 0 * t + 1)), humanoid, flat())
    assert values["peak_power"] == pytest.approx(1470 / 70)
    assert values["mean_power"] == pytest.approx(70 / 70)
    assert values["cost_of_transport"] == pytest.approx(2 * 140 / (70 * 9.81 * 2.0))


def test_exertions_before_the_first_sample_do_not_count(exerted, humanoid) -> None:
    def fill(time, impulse, slip, joint_work, joint_peak, mean_peak) -> None:
        for each in (impulse, slip, joint_work, joint_peak, mean_peak):
            each[0] = 100.0

    values = measure(exerted(fill), humanoid, flat())
    names = ("peak_power", "mean_power", "impact", "slip", "peak_joint_speed", "peak_torque", "feet_load")
    assert {name: values[name] for name in names} == dict.fromkeys(names, 0.0)


def test_impact_is_the_greatest_mean_in_body_weights_and_torque_that_of_either_direction(exerted, humanoid) -> None:
    def fill(time, impulse, slip, joint_work, joint_peak, mean_peak) -> None:
        mean_peak[100:103, 0] = np.array([1.0, 3.0, 2.0]) * humanoid.mass * 9.81
        joint_peak[50, 2] = 7.0, 110.0, 20.0
        joint_peak[60, 3] = 5.0, 20.0, 100.0

    values = measure(exerted(fill), humanoid, flat())
    assert values["impact"] == pytest.approx(3.0)
    assert (values["peak_torque"], values["peak_joint_speed"]) == (110.0, 7.0)


def test_a_slip_ends_where_the_link_leaves_the_ground(exerted, humanoid) -> None:
    foot, hand = humanoid.link_index("rFoot"), humanoid.link_index("lHand")

    def fill(time, impulse, slip, joint_work, joint_peak, mean_peak) -> None:
        slip[10:20, foot], impulse[10:21, foot] = 0.01, 5.0
        slip[30:35, foot], impulse[30:35, foot] = 0.01, 5.0
        slip[40:60, hand], impulse[30:60, hand] = 0.01, 5.0

    values = measure(exerted(fill), humanoid, flat())
    assert (values["slip"], values["feet_slip"]) == pytest.approx((0.2, 0.1))


def test_loads_are_shares_of_the_force_at_the_end(exerted, humanoid) -> None:
    share = {"lHand": 0.25, "rShin": 0.3, "pelvis": 0.2, "head": 0.05, "rFoot": 0.2}

    def fill(time, impulse, slip, joint_work, joint_peak, mean_peak) -> None:
        impulse[:150, humanoid.link_index("uTorso"), 1] = 7.0
        for link, part in share.items():
            impulse[170:, humanoid.link_index(link), 1] = part * 7.0

    values = measure(exerted(fill), humanoid, flat())
    found = [values[f"{role}_load"] for role in ("hands", "shins", "trunk", "feet")]
    assert found == pytest.approx([0.25, 0.3, 0.2, 0.2])


def _over_the_hands(t):
    """The trunk turns over from 1 s to 2 s."""
    return 2 * np.pi * np.clip(t - 1, 0, 1)


ON_HANDS = {"rHand": lambda t: (t > 1.1) & (t < 1.9), "lHand": lambda t: (t > 1.1) & (t < 1.9)}


def test_the_split_of_the_legs_is_the_least_one_upside_down(trace_of, humanoid) -> None:
    feet = {"rFoot": lambda t: (t < 1.205) | (t > 1.895), "lFoot": lambda t: (t < 1.105) | (t > 1.795)}
    trace = trace_of(3.0, 301, torso=_over_the_hands, contact={**ON_HANDS, **feet})
    thigh = humanoid.link_index("lThigh")
    trace.angle[:, thigh] += 1.4 - 0.5 * (np.abs(trace.time - 1.5) < 0.05) - 1.3 * (np.abs(trace.time - 1.5) > 0.3)
    assert measure(trace, humanoid, flat())["leg_split"] == pytest.approx(0.9)
    assert measure(trace_of(), humanoid, flat())["leg_split"] == 0.0


@pytest.mark.parametrize(("second", "expected"), [(1.795, 0.0), (1.995, 0.2), (9.0, 1.2)])
def test_the_feet_land_one_after_the_other(second, expected, trace_of, humanoid) -> None:
    feet = {"rFoot": lambda t: (t < 1.205) | (t > second), "lFoot": lambda t: (t < 1.105) | (t > 1.795)}
    trace = trace_of(3.0, 301, torso=_over_the_hands, contact={**ON_HANDS, **feet})
    assert measure(trace, humanoid, flat())["landing_interval"] == pytest.approx(expected, abs=0.011)
    assert measure(trace_of(), humanoid, flat())["landing_interval"] == 0.0


@pytest.mark.parametrize(("until", "expected"), [(2.55, 0.5), (2.4, 1.205)])
def test_the_trunk_is_upright_if_it_stays_so(until, expected, trace_of, humanoid) -> None:
    def torso(t):
        upright = ((t > 1.9) & (t < 2.0)) | ((t > 2.295) & (t < until))  # first it only swings through
        return np.where(t < 1.8, _over_the_hands(t), 2 * np.pi + np.where(upright, 0.3, 0.5))

    feet = dict.fromkeys(("rFoot", "lFoot"), lambda t: (t < 1.105) | (t > 1.795))
    trace = trace_of(3.0, 301, torso=torso, contact={**ON_HANDS, **feet})
    assert measure(trace, humanoid, flat())["landing_to_upright"] == pytest.approx(expected, abs=0.011)
    assert measure(trace_of(), humanoid, flat())["landing_to_upright"] == 0.0


def test_joints_are_measured_until_the_trunk_is_upright(trace_of, humanoid) -> None:
    feet = dict.fromkeys(("rFoot", "lFoot"), lambda t: (t < 1.105) | (t > 1.795))
    trace = trace_of(3.0, 301, torso=_over_the_hands, contact={**ON_HANDS, **feet})
    window = (trace.time > 1.785) & (trace.time < 1.945)  # the trunk is upright from 1.94 s on
    rising = window * (0.9 + 0.2 * (trace.time - 1.8) / 0.13)  # the mean from 1.8 to 1.93 s is 1
    for side, raised, bent in (("r", 2.5, 0.3), ("l", 3.0, 0.7)):
        for links, angle in ((("Arm",), -raised), (("Forearm", "Hand"), -raised - bent), (("Shin", "Foot"), bent)):
            trace.angle[:, [humanoid.link_index(side + link) for link in links]] += (angle * rising)[:, None]
    measured = measure(trace, humanoid, flat())
    expected = {"rising_arm_flexion": 2.5, "rising_elbow_flexion": 0.7, "rising_knee_flexion": 0.3}
    assert {name: measured[name] for name in expected} == pytest.approx(expected)
    upright = measure(trace_of(), humanoid, flat())
    assert [upright[name] for name in expected] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("second", "expected"), [(1.995, 0.3), (1.595, -0.3), (9.0, 0.0)])
def test_the_second_foot_lands_ahead_of_the_first(second, expected, trace_of, humanoid) -> None:
    feet = {"rFoot": lambda t: (t < 1.205) | (t > second), "lFoot": lambda t: (t < 1.105) | (t > 1.795)}
    hands = dict.fromkeys(ON_HANDS, lambda t: (t > 1.1) & (t < 1.505))
    trace = trace_of(3.0, 301, torso=_over_the_hands, contact={**hands, **feet})
    right, left = humanoid.link_index("rFoot"), humanoid.link_index("lFoot")
    trace.position[:, right, 0] = trace.position[:, left, 0] + 0.3
    assert measure(trace, humanoid, flat())["landing_step"] == pytest.approx(expected)
    assert measure(trace_of(), humanoid, flat())["landing_step"] == 0.0


def test_elbows_shoulders_and_knees_are_measured_on_the_hands_only(trace_of, humanoid) -> None:
    feet = dict.fromkeys(("rFoot", "lFoot"), lambda t: (t < 1.205) | (t > 1.795))
    trace = trace_of(3.0, 301, torso=_over_the_hands, contact={**ON_HANDS, **feet})
    late = trace.time > 1.8
    for forearm, hand, shin, foot in (("rForearm", "rHand", "rShin", "rFoot"), ("lForearm", "lHand", "lShin", "lFoot")):
        trace.angle[:, [humanoid.link_index(link) for link in (forearm, hand)]] -= (0.2 + late)[:, None]
        trace.angle[:, [humanoid.link_index(link) for link in (shin, foot)]] += (0.5 + late)[:, None]
    for side, raised in (("r", 2.5), ("l", 3.0)):
        arm = [humanoid.link_index(f"{side}{link}") for link in ("Arm", "Forearm", "Hand")]
        trace.angle[:, arm] -= (raised + late)[:, None]
    values, standing = (measure(each, humanoid, flat()) for each in (trace, trace_of()))
    names = ("hands_elbow_flexion", "hands_shoulder_flexion", "hands_knee_flexion")
    assert [values[name] for name in names] == pytest.approx([0.2, 2.5, 0.5])
    assert [standing[name] for name in names] == [0.0, 0.0, 0.0]


def test_trunk_and_legs_are_measured_in_the_middle_of_the_longest_time_on_one_foot(trace_of, humanoid) -> None:
    contact = {"lFoot": lambda t: t >= 0, "rFoot": lambda t: (t < 0.5) | (t > 2.5)}
    trace = trace_of(3.0, 301, torso=lambda t: 0.2 + (np.abs(t - 1.5) > 0.6), contact=contact)
    bent = 0.1 + (np.abs(trace.time - 1.5) > 0.6)
    lowered = np.where(np.abs(trace.time - 1.5) < 0.05, 0.3, 0.0)  # the raised leg for a moment
    for side, hip, knee in (("r", 1.2 - lowered, 1.5 - lowered), ("l", 0.0, 0.1)):
        thigh, shin, foot = (humanoid.link_index(f"{side}{link}") for link in ("Thigh", "Shin", "Foot"))
        trace.angle[:, thigh] = trace.angle[:, humanoid.root] - hip - bent
        trace.angle[:, shin] = trace.angle[:, foot] = trace.angle[:, thigh] + knee + bent
    values, standing = (measure(each, humanoid, flat()) for each in (trace, trace_of()))
    expected = {
        "stance_trunk_lean": 0.2,
        "stance_knee_flexion": 0.2,
        "raised_hip_flexion": 1.0,
        "raised_knee_flexion": 1.3,
        "raised_foot_pitch": 0.5,
    }
    assert {name: values[name] for name in expected} == pytest.approx(expected)
    assert {name: standing[name] for name in expected} == dict.fromkeys(expected, 0.0)


def test_hands_step_one_after_the_other_and_not_beside_a_foot(trace_of, humanoid) -> None:
    contact = {
        "rHand": lambda t: (t < 0.405) | ((t > 0.605) & (t < 1.205)) | (t > 1.405),  # sets down at .61 and 1.41
        "lHand": lambda t: (t < 0.705) | ((t > 0.905) & (t < 1.605)) | (t > 1.635),  # at .91; then it scrapes
    }
    assert measure(trace_of(contact=contact), humanoid, flat())["hands_steps"] == 3
    crawling = {**contact, "rFoot": lambda t: t > 1.0}
    assert measure(trace_of(contact=crawling), humanoid, flat())["hands_steps"] == 2


@pytest.mark.parametrize(
    ("ends", "unit", "told"),
    [
        ((2.0, 3.0), "m", "2 to 3 m"),
        ((-math.inf, 3.0), "", "at most 3"),
        ((2.0, math.inf), "m/s", "at least 2 m/s"),
        ((2.0, 2.0), "", "2"),
        ((-math.inf, math.inf), "m", "any"),
        ((-0.3, 0.3), "rad", "-0.3 to 0.3 rad"),
    ],
)
def test_a_range_has_a_text_for_each_open_end(ends: tuple[float, float], unit: str, told: str) -> None:
    assert range_text(*ends, unit) == told
