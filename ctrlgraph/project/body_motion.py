"""Recorded signals as the motion of a fit."""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.arrays import body_soles
from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import place, tree_of
from ctrlgraph.simulation.signals import Signals


def motion_of_signals(signals: Signals, character: Character) -> BodyMotion:
    """Return the motion of recorded signals.

    Args:
        signals: Signals of all time steps or fewer.
        character: Character of the signals.

    Raises:
        CtrlGraphError: The character does not have two feet.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"{character.name} has {len(feet)} feet, and a fit needs two")
    columns, root = signals.columns, character.links[character.root].name
    q = np.column_stack(
        [
            *(columns[f"{what}.{root}"] for what in ("x", "y", "rotation")),
            *(columns[f"angle.{joint.name}"] for joint in character.joints),
        ]
    )
    touching = np.column_stack([columns[f"contact.{character.links[foot].name}"] > 0 for foot in feet])
    kept = np.concatenate([[True], np.diff(columns["time"]) > 1e-9])
    return BodyMotion(
        columns["time"][kept], q[kept], touching[kept], _soles(character, q)[kept], columns["pressure_x"][kept]
    )


def _soles(character: Character, q: Floats) -> Floats:
    """Return x of the middles of the soles (n, 2), m."""
    body, tree = body_arrays(character), tree_of(character)
    kin = new_kinematics(len(character.links), len(character.joints))
    soles, still = body_soles(character), np.zeros(q.shape[1])
    x = np.zeros((len(q), 2))
    for i, pose in enumerate(q):
        place(body, tree, pose, still, kin)
        for k, foot in enumerate(character.roles.feet):
            at, angle, ends = kin.link[foot, 0], kin.link[foot, 2], soles[foot]
            x[i, k] = (at + ends[:, 0] * np.cos(angle) + ends[:, 1] * np.sin(angle)).mean()
    return x
