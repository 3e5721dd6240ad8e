"""Dynamics of the planar tree: mass matrix, bias forces, Jacobians of points and of the centre of mass, impacts.

The coordinates of L links and J joints are N = 3 + J: x and y of the root link's centre of mass (m), its angle (rad,
clockwise), then the joints' angles in the character's order; velocities are their rates. With M the mass matrix, h the
bias forces (gravity, Coriolis, centrifugal) and f forces at points with the Jacobians J, the equation of motion is

    M a + h = (0, 0, 0, joint torques) + J^T f

with torques in the sign of the joint angles, as in `Motors.torque`. The algorithms are those of Featherstone, Rigid
Body Dynamics Algorithms (2008): recursive Newton-Euler (table 5.1) and composite rigid bodies (table 6.2), in the plane
in world coordinates. A rotation by w clockwise moves a point at an offset (x, y) by w (y, -x).

All functions but `place` read `Kinematics`: poses and velocities of the links, and positions of the joints. The
Jacobians of points, links and the centre of mass have the same first and last arguments, even if they do not use all of
them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.linear_algebra import cholesky, cholesky_solve_rows, copy_matrix
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.kinematics import hang_child, update_joints

ROOT_COORDINATES = 3
"""Number of coordinates before the joint angles: x, y and angle of the root link."""


class Tree(NamedTuple):
    """Tree of a character's L links and J joints, with constants that `Body` does not have."""

    root: int
    """Index of the root link."""
    order: Ints
    """Indices of the joints from the root outward (J,)."""
    inertia: Floats
    """Moment of inertia of each link about its centre of mass (L,), kg m^2."""
    hung_by: Ints
    """Index of the joint that has the link as its child (L,); -1 for the root."""


class DynamicsSpace(NamedTuple):
    """Work arrays of the dynamics kernels for L links and N = 3 + J coordinates. No call reads earlier contents."""

    composite: Floats
    """Each link with all links beyond it as one body (L, 4).

    The columns are mass, kg; x, y of the centre of mass from that of the root link, m; inertia about it, kg m^2.
    """
    acceleration: Floats
    """Acceleration of each link (L, 3): x, y of the centre of mass, m/s^2, and angular, rad/s^2."""
    wrench: Floats
    """Force on each link with all links beyond it, N, and moment about the link's centre of mass, N m (L, 3)."""
    factor: Floats
    """Cholesky factor of the mass matrix (N, N)."""
    response: Floats
    """Change of the N velocities by a unit impulse on each constraint row (N, N)."""
    effective: Floats
    """Inverse effective mass of the constraint rows R, which is R M^-1 R^T (N, N)."""
    answer: Floats
    """Impulses of the constraint rows (1, N)."""


def tree_of(character: PlanarCharacter) -> Tree:
    """Return the tree of a character's links, for the dynamics kernels."""
    hung_by = np.full(len(character.links), -1, dtype=np.int64)
    for j, joint in enumerate(character.joints):
        hung_by[joint.child] = j
    return Tree(
        root=character.root,
        order=np.array(character.joints_outward, dtype=np.int64),
        inertia=np.array([link.inertia for link in character.links]),
        hung_by=hung_by,
    )


def new_dynamics_space(n_links: int, n_joints: int) -> DynamicsSpace:
    """Return work arrays for a character with `n_links` links and `n_joints` joints."""
    n = ROOT_COORDINATES + n_joints
    return DynamicsSpace(
        composite=np.zeros((n_links, 4)),
        acceleration=np.zeros((n_links, 3)),
        wrench=np.zeros((n_links, 3)),
        factor=np.zeros((n, n)),
        response=np.zeros((n, n)),
        effective=np.zeros((n, n)),
        answer=np.zeros((1, n)),
    )


@kernel
def coordinates(tree: Tree, kin: Kinematics, q: Floats, v: Floats) -> None:
    """Compute coordinates and velocities of a character from the poses and velocities of its links.

    Args:
        tree: tree of the links.
        kin: state of the character.
        q: result (3 + J,): x, y (m) and angle (rad) of the root link, then the joint angles (rad).
        v: result (3 + J,): rates of q, m/s and rad/s.
    """
    for i in range(3):
        q[i], v[i] = kin.link[tree.root, i], kin.link[tree.root, 3 + i]
    for j in range(kin.joint.shape[0]):
        q[3 + j], v[3 + j] = kin.joint[j, 0], kin.joint[j, 1]


@kernel
def place(body: Body, tree: Tree, q: Floats, v: Floats, kin: Kinematics) -> None:
    """Compute the poses and velocities of all links and joints from coordinates and velocities (forward kinematics).

    Args:
        body: constants of the character.
        tree: tree of the links.
        q: coordinates (3 + J,): x, y (m) and angle (rad) of the root link, then the joint angles (rad).
        v: rates of q (3 + J,), m/s and rad/s.
        kin: result; the arrays `link`, `turn`, `joint` and `com` are filled.
    """
    link, root = kin.link, tree.root
    for i in range(3):
        link[root, i], link[root, 3 + i] = q[i], v[i]
    kin.turn[root, 0], kin.turn[root, 1] = math.cos(q[2]), math.sin(q[2])
    for k in range(tree.order.size):
        j = tree.order[k]
        hang_child(body, kin, j, q[3 + j], v[3 + j])
    update_joints(body, kin)


@kernel
def mass_matrix(body: Body, tree: Tree, kin: Kinematics, space: DynamicsSpace, out: Floats) -> None:
    """Compute the mass matrix by the method of composite rigid bodies (Featherstone 2008, table 6.2).

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses of the character.
        space: work arrays.
        out: result (N, N), for the N = 3 + J coordinates: x, y and angle of the root link, then the joint angles.
    """
    _compose(body, tree, kin, space)
    whole, root = space.composite[tree.root], tree.root
    mass, x, y = whole[0], whole[1], whole[2]
    out[0, 0] = out[1, 1] = mass
    out[0, 1] = out[1, 0] = 0.0
    out[0, 2] = out[2, 0] = mass * y
    out[1, 2] = out[2, 1] = -mass * x
    out[2, 2] = whole[3] + mass * (x * x + y * y)
    n = body.parent.size
    for j in range(n):
        for k in range(n):
            out[3 + j, 3 + k] = 0.0
    for j in range(n):
        part = space.composite[body.child[j]]
        mass, x, y = part[0], part[1], part[2]
        # offset of the part's centre from the joint
        away_x = x - (kin.joint[j, 2] - kin.link[root, 0])
        away_y = y - (kin.joint[j, 3] - kin.link[root, 1])
        out[0, 3 + j] = out[3 + j, 0] = mass * away_y
        out[1, 3 + j] = out[3 + j, 1] = -mass * away_x
        out[2, 3 + j] = out[3 + j, 2] = part[3] + mass * (away_x * x + away_y * y)
        k = j
        while k >= 0:
            other_x = x - (kin.joint[k, 2] - kin.link[root, 0])
            other_y = y - (kin.joint[k, 3] - kin.link[root, 1])
            entry = part[3] + mass * (away_x * other_x + away_y * other_y)
            out[3 + j, 3 + k] = out[3 + k, 3 + j] = entry
            k = tree.hung_by[body.parent[k]]


@kernel
def _compose(body: Body, tree: Tree, kin: Kinematics, space: DynamicsSpace) -> None:
    """Fill `space.composite`: mass, centre and inertia of each link with all links beyond it, as one rigid body."""
    composite, root = space.composite, tree.root
    for i in range(body.mass.size):
        composite[i, 0] = body.mass[i]
        composite[i, 1] = kin.link[i, 0] - kin.link[root, 0]
        composite[i, 2] = kin.link[i, 1] - kin.link[root, 1]
        composite[i, 3] = tree.inertia[i]
    for k in range(tree.order.size - 1, -1, -1):
        j = tree.order[k]
        p, c = body.parent[j], body.child[j]
        here, there = composite[p, 0], composite[c, 0]
        both = here + there
        dx, dy = composite[c, 1] - composite[p, 1], composite[c, 2] - composite[p, 2]
        composite[p, 0] = both
        composite[p, 1] += there / both * dx
        composite[p, 2] += there / both * dy
        composite[p, 3] += composite[c, 3] + here * there / both * (dx * dx + dy * dy)


@kernel
def bias_forces(body: Body, tree: Tree, kin: Kinematics, gravity: float, space: DynamicsSpace, out: Floats) -> None:
    """Compute the bias forces h: the generalized forces with which all velocities stay constant, under gravity.

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses and velocities.
        gravity: acceleration of gravity, m/s^2, positive downward.
        space: work arrays.
        out: result h (3 + J,): forces on x and y of the root link, N, then moments on its angle and on the joint
            angles, N m.
    """
    _accelerate_freely(body, tree, kin, space)
    _collect(body, tree, kin, gravity, space, out)


@kernel
def inverse_dynamics(
    body: Body, tree: Tree, kin: Kinematics, acceleration: Floats, gravity: float, space: DynamicsSpace, out: Floats
) -> None:
    """Compute the generalized forces M a + h that cause given accelerations a.

    The algorithm is recursive Newton-Euler (Featherstone 2008, table 5.1).

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses and velocities.
        acceleration: a (3 + J,): acceleration of x, y (m/s^2) and angle (rad/s^2) of the root link, then of the joint
            angles.
        gravity: acceleration of gravity, m/s^2, positive downward.
        space: work arrays.
        out: result (3 + J,): forces on x and y of the root link, N, then moments on its angle and on the joint angles,
            N m.
    """
    motion, root = space.acceleration, tree.root
    motion[root, 0], motion[root, 1], motion[root, 2] = acceleration[0], acceleration[1], acceleration[2]
    for k in range(tree.order.size):
        j = tree.order[k]
        spin = motion[body.parent[j], 2] + acceleration[3 + j]
        _accelerate_child(body, kin, space, j, spin)
    _collect(body, tree, kin, gravity, space, out)


@kernel
def _accelerate_freely(body: Body, tree: Tree, kin: Kinematics, space: DynamicsSpace) -> None:
    """Fill `space.acceleration` with the accelerations of the links if all velocities of coordinates are constant."""
    for i in range(3):
        space.acceleration[tree.root, i] = 0.0
    for k in range(tree.order.size):
        _accelerate_child(body, kin, space, tree.order[k], 0.0)


@kernel
def _accelerate_child(body: Body, kin: Kinematics, space: DynamicsSpace, j: int, spin: float) -> None:
    """Compute the acceleration of a joint's child link from that of the parent link, in `space.acceleration`.

    Args:
        body: constants of the character.
        kin: poses and velocities.
        space: work arrays; the acceleration of the parent is known, that of the child is filled.
        j: index of the joint.
        spin: angular acceleration of the child, rad/s^2.
    """
    motion, p, c = space.acceleration, body.parent[j], body.child[j]
    x, y = kin.joint[j, 2] - kin.link[p, 0], kin.joint[j, 3] - kin.link[p, 1]
    square = kin.link[p, 5] * kin.link[p, 5]
    ax = motion[p, 0] + motion[p, 2] * y - square * x
    ay = motion[p, 1] - motion[p, 2] * x - square * y
    x, y = kin.link[c, 0] - kin.joint[j, 2], kin.link[c, 1] - kin.joint[j, 3]
    square = kin.link[c, 5] * kin.link[c, 5]
    motion[c, 0] = ax + spin * y - square * x
    motion[c, 1] = ay - spin * x - square * y
    motion[c, 2] = spin


@kernel
def _collect(body: Body, tree: Tree, kin: Kinematics, gravity: float, space: DynamicsSpace, out: Floats) -> None:
    """Compute the generalized forces that cause the accelerations of the links in `space.acceleration`.

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses.
        gravity: acceleration of gravity, m/s^2, positive downward.
        space: work arrays, with the accelerations of the links.
        out: result (3 + J,): forces on x and y of the root link, N, then moments on its angle and on the joint angles,
            N m.
    """
    wrench, motion = space.wrench, space.acceleration
    for i in range(body.mass.size):
        wrench[i, 0] = body.mass[i] * motion[i, 0]
        wrench[i, 1] = body.mass[i] * (motion[i, 1] + gravity)
        wrench[i, 2] = tree.inertia[i] * motion[i, 2]
    for k in range(tree.order.size - 1, -1, -1):
        j = tree.order[k]
        p, c = body.parent[j], body.child[j]
        fx, fy = wrench[c, 0], wrench[c, 1]
        x, y = kin.link[c, 0] - kin.joint[j, 2], kin.link[c, 1] - kin.joint[j, 3]
        torque = wrench[c, 2] + fx * y - fy * x
        out[3 + j] = torque
        x, y = kin.joint[j, 2] - kin.link[p, 0], kin.joint[j, 3] - kin.link[p, 1]
        wrench[p, 0] += fx
        wrench[p, 1] += fy
        wrench[p, 2] += torque + fx * y - fy * x
    for i in range(3):
        out[i] = wrench[tree.root, i]


@kernel
def point_jacobian(
    body: Body, tree: Tree, kin: Kinematics, link: int, x: float, y: float, space: DynamicsSpace, out: Floats
) -> None:
    """Compute the Jacobian of a point that is fixed to a link: the derivative of its position by the coordinates.

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses of the character.
        link: index of the link.
        x: current x of the point in the world, m.
        y: current y of the point in the world, m.
        space: not used.
        out: result (2, N): derivatives of x and y by the N = 3 + J coordinates (x, y, angle of the root link; joint
            angles).
    """
    out[...] = 0.0
    out[0, 0] = out[1, 1] = 1.0
    out[0, 2] = y - kin.link[tree.root, 1]
    out[1, 2] = kin.link[tree.root, 0] - x
    j = tree.hung_by[link]
    while j >= 0:
        out[0, 3 + j] = y - kin.joint[j, 3]
        out[1, 3 + j] = kin.joint[j, 2] - x
        j = tree.hung_by[body.parent[j]]


@kernel
def point_bias(
    body: Body, tree: Tree, kin: Kinematics, link: int, x: float, y: float, space: DynamicsSpace, out: Floats
) -> None:
    """Compute J' v, the acceleration of a point of a link if the velocities v of all coordinates are constant.

    J' is the time derivative of the point's Jacobian (`point_jacobian`).

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses and velocities of the character.
        link: index of the link.
        x: current x of the point in the world, m.
        y: current y of the point in the world, m.
        space: not used.
        out: result (2,), m/s^2.
    """
    out[0] = out[1] = 0.0
    while True:
        j = tree.hung_by[link]
        from_x = kin.joint[j, 2] if j >= 0 else kin.link[link, 0]
        from_y = kin.joint[j, 3] if j >= 0 else kin.link[link, 1]
        square = kin.link[link, 5] * kin.link[link, 5]
        out[0] -= square * (x - from_x)
        out[1] -= square * (y - from_y)
        if j < 0:
            return
        x, y, link = from_x, from_y, body.parent[j]


@kernel
def com_jacobian(body: Body, tree: Tree, kin: Kinematics, space: DynamicsSpace, out: Floats) -> None:
    """Compute the Jacobian of the centre of mass: the derivative of its position by the coordinates.

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses of the character.
        space: work arrays.
        out: result (2, N): derivatives of x and y by the N = 3 + J coordinates (x, y, angle of the root link; joint
            angles).
    """
    _compose(body, tree, kin, space)
    root = tree.root
    out[0, 0] = out[1, 1] = 1.0
    out[0, 1] = out[1, 0] = 0.0
    out[0, 2] = space.composite[root, 2]
    out[1, 2] = -space.composite[root, 1]
    for j in range(body.parent.size):
        part = space.composite[body.child[j]]
        share = part[0] / space.composite[root, 0]
        out[0, 3 + j] = share * (part[2] - (kin.joint[j, 3] - kin.link[root, 1]))
        out[1, 3 + j] = share * (kin.joint[j, 2] - kin.link[root, 0] - part[1])


@kernel
def com_bias(body: Body, tree: Tree, kin: Kinematics, space: DynamicsSpace, out: Floats) -> None:
    """Compute J' v, the acceleration of the centre of mass if the velocities v of all coordinates are constant.

    J' is the time derivative of the Jacobian of the centre of mass (`com_jacobian`).

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: poses and velocities of the character.
        space: work arrays.
        out: result (2,), m/s^2.
    """
    _accelerate_freely(body, tree, kin, space)
    out[0] = out[1] = 0.0
    for i in range(body.mass.size):
        out[0] += body.mass[i] * space.acceleration[i, 0]
        out[1] += body.mass[i] * space.acceleration[i, 1]
    out[0] /= body.total_mass
    out[1] /= body.total_mass


@kernel
def link_angle_jacobian(body: Body, tree: Tree, kin: Kinematics, link: int, space: DynamicsSpace, out: Floats) -> None:
    """Compute the Jacobian of a link's angle in the world. It is constant, so that its time derivative is zero.

    Args:
        body: constants of the character.
        tree: tree of the links.
        kin: not used.
        link: index of the link.
        space: not used.
        out: result (N,): derivatives of the angle by the N = 3 + J coordinates (x, y, angle of the root link; joint
            angles).
    """
    out[:] = 0.0
    out[2] = 1.0
    j = tree.hung_by[link]
    while j >= 0:
        out[3 + j] = 1.0
        j = tree.hung_by[body.parent[j]]


@kernel
def impact(mass: Floats, rows: Floats, velocity: Floats, space: DynamicsSpace, after: Floats, impulse: Floats) -> bool:
    """Compute the velocities v after an inelastic impact that makes K linear functions of v, the rows of R v, zero.

    M (after - velocity) = R^T impulse, and R after = 0 (Abe and Popovic 2011, eq. 7). Of all velocities with R v = 0,
    the result is nearest to `velocity` in the metric of the mass matrix, so the kinetic energy never increases.

    Args:
        mass: mass matrix M (N, N) of the N coordinates; not changed.
        rows: R (K, N), for example the Jacobians of points that stick to the ground; not changed.
        velocity: velocities of the coordinates before the impact (N,).
        space: work arrays.
        after: result (N,): velocities after the impact; can be the array `velocity`.
        impulse: result (K,): impulse of each row, N s or N m s.

    Returns:
        False if the rows are linearly dependent or the mass matrix is not positive definite.
    """
    count, n = rows.shape
    factor = space.factor
    copy_matrix(mass, factor)
    if count > n or not cholesky(factor):
        return False
    response, effective = space.response[:count], space.effective[:count, :count]
    copy_matrix(rows, response)
    cholesky_solve_rows(factor, response)
    for i in range(count):
        for j in range(count):
            total = 0.0
            for k in range(n):
                total += rows[i, k] * response[j, k]
            effective[i, j] = total
    if not cholesky(effective):
        return False
    answer = space.answer[:, :count]
    for i in range(count):
        total = 0.0
        for k in range(n):
            total -= rows[i, k] * velocity[k]
        answer[0, i] = total
    cholesky_solve_rows(effective, answer)
    for k in range(n):
        total = velocity[k]
        for i in range(count):
            total += response[i, k] * answer[0, i]
        after[k] = total
    for i in range(count):
        impulse[i] = answer[0, i]
    return True
