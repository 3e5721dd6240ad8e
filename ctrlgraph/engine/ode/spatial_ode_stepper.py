"""One time step of ODE in space: commands, pushes and contacts are applied, and the results are read back."""

from __future__ import annotations

from ctrlgraph.engine.commands import Clock, record_torque, set_commands
from ctrlgraph.engine.disturbance import Disturbance, delay_commands
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.memory import read_double
from ctrlgraph.engine.ode.spatial_ode_contacts import solve_in_space
from ctrlgraph.engine.ode.spatial_ode_gyration import apply_gyration
from ctrlgraph.engine.ode.spatial_ode_rows import set_stops
from ctrlgraph.engine.ode.spatial_ode_state import (
    SpatialWorldData,
    hash_state_in_space,
    is_bounded_in_space,
    observe_in_space,
)
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialContacts, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import vector_at

ode.load()

_add_force_at = ode.external("dBodyAddForceAtRelPos")


@kernel
def record_forces_in_space(world: SpatialWorldData, contacts: SpatialContacts, clock: Clock, dt: float) -> None:
    """Store the results of a time step: contact forces, joint torques, and their work.

    The contact forces go to `contacts.force`, the torques of the motors to `SpatialWorldData.commands`, and the work
    and effort of these torques to `clock`.

    Args:
        world: the ODE world after the step, with the rates of the joints in `drives.joint`.
        contacts: contacts of the step, which receive their forces.
        clock: counters of the simulation loop.
        dt: time step, s.
    """
    handles = world.handles
    for c in range(contacts.filled[0]):
        feedback = handles.feedback + 8 * handles.feedback_size * c
        for k in range(3):
            contacts.force[c, k] = read_double(feedback, k)
    work = 0.0
    for j in range(world.body.parent.size):
        world.drives.rate[j] = world.drives.joint[j, 1]
        work += record_torque(world.commands, clock, j, world.drives.rate[j], dt)
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
    if not set_commands(body, kin, motors, dt, world.commands):
        return False
    delay_commands(disturbance, world.commands, clock.step[0])
    pushes = disturbance.pushes
    for p in range(pushes.shape[0]):
        if pushes[p, 0] <= time < pushes[p, 1]:
            force, point = vector_at(pushes, p, 3), vector_at(pushes, p, 6)
            _add_force_at(
                world.handles.body[int(pushes[p, 2])], force[0], force[1], force[2], point[0], point[1], point[2]
            )
    apply_gyration(world, dt)
    set_stops(world, kin)
    solve_in_space(world, kin, contacts, dt)
    record_forces_in_space(world, contacts, clock, dt)
    return True


SPATIAL_KERNELS = EngineKernels("ode", is_bounded_in_space, observe_in_space, step_in_space, hash_state_in_space)
