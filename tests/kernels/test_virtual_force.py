"""The principle of virtual work: the joints' work equals the force's, for any pose, chain and part."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.kernels.planar.kinematics import pose_links
from ctrlgraph.kernels.planar.virtual_force import add_virtual_force


def place_in_frame(poses: np.ndarray, part: int, frame: int) -> complex:
    """The part's centre of mass as seen from the frame of another link."""
    away = complex(*(poses[part, :2] - poses[frame, :2]))
    return away * np.exp(1j * poses[frame, 2])


@given(data=st.data(), fx=st.floats(-500, 500), fy=st.floats(-500, 500), root_angle=st.floats(-3, 3))
@settings(max_examples=25)
def test_torques_do_the_work_of_the_force_on_the_part(data, fx, fy, root_angle, humanoid, body, posed, within_limits):
    """tau . dq = F . dx for every base joint and part; dx is seen from the link that the chain hangs from."""
    angles = data.draw(within_limits)
    base = data.draw(st.sampled_from(range(len(humanoid.joints))))
    kin = posed(angles, (0.3, 1.0, root_angle))
    h = 1e-6
    steps = np.eye(len(angles)) * h
    preview = [pose_links(body, angles + s, humanoid.root, 0.3, 1.0, root_angle) for s in steps]
    behind = [pose_links(body, angles - s, humanoid.root, 0.3, 1.0, root_angle) for s in steps]
    for part in range(len(humanoid.links)):
        torque = np.zeros(len(angles))
        add_virtual_force(body, kin, base, part, fx, fy, torque)
        joint = humanoid.joints[base]
        held = joint.parent if humanoid.side[base, part] > 0 else joint.child
        force = complex(fx, fy) * np.exp(1j * kin.link[held, 2])
        moved = [
            (place_in_frame(a, part, held) - place_in_frame(b, part, held)) / (2 * h)
            for a, b in zip(preview, behind, strict=True)
        ]
        work = [(force.conjugate() * way).real for way in moved]
        np.testing.assert_allclose(torque, work, atol=1e-5 * (1 + abs(force)))


def test_the_chain_ends_at_its_base_joint(humanoid, body, posed) -> None:
    torque = np.zeros(len(humanoid.joints))
    add_virtual_force(
        body, posed(torque * 0), humanoid.joint_index("rKnee"), humanoid.link_index("rFoot"), 100, 50, torque
    )
    assert {humanoid.joint_names[j] for j in np.flatnonzero(torque)} == {"rKnee", "rAnkle"}


def test_forces_are_added_to_the_existing_torques(humanoid, body, posed) -> None:
    kin = posed(np.linspace(-0.2, 0.04, len(humanoid.joints)))
    base, part = humanoid.joint_index("rAnkle"), humanoid.link_index("head")
    once, twice = np.ones(len(humanoid.joints)), np.ones(len(humanoid.joints))
    add_virtual_force(body, kin, base, part, 30, -20, once)
    add_virtual_force(body, kin, base, part, 10, -25, twice)
    add_virtual_force(body, kin, base, part, 20, 5, twice)
    np.testing.assert_allclose(once, twice)
