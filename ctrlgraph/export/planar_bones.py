"""The skeleton of a planar character for animation programs, and its motion."""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.export.planar_poses import tree_poses
from ctrlgraph.export.skeleton import Bone, BoneMotion
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals


def planar_bones(signals: Signals, character: PlanarCharacter, at: Floats) -> tuple[list[Bone], BoneMotion]:
    """Return a bone for each link, and the motion of the bones, fitted by `tree_poses`.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        at: Times of the frames (n,), s.
    """
    root = character.links[character.root]
    bones, number = [Bone(root.name, -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))], {character.root: 0}
    pivots = [(root.x, root.y)]
    for j in character.joints_outward:
        joint = character.joints[j]
        link, above = character.links[joint.child], pivots[number[joint.parent]]
        number[joint.child] = len(bones)
        pivots.append((joint.x, joint.y))
        end = (0.0, 2 * (link.y - joint.y), 2 * (link.x - joint.x))
        bones.append(Bone(link.name, number[joint.parent], (0.0, joint.y - above[1], joint.x - above[0]), end))
    poses = tree_poses(signals, character, at)
    about_x = [poses.rotation[:, character.root], *(poses.joint[:, j] for j in character.joints_outward)]
    zero = np.zeros((len(at), len(bones)))
    place = np.column_stack([zero[:, 0], poses.place[:, 1], poses.place[:, 0]])
    return bones, BoneMotion(place, np.stack([zero, np.stack(about_x, axis=1), zero], axis=2))
