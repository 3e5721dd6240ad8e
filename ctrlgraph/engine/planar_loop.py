"""The simulation loop of planar characters, compiled once for each combination of engine and controller kind.

Each time step of the loop observes the state, ticks the controller, records a sample if one is due, and steps the
engine, without returning to Python. `_advance` is the template of the loop. `compiled_loop` replaces the function names
in capitals by functions of an engine and a controller kind, so that the compiler can inline every call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

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
from ctrlgraph.kernels.constants import BEARING, GRAVITY
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.collision import Contacts, Shapes, find_contacts, height_at
from ctrlgraph.kernels.planar.kinematics import update_joints, wrapped

WEIGHING_S = 2.0
"""Time constant with which measured ground forces are forgotten, s."""


class SampleBuffer(NamedTuple):
    """Buffer for N samples of the motion of a character with L links and J joints, from which a `Trace` is made.

    The first index of an array is the sample. Samples are filled from index 0. The last five arrays contain sums and
    maxima since the previous sample.
    """

    filled: Ints
    """(2,) number of recorded samples, and time step of the last one (-1: none)."""
    every: int
    """Number of time steps from one sample to the next."""
    exertion: Exertion
    """Sums and maxima of forces, work and speeds since the last sample."""
    scalars: Floats
    """(N, 6) time, s; position x, y, m, and velocity x, y, m/s, of the centre of mass; energy spent, J."""
    links: Floats
    """(N, L, 3) world x and y of each link's centre of mass, m, and angle, rad."""
    contact: Ints
    """(N, L) 1 if the link touches the ground, else 0."""
    phase: Ints
    """(N,) index of the controller's phase."""
    impulse: Floats
    """(N, L, 2) x and y of the ground's impulse on each link, N s."""
    slip: Floats
    """(N, L) distance that each link has slid along the ground under load, m."""
    work: Floats
    """(N, J, 2) positive and negative work of each joint's torque, both as positive numbers, J."""
    peak: Floats
    """(N, J, 3) maximum speed, rad/s, anticlockwise torque and clockwise torque, N m, of each joint, all positive."""
    mean_peak: Floats
    """(N, 2) maxima of the moving averages of vertical ground force, N, and positive joint power, W."""


class Limits(NamedTuple):
    """Limits at which the simulation loop ends a rollout (one run of a controller): timeout, trunk angle and height."""

    last_step: int
    """Number of the time step at which the rollout times out."""
    torso: Floats
    """(2,) middle and half-width of the allowed range of the trunk's angle, rad."""
    com_height: Floats
    """(2,) minimum and maximum height of the centre of mass above the ground, m; gaps and hurdles do not count."""
    ground_x: Floats = np.zeros(0)
    """(n,) x of the points of the ground without gaps and hurdles, m; empty if the terrain has no gaps and hurdles."""
    ground_y: Floats = np.zeros(0)
    """(n,) heights of the points in `ground_x`, m."""


@kernel
def note_contacts(contacts: Contacts, kin: Kinematics, time: float) -> None:
    """Update `kin.contact`, `kin.last_contact` and `kin.support` by the contacts of this time step.

    The support is the mean height of the ground below the links in contact. Several contacts of a link count as one,
    at their mean height. Contacts with walls do not count.

    Args:
        contacts: contacts of this time step.
        kin: state of the character, which is updated.
        time: simulated time, s.
    """
    kin.contact[:] = 0
    heights, n_links, height, n_points = 0.0, 0, 0.0, 0
    for c in range(contacts.filled[0]):
        link = contacts.link[c]
        kin.contact[link] = 1
        kin.last_contact[link] = time
        if contacts.geometry[c, 3] > BEARING:
            height += contacts.geometry[c, 1] + contacts.geometry[c, 4] * contacts.geometry[c, 3]
            n_points += 1
        # the contacts of a link are adjacent
        if n_points > 0 and (c + 1 == contacts.filled[0] or contacts.link[c + 1] != link):
            heights += height / n_points
            n_links += 1
            height, n_points = 0.0, 0
    if n_links > 0:
        kin.support[0] = heights / n_links


@kernel
def weigh(kin: Kinematics, time: float, dt: float) -> None:
    """Update `kin.weighing`, from which the mass follows: impulse of the ground divided by the velocity it has caused.

    Args:
        kin: state of the character after a time step, with the contact forces of this step.
        time: simulated time, s.
        dt: time step, s.
    """
    if time == kin.weighing[3]:  # a rollout begins with the time step with which the last one has ended
        return
    if not math.isnan(kin.weighing[2]):
        kept = 1.0 - dt / WEIGHING_S
        kin.weighing[0] = kept * kin.weighing[0] + kin.pressure[0] * dt
        kin.weighing[1] = kept * kin.weighing[1] + GRAVITY * dt + kin.com[3] - kin.weighing[2]
    kin.weighing[2], kin.weighing[3] = kin.com[3], time


@kernel
def note_loads(contacts: Contacts, kin: Kinematics) -> None:
    """Set `kin.load` (L,) to the vertical contact force on each link in the last time step, N."""
    kin.load[:] = 0.0
    for c in range(contacts.filled[0]):
        kin.load[contacts.link[c]] += contacts.force[c, 1]


@kernel
def count_exertion(body: Body, kin: Kinematics, contacts: Contacts, exertion: Exertion, dt: float) -> None:
    """Add the last time step to the sums and maxima of forces, work and speeds in `exertion`.

    The slip of a link is the distance that its point at a loaded contact (see `SLIP_LOAD`) moves along the ground. If a
    link has several loaded contacts, the fastest one counts.

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
        i, fx, fy = contacts.link[c], contacts.force[c, 0], contacts.force[c, 1]
        exertion.impulse[i, 0] += fx * dt
        exertion.impulse[i, 1] += fy * dt
        upward += fy * dt
        nx, ny = contacts.geometry[c, 2], contacts.geometry[c, 3]
        if fx * nx + fy * ny <= least:
            continue
        # at w clockwise, a point at (x, y) from the centre moves at (w y, -w x)
        x, y = contacts.geometry[c, 0] - kin.link[i, 0], contacts.geometry[c, 1] - kin.link[i, 1]
        speed = abs((kin.link[i, 3] + kin.link[i, 5] * y) * ny - (kin.link[i, 4] - kin.link[i, 5] * x) * nx)
        if last != i:
            last, fastest = i, 0.0
        if speed > fastest:
            exertion.slip[i] += (speed - fastest) * dt
            fastest = speed
    count_joints(kin.joint, upward, exertion, dt)


@kernel
def record_sample(kin: Kinematics, phase: int, clock: Clock, record: SampleBuffer, time: float) -> None:
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
    for k in range(4):
        record.scalars[row, 1 + k] = kin.com[k]
    record.scalars[row, 5] = clock.energy[0]
    for i in range(kin.contact.size):
        record.links[row, i, 0] = kin.link[i, 0]
        record.links[row, i, 1] = kin.link[i, 1]
        record.links[row, i, 2] = kin.link[i, 2]
    record_exertion(kin.contact, record, row)
    record.phase[row] = phase
    record.filled[0] = row + 1


@kernel
def out_of_bounds(body: Body, kin: Kinematics, limits: Limits, xs: Floats, ys: Floats) -> bool:
    """Return whether the trunk's angle or the height of the centre of mass is out of the bounds in `limits`.

    Args:
        body: constants of the character.
        kin: state of the character.
        limits: the bounds.
        xs: x of the terrain's points, (n,), m.
        ys: heights of the terrain's points, (n,), m.
    """
    if abs(wrapped(kin.link[body.trunk, 2] - limits.torso[0])) > limits.torso[1]:
        return True
    if limits.ground_x.size > 0:
        xs, ys = limits.ground_x, limits.ground_y
    height = (
        kin.com[1] - height_at(xs, ys, kin.com[0])
        if xs.size > 2
        else kin.com[1] - (ys[0] + (ys[1] - ys[0]) * (kin.com[0] - xs[0]) / (xs[1] - xs[0]))
    )
    return height < limits.com_height[0] or height > limits.com_height[1]


@kernel
def _ending(body: Body, kin: Kinematics, status: int, clock: Clock, limits: Limits, xs: Floats, ys: Floats) -> int:
    """Return the reason for which the rollout (one run of a controller) ends in this tick; STILL_RUNNING if none.

    If several reasons apply, an end by the controller takes precedence over a left bound, and this over the timeout.

    Args:
        body: constants of the character.
        kin: state of the character at the tick.
        status: status that the controller's tick has returned.
        clock: counters of the simulation loop.
        limits: timeout and bounds.
        xs: x of the terrain's points, (n,), m.
        ys: heights of the terrain's points, (n,), m.
    """
    if status != RUNNING:
        return GAVE_UP if status == FAILED else ENDED
    if out_of_bounds(body, kin, limits, xs, ys):
        return LEFT_BOUNDS
    return TIMED_OUT if clock.step[0] >= limits.last_step else STILL_RUNNING


IS_BOUNDED = OBSERVE = STEP = HASH_STATE = TICK = PHASE_OF = ASKS = placeholder


def _advance(
    world: Any,
    dt: float,
    body: Body,
    shapes: Shapes,
    xs: Floats,
    ys: Floats,
    data: Any,
    kin: Kinematics,
    state: Any,
    motors: Motors,
    contacts: Contacts,
    clock: Clock,
    record: SampleBuffer,
    limits: Limits,
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
        shapes: contact circles of the character.
        xs: x of the terrain's points, (n,), m.
        ys: heights of the terrain's points, (n,), m.
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
        update_joints(body, kin)
        weigh(kin, time, dt)
        if record.exertion.pending[0] != 0:
            count_exertion(body, kin, contacts, record.exertion, dt)
        find_contacts(kin, shapes, xs, ys, contacts)
        note_contacts(contacts, kin, time)
        status = TICK(body, kin, data, state, motors, time)
        ended = _ending(body, kin, status, clock, limits, xs, ys)
        # the first and the last state of a controller are always sampled
        if clock.step[0] % record.every == 0 or record.filled[1] < 0 or ended != STILL_RUNNING:
            record_sample(kin, PHASE_OF(state), clock, record, time)
        if ended != STILL_RUNNING:
            return ended
        if disturbance.noise.shape[0] > 0:
            add_noise(disturbance, motors, time)
        if not STEP(world, dt, body, kin, motors, contacts, clock, disturbance, time):
            return BLEW_UP
        note_loads(contacts, kin)
        record.exertion.pending[0] = 1
        clock.step[0] += 1
        clock.digest[0] = HASH_STATE(world, clock.digest[0])
        if ASKS(state):
            return ASKS_FOR_STATE
    return STILL_RUNNING


@cache
def compiled_loop(engine: EngineKernels, kind: ControllerKind[Any, Any, Any]) -> Callable[..., int]:
    """Return the simulation loop for an engine and a controller kind: a function with the arguments of `_advance`.

    It is compiled at its first call and cached on disk.
    """
    return compiled(_advance, f"advance_{engine.name}_{kind.name}", engine, kind.kernels)
