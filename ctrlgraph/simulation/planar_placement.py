"""Planar placement: poses of the links when a character begins at rest on the ground."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.kernels.planar.arrays import Body, Floats
from ctrlgraph.kernels.planar.collision import Shapes
from ctrlgraph.kernels.planar.kinematics import pose_links
from ctrlgraph.terrain.terrain import Terrain


def posed(character: Character, body: Body, pose: Mapping[str, float]) -> Floats:
    """Return x, y (m) and global angle (rad) of the links, (L, 3), with the root link as in the character file.

    Args:
        character: the character.
        body: its constants.
        pose: joint angles by name, and `root` for the root link's global angle, rad; all others are zero.

    Raises:
        SimulationError: a name is not a joint, or an angle is not finite.
    """
    angles = np.zeros(len(character.joints))
    for name, angle in pose.items():
        if not math.isfinite(angle):
            raise SimulationError(f"the angle of '{name}' is not a finite number")
        index = character.joint_index(name)
        if index is not None:
            angles[index] = angle
        elif name != "root":
            hint = near_names(name, (*character.known_joints, "root"), "joints")
            raise SimulationError(f"the character {character.name} has no joint '{name}' {hint}")
    link = character.links[character.root]
    return pose_links(body, angles, character.root, link.x, link.y, pose.get("root", 0.0))


def clearance(poses: Floats, shapes: Shapes, terrain: Terrain) -> float:
    """Return the height of the lowest point of all contact circles above the ground, m; negative inside the ground."""
    lowest, links = math.inf, poses.tolist()  # Python's floats are twice as fast as numpy's scalars
    for link, (u, v, radius) in zip(shapes.link.tolist(), shapes.circle.tolist(), strict=True):
        x, y, angle = links[link]
        cx = x + u * math.cos(angle) + v * math.sin(angle)
        cy = y + v * math.cos(angle) - u * math.sin(angle)
        lowest = min(lowest, cy - radius - terrain.height(cx))
    return lowest
