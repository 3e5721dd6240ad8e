"""The simulation loop of spatial characters, compiled once for each combination of engine and controller kind.

It is the counterpart of `planar_loop`: each time step observes the state, finds contacts, ticks the controller, records
a sample if one is due, and steps the engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ctrlgraph.control.controller import FAILED, RUNNING, ControllerKind
from ctrlgraph.engine.commands import Clock
from ctrlgraph.engine.disturbance import Disturbance, add_noise
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.engine.loop import (
    ASKS_FOR_STATE,
    BLEW_UP,
    ENDED,
    GAVE_UP,
    LEFT_BOUNDS,
    SLIP_LOAD,
    STILL_RUNNING,
    TIMED_OUT,
    Exertion,
    compiled,
    count_joints,
    placeholder,
    record_exertion,
)
from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialContacts, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_collision import find_spatial_contacts, note_spatial_contacts, note_spatial_loads
from ctrlgraph.kernels.spatial.spatial_ground import SpatialGround, spatial_height
from ctrlgraph.kernels.spatial.spatial_kinematics import update_com
from ctrlgraph.kernels.spatial.spatial_rotation import quaternion_at, rotate
from ctrlgraph.kernels.spatial.spatial_shapes import SpatialShapes


class SpatialSampleBuffer(NamedTuple):
    """Buffer for N samples of the motion of a spatial character with L links and J joints.

    Samples are filled from index 0. The last five arrays contain sums and maxima since the previous sample.
    """

    filled: Ints
    """(2,) number of recorded samples, and time step of the last one (-1: none)."""
    every: int
    """Number of time steps from one sample to the next."""
    exertion: Exertion
    """Sums and maxima of forces, work and speeds since the last sample."""
    scalars: Floats
    """(N, 8) time, s; position, m, and velocity, m/s, of the centre of mass; energy spent, J."""
    pose: Floats
    """(N, L, 7) position of each link's centre of mass, m, and its orientation."""
    angle: Floats
    """(N, J) joint angles, rad."""
    contact: Ints
    """(N, L) 1 if the link touches the ground, else 0."""
    phase: Ints
    """(N,) index of the controller's phase."""
    impulse: Floats
    """(N, L, 3) impulse of the ground on each link, N s."""
    slip: Floats
    """(N, L) distance that each link has slid along the ground under load, m."""
    work: Floats
    """(N, J, 2) positive and negative work of each joint's torque, both as positive numbers, J."""
    peak: Floats
    """(N, J, 3) maximum speed, rad/s, negative torque and positive torque, N m, of each joint, all positive."""
    mean_peak: Floats
    """(N, 2) maxima of the moving averages of vertical ground force, N, and positive joint power, W."""


class SpatialLimits(NamedTuple):
    """Limits at which the simulation loop ends a rollout (one run of a controller): timeout, tilt and height."""

    last_step: int
    """Number of the time step at which the rollout times out."""
    tilt: Floats
    """(2,) minimum and maximum angle between the trunk's upward axis and the vertical, rad."""
    com_height: Floats
    """(2,) minimum and maximum height of the centre of mass above the ground, m."""
    upward: Floats
    """(3,) direction in the frame of the trunk that points up in the reference pose."""


@kernel
def count_spatial_exertion(
    body: SpatialBody, kin: SpatialKinematics, contacts: SpatialContacts, exertion: Exertion, dt: float
) -> None:
    """Add the last time step to the sums and maxima of forces, work and speeds in `exertion`.

    The slip of a link is the distance that its point at a loaded contact (see `SLIP_LOAD`) moves along the ground. If a
    link has several loaded contacts, the fastest one counts. Contacts between links do not count.

    Args:
        body: constants of the character.
        kin: state of the character after the time step.
        contacts: contacts of the time step, with their forces.
        exertion: sums and maxima, which are updated.
        dt: time step, s.
    """
    exertion.pending[0] = 0
    least = SLIP_LOAD * body.total_mass
    last, fastest, upward = -1, 0.0, 0.0
    for c in range(contacts.filled[0]):
        if contacts.other[c] >= 0:
            continue
        i, load = contacts.link[c], 0.0
        for k in range(3):
            exertion.impulse[i, k] += contacts.force[c, k] * dt
            load += contacts.force[c, k] * contacts.normal[c, k]
        upward += contacts.force[c, 2] * dt
        if load <= least:
            continue
        speed = _sliding_speed(kin, contacts, c)
        if last != i:
            last, fastest = i, 0.0
        if speed > fastest:
            exertion.slip[i] += (speed - fastest) * dt
            fastest = speed
    count_joints(kin.joint, upward, exertion, dt)


@kernel
def _sliding_speed(kin: SpatialKinematics, contacts: SpatialContacts, c: int) -> float:
    """Return the speed along the ground of the point of a link at the contact with the index `c`, m/s."""
    pose, twist = kin.pose[contacts.link[c]], kin.twist[contacts.link[c]]
    x, y, z = contacts.point[c, 0] - pose[0], contacts.point[c, 1] - pose[1], contacts.point[c, 2] - pose[2]
    vx = twist[0] + twist[4] * z - twist[5] * y
    vy = twist[1] + twist[5] * x - twist[3] * z
    vz = twist[2] + twist[3] * y - twist[4] * x
    nx, ny, nz = contacts.normal[c, 0], contacts.normal[c, 1], contacts.normal[c, 2]
    along = vx * nx + vy * ny + vz * nz
    vx, vy, vz = vx - along * nx, vy - along * ny, vz - along * nz
    return math.sqrt(vx * vx + vy * vy + vz * vz)


@kernel
def record_spatial_sample(
    kin: SpatialKinematics, phase: int, clock: Clock, record: SpatialSampleBuffer, time: float
) -> None:
    """Record the current state as the next sample, and reset the sums and maxima since the last sample.

    Nothing is recorded if the buffer is full or already contains this time step.

    Args:
        kin: state of the character.
        phase: index of the controller's phase.
        clock: counters of the simulation loop.
        record: buffer that receives the sample.
        time: simulated time, s.
    """
    row = record.filled[0]
    if row >= record.phase.size or record.filled[1] == clock.step[0]:
        return
    record.filled[1] = clock.step[0]
    record.scalars[row, 0] = time
    for k in range(6):
        record.scalars[row, 1 + k] = kin.com[k]
    record.scalars[row, 7] = clock.energy[0]
    for i in range(kin.contact.size):
        for k in range(7):
            record.pose[row, i, k] = kin.pose[i, k]
    for j in range(kin.joint.shape[0]):
        record.angle[row, j] = kin.joint[j, 0]
    record_exertion(kin.contact, record, row)
    record.phase[row] = phase
    record.filled[0] = row + 1


@kernel
def spatial_tilt(kin: SpatialKinematics, trunk: int, upward: Floats) -> float:
    """Return the angle between the trunk's upward axis and the vertical, rad, from 0 to pi.

    Args:
        kin: state of the character.
        trunk: index of the trunk.
        upward: direction in the frame of the trunk that points up in the reference pose (3,).
    """
    up = rotate(quaternion_at(kin.pose, trunk, 3), (upward[0], upward[1], upward[2]))[2]
    return math.acos(min(max(up, -1.0), 1.0))


@kernel
def spatial_heading(kin: SpatialKinematics, trunk: int, forward: Floats) -> float:
    """Return the direction in which the trunk points, rad, from -pi to pi, anticlockwise from the x axis from above.

    Args:
        kin: state of the character.
        trunk: index of the trunk.
        forward: direction in the frame of the trunk that points forward in the reference pose (3,).
    """
    x, y, _ = rotate(quaternion_at(kin.pose, trunk, 3), (forward[0], forward[1], forward[2]))
    return math.atan2(y, x)


@kernel
def _spatial_ending(
    body: SpatialBody, kin: SpatialKinematics, status: int, clock: Clock, limits: SpatialLimits, ground: SpatialGround
) -> int:
    """Return the reason for which the rollout (one run of a controller) ends in this tick; STILL_RUNNING if none.

    If several reasons apply, an end by the controller takes precedence over a left bound, and this over the timeout.

    Args:
        body: constants of the character.
        kin: state of the character at the tick.
        status: status that the controller's tick has returned.
        clock: counters of the simulation loop.
        limits: timeout and bounds.
        ground: the ground.
    """
    if status != RUNNING:
        return GAVE_UP if status == FAILED else ENDED
    if limits.tilt[0] > 0.0 or limits.tilt[1] < math.pi:
        tilt = spatial_tilt(kin, body.trunk, limits.upward)
        if not limits.tilt[0] <= tilt <= limits.tilt[1]:
            return LEFT_BOUNDS
    if limits.com_height[0] > -math.inf or limits.com_height[1] < math.inf:
        height = kin.com[2] - spatial_height(ground, kin.com[0], kin.com[1])
        if not limits.com_height[0] <= height <= limits.com_height[1]:
            return LEFT_BOUNDS
    return TIMED_OUT if clock.step[0] >= limits.last_step else STILL_RUNNING


IS_BOUNDED = OBSERVE = STEP = HASH_STATE = TICK = PHASE_OF = ASKS = placeholder


def _advance_spatial(
    world: Any,
    dt: float,
    body: SpatialBody,
    shapes: SpatialShapes,
    ground: SpatialGround,
    data: Any,
    kin: SpatialKinematics,
    state: Any,
    motors: Motors,
    contacts: SpatialContacts,
    clock: Clock,
    record: SpatialSampleBuffer,
    limits: SpatialLimits,
    disturbance: Disturbance,
    n_steps: int,
) -> int:
    """Simulate up to `n_steps` time steps.

    Each time step reads the state, finds contacts, ticks the controller and steps the engine. If the state is not
    finite, too fast or too far away, the loop ends before the step of the engine.

    Args:
        world: `World.data` of the engine's world.
        dt: time step, s.
        body: constants of the character.
        shapes: contact shapes of the character.
        ground: the ground.
        data: constants of the controller.
        kin: receives the state of the character.
        state: state of the controller.
        motors: receives the commands of the controller.
        contacts: receives the contacts of the last step.
        clock: counters of the loop.
        record: buffer that receives samples.
        limits: timeout and bounds.
        disturbance: pushes, torque noise and delay.
        n_steps: maximum number of time steps.

    Returns:
        The result of the loop (STILL_RUNNING to GAVE_UP).
    """
    for _ in range(n_steps):
        if not IS_BOUNDED(world):
            return BLEW_UP
        time = clock.step[0] * dt
        OBSERVE(world, kin)
        update_com(body, kin)
        if record.exertion.pending[0] != 0:
            count_spatial_exertion(body, kin, contacts, record.exertion, dt)
        find_spatial_contacts(kin.pose, shapes, ground, contacts)
        note_spatial_contacts(contacts, kin, time)
        status = TICK(body, kin, data, state, motors, time)
        ended = _spatial_ending(body, kin, status, clock, limits, ground)
        # the first and the last state of a controller are always sampled
        if clock.step[0] % record.every == 0 or record.filled[1] < 0 or ended != STILL_RUNNING:
            record_spatial_sample(kin, PHASE_OF(state), clock, record, time)
        if ended != STILL_RUNNING:
            return ended
        if disturbance.noise.shape[0] > 0:
            add_noise(disturbance, motors, time)
        if not STEP(world, dt, body, kin, motors, contacts, clock, disturbance, time):
            return BLEW_UP
        note_spatial_loads(contacts, kin)
        record.exertion.pending[0] = 1
        clock.step[0] += 1
        clock.digest[0] = HASH_STATE(world, clock.digest[0])
        if ASKS(state):
            return ASKS_FOR_STATE
    return STILL_RUNNING


@cache
def compiled_spatial_loop(engine: EngineKernels, kind: ControllerKind[Any, Any, Any]) -> Callable[..., int]:
    """Return the simulation loop for an engine and a controller kind: a function with the arguments of the template.

    See `planar_loop.compiled_loop`.
    """
    return compiled(_advance_spatial, f"advance_spatial_{engine.name}_{kind.name}", engine, kind.kernels)
