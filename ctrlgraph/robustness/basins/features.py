"""Features: a state of the character as a vector that does not depend on the position in the world.

A character has J joints and L links. The elements, in their order, are:

- angle (rad) of every joint
- angular velocity (rad/s) of every joint
- cosine and sine of the angle of the root link, and its angular velocity (rad/s)
- velocity of the centre of mass, forward and up (m/s)
- height of the centre of mass above the ground below it (m)
- horizontal distance of the centre of mass ahead of the mean position of the links in contact (m, 0 in the air)
- contact of every link (0 or 1)
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
    """Return the names of the elements of `features`, in their order."""
    angles = [f"angle {name}" for name in character.joint_names]
    velocities = [f"velocity {name}" for name in character.joint_names]
    root = ["root cosine", "root sine", "root spin"]
    mass = ["com vx", "com vy", "com height", "com ahead of contacts"]
    return (*angles, *velocities, *root, *mass, *(f"contact {name}" for name in character.link_names))


def features(kinematics: Kinematics, character: Character, ground: Terrain) -> NDArray[np.float64]:
    """Return a state as a vector of features for the classifier, (2 J + 7 + L,) for J joints and L links.

    The features do not change if the character and the ground are moved together.

    Args:
        kinematics: State of the character.
        character: The character.
        ground: Terrain on which the character is.
    """
    vector = np.empty(2 * len(character.joints) + 7 + len(character.links))
    write_features(kinematics, character.root, ground.height(float(kinematics.com[0])), vector)
    return vector
