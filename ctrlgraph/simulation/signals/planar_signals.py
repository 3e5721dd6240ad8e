"""Signals of planar motions: the quantities, and their values at a moment."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.signals.signal_quantities import SAMPLE, Quantities, joint_quantities, joint_values

PLANAR_QUANTITIES = Quantities(
    whole=SAMPLE
    | {
        "com_x": ("m", "centre of mass, forward"),
        "com_y": ("m", "centre of mass, upward"),
        "com_vx": ("m/s", "velocity of the centre of mass, forward"),
        "com_vy": ("m/s", "velocity of the centre of mass, upward"),
        "root_vx": ("m/s", "velocity of the root link's centre of mass, forward"),
        "root_vy": ("m/s", "velocity of the root link's centre of mass, upward"),
        "root_spin": ("rad/s", "angular velocity of the root link, clockwise"),
        "pressure_x": ("m", "centre of pressure; empty in flight"),
        "kinetic_energy": ("J", "kinetic energy of all links"),
        "potential_energy": ("J", "potential energy of all links, 0 at y = 0"),
        "spent_energy": ("J", "energy spent by the joints since the beginning"),
    },
    joint=joint_quantities("clockwise"),
    link={
        "x": ("m", "centre of mass, forward"),
        "y": ("m", "centre of mass, upward"),
        "rotation": ("rad", "global angle, clockwise, unwrapped"),
        "contact": ("", "1 if the link touches the ground"),
        "force_x": ("N", "force of the ground on the link in the step, forward"),
        "force_y": ("N", "force of the ground on the link in the step, upward"),
        "pressure_x": ("m", "centre of pressure of the link, forward; empty without force"),
        "pressure_y": ("m", "centre of pressure of the link, upward; empty without force"),
        "moment": ("N m", "moment of the ground about the centre of pressure of the link, clockwise"),
    },
)
"""Quantities of planar motions."""


class PlanarSignalValues:
    """Values of the signals of a planar character."""

    def __init__(self, character: PlanarCharacter, gravity: float) -> None:
        """
        Args:
            character: the character.
            gravity: acceleration of gravity, m/s^2.
        """
        self._root = character.root
        self._mass = np.array([link.mass for link in character.links])
        self._inertia = np.array([link.inertia for link in character.links])
        self._weight = gravity * self._mass

    def of(self, moment: Moment) -> Floats:
        """Return the values of all columns that follow the columns in `SAMPLE`."""
        return np.concatenate([self._of_body(moment), joint_values(moment), _of_links(moment)])

    def _of_body(self, moment: Moment) -> Floats:
        links, com = moment.kinematics.link, moment.kinematics.com
        speeds = (links[:, 3:5] ** 2).sum(axis=1)
        return np.array(
            [
                *com,
                *links[self._root, 3:6],
                math.nan if moment.last else moment.ground.whole_pressure[0],
                (speeds @ self._mass + links[:, 5] ** 2 @ self._inertia) / 2,
                links[:, 1] @ self._weight,
                moment.energy,
            ]
        )


def _of_links(moment: Moment) -> Floats:
    """Return the values of the columns of all links at a moment, (L * 9,)."""
    ground = np.column_stack([moment.ground.force, moment.ground.pressure, moment.ground.moment])
    over = math.nan if moment.last else 0.0  # no step followed
    return np.column_stack([moment.kinematics.link[:, :3], moment.kinematics.contact, ground + over]).ravel()
