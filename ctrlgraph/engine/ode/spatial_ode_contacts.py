"""A time step of ODE in space, with friction within the friction cone and torques within their limits.

The method for friction is that of `ctrlgraph.engine.ode.contacts`: each step is checked, and repeated from the same
state with better bounds of the friction if necessary. In space, the direction of friction is found in the same way. In
a repeated step, a contact has two rows of friction: one in the direction against its slip, bounded by the friction that
the cone allows, and one across it. The force across a sliding contact is proportional to the speed across, as in the
linearization of Coulomb's law. When the direction is right, this force is zero.
"""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.memory import read_double, write_double
from ctrlgraph.engine.ode.spatial_ode_rows import apply_joints, guess_limits, guesses_fit, read_rates
from ctrlgraph.engine.ode.spatial_ode_state import SpatialFriction, SpatialWorldData
from ctrlgraph.engine.ode.state import Handles, load_bodies, load_loads, save_bodies, save_loads
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialContacts, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import add, cross, dot, put_vector, scale, subtract, vector_at

ode.load()

_world_step = ode.external("dWorldStep")
_world_quick_step = ode.external("dWorldQuickStep")
_create_contact = ode.external("dJointCreateContact")
_attach = ode.external("dJointAttach")
_set_feedback = ode.external("dJointSetFeedback")
_empty_group = ode.external("dJointGroupEmpty")

PASSES = 10
"""Maximum number of repetitions of a time step for friction; friction errors that remain are accepted."""

GUESSES = 3
"""Number of wrong guesses of torque limits after which each element of a joint becomes a row of its own."""

_RELAXATION = 0.7
"""Relaxation factor of the friction bounds in `set_bounds`."""

_MOST_MIXED = 5.0
"""Maximum magnitude of the coefficient of Anderson mixing in `set_bounds`."""

_SHARE, _LEAST = 0.01, 0.015
"""Tolerance of a friction force: fraction of the friction that the cone allows, and force that is added to it, N per kg
of the body's mass."""

_ALONG, _ACROSS = 0.99, 0.141
"""Sides of a rectangle within the unit circle, for the friction along and across its direction."""

_SLIP = 1e-4
"""Speed above which a contact slides and must have full friction, m/s."""

_LEAST_CONE = 1e-6
"""Friction below which its direction does not matter, N.

It limits the ratio of slip to friction. ODE's solver returns NaN, and the process aborts, for ratios of 1e14.
"""


@kernel
def solve_in_space(world: SpatialWorldData, kin: SpatialKinematics, contacts: SpatialContacts, dt: float) -> None:
    """Make one time step of `dt` seconds with ODE, in which all torques are within their limits.

    The friction of all contacts is within the friction cone, unless it is bounded by ODE's approximation.

    Args:
        world: the ODE world, with the commands of this step.
        kin: state of the character before the step.
        contacts: contacts of this step.
        dt: time step, s.
    """
    handles, friction = world.handles, world.friction
    save_bodies(handles, friction.bodies)
    save_loads(handles, friction.loads)
    set_directions(handles, friction, contacts)
    guess_limits(world)
    separate = world.quick != 0
    boxed = friction.cone == 0 or contacts.filled[0] == 0 or friction.coefficient[0] <= 0.0
    guesses, bounds = 0, 0
    while True:
        apply_joints(world, kin, dt, separate)
        make_contacts_in_space(world, contacts, bounds > 0)
        if world.quick != 0:
            _world_quick_step(handles.world, dt)
        else:
            _world_step(handles.world, dt)
        _empty_group(handles.group)
        read_rates(world, kin)
        if not guesses_fit(world) and not separate:
            guesses += 1
            separate = guesses == GUESSES
        elif boxed or bounds == PASSES or friction_fits_in_space(world, contacts):
            break
        else:
            if bounds == 0:
                set_first_bounds(handles, friction, contacts)
            else:
                set_bounds(handles, friction, contacts)
            bounds += 1
            guesses, separate = 0, world.quick != 0
        load_bodies(handles, friction.bodies)
        load_loads(handles, friction.loads)


@kernel
def make_contacts_in_space(world: SpatialWorldData, contacts: SpatialContacts, bounded: bool) -> None:
    """Create ODE's contact joints for this time step.

    Args:
        world: the ODE world, with the directions of friction.
        contacts: the contacts of this step.
        bounded: whether friction forces are bounded by `friction.bound`; if False, by ODE's approximation.
    """
    handles, friction = world.handles, world.friction
    base = handles.bounded_contact if bounded else handles.contact  # address of a dContact with its surface
    for c in range(contacts.filled[0]):
        if bounded:
            narrow = friction.narrow[c] != 0
            write_double(base, handles.contact_friction, friction.bound[c] * (_ALONG if narrow else 1.0))
            write_double(base, world.contact_friction_2, friction.bound[c] * (_ACROSS if narrow else 1.0))
            write_double(base, world.contact_slip_2, friction.slip[c])
        for k in range(3):
            write_double(base, handles.contact_point + k, contacts.point[c, k])
            write_double(base, handles.contact_normal + k, contacts.normal[c, k])
            write_double(base, handles.contact_direction + k, friction.direction[c, k])
        write_double(base, handles.contact_depth, contacts.depth[c])
        joint = _create_contact(handles.world, handles.group, base)
        other = contacts.other[c]
        _attach(joint, handles.body[contacts.link[c]], handles.body[other] if other >= 0 else 0)
        _set_feedback(joint, handles.feedback + 8 * handles.feedback_size * c)


@kernel
def contact_force_in_space(handles: Handles, contacts: SpatialContacts, c: int) -> tuple[float, Vector]:
    """Return the normal force and the friction force of the contact `c` in the last time step, N."""
    feedback = handles.feedback + 8 * handles.feedback_size * c
    force = (read_double(feedback, 0), read_double(feedback, 1), read_double(feedback, 2))
    normal = vector_at(contacts.normal, c, 0)
    pressure = dot(force, normal)
    return pressure, subtract(force, scale(pressure, normal))


@kernel
def slip_velocity(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts, c: int) -> Vector:
    """Return the velocity with which the link's point at the contact `c` slides on the ground or the other link, m/s.

    The lever arms from the centres of mass are those before the step (in `friction`), as in the equations of ODE.
    """
    velocity = point_velocity(handles, friction, contacts, c, contacts.link[c])
    if contacts.other[c] >= 0:
        velocity = subtract(velocity, point_velocity(handles, friction, contacts, c, contacts.other[c]))
    normal = vector_at(contacts.normal, c, 0)
    return subtract(velocity, scale(dot(velocity, normal), normal))


@kernel
def point_velocity(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts, c: int, link: int) -> Vector:
    """Return the velocity of the point of a link at the contact `c`, m/s; see `slip_velocity`."""
    velocity, spin = handles.velocity[link], handles.spin[link]
    arm = subtract(vector_at(contacts.point, c, 0), vector_at(friction.bodies, link, 0))
    turning = cross((read_double(spin, 0), read_double(spin, 1), read_double(spin, 2)), arm)
    return add((read_double(velocity, 0), read_double(velocity, 1), read_double(velocity, 2)), turning)


@kernel
def set_directions(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts) -> None:
    """Set the direction of friction of each contact before the first pass.

    A sliding contact has the direction of its slip. For other contacts, it is the direction along the surface that is
    nearest to x, or to y if the normal is nearly along x.
    """
    for c in range(contacts.filled[0]):
        slip = slip_velocity(handles, friction, contacts, c)
        if dot(slip, slip) <= _SLIP * _SLIP:
            normal = vector_at(contacts.normal, c, 0)
            near = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 1.0, 0.0)
            slip = subtract(near, scale(dot(near, normal), normal))
        set_direction(friction, c, slip)


@kernel
def set_direction(friction: SpatialFriction, c: int, vector: Vector) -> None:
    """Set the direction of friction of the contact `c` to the direction of a nonzero vector along the surface."""
    put_vector(friction.direction, c, 0, scale(1.0 / math.sqrt(dot(vector, vector)), vector))


@kernel
def friction_fits_in_space(world: SpatialWorldData, contacts: SpatialContacts) -> bool:
    """Return whether the friction forces of all contacts obey Coulomb's law.

    A friction force must not exceed the coefficient of friction times the normal force (the friction cone). If the
    contact slides, its component against the slip must also equal this limit. The second condition is not checked for
    QuickStep, because contacts can creep with less than full friction then.
    """
    handles, friction = world.handles, world.friction
    for c in range(contacts.filled[0]):
        cone, along = cone_of(handles, friction, contacts, c), contact_force_in_space(handles, contacts, c)[1]
        tolerance = _SHARE * cone + _LEAST * world.body.total_mass
        if math.sqrt(dot(along, along)) > cone + tolerance:
            return False
        if world.quick == 0:
            slip = slip_velocity(handles, friction, contacts, c)
            speed = math.sqrt(dot(slip, slip))
            if speed > _SLIP and -dot(along, slip) < (cone - tolerance) * speed:
                return False
    return True


@kernel
def aim_friction(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts, c: int) -> None:
    """Set the direction of friction of the contact `c` by its slip, or by its force if it does not slide.

    `slip` is set such that the friction of a sliding contact turns against the slip. If the two rows of a contact that
    does not slide exceed the cone together, they become narrow for the rest of the time step.
    """
    slip = slip_velocity(handles, friction, contacts, c)
    speed, cone = math.sqrt(dot(slip, slip)), cone_of(handles, friction, contacts, c)
    friction.slip[c] = 0.0
    if speed > _SLIP:
        set_direction(friction, c, slip)
        friction.narrow[c] = 0
        friction.slip[c] = speed / cone if cone > _LEAST_CONE else 0.0
    else:
        along = contact_force_in_space(handles, contacts, c)[1]
        if dot(along, along) > 0.0:
            set_direction(friction, c, along)
        if dot(along, along) > cone * cone:
            friction.narrow[c] = 1


@kernel
def set_first_bounds(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts) -> None:
    """Set the first friction bound of each contact to the friction that its normal force in ODE's solution allows.

    The bound that ODE has used is stored as the previous bound. For a contact that exceeds the friction cone or slides,
    it equals the friction force. For other contacts it is not known, and the new bound is stored.
    """
    for c in range(contacts.filled[0]):
        cone, along = cone_of(handles, friction, contacts, c), contact_force_in_space(handles, contacts, c)[1]
        slip, size = slip_velocity(handles, friction, contacts, c), math.sqrt(dot(along, along))
        used = size if size > cone or dot(slip, slip) > _SLIP * _SLIP else cone
        friction.last_bound[c], friction.last_miss[c] = used, cone - used
        friction.bound[c] = cone
        friction.narrow[c] = 0
        aim_friction(handles, friction, contacts, c)


@kernel
def set_bounds(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts) -> None:
    """Move the friction bound of every contact towards the friction that the contact's normal force allows now.

    This is Anderson mixing as in the planar function of the same name.
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
        aim_friction(handles, friction, contacts, c)


@kernel
def cone_of(handles: Handles, friction: SpatialFriction, contacts: SpatialContacts, c: int) -> float:
    """Return the maximum friction force of contact `c`: the coefficient of friction times the normal force, N.

    If this is negative or not finite, return 0.
    """
    cone = friction.coefficient[0] * contact_force_in_space(handles, contacts, c)[0]
    return float(cone) if cone > 0.0 and math.isfinite(cone) else 0.0
