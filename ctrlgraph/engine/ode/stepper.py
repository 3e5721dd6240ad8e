"""One time step of planar ODE: PD targets and torques become constraint rows of motors, and forces are read back."""

from __future__ import annotations

from ctrlgraph.engine.commands import Clock, Commands, has_motor, record_torque, set_commands
from ctrlgraph.engine.disturbance import Disturbance, delay_commands
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.contacts import solve
from ctrlgraph.engine.ode.memory import read_double
from ctrlgraph.engine.ode.state import Handles, WorldData, hash_state, is_bounded, observe
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.collision import Contacts

ode.load()

_add_torque = ode.external("dBodyAddTorque")
_add_force = ode.external("dBodyAddForce")
_set_motor = ode.external("dJointSetAMotorParam")
_set_angle = ode.external("dJointSetAMotorAngle")

_VEL, _FMAX, _CFM = ode.PARAM_VEL, ode.PARAM_FMAX, ode.PARAM_CFM


@kernel
def apply_commands(handles: Handles, body: Body, kin: Kinematics, commands: Commands) -> None:
    """Pass the motor commands of a time step to ODE, and the joint angles to ODE's stops at the joint limits.

    ODE's parameter FMax limits the torque of a motor equally in both directions. If the two torque limits of a joint
    differ, the middle of their range (the bias) acts as an explicit torque, and the motor provides the rest:
    lambda' = lambda - bias, limited to half the range, with v' + CFM lambda' = Vel - CFM bias. The total torque lambda
    is then the same as that of a motor with the exact limits.

    Args:
        handles: handles of the bodies, motors and stops.
        body: constants of the character.
        kin: state of the character before the step.
        commands: motor commands of the step.
    """
    for j in range(body.parent.size):
        motor = handles.motor[j]
        explicit, half = commands.explicit[j], 0.0
        if has_motor(commands, j):
            explicit = 0.5 * (commands.limit[j, 0] + commands.limit[j, 1])
            half = 0.5 * (commands.limit[j, 1] - commands.limit[j, 0])
            _set_motor(motor, _VEL, commands.velocity[j] - commands.cfm[j] * explicit)
            _set_motor(motor, _CFM, commands.cfm[j])
        if explicit != 0.0:
            # clockwise on the child is -z; the reaction acts on the parent
            _add_torque(handles.body[body.child[j]], 0.0, 0.0, -explicit)
            _add_torque(handles.body[body.parent[j]], 0.0, 0.0, explicit)
        _set_motor(motor, _FMAX, half)
        _set_angle(handles.stop[j], 0, kin.joint[j, 0])


@kernel
def record_forces(
    handles: Handles, body: Body, kin: Kinematics, contacts: Contacts, commands: Commands, clock: Clock, dt: float
) -> None:
    """Store the results of a time step: contact forces, joint torques, and their work.

    The contact forces go to `contacts.force` and `kin.pressure`, the joint torques to `commands.applied`, and the work
    and effort of the torques to `clock`.

    Args:
        handles: addresses of the velocities and contact forces.
        body: constants of the character.
        kin: receives the total vertical force and its moment.
        contacts: contacts of the step, which receive their forces.
        commands: motor commands of the step, which receive the joint torques.
        clock: counters of the simulation loop.
        dt: time step, s.
    """
    kin.pressure[0] = 0.0
    kin.pressure[1] = 0.0
    for c in range(contacts.filled[0]):
        feedback = handles.feedback + 8 * handles.feedback_size * c
        contacts.force[c, 0], contacts.force[c, 1] = read_double(feedback, 0), read_double(feedback, 1)
        kin.pressure[0] += contacts.force[c, 1]
        kin.pressure[1] += contacts.force[c, 1] * contacts.geometry[c, 0]
    work = 0.0
    for j in range(body.parent.size):
        velocity = read_double(handles.spin[body.parent[j]], 2) - read_double(handles.spin[body.child[j]], 2)
        work += record_torque(commands, clock, j, velocity, dt)
    clock.energy[0] += work


@kernel
def step(
    world: WorldData,
    dt: float,
    body: Body,
    kin: Kinematics,
    motors: Motors,
    contacts: Contacts,
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
    apply_commands(handles, body, kin, commands)
    pushes = disturbance.pushes
    for p in range(pushes.shape[0]):
        if pushes[p, 0] <= time < pushes[p, 1]:
            _add_force(handles.body[int(pushes[p, 2])], pushes[p, 3], pushes[p, 4], 0.0)
    solve(world, contacts, dt)
    record_forces(handles, body, kin, contacts, commands, clock, dt)
    return True


KERNELS = EngineKernels("ode", is_bounded, observe, step, hash_state)
