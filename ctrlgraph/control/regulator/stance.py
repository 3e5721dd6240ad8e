"""Dynamics of a planar character that stands on one foot, and impacts between steps, for a regulator's gains.

While one foot stands, the angle phi of the foot's link and the J joint angles determine the pose. So the n = 1 + J
coordinates are z = (phi, joint angles), and w are their rates. A contact circle of the foot touches the level ground
and rolls without slipping. If the foot stands on its whole sole, phi is constant.

These kernels run before a motion starts, so they can allocate arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import allocating_kernel
from ctrlgraph.kernels.linear_algebra import solve
from ctrlgraph.kernels.planar.arrays import Body, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import (
    DynamicsSpace,
    Tree,
    bias_forces,
    impact,
    link_angle_jacobian,
    mass_matrix,
    new_dynamics_space,
    place,
    point_bias,
    point_jacobian,
    tree_of,
)


class Stance(NamedTuple):
    """The contact of the standing foot with the ground: a contact circle of the foot's link."""

    link: int
    """Index of the foot's link."""
    x: float
    """x of the circle's centre in the link's frame, m."""
    y: float
    """y of the circle's centre in the link's frame, m."""
    radius: float
    """Radius of the circle, m."""
    flat: int
    """1 if the foot stands on its whole sole, else 0."""


class StandingBody(NamedTuple):
    """Masses, lengths and state of a character for the computation of its dynamics, with working arrays."""

    body: Body
    """Constants of the character, such as masses and lengths."""
    tree: Tree
    """The character's links and joints as a tree."""
    kin: Kinematics
    """Positions and velocities of links and joints."""
    space: DynamicsSpace
    """Working arrays of the functions in `kernels.planar.dynamics`."""
    gravity: float
    """Gravitational acceleration, m/s^2, positive downward."""


def model_of(character: PlanarCharacter, gravity: float) -> StandingBody:
    """Return the arrays for the computation of a character's dynamics.

    Args:
        character: the character.
        gravity: gravitational acceleration, m/s^2, positive downward.
    """
    links, joints = len(character.links), len(character.joints)
    return StandingBody(
        body_arrays(character),
        tree_of(character),
        new_kinematics(links, joints),
        new_dynamics_space(links, joints),
        gravity,
    )


@allocating_kernel
def stand(model: StandingBody, stance: Stance, z: Floats, w: Floats) -> Floats:
    """Set `model.kin` to a state of a character on one foot, and return the matrix that maps w to all velocities.

    In `model.kin` the root is at x = y = 0 and rotates, but does not translate. So positions are relative to the root.

    Args:
        model: dynamics of the character.
        stance: contact of the standing foot.
        z: (n,) angle of the standing link, then J joint angles, rad.
        w: (n,) rates of z, rad/s.

    Returns:
        (3 + J, n) derivatives of the velocities with respect to w: those of x, y and angle of the root link, then those
        of the joint angles.
    """
    n, size = z.size, z.size + 2
    turn = np.empty(size)
    link_angle_jacobian(model.body, model.tree, model.kin, stance.link, model.space, turn)
    q, v, to_tree = np.zeros(size), np.zeros(size), np.zeros((size, n))
    q[2], v[2], to_tree[2, 0] = z[0], w[0], 1.0
    for j in range(n - 1):
        q[3 + j], v[3 + j], to_tree[3 + j, 1 + j] = z[1 + j], w[1 + j], 1.0
        q[2] -= turn[3 + j] * z[1 + j]
        v[2] -= turn[3 + j] * w[1 + j]
        to_tree[2, 1 + j] = -turn[3 + j]
    place(model.body, model.tree, q, v, model.kin)
    x, y = _centre(model, stance)
    rows = np.empty((2, size))
    point_jacobian(model.body, model.tree, model.kin, stance.link, x, y, model.space, rows)
    for k in range(n):
        for i in range(2):
            total = stance.radius if i == 0 and k == 0 else 0.0  # the circle rolls
            for c in range(2, size):
                total -= rows[i, c] * to_tree[c, k]
            to_tree[i, k] = total
    return to_tree


@allocating_kernel
def _centre(model: StandingBody, stance: Stance) -> tuple[float, float]:
    """Return x and y of the centre of a foot's contact circle in the state of `model.kin`, m."""
    cosine, sine = model.kin.turn[stance.link, 0], model.kin.turn[stance.link, 1]
    x = model.kin.link[stance.link, 0] + stance.x * cosine + stance.y * sine
    return x, model.kin.link[stance.link, 1] + stance.y * cosine - stance.x * sine


@allocating_kernel
def rates(model: StandingBody, stance: Stance, states: Floats, torques: Floats) -> Floats:
    """Return the time derivatives (P, 2 n) of P states of a character on one foot.

    A derivative is NaN if the state does not determine the accelerations (singular mass matrix).

    Args:
        model: dynamics of the character.
        stance: contact of the standing foot.
        states: (P, 2 n) coordinates (angle of the standing link, then joint angles, rad), then their rates, rad/s.
        torques: (P, J) joint torques, N m.
    """
    out = np.empty(states.shape)
    n = states.shape[1] // 2
    for k in range(len(states)):
        out[k, :n] = states[k, n:]
        out[k, n:] = _accelerations(model, stance, states[k, :n], states[k, n:], torques[k])
    return out


@allocating_kernel
def _accelerations(model: StandingBody, stance: Stance, z: Floats, w: Floats, torque: Floats) -> Floats:
    """Return the second time derivatives (n,) of the coordinates z, rad/s^2; NaN if the mass matrix is singular.

    Args:
        model: dynamics of the character.
        stance: contact of the standing foot.
        z: (n,) angle of the standing link, then J joint angles, rad.
        w: (n,) rates of z, rad/s.
        torque: (J,) joint torques, N m.
    """
    n, size = z.size, z.size + 2
    to_tree = stand(model, stance, z, w)
    mass, force, bias = np.empty((size, size)), np.empty(size), np.empty(2)
    mass_matrix(model.body, model.tree, model.kin, model.space, mass)
    bias_forces(model.body, model.tree, model.kin, model.gravity, model.space, force)
    x, y = _centre(model, stance)
    point_bias(model.body, model.tree, model.kin, stance.link, x, y, model.space, bias)
    reduced, out = np.empty((n, n)), np.zeros(n)
    pulled = np.empty((size, n))
    for i in range(size):
        for k in range(n):
            total = 0.0
            for c in range(size):
                total += mass[i, c] * to_tree[c, k]
            pulled[i, k] = total
        force[i] -= mass[i, 0] * bias[0] + mass[i, 1] * bias[1]
    for i in range(n):
        for k in range(n):
            total = 0.0
            for c in range(size):
                total += to_tree[c, i] * pulled[c, k]
            reduced[i, k] = total
        for c in range(size):
            out[i] -= to_tree[c, i] * force[c]
        if i > 0:
            out[i] += torque[i - 1]
    if stance.flat != 0:
        reduced[0, :] = 0.0
        reduced[:, 0] = 0.0
        reduced[0, 0], out[0] = 1.0, 0.0
    if not solve(reduced, np.zeros(n, np.int64), out):
        out[:] = np.nan
    return out


@allocating_kernel
def touch_downs(model: StandingBody, before: Stance, after: Stance, states: Floats) -> tuple[Floats, Floats]:
    """Return the states after the impact at a touch-down, in which the landing foot becomes the standing foot.

    The impact is inelastic, the landing foot sticks, and the former standing foot is free (Abe and Popovic 2011,
    eq. 7).

    Args:
        model: dynamics of the character.
        before: contact of the standing foot before the impact.
        after: contact of the landing foot.
        states: (P, 2 n) P states before the impact: angle of the standing link, joint angles, rad, and their rates.

    Returns:
        The states (P, 2 n) after the impact, with the angle of the new standing link, and the heights (P,) of the
        landing foot above the other foot before the impact, m. A state is NaN if the equations of the impact are
        singular.
    """
    out, above = np.empty(states.shape), np.empty(len(states))
    n = states.shape[1] // 2
    for k in range(len(states)):
        out[k] = _touch_down(model, before, after, states[k, :n], states[k, n:])
        _, low = _centre(model, before)
        _, high = _centre(model, after)
        above[k] = high - after.radius - low + before.radius
    return out, above


@allocating_kernel
def _touch_down(model: StandingBody, before: Stance, after: Stance, z: Floats, w: Floats) -> Floats:
    """Return the state (2 n,) after the impact at a touch-down; NaN if the equations of the impact are singular.

    Args:
        model: dynamics of the character.
        before: contact of the standing foot before the impact.
        after: contact of the landing foot.
        z: (n,) angle of the standing link, then joint angles, before the impact, rad.
        w: (n,) rates of z before the impact, rad/s.
    """
    n, size = z.size, z.size + 2
    to_tree = stand(model, before, z, w)
    velocity, turn = np.zeros(size), np.empty(size)
    for i in range(size):
        for k in range(n):
            velocity[i] += to_tree[i, k] * w[k]
    mass = np.empty((size, size))
    mass_matrix(model.body, model.tree, model.kin, model.space, mass)
    rows = np.empty((2 + after.flat, size))
    x, y = _centre(model, after)
    point_jacobian(model.body, model.tree, model.kin, after.link, x, y, model.space, rows[:2])
    link_angle_jacobian(model.body, model.tree, model.kin, after.link, model.space, turn)
    for c in range(size):
        rows[0, c] -= after.radius * turn[c]
        if after.flat != 0:
            rows[2, c] = turn[c]
    out = np.empty(2 * n)
    if not impact(mass, rows, velocity, model.space, velocity, np.empty(2 + after.flat)):
        out[:] = np.nan
        return out
    out[0], out[n] = model.kin.link[after.link, 2], 0.0
    for c in range(size):
        out[n] += turn[c] * velocity[c]
    for j in range(n - 1):
        out[1 + j], out[n + 1 + j] = z[1 + j], velocity[3 + j]
    return out
