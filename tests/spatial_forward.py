"""Forward kinematics of spatial characters in plain numpy, to compare characters with other programs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import NamedPose, SpatialCharacter

Array = NDArray[np.float64]


class Placed(NamedTuple):
    """World frames of L links and J joints in a pose."""

    position: Array  # (L, 3) centres of mass, m
    rotation: Array  # (L, 3, 3) from the frames of the links to the world
    anchor: Array  # (J, 3), m
    axis: Array  # (J, 3)


def about(axis: Array, angle: float) -> Array:
    """Return the rotation matrix (Rodrigues' formula) about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def placed(character: SpatialCharacter, pose: NamedPose) -> Placed:
    """Return where the links and joints of a character are in a pose."""
    n_links, n_joints = len(character.links), len(character.joints)
    position, rotation = np.zeros((n_links, 3)), np.zeros((n_links, 3, 3))
    anchor, axis = np.zeros((n_joints, 3)), np.zeros((n_joints, 3))
    position[character.root] = pose.position
    rotation[character.root] = rotation_matrix(pose.orientation)
    reached = {character.root}
    for j in character.joints_outward:
        joint = character.joints[j]
        child, parent, link = joint.child, joint.parent, character.links[joint.child]
        if child not in reached:
            reached.add(child)
            position[child] = position[parent] + rotation[parent] @ link.position
            rotation[child] = rotation[parent] @ rotation_matrix(link.orientation)
        axis[j] = rotation[child] @ joint.axis
        anchor[j] = position[child] + rotation[child] @ joint.anchor
        turn = about(axis[j], pose.angles[j])
        rotation[child] = turn @ rotation[child]
        position[child] = anchor[j] + turn @ (position[child] - anchor[j])
    return Placed(position, rotation, anchor, axis)


def tensor(character: SpatialCharacter, link: int) -> Array:
    """Return the inertia tensor of a link in its frame, (3, 3)."""
    xx, yy, zz, xy, xz, yz = character.links[link].inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
