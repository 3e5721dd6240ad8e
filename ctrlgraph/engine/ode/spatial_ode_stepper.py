"""One time step of ODE in space: motors, passive elements and contacts become constraint rows, and forces are read back.

A joint has up to four rows besides those that keep its links together. Each row acts along the joint's axis, or, for
three joints between two links whose first and third axes are not perpendicular, along the direction in which a torque
works only on this joint:

- the motor, with the joint's torque limits;
- the passive element without limits: spring, damping and the inertia of the rotor (armature). All three are linear in
  the rate v' after the step: torque = k (q0 - q - dt v') - d v' - I (v' - v) / dt, so one row is their exact implicit
  step, stable for every stiffness and damping;
- dry friction: a motor with a target velocity of 0 whose torque is limited to the friction loss;
- a stop, while the joint is beyond a limit.
"""

from __future__ import annotations

import math

from ctrlgraph.engine.commands import Clock, Commands, has_motor, record_torque, set_commands
from ctrlgraph.engine.disturbance import Disturbance, delay_commands
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.memory import read_double
from ctrlgraph.engine.ode.spatial_ode_contacts import solve_in_space
from ctrlgraph.engine.ode.spatial_ode_state import (
    SpatialDrives,
    SpatialWorldData,
    hash_state_in_space,
    is_bounded_in_space,
    observe_in_space,
)
from ctrlgraph.engine.ode.state import Handles
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialContacts, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_kinematics import measure_rates
from ctrlgraph.kernels.spatial.spatial_rotation import cross, dot, scale, vector_at

ode.load()

_add_torque = ode.external("dBodyAddTorque")
_add_force_at = ode.external("dBodyAddForceAtRelPos")
_set_motor = ode.external("dJointSetAMotorParam")
_set_angle = ode.external("dJointSetAMotorAngle")
_set_axis = ode.external("dJointSetAMotorAxis")

_VEL, _FMAX, _CFM, _GROUP = ode.PARAM_VEL, ode.PARAM_FMAX, ode.PARAM_CFM, ode.PARAM_GROUP
_LOW, _HIGH = ode.PARAM_LO_STOP, ode.PARAM_HI_STOP

_MOST_STRETCHED = 30.0
"""Maximum ratio of a joint's rate to that of the rotation along its row, near gimbal lock."""


@kernel
def row_axis(body: SpatialBody, kin: SpatialKinematics, j: int) -> tuple[tuple[float, float, float], float]:
    """Return the axis of the constraint rows of a joint, and the ratio of the joint's rate to the rotation along it.

    The axis is perpendicular to those of the other joints between the same links, so that a torque along it works only
    on this joint. It is the joint's own axis except for the first and the third of three joints.

    Args:
        body: constants of the character.
        kin: state of the character; `axis` is read.
        j: index of the joint.
    """
    axis, child = vector_at(kin.axis, j, 0), body.child[j]
    if body.n_joints[child] < 3:
        return axis, 1.0
    first = body.first[child]
    if body.joints[first + 1] == j:
        return axis, 1.0
    other = body.joints[first] if body.joints[first + 2] == j else body.joints[first + 2]
    normal = cross(vector_at(kin.axis, body.joints[first + 1], 0), vector_at(kin.axis, other, 0))
    size, along = math.sqrt(dot(normal, normal)), dot(normal, axis)
    if along < 0.0:
        normal, along = scale(-1.0, normal), -along
    return scale(1.0 / size, normal), min(_MOST_STRETCHED, size / along) if along > 0.0 else _MOST_STRETCHED


@kernel
def turn_axes(world: SpatialWorldData, kin: SpatialKinematics) -> None:
    """Pass the axes of the rows of ball joints to ODE, and to the stops their limits along these axes."""
    handles, drives, body = world.handles, world.drives, world.body
    for j in range(body.parent.size):
        if body.n_joints[body.child[j]] < 3:
            continue  # ODE moves the axes with the links
        axis, ratio = row_axis(body, kin, j)
        number = drives.group[j] // _GROUP
        _set_axis(handles.motor[j], number, 0, axis[0], axis[1], axis[2])
        _set_axis(handles.stop[j], number, 0, axis[0], axis[1], axis[2])
        _set_motor(handles.stop[j], _LOW + drives.group[j], body.limits[j, 0] / ratio)
        _set_motor(handles.stop[j], _HIGH + drives.group[j], body.limits[j, 1] / ratio)
        if drives.passive[j] != 0:
            _set_axis(drives.passive[j], number, 0, axis[0], axis[1], axis[2])
        if drives.dry[j] != 0:
            _set_axis(drives.dry[j], number, 0, axis[0], axis[1], axis[2])


@kernel
def apply_commands_in_space(
    handles: Handles, drives: SpatialDrives, body: SpatialBody, kin: SpatialKinematics, commands: Commands
) -> None:
    """Pass the motor commands of a time step to ODE, and the joint angles to ODE's stops at the joint limits.

    If the two torque limits of a joint differ, the middle of their range acts as an explicit torque, as in the planar
    function `apply_commands`.

    Args:
        handles: handles of the bodies, motors and stops.
        drives: numbers of the axes of the motors and stops.
        body: constants of the character.
        kin: state of the character before the step.
        commands: motor commands of the step.
    """
    for j in range(body.parent.size):
        motor, group = handles.motor[j], drives.group[j]
        axis, ratio = row_axis(body, kin, j)
        explicit, half = commands.explicit[j], 0.0
        if has_motor(commands, j):
            explicit = 0.5 * (commands.limit[j, 0] + commands.limit[j, 1])
            half = 0.5 * (commands.limit[j, 1] - commands.limit[j, 0])
            _set_motor(motor, _VEL + group, (commands.velocity[j] - commands.cfm[j] * explicit) / ratio)
            _set_motor(motor, _CFM + group, commands.cfm[j] / (ratio * ratio))
        if explicit != 0.0:
            torque = scale(explicit * ratio, axis)
            _add_torque(handles.body[body.child[j]], torque[0], torque[1], torque[2])
            _add_torque(handles.body[body.parent[j]], -torque[0], -torque[1], -torque[2])
        _set_motor(motor, _FMAX + group, half * ratio)
        _set_angle(handles.stop[j], group // _GROUP, kin.joint[j, 0] / ratio)


@kernel
def apply_passive(drives: SpatialDrives, body: SpatialBody, kin: SpatialKinematics, dt: float) -> None:
    """Pass springs, damping, armature and dry friction of the joints to ODE.

    Args:
        drives: handles of the angular motors.
        body: constants of the character.
        kin: state of the character before the step.
        dt: time step, s.
    """
    for j in range(body.parent.size):
        if drives.passive[j] == 0 and drives.dry[j] == 0:
            continue
        ratio = row_axis(body, kin, j)[1]
        if drives.passive[j] != 0:
            stiffness, relaxed, damping, armature = (
                body.passive[j, 0],
                body.passive[j, 1],
                body.passive[j, 2],
                body.passive[j, 3],
            )
            resistance = dt * stiffness + damping + armature / dt
            drive = stiffness * (relaxed - kin.joint[j, 0]) + armature / dt * kin.joint[j, 1]
            _set_motor(drives.passive[j], _VEL + drives.group[j], drive / (resistance * ratio))
            _set_motor(drives.passive[j], _CFM + drives.group[j], 1.0 / (resistance * ratio * ratio))
        if drives.dry[j] != 0:
            _set_motor(drives.dry[j], _FMAX + drives.group[j], body.passive[j, 4] * ratio)


@kernel
def record_forces_in_space(
    world: SpatialWorldData,
    body: SpatialBody,
    kin: SpatialKinematics,
    contacts: SpatialContacts,
    clock: Clock,
    dt: float,
) -> None:
    """Store the results of a time step: contact forces, joint torques, and their work.

    The contact forces go to `contacts.force`, the joint torques to `World.commands`, and the work and effort of the
    torques to `clock`.

    Args:
        world: the ODE world after the step.
        body: constants of the character.
        kin: state before the step.
        contacts: contacts of the step, which receive their forces.
        clock: counters of the simulation loop.
        dt: time step, s.
    """
    handles, drives = world.handles, world.drives
    for c in range(contacts.filled[0]):
        feedback = handles.feedback + 8 * handles.feedback_size * c
        for k in range(3):
            contacts.force[c, k] = read_double(feedback, k)
    for i in range(handles.body.size):
        for k in range(3):
            drives.twist[i, 3 + k] = read_double(handles.spin[i], k)
    measure_rates(body, drives.twist, kin.axis, drives.joint)
    work = 0.0
    for j in range(body.parent.size):
        work += record_torque(world.commands, clock, j, drives.joint[j, 1], dt)
    clock.energy[0] += work


@kernel
def step_in_space(
    world: SpatialWorldData,
    dt: float,
    body: SpatialBody,
    kin: SpatialKinematics,
    motors: Motors,
    contacts: SpatialContacts,
    clock: Clock,
    disturbance: Disturbance,
    time: float,
) -> bool:
    """Make one time step of `dt` seconds with ODE; see `EngineKernels.step` for the arguments.

    Return False without a step if a motor command is not finite.
    """
    handles, commands = world.handles, world.commands
    if not set_commands(body, kin, motors, dt, commands):
        return False
    delay_commands(disturbance, commands, clock.step[0])
    turn_axes(world, kin)
    apply_commands_in_space(handles, world.drives, body, kin, commands)
    apply_passive(world.drives, body, kin, dt)
    pushes = disturbance.pushes
    for p in range(pushes.shape[0]):
        if pushes[p, 0] <= time < pushes[p, 1]:
            force, point = vector_at(pushes, p, 3), vector_at(pushes, p, 6)
            _add_force_at(handles.body[int(pushes[p, 2])], force[0], force[1], force[2], point[0], point[1], point[2])
    solve_in_space(world, contacts, dt)
    record_forces_in_space(world, body, kin, contacts, clock, dt)
    return True


SPATIAL_KERNELS = EngineKernels("ode", is_bounded_in_space, observe_in_space, step_in_space, hash_state_in_space)
