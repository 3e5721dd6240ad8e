"""A time step of ODE with contacts whose friction is within the friction cone.

The friction cone limits the friction of a contact to the coefficient of friction times the contact's normal force. ODE
uses the normal force of a solution without friction instead. This bound is too high for some contacts and too low for
others. Therefore each step is checked. If the bound of a contact does not match the contact's normal force, the step is
repeated from the same state with better bounds.
"""

from __future__ import annotations

import math

from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode import state
from ctrlgraph.engine.ode.memory import read_double, write_double
from ctrlgraph.engine.ode.state import Friction, Handles, WorldData
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.collision import Contacts

ode.load()

_world_step = ode.external("dWorldStep")
_world_quick_step = ode.external("dWorldQuickStep")
_create_contact = ode.external("dJointCreateContact")
_attach = ode.external("dJointAttach")
_set_feedback = ode.external("dJointSetFeedback")
_empty_group = ode.external("dJointGroupEmpty")

PASSES = 10
"""Maximum number of repetitions of a time step; friction errors that remain are accepted."""

_RELAXATION = 0.7
"""Relaxation factor of the friction bounds in `set_bounds`. With 1, the iteration can oscillate with many contacts."""

_MOST_MIXED = 5.0
"""Maximum magnitude of the coefficient of Anderson mixing in `set_bounds`."""

_SHARE, _LEAST = 0.01, 1.0
"""Tolerance of a friction force: fraction of the friction that the cone allows, and force in N that is added to it."""

_SLIP = 1e-4
"""Speed above which a contact slides and must have full friction, m/s."""


@kernel
def solve(world: WorldData, contacts: Contacts, dt: float) -> None:
    """Make one time step of `dt` seconds with ODE, in which the friction of all contacts is within the friction cone.

    Args:
        world: the ODE world.
        contacts: contacts of this step.
        dt: time step, s.
    """
    handles, friction = world.handles, world.friction
    fits = friction.cone == 0 or contacts.filled[0] == 0 or friction.coefficient[0] <= 0.0
    if not fits:
        state.save_bodies(handles, friction.bodies)
        state.save_loads(handles, friction.loads)
    make_contacts(handles, friction, contacts, False)
    _step(world, dt)
    for n in range(PASSES):
        fits = fits or friction_fits(handles, friction, contacts, world.quick)
        if fits:
            break
        if n == 0:
            set_first_bounds(handles, friction, contacts)
        else:
            set_bounds(handles, friction, contacts)
        _empty_group(handles.group)
        state.load_bodies(handles, friction.bodies)
        state.load_loads(handles, friction.loads)
        make_contacts(handles, friction, contacts, True)
        _step(world, dt)
    _empty_group(handles.group)
    state.project_to_plane(handles)


@kernel
def _step(world: WorldData, dt: float) -> None:
    if world.quick != 0:
        _world_quick_step(world.handles.world, dt)
    else:
        _world_step(world.handles.world, dt)


@kernel
def make_contacts(handles: Handles, friction: Friction, contacts: Contacts, bounded: bool) -> None:
    """Create ODE's contact joints for this time step.

    Args:
        handles: handles and addresses of the ODE world.
        friction: contains the bounds of the friction forces.
        contacts: the contacts of this step.
        bounded: whether friction forces are bounded by `friction.bound`; if False, by ODE's approximation.
    """
    base = handles.bounded_contact if bounded else handles.contact  # address of a dContact with its surface
    for c in range(contacts.filled[0]):
        nx, ny = contacts.geometry[c, 2], contacts.geometry[c, 3]
        if bounded:
            write_double(base, handles.contact_friction, friction.bound[c])
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
def contact_force(handles: Handles, contacts: Contacts, c: int) -> tuple[float, float]:
    """Return the normal and the tangential force of the contact with the index `c` in the last time step, N."""
    feedback = handles.feedback + 8 * handles.feedback_size * c
    x, y = read_double(feedback, 0), read_double(feedback, 1)
    nx, ny = contacts.geometry[c, 2], contacts.geometry[c, 3]
    return x * nx + y * ny, x * ny - y * nx


@kernel
def slip_speed(handles: Handles, friction: Friction, contacts: Contacts, c: int) -> float:
    """Return the speed along the ground of the link's point at the contact with the index `c` after the time step, m/s.

    The lever arm from the link's centre of mass is that before the step (in `friction`), as in the equations of ODE.
    """
    i = contacts.link[c]
    x, y = contacts.geometry[c, 0] - friction.bodies[i, 0], contacts.geometry[c, 1] - friction.bodies[i, 1]
    spin = read_double(handles.spin[i], 2)
    vx, vy = read_double(handles.velocity[i], 0) - spin * y, read_double(handles.velocity[i], 1) + spin * x
    return float(abs(vx * contacts.geometry[c, 3] - vy * contacts.geometry[c, 2]))


@kernel
def friction_fits(handles: Handles, friction: Friction, contacts: Contacts, quick: int) -> bool:
    """Return whether the friction forces of all contacts obey Coulomb's law.

    A friction force must not exceed the coefficient of friction times the normal force (the friction cone). If the
    contact slides, it must also equal this limit. The second condition is not checked if `quick` is not 0 (ODE's
    QuickStep), because contacts can creep with less than full friction then.
    """
    for c in range(contacts.filled[0]):
        cone, tangential = cone_of(handles, friction, contacts, c), contact_force(handles, contacts, c)[1]
        excess, tolerance = abs(tangential) - cone, _SHARE * cone + _LEAST
        if excess > tolerance:
            return False
        if quick == 0 and excess < -tolerance and slip_speed(handles, friction, contacts, c) > _SLIP:
            return False
    return True


@kernel
def set_first_bounds(handles: Handles, friction: Friction, contacts: Contacts) -> None:
    """Set the first friction bound of each contact to the friction that its normal force in ODE's solution allows.

    The bound that ODE has used is stored as the previous bound. For a contact that exceeds the friction cone or slides,
    it equals the friction force. For other contacts it is not known, and the new bound is stored.
    """
    for c in range(contacts.filled[0]):
        cone, along = cone_of(handles, friction, contacts, c), contact_force(handles, contacts, c)[1]
        used = cone
        if abs(along) > cone or slip_speed(handles, friction, contacts, c) > _SLIP:
            used = abs(along)
        friction.last_bound[c], friction.last_miss[c] = used, cone - used
        friction.bound[c] = cone


@kernel
def set_bounds(handles: Handles, friction: Friction, contacts: Contacts) -> None:
    """Move the friction bound of every contact towards the friction that the contact's normal force allows now.

    The difference between bound and allowed friction is linear in the bounds while the same contacts stick and slide.
    Anderson mixing of depth one (Walker and Ni 2011, 2) therefore finds its zero in two or three passes.
    """
    along, square = 0.0, 0.0
    for c in range(contacts.filled[0]):
        miss = cone_of(handles, friction, contacts, c) - friction.bound[c]
        change = miss - friction.last_miss[c]
        friction.miss[c] = miss
        along += miss * change
        square += change * change
    mixed = max(-_MOST_MIXED, min(_MOST_MIXED, along / square)) if square > 0.0 else 0.0
    for c in range(contacts.filled[0]):
        bound, miss = friction.bound[c], friction.miss[c]
        step = bound - friction.last_bound[c] + _RELAXATION * (miss - friction.last_miss[c])
        friction.bound[c] = max(0.0, bound + _RELAXATION * miss - mixed * step)
        friction.last_bound[c], friction.last_miss[c] = bound, miss


@kernel
def cone_of(handles: Handles, friction: Friction, contacts: Contacts, c: int) -> float:
    """Return the maximum friction force of contact `c`: the coefficient of friction times the normal force, N.

    If this is negative or not finite, return 0.
    """
    cone = friction.coefficient[0] * contact_force(handles, contacts, c)[0]
    return float(cone) if cone > 0.0 and math.isfinite(cone) else 0.0
