"""Dynamics of the spatial tree: mass matrix, bias forces, inverse dynamics, Jacobians, momentum and energy.

With L links and J joints there are V = 6 + J velocities v: the linear velocity of the root link's centre of mass and
the angular velocity of the root link, both in the world frame, then the rates of the joints in the character's order.
If the root is fixed to the world, V = J. With M the mass matrix, h the bias forces (gravity, Coriolis, centrifugal) and
f forces at points with the linear Jacobians J, the equation of motion is

    M v' + h = (0, 0, 0, 0, 0, 0, joint torques) + J^T f

with torques in the sign of the joint angles, as in `Motors.torque`. The armatures of the joints are part of M. All
other passive elements (springs, damping, friction) are not part of the equation. The algorithms are those of
Featherstone, Rigid Body Dynamics Algorithms (2008): recursive Newton-Euler (table 5.1) and composite rigid bodies
(table 6.2), in the axes of the world.

All functions read `SpatialKinematics`: poses and velocities of the links, and the axes and places of the joints, as
`place_links` and `set_velocities` or `update_joints` fill them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    cross,
    dot,
    put_vector,
    quaternion_at,
    rotate,
    rotate_back,
    rows_of,
    scale,
    subtract,
    vector_at,
)

ROOT_VELOCITIES = 6
"""Number of velocities before the rates of the joints, if the root is floating."""

Tensor = tuple[float, float, float, float, float, float]
"""Symmetric tensor: xx, yy, zz, xy, xz, yz."""


class SpatialDynamicsSpace(NamedTuple):
    """Work arrays of the dynamics kernels for L links and J joints. No call reads earlier contents.

    After `inverse_dynamics` and `bias_forces`, the row of the root in `wrench` is the force and the moment that act on
    the root link from outside: with a fixed root, from the world.
    """

    composite: Floats
    """Each link with all links beyond it as one body (L, 10).

    The columns are mass, kg; centre of mass from that of the root link, m; inertia tensor about it in the axes of the
    world: xx, yy, zz, xy, xz, yz, kg m^2.
    """
    sweep: Floats
    """Velocity of the point of each joint's child that is at the root's centre of mass, for a unit rate (J, 3), m."""
    change: Floats
    """Accelerations of the coordinates (6 + J,); for a fixed root, the first J are used."""
    acceleration: Floats
    """Acceleration of each link's centre of mass, m/s^2, and angular acceleration, rad/s^2 (L, 6)."""
    wrench: Floats
    """Force on each link with all links beyond it, N, and moment about the link's centre of mass, N m (L, 6)."""


def new_spatial_dynamics_space(n_links: int, n_joints: int) -> SpatialDynamicsSpace:
    """Return work arrays for a character with `n_links` links and `n_joints` joints."""
    return SpatialDynamicsSpace(
        composite=np.zeros((n_links, 10)),
        sweep=np.zeros((n_joints, 3)),
        change=np.zeros(ROOT_VELOCITIES + n_joints),
        acceleration=np.zeros((n_links, 6)),
        wrench=np.zeros((n_links, 6)),
    )


@kernel
def mass_matrix(body: SpatialBody, kin: SpatialKinematics, space: SpatialDynamicsSpace, out: Floats) -> None:
    """Compute the mass matrix by the method of composite rigid bodies (Featherstone 2008, table 6.2).

    Args:
        body: constants of the character.
        kin: poses of the character.
        space: work arrays.
        out: result (V, V).
    """
    _compose(body, kin, space)
    start, origin = ROOT_VELOCITIES * body.floating, vector_at(kin.pose, body.root, 0)
    out[...] = 0.0
    if body.floating:
        _root_block(body, space, out)
    for j in range(body.child.size):
        axis = vector_at(kin.axis, j, 0)
        put_vector(space.sweep, j, 0, cross(subtract(vector_at(kin.place, j, 0), origin), axis))
    for link in range(body.above.size):
        mass, center = space.composite[link, 0], vector_at(space.composite, link, 1)
        for i in range(body.first[link], body.first[link] + body.n_joints[link]):
            j = body.joints[i]
            # momentum of the part beyond the joint for a unit rate: linear, and angular about the root's centre
            axis = vector_at(kin.axis, j, 0)
            linear = scale(mass, add(vector_at(space.sweep, j, 0), cross(axis, center)))
            angular = add(_times(_composite_inertia(space, link), axis), cross(center, linear))
            if body.floating:
                for k in range(3):
                    out[k, start + j] = out[start + j, k] = linear[k]
                    out[3 + k, start + j] = out[start + j, 3 + k] = angular[k]
            upper, end = link, i + 1
            while upper >= 0:
                for e in range(body.first[upper], end):
                    k = body.joints[e]
                    entry = dot(vector_at(kin.axis, k, 0), angular) + dot(vector_at(space.sweep, k, 0), linear)
                    out[start + j, start + k] = out[start + k, start + j] = entry
                upper = body.above[upper]
                end = body.first[upper] + body.n_joints[upper]
            out[start + j, start + j] += body.passive[j, 3]


@kernel
def _root_block(body: SpatialBody, space: SpatialDynamicsSpace, out: Floats) -> None:
    """Fill the rows and columns of the mass matrix that belong to the root link."""
    mass, center = space.composite[body.root, 0], vector_at(space.composite, body.root, 1)
    xx, yy, zz, xy, xz, yz = _added(_composite_inertia(space, body.root), mass, center)
    out[0, 0] = out[1, 1] = out[2, 2] = mass
    out[1, 3] = out[3, 1] = -mass * center[2]
    out[2, 3] = out[3, 2] = mass * center[1]
    out[0, 4] = out[4, 0] = mass * center[2]
    out[2, 4] = out[4, 2] = -mass * center[0]
    out[0, 5] = out[5, 0] = -mass * center[1]
    out[1, 5] = out[5, 1] = mass * center[0]
    out[3, 3], out[4, 4], out[5, 5] = xx, yy, zz
    out[3, 4] = out[4, 3] = xy
    out[3, 5] = out[5, 3] = xz
    out[4, 5] = out[5, 4] = yz


@kernel
def _compose(body: SpatialBody, kin: SpatialKinematics, space: SpatialDynamicsSpace) -> None:
    """Fill `space.composite`: mass, centre and inertia of each link with all links beyond it, as one rigid body."""
    composite, origin = space.composite, vector_at(kin.pose, body.root, 0)
    for i in range(body.mass.size):
        composite[i, 0] = body.mass[i]
        put_vector(composite, i, 1, subtract(vector_at(kin.pose, i, 0), origin))
        x, y, z = rows_of(quaternion_at(kin.pose, i, 3))
        ix, iy, iz = _inertia_times(body, i, x), _inertia_times(body, i, y), _inertia_times(body, i, z)
        _put_inertia(space, i, (dot(x, ix), dot(y, iy), dot(z, iz), dot(x, iy), dot(x, iz), dot(y, iz)))
    for k in range(body.order.size - 1, 0, -1):
        link = body.order[k]
        parent = body.above[link]
        here, there = composite[parent, 0], composite[link, 0]
        both = here + there
        center = vector_at(composite, parent, 1)
        away = subtract(vector_at(composite, link, 1), center)
        tensor = _added(_composite_inertia(space, link), here * there / both, away)
        composite[parent, 0] = both
        put_vector(composite, parent, 1, add(center, scale(there / both, away)))
        for i in range(6):
            composite[parent, 4 + i] += tensor[i]


@kernel
def _composite_inertia(space: SpatialDynamicsSpace, link: int) -> Tensor:
    c = space.composite
    return c[link, 4], c[link, 5], c[link, 6], c[link, 7], c[link, 8], c[link, 9]


@kernel
def _put_inertia(space: SpatialDynamicsSpace, link: int, tensor: Tensor) -> None:
    for i in range(6):
        space.composite[link, 4 + i] = tensor[i]


@kernel
def _added(tensor: Tensor, mass: float, away: Vector) -> Tensor:
    """Return an inertia tensor plus that of a point mass at an offset."""
    x, y, z = away
    return (
        tensor[0] + mass * (y * y + z * z),
        tensor[1] + mass * (x * x + z * z),
        tensor[2] + mass * (x * x + y * y),
        tensor[3] - mass * x * y,
        tensor[4] - mass * x * z,
        tensor[5] - mass * y * z,
    )


@kernel
def _times(tensor: Tensor, v: Vector) -> Vector:
    xx, yy, zz, xy, xz, yz = tensor
    return xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2]


@kernel
def _inertia_times(body: SpatialBody, link: int, v: Vector) -> Vector:
    """Return the product of a link's inertia tensor and a vector, both in the frame of the link."""
    tensor = body.inertia
    return (
        tensor[link, 0, 0] * v[0] + tensor[link, 0, 1] * v[1] + tensor[link, 0, 2] * v[2],
        tensor[link, 1, 0] * v[0] + tensor[link, 1, 1] * v[1] + tensor[link, 1, 2] * v[2],
        tensor[link, 2, 0] * v[0] + tensor[link, 2, 1] * v[1] + tensor[link, 2, 2] * v[2],
    )


@kernel
def bias_forces(
    body: SpatialBody, kin: SpatialKinematics, gravity: float, space: SpatialDynamicsSpace, out: Floats
) -> None:
    """Compute the bias forces h: the generalized forces with which all velocities stay constant, under gravity.

    Args:
        body: constants of the character.
        kin: poses and velocities.
        gravity: acceleration of gravity, m/s^2, positive downward.
        space: work arrays.
        out: result h (V,): force, N, and moment about its centre of mass, N m, on the root link, if it is floating;
            then the torques of the joints, N m.
    """
    space.change[:] = 0.0
    _accelerate_links(body, kin, space)
    _collect(body, kin, gravity, space, out)


@kernel
def inverse_dynamics(
    body: SpatialBody,
    kin: SpatialKinematics,
    acceleration: Floats,
    gravity: float,
    space: SpatialDynamicsSpace,
    out: Floats,
) -> None:
    """Compute the generalized forces M v' + h that cause given accelerations v'.

    The algorithm is recursive Newton-Euler (Featherstone 2008, table 5.1).

    Args:
        body: constants of the character.
        kin: poses and velocities.
        acceleration: v' (V,): accelerations of the root's centre of mass, m/s^2, and of its angular velocity, rad/s^2,
            if it is floating; then of the joints' angles, rad/s^2.
        gravity: acceleration of gravity, m/s^2, positive downward.
        space: work arrays.
        out: result (V,): force, N, and moment about its centre of mass, N m, on the root link, if it is floating; then
            the torques of the joints, N m.
    """
    for i in range(acceleration.size):
        space.change[i] = acceleration[i]
    _accelerate_links(body, kin, space)
    _collect(body, kin, gravity, space, out)


@kernel
def _accelerate_links(body: SpatialBody, kin: SpatialKinematics, space: SpatialDynamicsSpace) -> None:
    """Fill `space.acceleration` with the accelerations of the links for the accelerations `space.change`."""
    start, motion = ROOT_VELOCITIES * body.floating, space.acceleration
    for i in range(6):
        motion[body.root, i] = space.change[i] if body.floating else 0.0
    for k in range(1, body.order.size):
        link = body.order[k]
        parent = body.above[link]
        linear, angular = vector_at(motion, parent, 0), vector_at(motion, parent, 3)
        spin, here = vector_at(kin.twist, parent, 3), vector_at(kin.pose, parent, 0)
        for i in range(body.first[link], body.first[link] + body.n_joints[link]):
            j = body.joints[i]
            axis, place = vector_at(kin.axis, j, 0), vector_at(kin.place, j, 0)
            linear, here = _carried(linear, angular, spin, subtract(place, here)), place
            more = scale(kin.joint[j, 1], axis)
            angular = add(angular, add(scale(space.change[start + j], axis), cross(spin, more)))
            spin = add(spin, more)
        away = subtract(vector_at(kin.pose, link, 0), here)
        put_vector(motion, link, 0, _carried(linear, angular, spin, away))
        put_vector(motion, link, 3, angular)


@kernel
def _carried(linear: Vector, angular: Vector, spin: Vector, away: Vector) -> Vector:
    """Return the acceleration of a point of a rigid body from that of another point.

    Args:
        linear: acceleration of the other point, m/s^2.
        angular: angular acceleration of the body, rad/s^2.
        spin: angular velocity of the body, rad/s.
        away: the point from the other one, m.
    """
    return add(linear, add(cross(angular, away), cross(spin, cross(spin, away))))


@kernel
def _collect(
    body: SpatialBody, kin: SpatialKinematics, gravity: float, space: SpatialDynamicsSpace, out: Floats
) -> None:
    """Compute the generalized forces that cause the accelerations in `space`.

    Args:
        body: constants of the character.
        kin: poses and velocities.
        gravity: acceleration of gravity, m/s^2, positive downward.
        space: work arrays, with the accelerations of the links and of the coordinates.
        out: result (V,), see `inverse_dynamics`.
    """
    start, wrench, motion = ROOT_VELOCITIES * body.floating, space.wrench, space.acceleration
    for i in range(body.mass.size):
        put_vector(wrench, i, 0, scale(body.mass[i], add(vector_at(motion, i, 0), (0.0, 0.0, gravity))))
        turn = quaternion_at(kin.pose, i, 3)
        spin = rotate_back(turn, vector_at(kin.twist, i, 3))
        change = rotate_back(turn, vector_at(motion, i, 3))
        moment = add(_inertia_times(body, i, change), cross(spin, _inertia_times(body, i, spin)))
        put_vector(wrench, i, 3, rotate(turn, moment))
    for k in range(body.order.size - 1, 0, -1):
        link = body.order[k]
        parent = body.above[link]
        force, moment, here = vector_at(wrench, link, 0), vector_at(wrench, link, 3), vector_at(kin.pose, link, 0)
        for i in range(body.first[link], body.first[link] + body.n_joints[link]):
            j = body.joints[i]
            about = add(moment, cross(subtract(here, vector_at(kin.place, j, 0)), force))
            out[start + j] = dot(vector_at(kin.axis, j, 0), about) + body.passive[j, 3] * space.change[start + j]
        about = add(moment, cross(subtract(here, vector_at(kin.pose, parent, 0)), force))
        put_vector(wrench, parent, 0, add(vector_at(wrench, parent, 0), force))
        put_vector(wrench, parent, 3, add(vector_at(wrench, parent, 3), about))
    for i in range(start):
        out[i] = wrench[body.root, i]


@kernel
def point_jacobian(
    body: SpatialBody, kin: SpatialKinematics, link: int, point: Vector, linear: Floats, angular: Floats
) -> None:
    """Compute the Jacobians of a point of a link, by which the velocities v give the velocity of the point.

    Args:
        body: constants of the character.
        kin: poses of the character.
        link: index of the link.
        point: current position of the point in the world, m.
        linear: result (3, V): linear velocity of the point by v.
        angular: result (3, V): angular velocity of the link by v.
    """
    start = ROOT_VELOCITIES * body.floating
    linear[...] = 0.0
    angular[...] = 0.0
    if body.floating:
        _root_columns(subtract(point, vector_at(kin.pose, body.root, 0)), linear)
        angular[0, 3] = angular[1, 4] = angular[2, 5] = 1.0
    while link >= 0:
        for i in range(body.first[link], body.first[link] + body.n_joints[link]):
            j = body.joints[i]
            axis = vector_at(kin.axis, j, 0)
            velocity = cross(axis, subtract(point, vector_at(kin.place, j, 0)))
            for k in range(3):
                linear[k, start + j] = velocity[k]
                angular[k, start + j] = axis[k]
        link = body.above[link]


@kernel
def com_jacobian(body: SpatialBody, kin: SpatialKinematics, space: SpatialDynamicsSpace, out: Floats) -> None:
    """Compute the Jacobian of the centre of mass, by which the velocities v give its velocity.

    Args:
        body: constants of the character.
        kin: poses of the character.
        space: work arrays.
        out: result (3, V).
    """
    _compose(body, kin, space)
    start, composite, origin = ROOT_VELOCITIES * body.floating, space.composite, vector_at(kin.pose, body.root, 0)
    if body.floating:
        _root_columns(vector_at(composite, body.root, 1), out)
    for j in range(body.child.size):
        link = body.child[j]
        away = subtract(add(origin, vector_at(composite, link, 1)), vector_at(kin.place, j, 0))
        velocity = scale(composite[link, 0] / composite[body.root, 0], cross(vector_at(kin.axis, j, 0), away))
        for k in range(3):
            out[k, start + j] = velocity[k]


@kernel
def _root_columns(away: Vector, out: Floats) -> None:
    """Fill the columns of the root link in the linear Jacobian (3, V) of a point at an offset from its centre."""
    for i in range(3):
        for k in range(ROOT_VELOCITIES):
            out[i, k] = 0.0
        out[i, i] = 1.0
    out[1, 3], out[2, 3] = -away[2], away[1]
    out[0, 4], out[2, 4] = away[2], -away[0]
    out[0, 5], out[1, 5] = -away[1], away[0]


@kernel
def momentum(body: SpatialBody, kin: SpatialKinematics, out: Floats) -> None:
    """Compute the momentum of the character.

    Args:
        body: constants of the character.
        kin: poses and velocities; `com` is read, too.
        out: result (6,): linear momentum, N s, and angular momentum about the centre of mass, N m s.
    """
    center = (kin.com[0], kin.com[1], kin.com[2])
    velocity = (kin.com[3], kin.com[4], kin.com[5])
    angular = (0.0, 0.0, 0.0)
    for i in range(body.mass.size):
        away = subtract(vector_at(kin.pose, i, 0), center)
        relative = subtract(vector_at(kin.twist, i, 0), velocity)
        turn = quaternion_at(kin.pose, i, 3)
        own = _inertia_times(body, i, rotate_back(turn, vector_at(kin.twist, i, 3)))
        angular = add(angular, add(rotate(turn, own), scale(body.mass[i], cross(away, relative))))
    for k in range(3):
        out[k] = body.total_mass * velocity[k]
        out[3 + k] = angular[k]


@kernel
def kinetic_energy(body: SpatialBody, kin: SpatialKinematics) -> float:
    """Return the kinetic energy of the links and of the armatures, J."""
    energy = 0.0
    for i in range(body.mass.size):
        velocity = vector_at(kin.twist, i, 0)
        spin = rotate_back(quaternion_at(kin.pose, i, 3), vector_at(kin.twist, i, 3))
        energy += 0.5 * (body.mass[i] * dot(velocity, velocity) + dot(spin, _inertia_times(body, i, spin)))
    for j in range(body.child.size):
        energy += 0.5 * body.passive[j, 3] * kin.joint[j, 1] * kin.joint[j, 1]
    return energy


@kernel
def potential_energy(body: SpatialBody, kin: SpatialKinematics, gravity: float) -> float:
    """Return the potential energy of the links in gravity, J; zero at z = 0.

    Args:
        body: constants of the character.
        kin: poses.
        gravity: acceleration of gravity, m/s^2, positive downward.
    """
    energy = 0.0
    for i in range(body.mass.size):
        energy += gravity * body.mass[i] * kin.pose[i, 2]
    return energy
