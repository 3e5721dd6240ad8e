"""Data of a MuJoCo world for compiled code: addresses, and views on the engine's memory."""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.engine.commands import Commands
from ctrlgraph.kernels.planar.arrays import Body, Floats, Ints


class MujocoData(NamedTuple):
    """Planar world for compiled code: J joints, L links, V = J + 3 degrees of freedom."""

    character: Body
    model: int  # address
    data: int  # address
    qpos: Floats  # (V,) m and rad
    qvel: Floats  # (V,)
    qacc: Floats  # (V,)
    ctrl: Floats  # (J,) N m
    armature: Floats  # (V,) kg m2 added to the diagonal of the mass matrix
    pushed: Floats  # (bodies, 6) external forces and torques
    dof: Ints  # (J,) degree of freedom of each joint
    order: Ints  # (J,) joints from the root outward
    root: int
    body: Ints  # (L,)
    geometry: Ints  # (L,)
    saturated: Ints  # (J,) -1 at the lower torque limit, 1 at the upper one, else 0
    commands: Commands
    contact: Floats  # one mjContact, filled for each contact in turn
    geometries: Ints  # view of the same bytes as 32-bit words
    contact_address: int
    at_distance: int  # offsets in doubles
    at_position: int
    at_frame: int
    at_geometry: int  # in 32-bit words
    force: Floats  # (6,) of one contact: normal, two tangents, torques
    force_address: int
    dual: int  # 1: the solver is a dual one, and needs the contacts' inertia again when the mass matrix changes
