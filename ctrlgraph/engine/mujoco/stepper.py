"""One time step of planar MuJoCo: PD targets and torques become motors, contacts become constraints.

A PD motor is implicit, also in contact. Its torque is lambda = (v - v') / cfm, where v is the motor's target velocity,
cfm its compliance, and v' the joint's velocity after the step (see `ctrlgraph.engine.commands`). With the velocity v0
before the step, lambda is (v - v0) / cfm - (v' - v0) / cfm: a known torque, and an additional inertia dt / cfm of the
joint. The torque goes to MuJoCo's `ctrl` and the inertia to `dof_armature`, so that the Euler integrator and the
contact solver use both. After the step, lambda follows from v' as in ODE.

A motor is saturated if its lambda is beyond a torque limit. It then gets the limit as a torque, without the inertia.
The motors are corrected one at a time, the one with the largest excess first, until all are within their limits.

The position stage is that of MuJoCo (`mj_fwdPosition`), except that the contacts come from ctrlgraph's collision
kernel. `mj_forwardSkip` continues from there. `mj_step` has the same result if MuJoCo finds the same contacts and no
motor is saturated.
"""

from __future__ import annotations

import math

from ctrlgraph.engine.commands import (
    MAX_ANGULAR_VELOCITY,
    MAX_PLACE,
    MAX_SPEED,
    Clock,
    Commands,
    has_motor,
    record_torque,
    set_commands,
)
from ctrlgraph.engine.disturbance import Disturbance, delay_commands
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.motor_limits import AFTER_POSITION, PASSES, forward_again, hash_state, wrong_motor
from ctrlgraph.engine.mujoco.world import MujocoData
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.collision import Contacts
from ctrlgraph.kernels.planar.kinematics import hang_child

library.load()

_kinematics = library.external("mj_fwdKinematics")
_make_inertia = library.external("mj_makeM")
_factor_inertia = library.external("mj_factorM")
_clear_contacts = library.external("mj_collision")
_add_contact = library.external("mj_addContact")
_make_constraints = library.external("mj_makeConstraint")
_find_islands = library.external("mj_island")
_project_constraints = library.external("mj_projectConstraint")
_transmit = library.external("mj_transmission")
_forward_from = library.external("mj_forwardSkip")
_integrate = library.external("mj_Euler")
_contact_force = library.external("mj_contactForce")


@kernel
def is_bounded(world: MujocoData) -> bool:
    """Return whether the state is finite and no coordinate or velocity is too large, as before each time step."""
    for i in range(world.qvel.size):
        most = MAX_SPEED if i < 2 else MAX_ANGULAR_VELOCITY
        if not (abs(world.qvel[i]) < most and abs(world.qpos[i]) < MAX_PLACE):  # false for nan, too
            return False
    return True


@kernel
def observe(world: MujocoData, kin: Kinematics) -> None:
    """Fill `kin.link` and `kin.turn` with the poses and velocities of the links. Angles are not wrapped to one turn."""
    body, qpos, qvel, link, turn = world.character, world.qpos, world.qvel, kin.link, kin.turn
    root = world.root
    link[root, 0], link[root, 1], link[root, 2] = qpos[0], qpos[1], qpos[2]
    link[root, 3], link[root, 4], link[root, 5] = qvel[0], qvel[1], qvel[2]
    turn[root, 0], turn[root, 1] = math.cos(qpos[2]), math.sin(qpos[2])
    for k in range(world.order.size):
        j = world.order[k]
        dof = world.dof[j]
        hang_child(body, kin, j, qpos[dof], qvel[dof])


@kernel
def set_motor(world: MujocoData, commands: Commands, j: int, dt: float) -> None:
    """Pass the motor command of a joint to MuJoCo.

    A saturated motor (at a torque limit) and a joint without PD control are passed as a torque, any other motor as a
    torque and an additional inertia of the joint.

    Args:
        world: the world, whose `ctrl` and `armature` are set.
        commands: motor commands of the step.
        j: index of the joint.
        dt: time step, s.
    """
    dof = world.dof[j]
    if not has_motor(commands, j):
        world.ctrl[j], world.armature[dof] = commands.explicit[j], 0.0
    elif world.saturated[j] != 0:
        world.ctrl[j], world.armature[dof] = commands.limit[j, 0 if world.saturated[j] < 0 else 1], 0.0
    else:
        world.ctrl[j] = (commands.velocity[j] - world.qvel[dof]) / commands.cfm[j]
        world.armature[dof] = dt / commands.cfm[j]


@kernel
def make_contacts(world: MujocoData, contacts: Contacts) -> None:
    """Replace the contacts that MuJoCo finds by `contacts`, which ctrlgraph's collision kernel has found."""
    _clear_contacts(world.model, world.data)
    contact, d, p, f = world.contact, world.at_distance, world.at_position, world.at_frame
    for c in range(contacts.filled[0]):
        nx, ny, depth = contacts.geometry[c, 2], contacts.geometry[c, 3], contacts.geometry[c, 4]
        contact[d] = -depth
        # midway between the two surfaces; our point is on the body's surface
        contact[p] = contacts.geometry[c, 0] + 0.5 * depth * nx
        contact[p + 1] = 0.0
        contact[p + 2] = contacts.geometry[c, 1] + 0.5 * depth * ny
        # rows: normal out of the ground, across the plane, along the ground
        contact[f], contact[f + 1], contact[f + 2] = nx, 0.0, ny
        contact[f + 3], contact[f + 4], contact[f + 5] = 0.0, 1.0, 0.0
        contact[f + 6], contact[f + 7], contact[f + 8] = -ny, 0.0, nx
        world.geometries[world.at_geometry + 1] = world.geometry[contacts.link[c]]
        _add_contact(world.model, world.data, world.contact_address)


@kernel
def forward(world: MujocoData, contacts: Contacts) -> None:
    """Let MuJoCo compute the accelerations in this time step from the state, the contacts and the current motors."""
    model, data = world.model, world.data
    _kinematics(model, data)
    _make_inertia(model, data)
    _factor_inertia(model, data)
    make_contacts(world, contacts)
    _make_constraints(model, data)
    _find_islands(model, data)
    _project_constraints(model, data)
    _transmit(model, data)
    _forward_from(model, data, AFTER_POSITION, 1)


@kernel
def record_contact_forces(world: MujocoData, kin: Kinematics, contacts: Contacts) -> None:
    """Store the contact forces that MuJoCo has computed for this time step, before the state is integrated.

    `contacts.force` receives the force of each contact, N. `kin.pressure` receives the total vertical force, N, and the
    moment of that force about x = 0, N m.
    """
    kin.pressure[0] = 0.0
    kin.pressure[1] = 0.0
    for c in range(contacts.filled[0]):
        _contact_force(world.model, world.data, c, world.force_address)
        nx, ny = contacts.geometry[c, 2], contacts.geometry[c, 3]
        # the second tangent, along the ground, is (-ny, nx)
        contacts.force[c, 0] = world.force[0] * nx - world.force[2] * ny
        contacts.force[c, 1] = world.force[0] * ny + world.force[2] * nx
        kin.pressure[0] += contacts.force[c, 1]
        kin.pressure[1] += contacts.force[c, 1] * contacts.geometry[c, 0]


@kernel
def step(
    world: MujocoData,
    dt: float,
    body: Body,
    kin: Kinematics,
    motors: Motors,
    contacts: Contacts,
    clock: Clock,
    disturbance: Disturbance,
    time: float,
) -> bool:
    """Make one time step of `dt` seconds with MuJoCo; see `EngineKernels.step` for the arguments.

    Return False without a step if a motor command is not finite.
    """
    commands = world.commands
    if not set_commands(body, kin, motors, dt, commands):
        return False
    delay_commands(disturbance, commands, clock.step[0])
    world.pushed[:] = 0.0
    for p in range(disturbance.pushes.shape[0]):
        push = disturbance.pushes[p]
        if push[0] <= time < push[1]:
            pushed = world.pushed[world.body[int(push[2])]]
            pushed[0] += push[3]
            pushed[2] += push[4]
    for j in range(body.parent.size):
        set_motor(world, commands, j, dt)
    forward(world, contacts)
    for n in range(PASSES):
        j, wanted = wrong_motor(world, commands, dt, n < PASSES // 4)
        if j < 0:
            break
        world.saturated[j] = wanted
        set_motor(world, commands, j, dt)
        forward_again(world)
    record_contact_forces(world, kin, contacts)
    _integrate(world.model, world.data)
    work = 0.0
    for j in range(body.parent.size):
        work += record_torque(commands, clock, j, world.qvel[world.dof[j]], dt)
    clock.energy[0] += work
    return True


KERNELS = EngineKernels("mujoco", is_bounded, observe, step, hash_state)
