"""PD targets of scripts, which stay until another primitive sets the same joint."""

from __future__ import annotations

from ctrlgraph.control.script.state import (
    MATCH_TARGET,
    NO_TARGET,
    POSE_TARGET,
    TARGET_DURATION,
    TARGET_GOAL,
    TARGET_KD,
    TARGET_KIND,
    TARGET_KP,
    TARGET_MATCH,
    TARGET_START,
    TARGET_TIME,
    ControlState,
)
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats, Ints, Kinematics


@kernel
def current_target(kinds: Ints, targets: Floats, joints: Floats, joint: int, time: float) -> float:
    """Return the angle that the joint's PD target asks for now (POSE, LIPOSE, MATCH); 0 where it has none.

    Takes `target_kinds` and `targets` of the control state and `joint` of the kinematics.
    """
    kind = kinds[joint, TARGET_KIND]
    if kind == NO_TARGET:
        return 0.0
    goal = joints[kinds[joint, TARGET_MATCH], 0] if kind == MATCH_TARGET else targets[joint, TARGET_GOAL]
    duration = targets[joint, TARGET_DURATION]
    if kind == POSE_TARGET or duration <= 0.0:
        return float(goal)
    share = min(1.0, (time - targets[joint, TARGET_TIME]) / duration)
    start = targets[joint, TARGET_START]
    return float(start + share * (goal - start))


def hold(kin: Kinematics, state: ControlState) -> None:
    """Let every joint's PD target be its present angle, with the character's default gains."""
    for j in range(kin.joint.shape[0]):
        state.target_kinds[j, TARGET_KIND] = POSE_TARGET
        state.targets[j, TARGET_GOAL] = kin.joint[j, 0]
        state.targets[j, TARGET_KP] = -1.0  # negative: the default
        state.targets[j, TARGET_KD] = -1.0
