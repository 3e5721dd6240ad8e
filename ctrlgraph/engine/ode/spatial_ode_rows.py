"""Constraint rows of the joints in space: motors, springs, damping, armature, dry friction and stops.

The torque of a joint is a sum of elements. Each is linear in the joint's rate v' after the step, within limits:

- motor: (velocity - v') / cfm, within the torque limits (see `ctrlgraph.engine.commands`);
- spring, damping and armature (inertia of the rotor): k (q0 - q - dt v') - d v' - I (v' - v) / dt without limits, which
  is their exact implicit step, stable for every stiffness and damping;
- dry friction: -v' / `DRY_CFM`, within the friction loss.

An element at a limit is a constant torque. So all elements of a joint together are one constraint row without limits,
if it is known which of them are at a limit. The exact solver of ODE factors such rows at once, while each row with
limits costs several pivots. Therefore the limits that are reached are guessed from the rates before the step. After the
step, each element is checked, and the step is repeated if a guess was wrong. If guesses remain wrong, the elements
become separate rows with limits. The quick solver, whose results are not exact, always has separate rows.

Rows act along the joint's axis, or, for three joints between two links whose first and third axes are not
perpendicular, along the direction in which a torque works only on this joint.
"""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.engine.commands import has_motor
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.memory import read_double
from ctrlgraph.engine.ode.spatial_ode_state import SpatialWorldData
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_kinematics import measure_rates
from ctrlgraph.kernels.spatial.spatial_rotation import cross, dot, scale, vector_at

ode.load()

_add_torque = ode.external("dBodyAddTorque")
_set_motor = ode.external("dJointSetAMotorParam")
_set_angle = ode.external("dJointSetAMotorAngle")
_set_axis = ode.external("dJointSetAMotorAxis")

_VEL, _FMAX, _CFM, _GROUP = ode.PARAM_VEL, ode.PARAM_FMAX, ode.PARAM_CFM, ode.PARAM_GROUP
_LOW, _HIGH = ode.PARAM_LO_STOP, ode.PARAM_HI_STOP

DRY_CFM = 0.01
"""Speed at which a joint creeps that dry friction holds, per torque, rad/s per N m.

With smaller values, more guesses are wrong when a character lies on the ground.
"""

_MOST_STRETCHED = 30.0
"""Maximum ratio of a joint's rate to that of the rotation along its row, near gimbal lock."""

_SHARE = 1e-3
"""Fraction of dry friction by which a joint that it holds may exceed it."""


@kernel
def row_axis(body: SpatialBody, kin: SpatialKinematics, j: int) -> tuple[Vector, float]:
    """Return the axis of the constraint rows of a joint, and the ratio of the joint's rate to the rotation along it.

    The axis is perpendicular to those of the other joints between the same links, so that a torque along it works only
    on this joint. It is the joint's own axis except for the first and the third of three joints.

    Args:
        body: constants of the character.
        kin: state of the character; `axis` is read.
        j: index of the joint.
    """
    axis, child = vector_at(kin.axis, j, 0), body.child[j]
    first = body.first[child]
    if body.n_joints[child] < 3 or body.joints[first + 1] == j:
        return axis, 1.0
    other = body.joints[first] if body.joints[first + 2] == j else body.joints[first + 2]
    normal = cross(vector_at(kin.axis, body.joints[first + 1], 0), vector_at(kin.axis, other, 0))
    size, along = math.sqrt(dot(normal, normal)), dot(normal, axis)
    if along < 0.0:
        normal, along = scale(-1.0, normal), -along
    return scale(1.0 / size, normal), min(_MOST_STRETCHED, size / along) if along > 0.0 else _MOST_STRETCHED


@kernel
def set_stops(world: SpatialWorldData, kin: SpatialKinematics) -> None:
    """Pass the joint angles to the stops, and the axes of rows to ODE where it does not move them with the links."""
    handles, drives, body = world.handles, world.drives, world.body
    for j in range(body.parent.size):
        group, number = drives.group[j], drives.group[j] // _GROUP
        axis, ratio = row_axis(body, kin, j)
        _set_angle(handles.stop[j], number, kin.joint[j, 0] / ratio)
        if body.n_joints[body.child[j]] == 3:
            for motor in (handles.motor[j], handles.stop[j], drives.linear[j], drives.dry[j]):
                _set_axis(motor, number, 0, axis[0], axis[1], axis[2])
            _set_motor(handles.stop[j], _LOW + group, body.limits[j, 0] / ratio)
            _set_motor(handles.stop[j], _HIGH + group, body.limits[j, 1] / ratio)


@kernel
def guess_limits(world: SpatialWorldData) -> None:
    """Set a first guess of which motors and dry frictions are at a limit, from the joint rates before the step."""
    for j in range(world.body.parent.size):
        world.drives.joint[j, 1] = world.drives.rate[j]
        set_motor_state(world, j)
        set_dry_state(world, j)


@kernel
def set_motor_state(world: SpatialWorldData, j: int) -> bool:
    """Set whether the motor of joint `j` is at a limit at the rate in `drives.joint`; return whether this is new."""
    commands, drives = world.commands, world.drives
    before = drives.motor_at[j]
    drives.motor_at[j] = 0
    if has_motor(commands, j):
        torque = (commands.velocity[j] - drives.joint[j, 1]) / commands.cfm[j]
        drives.motor_at[j] = -1 if torque < commands.limit[j, 0] else (1 if torque > commands.limit[j, 1] else 0)
    return bool(drives.motor_at[j] != before)


@kernel
def set_dry_state(world: SpatialWorldData, j: int) -> bool:
    """Set whether dry friction of joint `j` is at a limit at the rate in `drives.joint`; return whether this is new.

    Friction that holds a joint lets it creep at a rate in proportion to the torque, so the rate tells the torque.
    """
    drives, most, rate = world.drives, world.body.passive[j, 4], world.drives.joint[j, 1]
    before = drives.dry_at[j]
    drives.dry_at[j] = 0
    if most > 0.0 and abs(rate) > (1.0 + _SHARE) * most * DRY_CFM:
        drives.dry_at[j] = -1 if rate > 0.0 else 1
    return bool(drives.dry_at[j] != before)


@kernel
def read_rates(world: SpatialWorldData, kin: SpatialKinematics) -> None:
    """Compute the rates of the joints after the step, in `drives.joint`, along the axes before the step."""
    handles, drives = world.handles, world.drives
    for i in range(handles.body.size):
        for k in range(3):
            drives.twist[i, 3 + k] = read_double(handles.spin[i], k)
    measure_rates(world.body, drives.twist, kin.axis, drives.joint)


@kernel
def guesses_fit(world: SpatialWorldData) -> bool:
    """Return whether all guessed limits were right, by the rates in `drives.joint`, and correct wrong ones."""
    fits = True
    for j in range(world.drives.group.size):
        if set_motor_state(world, j):
            fits = False
        if set_dry_state(world, j):
            fits = False
    return fits


@kernel
def apply_joints(world: SpatialWorldData, kin: SpatialKinematics, dt: float, separate: bool) -> None:
    """Pass the elements of all joints to ODE, as constraint rows and torques.

    ODE's parameter FMax limits the torque of a motor equally in both directions. If the two torque limits of a joint
    differ, the middle of their range acts as an explicit torque, as in the planar function `apply_commands`.

    Args:
        world: the ODE world, with the commands of this step and the guessed limits.
        kin: state of the character before the step.
        dt: time step, s.
        separate: whether each element has its own row with limits; if False, the guessed limits are used.
    """
    handles, drives, commands, body = world.handles, world.drives, world.commands, world.body
    for j in range(body.parent.size):
        motor, dry, group = handles.motor[j], drives.dry[j], drives.group[j]
        axis, ratio = row_axis(body, kin, j)
        stiffness, armature = body.passive[j, 0], body.passive[j, 3]
        resistance = dt * stiffness + body.passive[j, 2] + armature / dt
        drive = stiffness * (body.passive[j, 1] - kin.joint[j, 0]) + armature / dt * drives.rate[j]
        torque, half, most = commands.explicit[j], 0.0, body.passive[j, 4]
        if has_motor(commands, j):
            if separate:
                torque = 0.5 * (commands.limit[j, 0] + commands.limit[j, 1])
                half = 0.5 * (commands.limit[j, 1] - commands.limit[j, 0])
                _set_motor(motor, _VEL + group, (commands.velocity[j] - commands.cfm[j] * torque) / ratio)
                _set_motor(motor, _CFM + group, commands.cfm[j] / (ratio * ratio))
            elif drives.motor_at[j] == 0:
                torque = 0.0
                resistance += 1.0 / commands.cfm[j]
                drive += commands.velocity[j] / commands.cfm[j]
            else:
                torque = commands.limit[j, 0 if drives.motor_at[j] < 0 else 1]
        if most > 0.0 and not separate:
            if drives.dry_at[j] == 0:
                resistance += 1.0 / DRY_CFM
            else:
                torque += drives.dry_at[j] * most
        _set_motor(motor, _FMAX + group, half * ratio)
        _set_motor(dry, _FMAX + group, most * ratio if separate else 0.0)
        if resistance > 0.0:
            _set_motor(drives.linear[j], _VEL + group, drive / (resistance * ratio))
            _set_motor(drives.linear[j], _CFM + group, 1.0 / (resistance * ratio * ratio))
        _set_motor(drives.linear[j], _FMAX + group, math.inf if resistance > 0.0 else 0.0)
        if separate and most > 0.0:
            _set_motor(dry, _CFM + group, DRY_CFM / (ratio * ratio))
        if torque != 0.0:
            turning = scale(torque * ratio, axis)
            _add_torque(handles.body[body.child[j]], turning[0], turning[1], turning[2])
            _add_torque(handles.body[body.parent[j]], -turning[0], -turning[1], -turning[2])
