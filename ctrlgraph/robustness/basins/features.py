"""A state as a vector that does not depend on its position.

For a character with J joints and L links: angle (rad) and velocity (rad/s) of every joint; cosine, sine and angular
velocity (rad/s) of the root link; velocity of the centre of mass (m/s, x and y), its height above the ground below it
(m), and its distance ahead of the mean of the links in contact (m, 0 in the air); contact of every link (0 or 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.planar.observation import write_features

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.kernels.planar.arrays import Kinematics
    from ctrlgraph.terrain.terrain import Terrain


def feature_names(character: Character) -> tuple[str, ...]:
    """Return the names of the elements of `features`."""
    angles = [f"angle {name}" for name in character.joint_names]
    velocities = [f"velocity {name}" for name in character.joint_names]
    root = ["root cosine", "root sine", "root spin"]
    mass = ["com vx", "com vy", "com height", "com ahead of contacts"]
    return (*angles, *velocities, *root, *mass, *(f"contact {name}" for name in character.link_names))


def features(kinematics: Kinematics, character: Character, ground: Terrain) -> NDArray[np.float64]:
    """Return the vector of a state, (2 J + 7 + L,), which is invariant to translations of character and ground.

    Args:
        kinematics: State of the character.
        character: Character of the state.
        ground: Terrain below it.
    """
    vector = np.empty(2 * len(character.joints) + 7 + len(character.links))
    write_features(kinematics, character.root, ground.height(float(kinematics.com[0])), vector)
    return vector
