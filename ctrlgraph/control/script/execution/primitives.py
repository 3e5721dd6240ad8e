"""Motion primitives: the effects of the active phase's actions on the joints.

POSE, LIPOSE, MATCH and IK set PD targets of joints, which remain in effect until another target is set. POSEFB, VPD (PD
control of a link's angle in the world) and the virtual forces VF, VFFB, VFSFB and VFHFB act in each tick of the phase
that contains them. docs/reference/language.md describes all primitives.
"""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.control.controller import RUNNING
from ctrlgraph.control.script.codes import OMITTED, ActionFlag, ActionKind
from ctrlgraph.control.script.execution.quantities import support_height
from ctrlgraph.control.script.execution.state import (
    DEPTH,
    LEVEL_ENTRY,
    LEVEL_PHASE,
    LIPOSE_TARGET,
    MATCH_TARGET,
    NO_TARGET,
    POSE_TARGET,
    STATE_REQUEST,
    STATUS,
    TARGET_DURATION,
    TARGET_ENTRY,
    TARGET_GOAL,
    TARGET_KD,
    TARGET_KIND,
    TARGET_KP,
    TARGET_MATCH,
    TARGET_START,
    TARGET_TIME,
    Code,
    ControlState,
    current_target,
)
from ctrlgraph.control.script.program import (
    ACTION_FLAGS,
    ACTION_JOINT,
    ACTION_KIND,
    ACTION_OPERAND,
    ACTION_PART,
    ACTION_REFERENCE,
    ACTION_REFERENCE_INDEX,
    FRAME_LIMIT_END,
    FRAME_LIMIT_START,
    FRAME_TORQUE_LIMIT,
    LIMIT_JOINT,
    LIMIT_SLOT,
    PHASE_ACTION_END,
    PHASE_ACTION_START,
    PHASE_FRAME,
)
from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.constants import GRAVITY, FeedbackReference
from ctrlgraph.kernels.jit import allocating_kernel, kernel
from ctrlgraph.kernels.pd import clipped, pd_torque
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.balance import balance_force, height_force, pose_feedback, stance_hip_torque
from ctrlgraph.kernels.planar.inverse_kinematics import DEFAULT_TOLERANCE, reach
from ctrlgraph.kernels.planar.kinematics import wrapped
from ctrlgraph.kernels.planar.virtual_force import add_virtual_force

# Default gains of a VPD: N m/rad, N m s/rad.
VPD_KP, VPD_KD = 300.0, 30.0

_WEIGHED_S = 0.4
"""Time for which the ground forces are measured before the ratio of masses is used, s."""
_LEAST_DEVIATION = 0.03
"""Least deviation of the ratio of masses from 1 that changes the commands. MuJoCo's forces are exact to about 1 %."""
_MASS_RATIOS = (0.5, 2.0)
"""Least and largest ratio of the measured mass to the usual mass that changes the commands."""

_POSE, _LIPOSE, _MATCH, _POSEFB = (int(ActionKind[k]) for k in ("POSE", "LIPOSE", "MATCH", "POSEFB"))
_VPD, _VF, _IK, _VFFB, _VFSFB = (int(ActionKind[k]) for k in ("VPD", "VF", "IK", "VFFB", "VFSFB"))
_VFHFB = int(ActionKind.VFHFB)
_SAVE, _LOAD = int(ActionKind.SAVE), int(ActionKind.LOAD)
_NO_REFERENCE = int(FeedbackReference.NONE)
_SWING, _GLOBAL, _VARYING = int(ActionFlag.SWING), int(ActionFlag.GLOBAL), int(ActionFlag.VARYING)


@kernel
def operand(code: Code, action: int, which: int, default: float) -> float:
    """Return a number of an action; `default` if the script omits it.

    Args:
        code: arrays of the program.
        action: row of the action in `Program.actions`.
        which: index of the operand, 0 to 5, see `codes.ActionKind`.
        default: result for an omitted operand.
    """
    slot = code.actions[action, ACTION_OPERAND + which]
    return default if slot == OMITTED else code.values[slot]


@kernel
def set_targets(kin: Kinematics, code: Code, state: ControlState, time: float) -> None:
    """Set the joint targets of POSE, LIPOSE and MATCH when a phase begins, and request its SAVE and LOAD.

    The phase is the active one of the innermost called script.

    Args:
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter, which is changed.
        time: simulated time, s.
    """
    level = state.counters[DEPTH]
    phase = state.levels[level, LEVEL_PHASE]
    for a in range(code.phases[phase, PHASE_ACTION_START], code.phases[phase, PHASE_ACTION_END]):
        kind = code.actions[a, ACTION_KIND]
        if kind in (_SAVE, _LOAD):
            state.counters[STATE_REQUEST] = phase + 1
        if kind not in (_POSE, _LIPOSE, _MATCH):
            continue
        j = code.actions[a, ACTION_JOINT]
        if kind == _MATCH:
            state.target_kinds[j, TARGET_KIND] = MATCH_TARGET
            state.target_kinds[j, TARGET_MATCH] = code.actions[a, ACTION_REFERENCE_INDEX]
        else:
            state.target_kinds[j, TARGET_KIND] = POSE_TARGET if kind == _POSE else LIPOSE_TARGET
        state.target_kinds[j, TARGET_ENTRY] = state.levels[level, LEVEL_ENTRY]
        state.targets[j, TARGET_START] = kin.joint[j, 0]
        state.targets[j, TARGET_GOAL] = operand(code, a, 0, 0.0)
        state.targets[j, TARGET_KP] = gain(code, a, 1)
        state.targets[j, TARGET_KD] = gain(code, a, 2)
        state.targets[j, TARGET_TIME] = time
        state.targets[j, TARGET_DURATION] = operand(code, a, 3, 0.0)


@kernel
def drive(body: Body, kin: Kinematics, code: Code, state: ControlState, motors: Motors, time: float) -> None:
    """Fill the commands to the joints from the targets in effect and from the actions of the active phase.

    Args:
        body: constants of the character.
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter.
        motors: result: the commands.
        time: simulated time, s.
    """
    n = body.parent.size
    running = state.counters[STATUS] == RUNNING
    level = state.counters[DEPTH]
    entry = state.levels[level, LEVEL_ENTRY] if running else -1
    first = last = 0
    if running:
        phase = state.levels[level, LEVEL_PHASE]
        first, last = code.phases[phase, PHASE_ACTION_START], code.phases[phase, PHASE_ACTION_END]
    for j in range(n):
        motors.torque[j] = 0.0
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
    if running:
        _apply_torque_limits(body, code, state, motors)
        _follow_state(code, state, first, last)
    for a in range(first, last):
        if code.actions[a, ACTION_KIND] == _IK:
            _reach_for(body, kin, code, state, a, entry, first, last)
    _stand_by_targets(
        state.target_kinds, state.targets, kin.joint, body.gains, motors.target, motors.kp, motors.kd, time
    )
    for a in range(first, last):
        kind = code.actions[a, ACTION_KIND]
        if kind == _VPD:
            j = code.actions[a, ACTION_JOINT]
            if state.target_kinds[j, TARGET_ENTRY] != entry:  # from an earlier phase: suspended
                motors.kp[j] = 0.0
                motors.kd[j] = 0.0
        elif kind == _POSEFB:
            motors.target[code.actions[a, ACTION_JOINT]] += _feedback(kin, code, a, 0)
        elif kind in (_VF, _VFFB, _VFSFB, _VFHFB):
            _add_force(body, kin, code, a, kind, motors.torque)
    _add_world_pd(body, kin, code, motors, first, last)
    _adapt_to_mass(body, kin, motors)


@kernel
def _adapt_to_mass(body: Body, kin: Kinematics, motors: Motors) -> None:
    """Multiply gains, torques and limits by the ratio of the mass that the ground forces show to the usual mass.

    The motion of a heavier or lighter body is then the same, as far as the hard limits of the torques allow. The ratio
    has steps of 2 %, and 0.98 to 1.02 count as 1, so that nothing changes at the usual mass. It is 1 until the forces
    were measured for some time.
    """
    if kin.weighing[1] < GRAVITY * _WEIGHED_S:
        return
    ratio = math.floor(50.0 * kin.weighing[0] / (kin.weighing[1] * body.usual_mass) + 0.5) / 50.0
    if abs(ratio - 1.0) < _LEAST_DEVIATION:
        return
    ratio = min(max(ratio, _MASS_RATIOS[0]), _MASS_RATIOS[1])
    for j in range(motors.kp.size):
        motors.kp[j] *= ratio
        motors.kd[j] *= ratio
        motors.torque[j] *= ratio
        motors.limit[j, 0] = max(ratio * motors.limit[j, 0], body.torque[j, 1, 0])
        motors.limit[j, 1] = min(ratio * motors.limit[j, 1], body.torque[j, 1, 1])


@kernel
def _feedback(kin: Kinematics, code: Code, a: int, first: int) -> float:
    """Return the correction of an action's target angle by balance feedback, rad; 0 without a reference point.

    Args:
        kin: state of the character.
        code: arrays of the program.
        a: row of the action in `Program.actions`.
        first: index of the operand cd; the next one is cv.
    """
    kind, index = code.actions[a, ACTION_REFERENCE], code.actions[a, ACTION_REFERENCE_INDEX]
    if kind == _NO_REFERENCE:
        return 0.0
    return pose_feedback(kin, kind, index, operand(code, a, first, 0.0), operand(code, a, first + 1, 0.0))


@kernel
def _follow_state(code: Code, state: ControlState, first: int, last: int) -> None:
    """Update the joint targets of a phase that depend on the character's state. Of a LIPOSE, only the gains change.

    The actions of the phase are the rows `first` to `last` (exclusive) of `Program.actions`.
    """
    for a in range(first, last):
        if code.actions[a, ACTION_FLAGS] & _VARYING != 0:
            j, kind = code.actions[a, ACTION_JOINT], code.actions[a, ACTION_KIND]
            if kind == _POSE:
                state.targets[j, TARGET_GOAL] = operand(code, a, 0, 0.0)
            state.targets[j, TARGET_KP] = gain(code, a, 1)
            state.targets[j, TARGET_KD] = gain(code, a, 2)


@kernel
def gain(code: Code, action: int, which: int) -> float:
    """Return a PD gain that an action sets for a joint; -1, for the character's default, if the script omits the gain.

    A negative gain of a target that depends on the state is replaced by 0.

    Args:
        code: arrays of the program.
        action: row of the action in `Program.actions`.
        which: index of the operand: 1 for kp, 2 for kd.
    """
    slot = code.actions[action, ACTION_OPERAND + which]
    if slot == OMITTED:
        return -1.0
    if code.actions[action, ACTION_FLAGS] & _VARYING != 0:
        return max(0.0, code.values[slot])
    return float(code.values[slot])


@kernel
def _apply_torque_limits(body: Body, code: Code, state: ControlState, motors: Motors) -> None:
    """Apply SET TORQUELIMIT (maximum joint torque) of the active scripts, from the outermost to the innermost.

    A limit of an inner script replaces that of an outer one. Within a script, the limit of a single joint replaces that
    of all joints. No limit exceeds a joint's hard limits.
    """
    for level in range(state.counters[DEPTH] + 1):
        frame = code.phases[state.levels[level, LEVEL_PHASE], PHASE_FRAME]
        slot = code.frames[frame, FRAME_TORQUE_LIMIT]
        if slot != OMITTED:
            for j in range(body.parent.size):
                _set_limit(body, motors, j, code.values[slot])
        for row in range(code.frames[frame, FRAME_LIMIT_START], code.frames[frame, FRAME_LIMIT_END]):
            _set_limit(body, motors, code.limits[row, LIMIT_JOINT], code.values[code.limits[row, LIMIT_SLOT]])


@kernel
def _set_limit(body: Body, motors: Motors, j: int, limit: float) -> None:
    motors.limit[j, 0] = -max(0.0, min(limit, -body.torque[j, 1, 0]))
    motors.limit[j, 1] = max(0.0, min(limit, body.torque[j, 1, 1]))


@kernel
def _stand_by_targets(
    kinds: Ints, targets: Floats, joints: Floats, gains: Floats, target: Floats, kp: Floats, kd: Floats, time: float
) -> None:
    """Fill the target angles and gains of all J joints from the targets in effect.

    The arguments are single arrays, because a call with named tuples of arrays takes longer than the computation.

    Args:
        kinds: `ControlState.target_kinds`.
        targets: `ControlState.targets`.
        joints: `Kinematics.joint`.
        gains: `Body.gains`, for joints whose target has no gains.
        target: result: target angles (J,), rad.
        kp: result: stiffnesses (J,), N m/rad.
        kd: result: dampings (J,), N m s/rad.
        time: simulated time, s.
    """
    for j in range(target.size):
        target[j] = current_target(kinds, targets, joints, j, time)
        if kinds[j, TARGET_KIND] == NO_TARGET:
            kp[j] = 0.0
            kd[j] = 0.0
        else:
            kp[j] = gains[j, 0] if targets[j, TARGET_KP] < 0.0 else targets[j, TARGET_KP]
            kd[j] = gains[j, 1] if targets[j, TARGET_KD] < 0.0 else targets[j, TARGET_KD]


@kernel
def _add_force(body: Body, kin: Kinematics, code: Code, a: int, kind: int, torque: Floats) -> None:
    base, part = code.actions[a, ACTION_JOINT], code.actions[a, ACTION_PART]
    if kind == _VF:
        fx, fy = operand(code, a, 0, 0.0), operand(code, a, 1, 0.0)
    elif kind == _VFFB:
        kind, index = code.actions[a, ACTION_REFERENCE], code.actions[a, ACTION_REFERENCE_INDEX]
        fx, fy = balance_force(kin, kind, index, operand(code, a, 0, 0.0), operand(code, a, 1, 0.0)), 0.0
    elif kind == _VFHFB:
        height = kin.com[1] - support_height(kin, code)
        lack = operand(code, a, 2, 0.0) - height
        fx, fy = 0.0, height_force(kin, lack, operand(code, a, 0, 0.0), operand(code, a, 1, 0.0))
    else:
        fx, fy = operand(code, a, 0, 0.0) * (operand(code, a, 1, 0.0) - kin.com[2]), 0.0
    add_virtual_force(body, kin, base, part, fx, fy, torque)


@allocating_kernel
def _reach_for(
    body: Body, kin: Kinematics, code: Code, state: ControlState, a: int, entry: int, first: int, last: int
) -> None:
    """Set the PD targets of the joints with which an IK (inverse kinematics) moves a link to its goal.

    Joints that a VPD of the phase drives are not moved.

    Args:
        body: constants of the character.
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter, which is changed.
        a: row of the IK in `Program.actions`.
        entry: number of the phase's beginning, which marks the new targets.
        first: first row of the phase's actions.
        last: row after the last of the phase's actions.
    """
    base, part = code.actions[a, ACTION_JOINT], code.actions[a, ACTION_PART]
    x, y = operand(code, a, 0, 0.0), operand(code, a, 1, 0.0)
    if code.actions[a, ACTION_FLAGS] & _GLOBAL == 0:
        x += kin.joint[base, 2]
        y += kin.joint[base, 3]
    n = body.parent.size
    angles = np.empty(n)
    free = np.ones(n, dtype=np.int64)
    for b in range(first, last):
        if code.actions[b, ACTION_KIND] == _VPD:
            free[code.actions[b, ACTION_JOINT]] = 0
    reach(body, kin, base, part, x, y, operand(code, a, 3, DEFAULT_TOLERANCE), angles, free)
    for j in range(n):
        if body.chain[base, part, j] != 0 and free[j] != 0:
            state.target_kinds[j, TARGET_KIND] = POSE_TARGET
            state.target_kinds[j, TARGET_ENTRY] = entry
            state.targets[j, TARGET_GOAL] = angles[j]
            state.targets[j, TARGET_KP] = -1.0
            state.targets[j, TARGET_KD] = -1.0


@kernel
def _add_world_pd(body: Body, kin: Kinematics, code: Code, motors: Motors, first: int, last: int) -> None:
    """Apply the VPDs of a phase: PD control of a link's angle in the world, through a joint.

    If a VPD is marked as that of the swing hip, the hip that drives the trunk gets the torque of SIMBICON's stance hip.
    Only the magnitudes of the gains are used. The sign follows from the side of the joint on which the link is. Angles
    are reduced by the full turns of the trunk: after a somersault, upright is 0 again. They are not wrapped further: a
    thigh can rotate past half a turn and return along the same path.

    Args:
        body: constants of the character.
        kin: state of the character.
        code: arrays of the program.
        motors: commands to the joints; torques are added.
        first: first row of the phase's actions.
        last: row after the last of the phase's actions.
    """
    turns = kin.link[body.trunk, 2] - wrapped(kin.link[body.trunk, 2])
    swing, swing_torque, stance, trunk_torque = -1, 0.0, -1, 0.0
    for a in range(first, last):
        if code.actions[a, ACTION_KIND] != _VPD:
            continue
        j, part = code.actions[a, ACTION_JOINT], code.actions[a, ACTION_PART]
        kp, kd = abs(operand(code, a, 1, VPD_KP)), abs(operand(code, a, 2, VPD_KD))
        angle = operand(code, a, 0, 0.0) + _feedback(kin, code, a, 3)  # by COMFB2
        torque = pd_torque(kp, kd, angle, kin.link[part, 2] - turns, kin.link[part, 5])
        lower, upper = motors.limit[j, 0], motors.limit[j, 1]
        if body.side[j, part] > 0:
            torque = clipped(torque, lower, upper)
            motors.torque[j] += torque
            if code.actions[a, ACTION_FLAGS] & _SWING != 0:
                swing, swing_torque = j, torque
        else:  # the torque acts on the parent as a reaction, with the opposite sign
            torque = clipped(torque, -upper, -lower)
            motors.torque[j] -= torque
            stance, trunk_torque = j, torque
    if swing >= 0 and stance >= 0 and swing != stance:
        # the trunk's part is already applied as -trunk; the reaction of the swing hip is missing
        motors.torque[stance] += stance_hip_torque(trunk_torque, swing_torque) + trunk_torque
