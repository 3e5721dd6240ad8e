"""Features: a state of the character as a vector that does not depend on the position in the world.

A character has J joints and L links. The elements of a planar character, in their order, are:

- angle (rad) of every joint
- angular velocity (rad/s) of every joint
- cosine and sine of the angle of the root link, and its angular velocity (rad/s)
- velocity of the centre of mass, forward and up (m/s)
- height of the centre of mass above the ground below it (m)
- horizontal distance of the centre of mass ahead of the mean position of the links in contact (m, 0 in the air)
- contact of every link (0 or 1)

Those of a character in space do not depend on its heading either:

- angle (rad) of every joint
- angular velocity (rad/s) of every joint
- vertical in the frame of the trunk: components forward, left and up of a unit vector that points up
- angular velocity of the trunk about its axes forward, left and up (rad/s)
- velocity of the centre of mass along the heading, to the left of it, and up (m/s)
- height of the centre of mass above the ground below it (m)
- horizontal distance of the centre of mass from the mean position of the links in contact, along the heading and to the
  left of it (m, 0 in the air)
- contact of every link (0 or 1)

The axes of the trunk are those of the world in the reference pose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.planar.observation import write_features
from ctrlgraph.kernels.spatial.spatial_observation import write_spatial_features
from ctrlgraph.simulation.measures.spatial_motion import trunk_axes

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain

Floats = NDArray[np.float64]

_PLANAR = ("root cosine", "root sine", "root spin", "com vx", "com vy", "com height", "com ahead of contacts")
_SPATIAL = (
    *("up forward", "up left", "up up", "spin forward", "spin left", "spin up", "com vx", "com vy", "com vz"),
    *("com height", "com ahead of contacts", "com left of contacts"),
)


def feature_names(character: Character) -> tuple[str, ...]:
    """Return the names of the elements of `features`, in their order."""
    angles = [f"angle {name}" for name in character.joint_names]
    velocities = [f"velocity {name}" for name in character.joint_names]
    whole = _SPATIAL if isinstance(character, SpatialCharacter) else _PLANAR
    return (*angles, *velocities, *whole, *(f"contact {name}" for name in character.link_names))


def feature_writer(character: Character) -> Callable[[Any, Any, Floats], None]:
    """Return a function that writes the features of a state, given its kinematics and the terrain, to an array."""
    if not isinstance(character, SpatialCharacter):
        root = character.root

        def write_planar(kinematics: Any, ground: Terrain, out: Floats) -> None:
            write_features(kinematics, root, ground.height(float(kinematics.com[0])), out)

        return write_planar
    trunk, axes = character.trunk, trunk_axes(character)

    def write_spatial(kinematics: Any, ground: SpatialTerrain, out: Floats) -> None:
        height = ground.height(float(kinematics.com[0]), float(kinematics.com[1]))
        write_spatial_features(kinematics, trunk, axes, height, out)

    return write_spatial


def features(kinematics: Any, character: Character, ground: Terrain | SpatialTerrain) -> Floats:
    """Return a state as a vector of features for the classifier, (features,).

    The features do not change if the character and the ground are moved together.

    Args:
        kinematics: State of the character.
        character: The character.
        ground: Terrain on which the character is.
    """
    vector = np.empty(len(feature_names(character)))
    feature_writer(character)(kinematics, ground, vector)
    return vector
