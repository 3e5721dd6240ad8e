"""Conversion of recorded signals to a `BodyMotion`, the form in which motions are fitted by tracking controllers."""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.tracking.arrays import body_soles
from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.arrays import body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import place, tree_of
from ctrlgraph.simulation.signals.recorded_signals import Signals


def motion_of_signals(signals: Signals, character: PlanarCharacter) -> BodyMotion:
    """Convert recorded signals to a motion: times, poses, contacts of the feet, and centre of pressure.

    Args:
        signals: Signals of one rollout. A sample that has the same time as the sample before it is skipped.
        character: PlanarCharacter whose motion was recorded.

    Raises:
        CtrlGraphError: The character does not have two feet.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(
            f"the character {character.name} has {len(feet)} feet: a tracking controller can only be fitted to"
            " motions of a character with two feet"
        )
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


def _soles(character: PlanarCharacter, q: Floats) -> Floats:
    """Return the forward position of the middle of each foot's sole, (n, 2), m, in world coordinates.

    Args:
        character: PlanarCharacter with two feet.
        q: Poses, (n, 3 + joints): x and y (m) and rotation (rad) of the root link, then joint angles (rad).
    """
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
