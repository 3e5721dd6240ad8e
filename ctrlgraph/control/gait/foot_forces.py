"""Split of a desired force and moment over the feet that stand, by least squares within the friction of the ground."""

from __future__ import annotations

from ctrlgraph.control.gait.gait_arrays import SWINGS, GaitData, GaitState
from ctrlgraph.control.gait.gait_leg import Motion, foot_place, has_sole
from ctrlgraph.control.gait.gait_sole import ground_point, is_loaded
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.linear_algebra import cholesky, cholesky_solve_rows, copy_matrix
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import add, cross, subtract, vector_at

_WEIGHTS = (0.3, 0.3, 3.0, 1.0, 1.0, 0.3)
"""Weights of force along x, y and z and of the moments about them; moments are divided by the radius of gyration."""

_EFFORT = 1e-3
"""Weight of the squared forces themselves."""

_CONVERGES = 0.1
"""Preferred horizontal part of a force, in units of that of a force towards the centre of mass. Front legs then brake
and hind legs push, as in animals. The preference has the weight of the effort, so it decides only what the desired
force and moment leave open.
"""

_LEAST = 0.02
"""Minimum normal force of a standing foot, as a fraction of the weight."""

_SWEEPS = 40
"""Number of passes over all forces, if the solution without limits is beyond them."""


@kernel
def split_forces(kin: SpatialKinematics, data: GaitData, state: GaitState, mass: float, weight: float) -> None:
    """Compute the forces of the ground on the feet that stand, in `data.forces`. The forces on swinging feet are 0.

    The forces give nearly the force and moment in `data.wanted`. Their horizontal components are at most the vertical
    one times the coefficient of friction.

    Args:
        kin: state of the character.
        data: constants and work arrays of the gait. `data.wanted` is read.
        state: state of the gait, with the feet that stand.
        mass: mass of the character, kg.
        weight: weight of the character, N.
    """
    _set_up(kin, data, state, mass)
    copy_matrix(data.normal, data.factors)
    for a in range(data.right.size):
        data.forces[0, a] = data.right[a]
    if not cholesky(data.factors):
        data.forces[...] = 0.0
        return
    cholesky_solve_rows(data.factors, data.forces)
    if _limit(data, state, weight):
        for _ in range(_SWEEPS):
            _sweep(data, state, weight)


@kernel
def foot_push(kin: SpatialKinematics, data: GaitData, state: GaitState, i: int) -> Motion:
    """Return the force, N, and the moment about its centre, N m, of the ground on the foot of leg `i`."""
    force, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for p in range(data.legs.owner.size):
        if data.legs.owner[p] == i:
            one = vector_at(data.forces, 0, 3 * p)
            force = add(force, one)
            if has_sole(data, i):
                moment = add(moment, cross(subtract(ground_point(data, state, p), foot_place(kin, data, i)), one))
    return force, moment


@kernel
def _presses(data: GaitData, state: GaitState, p: int) -> bool:
    return state.leg[data.legs.owner[p], SWINGS] == 0.0 and is_loaded(data, state, p)


@kernel
def _set_up(kin: SpatialKinematics, data: GaitData, state: GaitState, mass: float) -> None:
    """Fill the normal equations of the least squares. The rows of swinging feet are those of a force of 0."""
    square = (data.inertia[0] + data.inertia[1]) / (2.0 * mass)  # of the radius of gyration
    grasp = data.grasp
    for p in range(data.legs.owner.size):
        x, y, z = subtract(ground_point(data, state, p), (kin.com[0], kin.com[1], kin.com[2]))
        stands = 1.0 if _presses(data, state, p) else 0.0
        for r in range(6):
            for k in range(3):
                grasp[r, 3 * p + k] = stands if r == k else 0.0
        grasp[3, 3 * p + 1], grasp[3, 3 * p + 2] = -z * stands, y * stands
        grasp[4, 3 * p], grasp[4, 3 * p + 2] = z * stands, -x * stands
        grasp[5, 3 * p], grasp[5, 3 * p + 1] = -y * stands, x * stands
    for a in range(data.right.size):
        data.right[a] = 0.0
        for b in range(data.right.size):
            data.normal[a, b] = 0.0
        data.normal[a, a] = _EFFORT if _presses(data, state, a // 3) else 1.0
        for r in range(6):
            share = _WEIGHTS[r] / square if r >= 3 else _WEIGHTS[r]
            data.right[a] += share * grasp[r, a] * data.wanted[r]
            for b in range(data.right.size):
                data.normal[a, b] += share * grasp[r, a] * grasp[r, b]
    for p in range(data.legs.owner.size):
        if _presses(data, state, p):
            _converge(kin, data, state, p)


@kernel
def _converge(kin: SpatialKinematics, data: GaitData, state: GaitState, p: int) -> None:
    """Add to the normal equations that the force on point `p` of the feet is to point above the centre of mass."""
    place, up = ground_point(data, state, p), 3 * p + 2
    for k in range(2):
        a, slope = 3 * p + k, _CONVERGES * (place[k] - kin.com[k]) / data.values.height
        data.normal[up, up] += _EFFORT * slope * slope
        data.normal[a, up] += _EFFORT * slope
        data.normal[up, a] += _EFFORT * slope


@kernel
def _limit(data: GaitData, state: GaitState, weight: float) -> bool:
    """Bring all forces within their limits; return whether one was beyond them."""
    beyond = False
    for p in range(data.legs.owner.size):
        i = data.legs.owner[p]
        if not _presses(data, state, p):
            continue
        upward = max(data.forces[0, 3 * p + 2], _LEAST * weight / data.legs.n_points[i])
        most = data.values.friction * upward
        for k in range(3):
            before = data.forces[0, 3 * p + k]
            after = upward if k == 2 else min(max(before, -most), most)
            data.forces[0, 3 * p + k] = after
            beyond = beyond or after != before
    return beyond


@kernel
def _sweep(data: GaitData, state: GaitState, weight: float) -> None:
    """Improve one force after the other within its limits (projected Gauss-Seidel)."""
    for a in range(data.right.size):
        p, k = a // 3, a % 3
        i = data.legs.owner[p]
        if not _presses(data, state, p):
            continue
        rest = data.right[a]
        for b in range(data.right.size):
            if b != a:
                rest -= data.normal[a, b] * data.forces[0, b]
        best = rest / data.normal[a, a]
        if k == 2:
            best = max(best, _LEAST * weight / data.legs.n_points[i])
            most = data.values.friction * best
            for h in range(2):
                data.forces[0, 3 * p + h] = min(max(data.forces[0, 3 * p + h], -most), most)
        else:
            most = data.values.friction * data.forces[0, 3 * p + 2]
            best = min(max(best, -most), most)
        data.forces[0, a] = best
