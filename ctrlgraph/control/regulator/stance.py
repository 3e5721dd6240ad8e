"""Dynamics of a body that stands on one foot: in its own angles alone, and from step to step.

While a foot is pinned, a planar body of J joints is where the angle phi of the foot's link and the joint angles say:
its coordinates are z = (phi, joint angles), n = 1 + J, and w their rates. A foot touches the level ground with a
circle, which rolls; where it stands on its whole sole, phi keeps its value.

All of this is reckoned before a motion runs, so that these kernels may make arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.arrays import Body, Floats, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.dynamics import (
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
from ctrlgraph.kernels.jit import allocating_kernel
from ctrlgraph.kernels.linear_algebra import solve


class Stance(NamedTuple):
    """What a body stands on: the contact circle of a link, by its centre from the centre of mass; 1: on its sole."""

    link: int
    x: float
    y: float
    radius: float
    flat: int


class StandingBody(NamedTuple):
    """A character's dynamics, with arrays to reckon in."""

    body: Body
    tree: Tree
    kin: Kinematics
    space: DynamicsSpace
    gravity: float


def model_of(character: Character, gravity: float) -> StandingBody:
    """Return the dynamics of a character; gravity in m/s^2."""
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
    """Place the model at coordinates z (n,) and rates w (n,), the root at x = y = 0.

    Returns:
        (N, n): what the velocities of the whole tree are to the rates; the root's are not those of `kin`, where it
        rests.
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
            total = stance.radius if i == 0 and k == 0 else 0.0  # it rolls
            for c in range(2, size):
                total -= rows[i, c] * to_tree[c, k]
            to_tree[i, k] = total
    return to_tree


@allocating_kernel
def _centre(model: StandingBody, stance: Stance) -> tuple[float, float]:
    """Return where the centre of the contact circle is."""
    cosine, sine = model.kin.turn[stance.link, 0], model.kin.turn[stance.link, 1]
    x = model.kin.link[stance.link, 0] + stance.x * cosine + stance.y * sine
    return x, model.kin.link[stance.link, 1] + stance.y * cosine - stance.x * sine


@allocating_kernel
def rates(model: StandingBody, stance: Stance, states: Floats, torques: Floats) -> Floats:
    """Return the rates (P, 2 n) of P states (z, w), as long, under torques (P, J), N m; NaN where there are none."""
    out = np.empty(states.shape)
    n = states.shape[1] // 2
    for k in range(len(states)):
        out[k, :n] = states[k, n:]
        out[k, n:] = _accelerations(model, stance, states[k, :n], states[k, n:], torques[k])
    return out


@allocating_kernel
def _accelerations(model: StandingBody, stance: Stance, z: Floats, w: Floats, torque: Floats) -> Floats:
    """The accelerations (n,) of the coordinates."""
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
    """Return P states (P, 2 n) after the impact in which the foot that swings becomes the one that stands, and how far
    the former is above the latter before it (P,), m.

    The foot that stood is free from then on; the impact is inelastic, and the foot that comes down sticks (Abe and
    Popovic 2011, eq. 7). NaN where there is no such impact.
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
    """The state (2 n,) after the impact."""
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
