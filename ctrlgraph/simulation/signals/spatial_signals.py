"""Signals of spatial motions: the quantities, and their values at a moment."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.spatial.spatial_arrays import spatial_body
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.signals.signal_quantities import (
    SAMPLE,
    Descriptions,
    Quantities,
    joint_quantities,
    joint_values,
)

POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""Names of the quantities of a link that contain its position and orientation."""
_DIRECTIONS = {"x": "forward", "y": "to the left", "z": "upward"}
_AXES = {axis: f"about {axis}" for axis in "xyz"}


def _vector(name: str, unit: str, meaning: str, where: dict[str, str] = _DIRECTIONS, more: str = "") -> Descriptions:
    """Return the three components of a vector as quantities.

    Args:
        name: name of a component with a gap for the axis, such as "com_{}".
        unit: unit of the components.
        meaning: phrase that describes the vector.
        where: phrase for the direction of each axis.
        more: end of the description.
    """
    return {name.format(axis): (unit, f"{meaning}, {phrase}{more}") for axis, phrase in where.items()}


SPATIAL_QUANTITIES = Quantities(
    whole=SAMPLE
    | _vector("com_{}", "m", "centre of mass")
    | _vector("com_v{}", "m/s", "velocity of the centre of mass")
    | _vector("pressure_{}", "m", "centre of pressure", more="; empty in flight")
    | _vector("push_{}", "N", "force of the strongest push in the step")
    | _vector("push_at_{}", "m", "point at which the strongest push acts", more="; empty without a push")
    | {
        "kinetic_energy": ("J", "kinetic energy of all links"),
        "potential_energy": ("J", "potential energy of all links, 0 at z = 0"),
        "spent_energy": ("J", "energy spent by the joints since the beginning"),
    },
    joint=joint_quantities("anticlockwise about its axis"),
    link=_vector("{}", "m", "centre of mass")
    | {
        f"q{part}": ("", f"component {part} of the quaternion from the frame of the link to the world")
        for part in "wxyz"
    }
    | _vector("v{}", "m/s", "velocity of the centre of mass")
    | _vector("w{}", "rad/s", "angular velocity in the world", _AXES)
    | {"contact": ("", "1 if the link touches the ground")}
    | _vector("force_{}", "N", "force of the ground on the link in the step")
    | _vector("pressure_{}", "m", "centre of pressure of the link", more="; empty without force")
    | _vector("moment_{}", "N m", "moment of the ground about the centre of pressure of the link", _AXES),
)
"""Quantities of spatial motions."""


class SpatialSignalValues:
    """Values of the signals of a spatial character."""

    def __init__(self, character: SpatialCharacter, gravity: float) -> None:
        """
        Args:
            character: the character.
            gravity: acceleration of gravity, m/s^2.
        """
        body = spatial_body(character)
        self._mass, self._inertia, self._weight = body.mass, body.inertia, gravity * body.mass

    def of(self, moment: Moment) -> Floats:
        """Return the values of all columns that follow the columns in `SAMPLE`."""
        return np.concatenate([self._of_body(moment), joint_values(moment), _of_links(moment)])

    def _of_body(self, moment: Moment) -> Floats:
        kin = moment.kinematics
        rotation = rotation_matrix(kin.pose[:, 3:])
        spin = np.einsum("lji,lj->li", rotation, kin.twist[:, 3:])  # in the frames of the links
        rotating = np.einsum("li,lij,lj->", spin, self._inertia, spin)
        return np.array(
            [
                *kin.com,
                *(moment.ground.whole_pressure + (math.nan if moment.last else 0.0)),
                *_push(moment),
                ((kin.twist[:, :3] ** 2).sum(axis=1) @ self._mass + rotating) / 2,
                kin.pose[:, 2] @ self._weight,
                moment.energy,
            ]
        )


def _push(moment: Moment) -> Floats:
    """Return force and point of the strongest push of a time step (6,), N and m; the force is 0 without a push."""
    acting = moment.pushes[(moment.pushes[:, 0] <= moment.time) & (moment.time < moment.pushes[:, 1])]
    if not len(acting) or moment.last:
        return np.array([0.0, 0.0, 0.0, math.nan, math.nan, math.nan])
    row = acting[np.argmax(np.linalg.norm(acting[:, 3:6], axis=1))]
    at = moment.kinematics.pose[int(row[2])]
    return np.concatenate([row[3:6], at[:3] + rotation_matrix(at[3:]) @ row[6:9]])


def _of_links(moment: Moment) -> Floats:
    """Return the values of the columns of all links at a moment, (L * 23,)."""
    kin = moment.kinematics
    ground = np.column_stack([moment.ground.force, moment.ground.pressure, moment.ground.moment])
    over = math.nan if moment.last else 0.0  # no step followed
    return np.column_stack([kin.pose, kin.twist, kin.contact, ground + over]).ravel()
