"""Signals of spatial motions: the columns of the table, and their values at a moment of the simulation."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.spatial.spatial_arrays import spatial_body
from ctrlgraph.kernels.spatial.spatial_dynamics import kinetic_energy, potential_energy
from ctrlgraph.kernels.spatial.spatial_rotation import quaternion_at, rotate, vector_at
from ctrlgraph.simulation.joint_signals import JOINT, joint_values
from ctrlgraph.simulation.moment import Moment

SPATIAL_WHOLE: dict[str, tuple[str, str]] = {
    "com_x": ("m", "centre of mass, forward"),
    "com_y": ("m", "centre of mass, to the left"),
    "com_z": ("m", "centre of mass, upward"),
    "com_vx": ("m/s", "velocity of the centre of mass, forward"),
    "com_vy": ("m/s", "velocity of the centre of mass, to the left"),
    "com_vz": ("m/s", "velocity of the centre of mass, upward"),
    "push_x": ("N", "force of the strongest push in the step, forward"),
    "push_y": ("N", "force of the strongest push in the step, to the left"),
    "push_z": ("N", "force of the strongest push in the step, upward"),
    "push_at_x": ("m", "point at which the strongest push acts, forward; empty without a push"),
    "push_at_y": ("m", "point at which the strongest push acts, to the left; empty without a push"),
    "push_at_z": ("m", "point at which the strongest push acts, upward; empty without a push"),
    "kinetic_energy": ("J", "kinetic energy of all links and rotors"),
    "potential_energy": ("J", "potential energy of all links, 0 at z = 0"),
    "spent_energy": ("J", "energy spent by the joints since the beginning"),
}
"""Unit and meaning of the columns that concern the whole body in space, besides time, node and phase, by name."""

SPATIAL_LINK: dict[str, tuple[str, str]] = {
    "x": ("m", "centre of mass, forward"),
    "y": ("m", "centre of mass, to the left"),
    "z": ("m", "centre of mass, upward"),
    "qw": ("", "scalar part of the orientation, a unit quaternion"),
    "qx": ("", "x of the orientation"),
    "qy": ("", "y of the orientation"),
    "qz": ("", "z of the orientation"),
    "contact": ("", "1 if the link touches the ground"),
    "force_x": ("N", "force of the ground on the link in the step, forward"),
    "force_y": ("N", "force of the ground on the link in the step, to the left"),
    "force_z": ("N", "force of the ground on the link in the step, upward"),
}
"""Unit and meaning of the columns of each link in space. The column `z` of the link `trunk` is called `z.trunk`."""


class SpatialColumns:
    """Columns of the signals of a spatial character, after those for time, node and phase.

    Args:
        character: The character.
        gravity: Acceleration of gravity, m/s^2.
    """

    def __init__(self, character: SpatialCharacter, gravity: float) -> None:
        self._body, self._gravity = spatial_body(character), gravity
        self.names = (
            *SPATIAL_WHOLE,
            *(f"{name}.{joint.name}" for joint in character.joints for name in JOINT),
            *(f"{name}.{link.name}" for link in character.links for name in SPATIAL_LINK),
        )

    def values(self, moment: Moment, pushes: Floats) -> Floats:
        """Return the values of the columns at a moment.

        Args:
            moment: Time step of the simulation.
            pushes: Pushes (P, 9), see `spatial_pushes.spatial_push_array`.
        """
        kin = moment.kinematics
        whole = (
            kin.com,
            _push(moment, pushes),
            (kinetic_energy(self._body, kin), potential_energy(self._body, kin, self._gravity), moment.energy),
        )
        force = moment.force + math.nan if moment.last else moment.force  # no step followed
        links = np.column_stack([kin.pose, kin.contact, force]).ravel()
        return np.concatenate([*whole, joint_values(moment), links])


def _push(moment: Moment, pushes: Floats) -> Floats:
    """Return force and point of the strongest push of a time step (6,), N and m; the force is 0 without a push.

    Args:
        moment: The time step.
        pushes: Pushes (P, 9).
    """
    acting = pushes[(pushes[:, 0] <= moment.time) & (moment.time < pushes[:, 1])]
    if not len(acting) or moment.last:
        return np.array([0.0, 0.0, 0.0, math.nan, math.nan, math.nan])
    row = acting[np.argmax(np.linalg.norm(acting[:, 3:6], axis=1))]
    pose, link = moment.kinematics.pose, int(row[2])
    arm = rotate(quaternion_at(pose, link, 3), (row[6], row[7], row[8]))
    return np.concatenate([row[3:6], np.add(vector_at(pose, link, 0), arm)])
