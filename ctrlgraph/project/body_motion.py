"""Recorded signals and BVH files as the motions of a fit."""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.arrays import body_soles
from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import place, tree_of
from ctrlgraph.simulation.formats.bvh_reader import BvhMotion
from ctrlgraph.simulation.signals import Signals

NEAR_GROUND = 0.004
"""Maximum height of a foot of a BVH on the ground, m."""


def motion_of_signals(signals: Signals, character: Character) -> BodyMotion:
    """Return the motion of recorded signals."""
    columns, root = signals.columns, character.links[character.root].name
    q = np.column_stack(
        [
            *(columns[f"{what}.{root}"] for what in ("x", "y", "rotation")),
            *(columns[f"angle.{joint.name}"] for joint in character.joints),
        ]
    )
    feet = _feet(character)
    touching = np.column_stack([columns[f"contact.{character.links[foot].name}"] > 0 for foot in feet])
    kept = np.concatenate([[True], np.diff(columns["time"]) > 1e-9])
    return BodyMotion(
        columns["time"][kept], q[kept], touching[kept], _soles(character, q)[0][kept], columns["pressure_x"][kept]
    )


def motion_of_bvh(motion: BvhMotion, character: Character) -> BodyMotion:
    """Return the motion of a BVH; a foot is on the ground if its sole is at y = 0."""
    x, height = _soles(character, motion.q)
    return BodyMotion(motion.time, motion.q, height <= NEAR_GROUND, x, np.full(len(motion.time), np.nan))


def _feet(character: Character) -> tuple[int, ...]:
    if len(character.roles.feet) != 2:
        raise CtrlGraphError(f"{character.name} has {len(character.roles.feet)} feet, and a fit is for two")
    return character.roles.feet


def _soles(character: Character, q: Floats) -> tuple[Floats, Floats]:
    """Return x of the middles of the soles (n, 2), and the heights of their lowest points (n, 2), m."""
    body, tree, kin = (
        body_arrays(character),
        tree_of(character),
        new_kinematics(len(character.links), len(character.joints)),
    )
    soles, still = body_soles(character), np.zeros(q.shape[1])
    x, height = np.zeros((len(q), 2)), np.zeros((len(q), 2))
    for i, pose in enumerate(q):
        place(body, tree, pose, still, kin)
        for k, foot in enumerate(_feet(character)):
            at, up, angle = kin.link[foot, :3]
            ends = soles[foot]
            forward = at + ends[:, 0] * np.cos(angle) + ends[:, 1] * np.sin(angle)
            x[i, k] = forward.mean()
            height[i, k] = (up + ends[:, 1] * np.cos(angle) - ends[:, 0] * np.sin(angle)).min()
    return x, height
