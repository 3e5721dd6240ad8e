"""The skeleton of a spatial character for animation programs, and its motion.

A link is a bone, which turns about the joints of the link. If these have different positions, there is a bone for each
of them, one below the other.
"""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.spatial.spatial_frames import Array, reference_frames, rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.export.euler_angles import zxy_angles
from ctrlgraph.export.frames import sampled
from ctrlgraph.export.link_poses import poses_at
from ctrlgraph.export.skeleton import Bone, BoneMotion, Place
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals

_AXES = [1, 2, 0]  # X, Y and Z among x, y and z of the world
_SAME = 1e-6  # m


def spatial_bones(signals: Signals, character: SpatialCharacter, at: Floats) -> tuple[list[Bone], BoneMotion]:
    """Return the bones of a character, and their motion. The rotations are the recorded ones of the links.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        at: Times of the frames (n,), s.
    """
    frames, poses = reference_frames(character), poses_at(signals, character, at)
    turned = rotation_matrix(poses.orientation)
    root, links = character.root, character.links
    bones, number = [Bone(links[root].name, -1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))], {root: 0}
    pivots, worlds = [frames.position[root]], [turned[:, root] @ frames.rotation[root].T]
    for child in dict.fromkeys(character.joints[j].child for j in character.joints_outward):
        joints = [j for j, joint in enumerate(character.joints) if joint.child == child]
        parent = character.joints[joints[0]].parent
        above, rest = number[parent], frames.rotation[child]
        if np.ptp(frames.anchor[joints], axis=0).max() < _SAME:
            joints = joints[:1]
        partly = turned[:, parent] @ frames.rotation[parent].T @ rest  # as if all angles were 0
        for j in joints:
            joint, last = character.joints[j], j == joints[-1]
            partly = partly @ _about(joint.axis, sampled(signals, f"angle.{joint.name}", at))
            anchor = frames.anchor[j]
            offset, end = _place(anchor - pivots[above]), _place(2 * (frames.position[child] - anchor))
            bones.append(Bone(links[child].name if last else joint.name, above, offset, end))
            pivots.append(anchor)
            worlds.append((turned[:, child] if last else partly) @ rest.T)
            above = len(bones) - 1
        number[child] = above
    local = [
        world if bone.parent < 0 else worlds[bone.parent].transpose(0, 2, 1) @ world
        for bone, world in zip(bones, worlds, strict=True)
    ]
    turn = zxy_angles(np.stack(local, axis=1)[:, :, _AXES][:, :, :, _AXES])
    return bones, BoneMotion(poses.position[:, root][:, _AXES], turn)


def _place(vector: Array) -> Place:
    x, y, z = vector[_AXES].tolist()
    return x, y, z


def _about(axis: Place, angle: Floats) -> Floats:
    """Return the matrices of rotations (n, 3, 3).

    Args:
        axis: Unit vector of the axis.
        angle: Angles (n,), rad.
    """
    half = angle[:, None] / 2
    return rotation_matrix(np.concatenate([np.cos(half), np.sin(half) * np.array(axis)], axis=1))
