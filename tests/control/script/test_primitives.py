"""What each primitive asks of the joints, tick by tick."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.control.script.codes import ActionFlag
from ctrlgraph.kernels.planar.virtual_force import add_virtual_force


@pytest.fixture
def index(humanoid):
    def find(name: str) -> int:
        joint = humanoid.joint_index(name)
        return humanoid.link_index(name) if joint is None else joint

    return find


def test_a_pose_sets_angle_and_gains_and_omitted_gains_are_the_character_s(handmade, machine, index, humanoid) -> None:
    h = handmade
    m = machine(h.program(h.phase([h.act("POSE", "rKnee", 2.3, 1000, 100), h.act("POSE", "lKnee", 2.1)])))
    m.tick(0.0)
    r, left = index("rKnee"), index("lKnee")
    assert (m.motors.target[r], m.motors.kp[r], m.motors.kd[r]) == (2.3, 1000, 100)
    assert (m.motors.target[left], m.motors.kp[left], m.motors.kd[left]) == (2.1, humanoid.joints[left].kp, 45)


def test_omitted_gains_are_the_default_again_not_those_used_before(handmade, machine, index) -> None:
    h = handmade
    first = h.phase([h.act("POSE", "rKnee", 1.0, 1000, 100)], [h.to(1, "TIME", 0.1)])
    m = machine(h.program(first, h.phase([h.act("POSE", "rKnee", 1.5)])))
    m.tick(0.0)
    m.tick(0.1)
    assert m.motors.kp[index("rKnee")] == 300


def test_a_joint_that_nothing_has_named_is_limp(handmade, machine, index) -> None:
    h = handmade
    m = machine(h.program(h.phase([h.act("POSE", "rKnee", 1.0)])))
    m.tick(0.0)
    assert m.motors.kp[index("lKnee")] == m.motors.kd[index("lKnee")] == m.motors.torque[index("lKnee")] == 0.0


def test_pd_targets_stay_across_phases_and_across_controllers(handmade, machine, index) -> None:
    h = handmade
    m = machine(
        h.program(h.phase([h.act("POSE", "rKnee", 1.0)], [h.to(1, "TIME", 0.1)]), h.phase([h.act("POSE", "rHip", -1)]))
    )
    m.tick(0.0)
    m.tick(0.2)
    assert m.phase == 1
    assert m.motors.target[index("rKnee")] == 1.0
    after = machine(h.program(h.phase([h.act("POSE", "lHip", 0.5)])), state=m.state)
    after.tick(0.3)
    assert [after.motors.target[index(j)] for j in ("rKnee", "rHip", "lHip")] == [1.0, -1.0, 0.5]


def test_lipose_moves_the_target_from_the_measured_angle_linearly_and_then_holds(
    handmade, machine, index, posed, humanoid
) -> None:
    h, knee = handmade, index("rKnee")
    angles = np.zeros(len(humanoid.joints))
    angles[knee] = 0.4
    m = machine(h.program(h.phase([h.act("LIPOSE", "rKnee", 1.4, None, None, 0.5)])), kin=posed(angles))
    seen = []
    for time in (0.0, 0.1, 0.25, 0.5, 3.0):
        m.tick(time)
        seen.append(m.motors.target[knee])
        m.kin.joint[knee, 0] = 99.0  # only the angle at the start counts
    np.testing.assert_allclose(seen, [0.4, 0.6, 0.9, 1.4, 1.4])


def test_a_lipose_that_is_cut_short_goes_on_in_the_next_phase(handmade, machine, index) -> None:
    h = handmade
    m = machine(
        h.program(h.phase([h.act("LIPOSE", "rKnee", 1.0, None, None, 1.0)], [h.to(1, "TIME", 0.25)]), h.phase())
    )
    m.tick(0.0)
    for time, target in ((0.25, 0.25), (0.75, 0.75), (2.0, 1.0)):
        m.tick(time)
        assert m.motors.target[index("rKnee")] == pytest.approx(target)
    assert m.phase == 1


def test_match_follows_the_other_joint_and_blends_in_over_its_time(handmade, machine, index, posed, humanoid) -> None:
    h, right, left = handmade, index("rHip"), index("lHip")
    angles = np.zeros(len(humanoid.joints))
    angles[right], angles[left] = 0.2, -0.6
    match = h.act("MATCH", "rHip", None, None, None, 0.4, over="lHip")
    m = machine(h.program(h.phase([match])), kin=posed(angles))
    m.tick(0.1)
    assert m.motors.target[right] == pytest.approx(0.2 + 0.25 * (-0.6 - 0.2))
    m.kin.joint[left, 0] = -1.0
    m.tick(0.9)
    assert m.motors.target[right] == -1.0


def test_posefb_shifts_the_target_only_in_its_own_phase(handmade, machine, index, posed) -> None:
    h, ankle = handmade, index("rAnkle")
    kin = posed(root=(0.2, 1, 0.1), root_rate=(0.5, 0, 0))
    both = [h.act("POSE", "rAnkle", 0.1), h.act("POSEFB", "rAnkle", 2.0, 0.5, over="lAnkle")]
    m = machine(h.program(h.phase(both, [h.to(1, "TIME", 0.1)]), h.phase()), kin=kin)
    m.tick(0.0)
    expected = 0.1 + 2.0 * (kin.com[0] - kin.joint[index("lAnkle"), 2]) + 0.5 * kin.com[2]
    assert m.motors.target[ankle] == pytest.approx(expected)
    m.tick(0.2)
    assert m.motors.target[ankle] == 0.1


def test_vpd_drives_the_part_s_global_angle_from_either_side_of_its_joint(handmade, machine, index, posed) -> None:
    """The torque turns the part towards its angle: +tau on a joint turns its child, -tau its parent."""
    h, hip = handmade, index("rHip")
    kin = posed(root=(0, 1, 0.3))
    for part, sign in (("uTorso", -1.0), ("rThigh", 1.0)):
        m = machine(h.program(h.phase([h.act("VPD", "rHip", 0.1, -200.0, 20.0, part=part)])), kin=kin)
        m.tick(0.0)
        assert m.motors.torque[hip] == pytest.approx(sign * 200.0 * (0.1 - 0.3))
        assert m.motors.kp[hip] == 0.0


def test_vpd_without_gains_uses_300_and_30(handmade, machine, index, posed) -> None:
    h = handmade
    kin = posed(root=(0, 1, 0.3), root_rate=(0, 0, 0.5))
    m = machine(h.program(h.phase([h.act("VPD", "rHip", 0.0, part="rThigh")])), kin=kin)
    m.tick(0.0)
    assert m.motors.torque[index("rHip")] == pytest.approx(-300 * 0.3 - 30 * 0.5)


def test_vpd_does_not_count_the_somersaults_that_the_body_has_made(handmade, machine, index, posed) -> None:
    h = handmade
    kin = posed(root=(0, 1, -2 * np.pi + 0.1))
    m = machine(h.program(h.phase([h.act("VPD", "rHip", 0.0, 300, 30, part="rThigh")])), kin=kin)
    m.tick(0.0)
    assert m.motors.torque[index("rHip")] == pytest.approx(-30.0)


def test_vpd_suspends_an_inherited_target_while_it_acts_and_no_longer(handmade, machine, index) -> None:
    h, hip = handmade, index("rHip")
    m = machine(
        h.program(
            h.phase([h.act("POSE", "rHip", -0.5)], [h.to(1, "TIME", 0.1)]),
            h.phase([h.act("VPD", "rHip", 0.0, 200, 20, part="uTorso")], [h.to(2, "TIME", 0.1)]),
            h.phase(),
        )
    )
    kps = []
    for time in (0.0, 0.1, 0.2):
        m.tick(time)
        kps.append(m.motors.kp[hip])
    assert kps == [300.0, 0.0, 300.0]
    assert m.motors.target[hip] == -0.5


def test_vpd_adds_to_a_target_of_the_same_phase(handmade, machine, index, posed) -> None:
    h, hip = handmade, index("rHip")
    actions = [h.act("POSE", "rHip", -0.5), h.act("VPD", "rHip", 0.0, 200, 20, part="uTorso")]
    m = machine(h.program(h.phase(actions)), kin=posed(root=(0, 1, 0.3)))
    m.tick(0.0)
    assert m.motors.kp[hip] == 300.0
    assert m.motors.torque[hip] == pytest.approx(60.0)


def test_comfb2_corrects_the_angle_of_its_vpd(handmade, machine, index, posed) -> None:
    h = handmade
    kin = posed(root=(0.3, 1, 0.2), root_rate=(0.4, 0, 0))
    vpd = h.act("VPD", "rHip", 0.1, 300, 30, 0.5, 0.2, part="rThigh", over="lAnkle")
    m = machine(h.program(h.phase([vpd])), kin=kin)
    m.tick(0.0)
    angle = 0.1 + 0.5 * (kin.com[0] - kin.joint[index("lAnkle"), 2]) + 0.2 * kin.com[2]
    assert m.motors.torque[index("rHip")] == pytest.approx(300 * (angle - 0.2))


@given(trunk=st.floats(-0.4, 0.4), thigh=st.floats(-1.5, 1.5), kp=st.floats(50, 3000))
@settings(max_examples=30)
def test_with_a_swing_hip_the_trunk_s_net_torque_is_what_its_own_law_asks(
    trunk, thigh, kp, handmade, machine, posed, humanoid
):
    """SIMBICON: of both hips together, clipped to their limits first, the trunk feels its PD torque alone."""
    h = handmade
    angles = np.zeros(len(humanoid.joints))
    angles[h.character.joint_index("lHip")] = thigh
    m = machine(
        h.program(
            h.phase(
                [
                    h.act("VPD", "rHip", 0.0, kp, 30, part="uTorso"),
                    h.act("VPD", "lHip", -0.5, kp, 30, part="lThigh", flags=int(ActionFlag.SWING)),
                ]
            )
        ),
        kin=posed(angles, (0, 1, trunk)),
    )
    m.tick(0.0)
    hips = [m.motors.torque[h.character.joint_index(j)] for j in ("rHip", "lHip")]
    lower, upper = humanoid.joints[h.character.joint_index("lHip")].torque_limit
    swing = np.clip(kp * (-0.5 - (trunk + thigh)), lower, upper)
    assert hips[1] == pytest.approx(swing)
    # what the hips give the trunk is the opposite of what they give the thighs
    assert -sum(hips) == pytest.approx(np.clip(kp * (0.0 - trunk), -upper, -lower))


def test_vf_puts_the_force_s_torques_on_its_chain_beside_the_standing_targets(
    handmade, machine, body, index, posed, humanoid
):
    h = handmade
    kin = posed(root=(0, 1, 0.2))
    force = h.act("VF", "rAnkle", 40.0, -70.0, 0.0, part="pelvis")
    m = machine(h.program(h.phase([h.act("POSE", "rKnee", 0.3), force])), kin=kin)
    m.tick(0.0)
    expected = np.zeros(len(humanoid.joints))
    add_virtual_force(body, kin, index("rAnkle"), h.character.link_index("pelvis"), 40.0, -70.0, expected)
    np.testing.assert_allclose(m.motors.torque, expected)
    assert m.motors.kp[index("rKnee")] == 300.0
    assert np.count_nonzero(expected) == 3


def test_vffb_is_zero_in_the_air_and_pushes_back_on_the_ground(handmade, machine, posed, body, index, humanoid) -> None:
    h = handmade
    kin = posed(root=(0.2, 1, 0.1), root_rate=(0.3, 0, 0))
    feedback = h.act("VFFB", "rAnkle", 800.0, 90.0, part="pelvis", over="lFoot")
    m = machine(h.program(h.phase([feedback])), kin=kin)
    m.tick(0.0)
    assert not m.motors.torque.any()
    kin.contact[h.character.link_index("lFoot")] = 1
    m.tick(0.01)
    expected = np.zeros(len(humanoid.joints))
    pelvis, foot = h.character.link_index("pelvis"), h.character.link_index("lFoot")
    force = -(800 * (kin.com[0] - kin.link[foot, 0]) + 90 * kin.com[2])
    add_virtual_force(body, kin, index("rAnkle"), pelvis, force, 0.0, expected)
    np.testing.assert_allclose(m.motors.torque, expected)


def test_vffb_tells_the_mean_of_the_links_in_contact_from_the_true_centre_of_pressure(
    handmade, machine, posed, humanoid
) -> None:
    h = handmade
    kin = posed(root=(0.2, 1, 0.0))
    feet = list(humanoid.roles.feet)
    kin.contact[feet] = 1
    kin.link[feet, 0] = -0.1, 0.3
    kin.pressure[:] = 700.0, 700.0 * 0.25
    torques = []
    for over in ("cop", "copf"):
        m = machine(h.program(h.phase([h.act("VFFB", "rAnkle", 1.0, 0.0, part="pelvis", over=over)])), kin=kin)
        m.tick(0.0)
        torques.append(m.motors.torque.copy())
    ratio = (kin.com[0] - 0.1) / (kin.com[0] - 0.25)
    np.testing.assert_allclose(torques[0], ratio * torques[1], atol=1e-9)


def test_vfsfb_pushes_towards_the_wanted_speed(handmade, machine, posed, body, index, humanoid) -> None:
    h = handmade
    kin = posed(root_rate=(0.4, 0, 0))
    m = machine(h.program(h.phase([h.act("VFSFB", "rAnkle", 50.0, 1.5, part="pelvis")])), kin=kin)
    m.tick(0.0)
    expected = np.zeros(len(humanoid.joints))
    force = 50 * (1.5 - kin.com[2])
    add_virtual_force(body, kin, index("rAnkle"), h.character.link_index("pelvis"), force, 0.0, expected)
    np.testing.assert_allclose(m.motors.torque, expected)


@pytest.mark.parametrize("world_frame", [False, True])
def test_ik_sets_targets_that_reach_its_point_and_they_stay(world_frame, handmade, machine, posed, index) -> None:
    h = handmade
    root = (0.4, 1.0, 0.0)
    kin = posed(root=root)
    hip = kin.joint[index("rHip"), 2:]
    goal = hip + np.array((0.3, -0.45))
    x, y = goal if world_frame else goal - hip
    reach = h.act("IK", "rHip", x, y, 0.0, part="rFoot", flags=int(ActionFlag.GLOBAL) if world_frame else 0)
    m = machine(h.program(h.phase([reach], [h.to(1, "TIME", 0.1)]), h.phase()), kin=kin)
    m.tick(0.0)
    m.tick(0.2)
    assert m.phase == 1
    reached = posed(m.motors.target, root).link[h.character.link_index("rFoot"), :2]
    np.testing.assert_allclose(reached, goal, atol=2e-3)
    assert {h.character.joint_names[j] for j in np.flatnonzero(m.motors.kp)} == {"rHip", "rKnee", "rAnkle"}


def test_the_torque_limit_is_the_innermost_running_script_s_within_the_hard_limit(handmade, machine, humanoid) -> None:
    h = handmade
    program = h.program(
        h.phase(call=1, frame=0, transitions=[h.to(1, "COMPLETE")]),
        h.phase(frame=0),
        h.phase(call=2, frame=1, transitions=[h.to(3, "COMPLETE")]),
        h.phase(frame=1, transitions=[h.to(-1, "TIME", 0.1)]),
        h.phase(frame=2, transitions=[h.to(-1, "TIME", 0.1)]),
        torque_limits=(250.0, None, 700.0),
    )
    m = machine(program)
    m.tick(0.0)
    assert m.phase == 4
    hard = np.array([joint.hard_torque_limit for joint in humanoid.joints])
    np.testing.assert_array_equal(m.motors.limit, np.clip(hard, -700.0, 700.0))
    m.tick(0.1)
    assert m.phase == 3  # its own script sets none: the caller's holds again
    np.testing.assert_array_equal(m.motors.limit, np.clip(hard, -250.0, 250.0))
    m.tick(0.2)
    assert m.phase == 1
    np.testing.assert_array_equal(m.motors.limit, np.clip(hard, -250.0, 250.0))


def test_a_torque_limit_holds_in_each_direction_as_far_as_the_hard_one_allows(handmade, humanoid, machine) -> None:
    h, joints = handmade, list(humanoid.joints)
    knee = humanoid.joint_index("rKnee")
    joints[knee] = replace(
        joints[knee], torque_limit=TorqueRange(-50.0, 40.0), hard_torque_limit=TorqueRange(-90.0, 60.0)
    )
    uneven = replace(humanoid, joints=tuple(joints))
    for limit, expected in ((None, (-50.0, 40.0)), (30.0, (-30.0, 30.0)), (70.0, (-70.0, 60.0)), (99.0, (-90.0, 60.0))):
        m = machine(h.program(torque_limits=(limit,)), character=uneven)
        m.tick(0.0)
        assert tuple(m.motors.limit[knee]) == expected


@pytest.mark.parametrize(("part", "expected"), [("rThigh", (-30.0, 90.0)), ("pelvis", (-30.0, 90.0))])
def test_vpd_keeps_to_the_limits_of_the_joint_whichever_side_it_drives(
    part, expected, handmade, humanoid, machine, index
) -> None:
    """What turns the parent clockwise turns the child the other way: the joint's torque is what is limited."""
    joints = [replace(joint, torque_limit=TorqueRange(-30.0, 90.0)) for joint in humanoid.joints]
    given = set()
    for angle in (-9.0, 9.0):
        program = handmade.program(handmade.phase([handmade.act("VPD", "rHip", angle, 300, 30, part=part)]))
        m = machine(program, character=replace(humanoid, joints=tuple(joints)))
        m.tick(0.0)
        given.add(float(m.motors.torque[index("rHip")]))
    assert tuple(sorted(given)) == expected


def test_without_a_torque_limit_each_joint_has_its_own(handmade, machine, humanoid) -> None:
    m = machine(handmade.program())
    m.tick(0.0)
    np.testing.assert_array_equal(m.motors.limit, [joint.torque_limit for joint in humanoid.joints])


def test_after_the_end_targets_hold_without_feedback_and_limits_are_restored(
    handmade, machine, index, humanoid
) -> None:
    h = handmade
    actions = [h.act("POSE", "rKnee", 1.0), h.act("VF", "rAnkle", 50.0, 0.0, 0.0, part="pelvis")]
    m = machine(h.program(h.phase(actions, [h.to(-1, "TIME", 0.1)]), torque_limits=(90.0,)))
    m.tick(0.0)
    assert m.motors.limit.max() == 90.0
    m.tick(0.1)
    assert m.motors.target[index("rKnee")] == 1.0
    assert not m.motors.torque.any()
    np.testing.assert_array_equal(m.motors.limit, [joint.torque_limit for joint in humanoid.joints])


@pytest.mark.parametrize(("rising", "touching"), [(0.0, True), (0.7, True), (-0.4, True), (0.7, False)])
def test_vfhfb_is_a_vertical_force_towards_the_height_while_something_touches(
    rising, touching, handmade, machine, index, posed, body, humanoid
) -> None:
    h, base, part = handmade, index("rAnkle"), index("uTorso")
    kin = posed(root=(0, 1.1, 0.2), root_rate=(0.0, rising, 0.0))
    kin.support[0] = 0.15
    kin.contact[humanoid.link_index("rFoot")] = touching
    m = machine(h.program(h.phase([h.act("VFHFB", "rAnkle", 3000.0, 200.0, 0.9, part="uTorso")])), kin=kin)
    m.tick(0.0)
    force = 3000.0 * (0.9 - (kin.com[1] - 0.15)) - 200.0 * kin.com[3]
    expected = np.zeros(len(humanoid.joints))
    add_virtual_force(body, kin, base, part, 0.0, force if touching else 0.0, expected)
    np.testing.assert_allclose(m.motors.torque, expected)
    assert expected.any() == touching
