"""The quantities that signals contain: names, units and meanings of columns, and the values of the joints' columns."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.pd import pd_torque
from ctrlgraph.simulation.moment import Moment

Descriptions = dict[str, tuple[str, str]]
"""Unit and meaning of quantities, by name."""

SAMPLE: Descriptions = {
    "time": ("s", "time since the beginning of the motion"),
    "visit": ("", "0 for the first controller that runs, 1 for the next one, and so on"),
    "node": ("", "node or script whose controller runs"),
    "phase": ("", "phase of the controller, numbered as in its file"),
    "line": ("", "line of the phase in its file; 0 if there is none"),
    "script": ("", "file of the phase"),
}
"""Quantities that state when a sample was taken; they come first among those of the whole body."""


@dataclass(frozen=True)
class Quantities:
    """Unit and meaning of the quantities of a morphology, by name."""

    whole: Descriptions
    """Quantities of the whole body, beginning with `SAMPLE`. Their columns have the same names."""
    joint: Descriptions
    """Quantities of each joint. The column of `angle` of the joint `rKnee` is called `angle.rKnee`."""
    link: Descriptions
    """Quantities of each link. The column of `x` of the link `rFoot` is called `x.rFoot`."""

    def names(self, character: Character) -> tuple[str, ...]:
        """Return the names of all columns of a character's signals, in the order of the table."""
        return (
            *self.whole,
            *(f"{name}.{joint.name}" for joint in character.joints for name in self.joint),
            *(f"{name}.{link.name}" for link in character.links for name in self.link),
        )

    def unit(self, column: str) -> str:
        """Return the unit of the column with the name `column`, such as "m/s"; "" for none."""
        return self._description(column)[0]

    def meaning(self, column: str) -> str:
        """Return a phrase that describes the values in the column with the name `column`."""
        return self._description(column)[1]

    def _description(self, column: str) -> tuple[str, str]:
        quantity, _, name = column.partition(".")
        return (self.joint.get(quantity) or self.link[quantity]) if name else self.whole[quantity]


def joint_quantities(positive: str) -> Descriptions:
    """Return the quantities of each joint.

    Args:
        positive: phrase for the positive direction of rotation, such as "clockwise".
    """
    return {
        "angle": ("rad", f"angle of the child relative to the parent, {positive}"),
        "velocity": ("rad/s", "rate of the angle"),
        "target": ("rad", "target angle of the PD control; empty without one"),
        "asked": ("N m", "requested torque: kp (target - angle) - kd velocity, plus explicit torques"),
        "torque": ("N m", "torque of the joint in the step, within its limits"),
        "least": ("N m", "lower limit of the torque"),
        "greatest": ("N m", "upper limit of the torque"),
    }


def joint_values(moment: Moment) -> Floats:
    """Return the values of the columns of all joints at a moment, (J * 7,)."""
    motors, angle, speed = moment.motors, moment.kinematics.joint[:, 0], moment.kinematics.joint[:, 1]
    pd: Floats = pd_torque.py_func(motors.kp, motors.kd, motors.target, angle, speed)  # type: ignore[attr-defined]  # numba
    free = (motors.kp == 0.0) & (motors.kd == 0.0)
    over = math.nan if moment.last else 0.0  # no step followed
    columns = (
        angle,
        speed,
        np.where(free, math.nan, motors.target),
        motors.torque + pd + over,
        moment.torque + over,
        motors.limit[:, 0],
        motors.limit[:, 1],
    )
    return np.stack(columns, axis=1).ravel()
