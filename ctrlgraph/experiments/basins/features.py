"""A state as a vector that does not depend on where in the world it is.

For a character with J joints and L links, in this order: the angle (rad) and velocity (rad/s) of every
joint; cosine, sine and angular velocity (rad/s) of the root link; the velocity of the centre of mass (m/s,
x and y), its height above the ground below it (m), and how far it is in front of the mean of the links in
contact (m; 0 in the air); for every link whether it touches the ground (0 or 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.observation import write_features

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.kernels.arrays import Kinematics
    from ctrlgraph.terrain.profile import Terrain


def feature_names(character: Character) -> tuple[str, ...]:
    """Return what the numbers of `features` are."""
    angles = [f"angle {name}" for name in character.joint_names]
    velocities = [f"velocity {name}" for name in character.joint_names]
    root = ["root cosine", "root sine", "root spin"]
    mass = ["com vx", "com vy", "com height", "com ahead of contacts"]
    return (*angles, *velocities, *root, *mass, *(f"contact {name}" for name in character.link_names))


def features(kinematics: Kinematics, character: Character, ground: Terrain) -> NDArray[np.float64]:
    """Return the vector (2 J + 7 + L,) of a state; it stays the same where character and ground are moved together."""
    vector = np.empty(2 * len(character.joints) + 7 + len(character.links))
    write_features(kinematics, character.root, ground.height(float(kinematics.com[0])), vector)
    return vector
