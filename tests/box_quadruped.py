"""A box with four legs, and its prescribed motions: rigid motions of the reference pose with given contacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial.spatial_frames import quaternion_of, reference_frames, rotation_matrix
from ctrlgraph.character.spatial.spatial_roles import guess_spatial_roles
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter, SpatialJoint, SpatialLink
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace

RADIUS = 0.02
"""Radius of the legs and feet, m."""
HEIGHT = 0.42
"""Height of the trunk's centre in the reference pose, in which the feet touch level ground, m."""
FEET = {"FL": 2, "FR": 4, "HL": 6, "HR": 8}
"""Link of each foot."""

_TORQUE = TorqueRange.symmetric(30.0)


def box_quadruped() -> SpatialCharacter:
    """Return a quadruped of 12 kg: a box of 8 kg, and legs of two links of 0.5 kg with three joints."""
    links = [_link("trunk", 8.0, (0.0, 0.0, HEIGHT), Shape("box", (0.3, 0.1, 0.05), (0.0, 0.0, 0.0)))]
    joints = []
    for row, x in (("front", 0.25), ("hind", -0.25)):
        for side, y in (("left", 0.12), ("right", -0.12)):
            upper = len(links)
            leg = Shape("capsule", (RADIUS, 0.1, 0.0), (0.0, 0.0, 0.0))
            links.append(_link(f"{row}_{side}_upper", 0.5, (x, y, -0.1), leg))
            links.append(_link(f"{row}_{side}_lower", 0.5, (0.0, 0.0, -0.2), leg))
            for name, parent, child, axis, limit in (
                ("abduction", 0, upper, (1.0, 0.0, 0.0), 0.8),
                ("hip", 0, upper, (0.0, 1.0, 0.0), 1.5),
                ("knee", upper, upper + 1, (0.0, 1.0, 0.0), 2.0),
            ):
                joints.append(_joint(f"{row}_{side}_{name}", parent, child, axis, limit))
    character = SpatialCharacter(
        name="box", links=tuple(links), joints=tuple(joints), link_aliases={}, joint_aliases={}
    )
    return replace(character, roles=guess_spatial_roles(character))


def _link(name: str, mass: float, position: tuple[float, float, float], shape: Shape) -> SpatialLink:
    inertia = (0.01 * mass, 0.01 * mass, 0.01 * mass, 0.0, 0.0, 0.0)
    return SpatialLink(name, mass, inertia, position, (1.0, 0.0, 0.0, 0.0), (shape,))


def _joint(name: str, parent: int, child: int, axis: tuple[float, float, float], limit: float) -> SpatialJoint:
    return SpatialJoint(
        name=name,
        parent=parent,
        child=child,
        lower=-limit,
        upper=limit,
        torque_limit=_TORQUE,
        hard_torque_limit=_TORQUE,
        kp=50.0,
        kd=2.0,
        axis=axis,
        anchor=(0.0, 0.0, 0.1),
    )


def turns(roll: Any = 0.0, pitch: Any = 0.0, yaw: Any = 0.0) -> np.ndarray:
    """Return quaternions (n, 4) that turn about x, then y, then z, by angles (n,), rad."""
    angles = np.broadcast_arrays(*(np.atleast_1d(each).astype(float) for each in (roll, pitch, yaw)))
    halves = [np.zeros((len(angle), 4)) for angle in angles]
    for axis, (half, angle) in enumerate(zip(halves, angles, strict=True)):
        half[:, 0], half[:, 1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    about_x, about_y, about_z = halves
    return product(about_z, product(about_y, about_x))


def product(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the quaternions (..., 4) of the rotation `other`, followed by the rotation `one`."""
    a, u, b, v = one[..., :1], one[..., 1:], other[..., :1], other[..., 1:]
    scalar = a * b - (u * v).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, a * v + b * u + np.cross(u, v)], axis=-1)


def moving(
    character: SpatialCharacter,
    time: np.ndarray,
    *,
    path: Callable[[np.ndarray], tuple[Any, Any, Any]] = lambda t: (0.0, 0.0, 0.0),
    turn: np.ndarray | None = None,
    contact: Mapping[str, np.ndarray] | None = None,
    **exertions: np.ndarray,
) -> SpatialTrace:
    """Return a rigid motion of the character in its reference pose.

    Args:
        character: the character.
        time: times of the samples (n,), s.
        path: displacement of the centre of mass by time, x, y, z, m.
        turn: rotations about the centre of mass, quaternions (n, 4) or (1, 4).
        contact: whether each foot touches the ground (n,), by its key in `FEET`.
        exertions: fields of forces and work.
    """
    n, frames = len(time), reference_frames(character)
    mass = np.array([link.mass for link in character.links])
    center = mass @ frames.position / mass.sum()
    turn = np.broadcast_to(turns() if turn is None else turn, (n, 4))
    way = np.stack(np.broadcast_arrays(*path(time), time)[:3], axis=1)
    com = center + way
    pose = np.zeros((n, len(mass), 7))
    pose[:, :, :3] = com[:, None] + np.einsum("nij,lj->nli", rotation_matrix(turn), frames.position - center)
    pose[:, :, 3:] = product(turn[:, None], np.array([quaternion_of(own) for own in frames.rotation]))
    touching = np.zeros((n, len(mass)), bool)
    for foot, mask in (contact or {}).items():
        touching[:, FEET[foot]] = mask
    return SpatialTrace(
        time=time,
        pose=pose,
        joint_angle=np.zeros((n, len(character.joints))),
        contact=touching,
        com=com,
        com_velocity=np.gradient(com, time, axis=0),
        phase=np.zeros(n, np.int64),
        energy=np.zeros(n),
        **exertions,
    )


def gait_contacts(
    time: np.ndarray, phases: Mapping[str, float], duty: float, stride: float = 0.5
) -> dict[str, np.ndarray]:
    """Return the contacts of feet that strike at given phases.

    Args:
        time: times of the samples (n,), s.
        phases: phase of each foot's strike as a share of the stride, by its key in `FEET`.
        duty: duty factor.
        stride: duration of a stride, s.
    """
    return {foot: (time / stride - phase + 1e-6) % 1.0 < duty for foot, phase in phases.items()}
