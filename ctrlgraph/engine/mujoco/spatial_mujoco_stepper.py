"""One time step of spatial MuJoCo: PD targets and torques become motors, contacts become constraints.

The motors, their limits and the order of the stages are those of the plane, see `stepper`. A motor's torque goes to
MuJoCo's `qfrc_applied` and its inertia to `dof_armature`.

MuJoCo's Euler integrator computes the velocities at the end of the step first. With these it moves the positions, so
that the quaternion of the root follows the rotation by a constant angular velocity exactly.
"""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
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
from ctrlgraph.engine.mujoco.spatial_mujoco_world import SpatialMujocoData
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialContacts, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, set_velocities
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    cross,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    scale,
    vector_at,
)

library.load()

_kinematics = library.external("mj_fwdKinematics")
_make_inertia = library.external("mj_makeM")
_factor_inertia = library.external("mj_factorM")
_clear_contacts = library.external("mj_collision")
_add_contact = library.external("mj_addContact")
_make_constraints = library.external("mj_makeConstraint")
_find_islands = library.external("mj_island")
_project_constraints = library.external("mj_projectConstraint")
_forward_from = library.external("mj_forwardSkip")
_integrate = library.external("mj_Euler")
_contact_force = library.external("mj_contactForce")


@kernel
def is_bounded(world: SpatialMujocoData) -> bool:
    """Return whether the state is finite and no coordinate or velocity is too large, as before each time step."""
    linear = 3 * world.character.floating
    for i in range(world.qvel.size):
        if not abs(world.qvel[i]) < (MAX_SPEED if i < linear else MAX_ANGULAR_VELOCITY):  # also true for nan
            return False
    for i in range(world.qpos.size):
        if not abs(world.qpos[i]) < MAX_PLACE:
            return False
    return True


@kernel
def observe(world: SpatialMujocoData, kin: SpatialKinematics) -> None:
    """Fill the poses and velocities of the links in `kin`, and the angles, rates, axes and places of the joints."""
    body, qpos, qvel = world.character, world.qpos, world.qvel
    root = body.root
    if body.floating != 0:
        turn = (qpos[3], qpos[4], qpos[5], qpos[6])
        put_vector(kin.pose, root, 0, (qpos[0], qpos[1], qpos[2]))
        put_quaternion(kin.pose, root, 3, turn)
        put_vector(kin.twist, root, 0, (qvel[0], qvel[1], qvel[2]))
        put_vector(kin.twist, root, 3, rotate(turn, (qvel[3], qvel[4], qvel[5])))
    else:
        put_vector(kin.pose, root, 0, vector_at(body.offset, root, 0))
        put_quaternion(kin.pose, root, 3, quaternion_at(body.rest, root, 0))
        kin.twist[root, :] = 0.0
    for j in range(world.dof.size):
        world.angles[j] = qpos[world.angle[j]]
        world.rates[j] = qvel[world.dof[j]]
    place_links(body, kin, world.angles)
    set_velocities(body, kin, world.rates)


@kernel
def set_motor(world: SpatialMujocoData, commands: Commands, j: int, dt: float) -> None:
    """Pass the motor command of a joint to MuJoCo.

    A saturated motor (at a torque limit) and a joint without PD control are passed as a torque, any other motor as a
    torque and an additional inertia of the joint.

    Args:
        world: the world, whose `applied` and `armature` are set.
        commands: motor commands of the step.
        j: index of the joint.
        dt: time step, s.
    """
    dof = world.dof[j]
    world.armature[dof] = world.rotor[j]
    if not has_motor(commands, j):
        world.applied[dof] = commands.explicit[j]
    elif world.saturated[j] != 0:
        world.applied[dof] = commands.limit[j, 0 if world.saturated[j] < 0 else 1]
    else:
        world.applied[dof] = (commands.velocity[j] - world.qvel[dof]) / commands.cfm[j]
        world.armature[dof] += dt / commands.cfm[j]


@kernel
def tangent(normal: Vector) -> Vector:
    """Return a unit vector that is perpendicular to the unit vector `normal`: forward along the surface, if possible.

    On a surface whose normal is nearly forward or backward, it points to the left.
    """
    x, y, z = normal
    if abs(x) < 0.9:
        size = math.sqrt(1.0 - x * x)
        return size, -x * y / size, -x * z / size
    size = math.sqrt(1.0 - y * y)
    return -y * x / size, size, -y * z / size


@kernel
def make_contacts(world: SpatialMujocoData, contacts: SpatialContacts) -> None:
    """Replace the contacts that MuJoCo finds by `contacts`, which ctrlgraph's collision kernel has found."""
    _clear_contacts(world.model, world.data)
    contact, d, p, f = world.contact, world.at_distance, world.at_position, world.at_frame
    for c in range(contacts.filled[0]):
        normal, depth = vector_at(contacts.normal, c, 0), contacts.depth[c]
        along = tangent(normal)
        across = cross(normal, along)
        # midway between the two surfaces; our point is on the surface of `link`
        point = add(vector_at(contacts.point, c, 0), scale(0.5 * depth, normal))
        contact[d] = -depth
        for k in range(3):
            contact[p + k] = point[k]
            contact[f + k], contact[f + 3 + k], contact[f + 6 + k] = normal[k], along[k], across[k]
        other = contacts.other[c]
        world.geometries[world.at_geometry] = world.ground if other < 0 else world.geometry[other]
        world.geometries[world.at_geometry + 1] = world.geometry[contacts.link[c]]
        _add_contact(world.model, world.data, world.contact_address)


@kernel
def forward(world: SpatialMujocoData, contacts: SpatialContacts) -> None:
    """Let MuJoCo compute the accelerations in this time step from the state, the contacts and the current motors."""
    model, data = world.model, world.data
    _kinematics(model, data)
    _make_inertia(model, data)
    _factor_inertia(model, data)
    make_contacts(world, contacts)
    _make_constraints(model, data)
    _find_islands(model, data)
    _project_constraints(model, data)
    _forward_from(model, data, AFTER_POSITION, 1)


@kernel
def record_contact_forces(world: SpatialMujocoData, contacts: SpatialContacts) -> None:
    """Store the force of each contact in `contacts.force`, N, before the state is integrated."""
    for c in range(contacts.filled[0]):
        _contact_force(world.model, world.data, c, world.force_address)
        normal = vector_at(contacts.normal, c, 0)
        along = tangent(normal)
        across = cross(normal, along)
        for k in range(3):
            contacts.force[c, k] = world.force[0] * normal[k] + world.force[1] * along[k] + world.force[2] * across[k]


@kernel
def apply_pushes(world: SpatialMujocoData, kin: SpatialKinematics, disturbance: Disturbance, time: float) -> None:
    """Pass the pushes at this time to MuJoCo, as forces and torques on the centres of mass of links.

    Args:
        world: the world, whose `pushed` is set.
        kin: state of the character before the step.
        disturbance: contains the pushes.
        time: simulated time, s.
    """
    world.pushed[:] = 0.0
    for p in range(disturbance.pushes.shape[0]):
        if disturbance.pushes[p, 0] <= time < disturbance.pushes[p, 1]:
            link = int(disturbance.pushes[p, 2])
            force = vector_at(disturbance.pushes, p, 3)
            arm = rotate(quaternion_at(kin.pose, link, 3), vector_at(disturbance.pushes, p, 6))
            moment = cross(arm, force)
            row = world.body[link]
            for k in range(3):
                world.pushed[row, k] += force[k]
                world.pushed[row, 3 + k] += moment[k]


@kernel
def step(
    world: SpatialMujocoData,
    dt: float,
    body: SpatialBody,
    kin: SpatialKinematics,
    motors: Motors,
    contacts: SpatialContacts,
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
    apply_pushes(world, kin, disturbance, time)
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
    record_contact_forces(world, contacts)
    _integrate(world.model, world.data)
    work = 0.0
    for j in range(body.parent.size):
        work += record_torque(commands, clock, j, world.qvel[world.dof[j]], dt)
    clock.energy[0] += work
    return True


SPATIAL_KERNELS = EngineKernels("mujoco", is_bounded, observe, step, hash_state)
