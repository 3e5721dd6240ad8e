"""The compiled loop: control tick, collision and engine step, without returning to Python."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.script.interpreter import tick
from ctrlgraph.control.script.state import RUNNING, STATE_REQUEST, Code, ControlState
from ctrlgraph.engine.disturbance import Disturbance, add_noise, delay_commands
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.memory import read_double, write_double
from ctrlgraph.engine.ode.state import MAX_SPIN, flatten, mix_state, read_links, sane
from ctrlgraph.engine.ode.world import Handles
from ctrlgraph.kernels.arrays import Body, Floats, Ints, Kinematics, Motors
from ctrlgraph.kernels.collision import Contacts, Shapes, find_contacts
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.kinematics import update_joints, wrapped
from ctrlgraph.kernels.pd import clipped, motor_parameters

ode.load()

_world_step = ode.external("dWorldStep")
_world_quick_step = ode.external("dWorldQuickStep")
_add_torque = ode.external("dBodyAddTorque")
_add_force = ode.external("dBodyAddForce")
_set_motor = ode.external("dJointSetAMotorParam")
_set_angle = ode.external("dJointSetAMotorAngle")
_create_contact = ode.external("dJointCreateContact")
_attach = ode.external("dJointAttach")
_set_feedback = ode.external("dJointSetFeedback")
_empty_group = ode.external("dJointGroupEmpty")

_VEL, _FMAX, _CFM = ode.PARAM_VEL, ode.PARAM_FMAX, ode.PARAM_CFM

# A PD controller weaker than this (dt kp + kd, N m s/rad) is none: its motor row would be all softness.
_LEAST_DAMPING = 1e-9

# How `advance` ended.
STILL_RUNNING, ENDED, TIMED_OUT, LEFT_BOUNDS, BLEW_UP, ASKS_FOR_STATE = range(6)


class Step(NamedTuple):
    """How the engine is stepped."""

    dt: float
    quick: int  # 1: QuickStep, 0: the exact solver
    friction: float


class Clock(NamedTuple):
    """What the loop counts; arrays of one element, so that the loop can change them."""

    step: Ints  # (1,): steps since the simulation's start
    energy: Floats  # (1,) J spent by the joints since the start
    effort: Floats  # (2,) integral of all squared joint torques, (N m)2 s; joint seconds at the torque limit
    digest: NDArray[np.uint64]  # (1,): hash over all states since the start


class Commands(NamedTuple):
    """Motor parameters as the engine takes them, and the torques that came of them."""

    velocity: Floats  # (J,)
    cfm: Floats  # (J,)
    limit: Floats  # (J,) 0: no motor row
    explicit: Floats  # (J,) torque applied directly, N m
    applied: Floats  # (J,) torque of the last step, N m


class Record(NamedTuple):
    """Samples of the motion for a Trace; filled from row 0."""

    filled: Ints  # (2,): rows filled, step of the last one
    every: int  # steps between samples
    scalars: Floats  # (N, 6) time, com x, y, vx, vy, energy
    links: Floats  # (N, L, 3) x, y, angle
    contact: Ints  # (N, L)
    phase: Ints  # (N,)


class Limits(NamedTuple):
    """What ends a run early: the step to stop at and the bounds watched (see measures.BOUNDS)."""

    last_step: int
    torso: Floats  # (2,) rad
    com_height: Floats  # (2,) m


@kernel
def set_commands(body: Body, kin: Kinematics, motors: Motors, dt: float, commands: Commands) -> bool:
    """Turn PD targets and torques into motor parameters; a joint without PD gets its torque directly.

    False where one of them is not finite: the engine must not see it. A motor's velocity is kept to
    what saturates its torque at any speed that a body can have, so that absurd gains stay numbers.
    """
    for j in range(body.parent.size):
        kp, kd, limit = motors.kp[j], motors.kd[j], motors.limit[j]
        if not math.isfinite(kp + kd + motors.target[j] + motors.torque[j] + limit):
            return False
        if dt * kp + kd > _LEAST_DAMPING:
            velocity, cfm = motor_parameters(dt, kp, kd, motors.target[j], kin.joint[j, 0], motors.torque[j])
            if not math.isfinite(velocity):
                return False
            commands.velocity[j] = clipped(velocity, limit * cfm + 4.0 * MAX_SPIN)
            commands.cfm[j] = cfm
            commands.limit[j] = limit
            commands.explicit[j] = 0.0
        else:
            commands.limit[j] = 0.0
            commands.explicit[j] = clipped(motors.torque[j], limit)
    return True


@kernel
def apply_commands(handles: Handles, body: Body, kin: Kinematics, commands: Commands) -> None:
    """Hand the motor parameters, explicit torques and joint angles (for the stops) to the engine."""
    for j in range(body.parent.size):
        motor = handles.motor[j]
        if commands.limit[j] > 0.0:
            _set_motor(motor, _VEL, commands.velocity[j])
            _set_motor(motor, _CFM, commands.cfm[j])
        elif commands.explicit[j] != 0.0:
            # clockwise on the child is -z; the parent takes the reaction
            _add_torque(handles.body[body.child[j]], 0.0, 0.0, -commands.explicit[j])
            _add_torque(handles.body[body.parent[j]], 0.0, 0.0, commands.explicit[j])
        _set_motor(motor, _FMAX, commands.limit[j])
        _set_angle(handles.stop[j], 0, kin.joint[j, 0])


@kernel
def make_contacts(handles: Handles, contacts: Contacts) -> None:
    """Create this step's contact joints."""
    base = handles.contact
    for c in range(contacts.filled[0]):
        nx, ny = contacts.geometry[c, 2], contacts.geometry[c, 3]
        write_double(base, handles.contact_point, contacts.geometry[c, 0])
        write_double(base, handles.contact_point + 1, contacts.geometry[c, 1])
        write_double(base, handles.contact_point + 2, 0.0)
        write_double(base, handles.contact_normal, nx)
        write_double(base, handles.contact_normal + 1, ny)
        write_double(base, handles.contact_normal + 2, 0.0)
        write_double(base, handles.contact_depth, contacts.geometry[c, 4])
        write_double(base, handles.contact_direction, ny)
        write_double(base, handles.contact_direction + 1, -nx)
        write_double(base, handles.contact_direction + 2, 0.0)
        joint = _create_contact(handles.world, handles.group, base)
        _attach(joint, handles.body[contacts.link[c]], 0)
        _set_feedback(joint, handles.feedback + 8 * handles.feedback_size * c)


@kernel
def engine_step(handles: Handles, step: Step) -> None:
    """One step of the engine; this step's contacts are gone after it."""
    if step.quick != 0:
        _world_quick_step(handles.world, step.dt)
    else:
        _world_step(handles.world, step.dt)
    _empty_group(handles.group)
    flatten(handles)


@kernel
def observe(handles: Handles, body: Body, kin: Kinematics) -> None:
    """Bring the kinematics up to date with the engine."""
    read_links(handles, kin)
    update_joints(body, kin)


@kernel
def note_contacts(handles: Handles, contacts: Contacts, kin: Kinematics, time: float) -> None:
    """Note which links touch the ground now."""
    kin.contact[:] = 0
    for c in range(contacts.filled[0]):
        kin.contact[contacts.link[c]] = 1
        kin.last_contact[contacts.link[c]] = time


@kernel
def note_forces(
    handles: Handles, body: Body, kin: Kinematics, contacts: Contacts, commands: Commands, clock: Clock, dt: float
) -> None:
    """After a step: contact forces for the centre of pressure; the joints' work and effort on the clock.

    A motor's torque follows from its row: lambda = (Vel - v') / CFM, within the limit.
    """
    kin.pressure[0] = 0.0
    kin.pressure[1] = 0.0
    for c in range(contacts.filled[0]):
        force = read_double(handles.feedback + 8 * handles.feedback_size * c, 1)
        kin.pressure[0] += force
        kin.pressure[1] += force * contacts.geometry[c, 0]
    work = 0.0
    for j in range(body.parent.size):
        velocity = read_double(handles.spin[body.parent[j]], 2) - read_double(handles.spin[body.child[j]], 2)
        if commands.limit[j] > 0.0:
            torque = clipped((commands.velocity[j] - velocity) / commands.cfm[j], commands.limit[j])
        else:
            torque = commands.explicit[j]
        commands.applied[j] = torque
        work += abs(torque * velocity) * dt
        clock.effort[0] += torque * torque * dt
        if commands.limit[j] > 0.0 and abs(torque) >= commands.limit[j]:
            clock.effort[1] += dt
    clock.energy[0] += work


@kernel
def push(handles: Handles, pushes: Floats, time: float) -> None:
    """Apply the pushes (P, 5) that act now: start, end, link, force x, force y (SI units)."""
    for p in range(pushes.shape[0]):
        if pushes[p, 0] <= time < pushes[p, 1]:
            _add_force(handles.body[int(pushes[p, 2])], pushes[p, 3], pushes[p, 4], 0.0)


@kernel
def record_sample(kin: Kinematics, state: ControlState, clock: Clock, record: Record, time: float) -> None:
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
        record.contact[row, i] = kin.contact[i]
    record.phase[row] = state.levels[state.counters[0], 0]
    record.filled[0] = row + 1


@kernel
def out_of_bounds(body: Body, kin: Kinematics, limits: Limits, xs: Floats, ys: Floats) -> bool:
    torso = wrapped(kin.link[body.trunk, 2])
    if torso < limits.torso[0] or torso > limits.torso[1]:
        return True
    height = (
        kin.com[1] - np.interp(kin.com[0], xs, ys)
        if xs.size > 2
        else kin.com[1] - (ys[0] + (ys[1] - ys[0]) * (kin.com[0] - xs[0]) / (xs[1] - xs[0]))
    )
    return height < limits.com_height[0] or height > limits.com_height[1]


@kernel
def _ending(body: Body, kin: Kinematics, status: int, clock: Clock, limits: Limits, xs: Floats, ys: Floats) -> int:
    """Whether this tick ends the run, and how: the controller's word, then the bounds, then the time."""
    if status != RUNNING:
        return ENDED
    if out_of_bounds(body, kin, limits, xs, ys):
        return LEFT_BOUNDS
    return TIMED_OUT if clock.step[0] >= limits.last_step else STILL_RUNNING


@kernel
def advance(
    handles: Handles,
    step: Step,
    body: Body,
    shapes: Shapes,
    xs: Floats,
    ys: Floats,
    code: Code,
    kin: Kinematics,
    state: ControlState,
    motors: Motors,
    commands: Commands,
    contacts: Contacts,
    clock: Clock,
    record: Record,
    limits: Limits,
    disturbance: Disturbance,
    n_steps: int,
) -> int:
    """Run up to `n_steps` steps of the controller; returns how it ended (STILL_RUNNING and on).

    Each step reads the state, finds contacts, ticks the controller and steps the engine. The state is
    guarded before each step: one that is not finite or too fast ends the loop before ODE sees it.
    """
    for _ in range(n_steps):
        if not sane(handles):
            return BLEW_UP
        time = clock.step[0] * step.dt
        observe(handles, body, kin)
        find_contacts(kin, shapes, xs, ys, contacts)
        note_contacts(handles, contacts, kin, time)
        status = tick(body, kin, code, state, motors, time)
        ended = _ending(body, kin, status, clock, limits, xs, ys)
        # the first and the last state of a controller are always sampled
        if clock.step[0] % record.every == 0 or record.filled[1] < 0 or ended != STILL_RUNNING:
            record_sample(kin, state, clock, record, time)
        if ended != STILL_RUNNING:
            return ended
        if disturbance.noise.shape[0] > 0:
            add_noise(disturbance, motors, time)
        if not set_commands(body, kin, motors, step.dt, commands):
            return BLEW_UP
        if disturbance.line.shape[0] > 0:
            delay_commands(
                disturbance, commands.velocity, commands.cfm, commands.limit, commands.explicit, clock.step[0]
            )
        apply_commands(handles, body, kin, commands)
        make_contacts(handles, contacts)
        if disturbance.pushes.shape[0] > 0:
            push(handles, disturbance.pushes, time)
        engine_step(handles, step)
        note_forces(handles, body, kin, contacts, commands, clock, step.dt)
        clock.step[0] += 1
        clock.digest[0] = mix_state(handles, clock.digest[0])
        if state.counters[STATE_REQUEST] != 0:
            return ASKS_FOR_STATE
    return STILL_RUNNING
