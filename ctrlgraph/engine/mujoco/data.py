"""What compiled code needs of a MuJoCo world: addresses, and views on the engine's own memory."""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.engine.commands import Commands
from ctrlgraph.kernels.arrays import Body, Floats, Ints


class MujocoData(NamedTuple):
    """A world for compiled code: J joints, L links, V = J + 3 degrees of freedom."""

    character: Body
    model: int  # address
    data: int  # address
    qpos: Floats  # (V,) m and rad
    qvel: Floats  # (V,)
    qacc: Floats  # (V,)
    ctrl: Floats  # (J,) N m
    armature: Floats  # (V,) kg m2 added to the diagonal of the mass matrix
    pushed: Floats  # (bodies, 6) outside forces and torques
    dof: Ints  # (J,) a joint's degree of freedom
    order: Ints  # (J,) joints from the root outward
    root: int
    body: Ints  # (L,)
    geometry: Ints  # (L,)
    saturated: Ints  # (J,) -1, 0, 1: at which limit the motor is
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
    dual: int  # 1: the solver works on forces, and needs the contacts' inertia anew after the mass matrix has changed
