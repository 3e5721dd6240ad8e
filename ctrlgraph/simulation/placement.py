"""Placement: where the links are when a character begins at rest in a pose, on the ground."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.kernels.arrays import Body, Floats
from ctrlgraph.kernels.collision import Shapes
from ctrlgraph.kernels.kinematics import pose_links
from ctrlgraph.terrain.profile import Terrain


def posed(character: Character, body: Body, pose: Mapping[str, float]) -> Floats:
    """Return the links' x, y (m) and global angle (rad), (L, 3), with the root link where the character file has it.

    Args:
        pose: joint angles in rad by name, and `root` for the root link's global angle; all others are zero.

    Raises:
        SimulationError: a name is no joint, or an angle is not finite.
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
    """Return how far above the ground the lowest point of all contact circles is, m; less than 0 where it is within."""
    lowest, links = math.inf, poses.tolist()  # plain numbers: numpy's single ones take twice the time
    for link, (u, v, radius) in zip(shapes.link.tolist(), shapes.circle.tolist(), strict=True):
        x, y, angle = links[link]
        cx = x + u * math.cos(angle) + v * math.sin(angle)
        cy = y + v * math.cos(angle) - u * math.sin(angle)
        lowest = min(lowest, cy - radius - terrain.height(cx))
    return lowest
