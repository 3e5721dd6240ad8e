"""Motions as BVH files, for animation programs: a skeleton, and the rotations of its bones in each frame.

Axes: X to the left, Y up, Z forward. Units: metres and degrees. In the rest pose (all angles 0), the skeleton has the
character's reference pose. A planar character turns about X only, and both its legs are in one plane.

The format: M. Meredith and S. Maddock, "Motion Capture File Formats Explained" (2001), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.export.frames import frame_times
from ctrlgraph.export.plain_names import plain_names
from ctrlgraph.export.planar_bones import planar_bones
from ctrlgraph.export.skeleton import Bone, BoneMotion
from ctrlgraph.export.spatial_bones import spatial_bones
from ctrlgraph.simulation.signals.recorded_signals import Signals

TURNS = "Zrotation Xrotation Yrotation"
"""Rotation channels in the order that most programs expect."""
WORDS = frozenset(
    ["HIERARCHY", "ROOT", "JOINT", "END", "SITE", "OFFSET", "CHANNELS", "MOTION", "FRAMES", "FRAME", "TIME"]
)
"""Keywords of the BVH format in upper case. They cannot be names of joints."""


def bvh_of(signals: Signals, character: Character, rate: float) -> str:
    """Return a motion as the text of a BVH file, which has a skeleton and the rotations of its bones in each frame.

    The skeleton's root is at the centre of mass of the character's root link. Each joint has the name of the link that
    it moves (its child link), converted by `plain_names`. The poses of the frames are interpolated between the samples.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        rate: Frames per simulated second.

    Raises:
        CtrlGraphError: The motion is shorter than a frame.
    """
    at = frame_times(signals, rate)
    if isinstance(character, SpatialCharacter):
        bones, motion = spatial_bones(signals, character, at)
    else:
        bones, motion = planar_bones(signals, require_planar(character, "a planar skeleton"), at)
    names = plain_names((bone.name for bone in bones), WORDS)
    lines = [
        "HIERARCHY",
        *_described(bones, names, 0, 0),
        "MOTION",
        f"Frames: {len(at)}",
        f"Frame Time: {1 / rate:.9g}",
    ]
    lines += [" ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in frame) for frame in _frames(bones, motion)]
    return "\n".join(lines) + "\n"


def _frames(bones: list[Bone], motion: BoneMotion) -> Iterator[list[float]]:
    """Yield the numbers of each frame: X, Y, Z of the root (m), then the Z, X, Y rotations of each bone (degrees).

    Args:
        bones: The bones.
        motion: Their motion.
    """
    order = list(_depth_first(bones, 0))
    degrees = np.degrees(motion.turn[:, order]).reshape(len(motion.turn), -1)
    yield from (np.column_stack([motion.root, degrees]).round(6) + 0.0).tolist()  # no negative zeros


def _children(bones: list[Bone], index: int) -> list[int]:
    return [i for i, bone in enumerate(bones) if bone.parent == index]


def _depth_first(bones: list[Bone], index: int) -> Iterator[int]:
    """Yield the index of a bone and those of its descendants, depth first, as in the file."""
    yield index
    for child in _children(bones, index):
        yield from _depth_first(bones, child)


def _described(bones: list[Bone], names: list[str], index: int, depth: int) -> Iterator[str]:
    """Yield the lines that describe a bone and its descendants in the section HIERARCHY of a BVH file.

    Args:
        bones: The bones.
        names: Name of each bone in the file.
        index: Index of the bone.
        depth: Number of bones above the bone, which is the level of indentation.
    """
    blank, inner, bone = "  " * depth, "  " * (depth + 1), bones[index]
    yield f"{blank}{'JOINT' if index else 'ROOT'} {names[index]}"
    yield f"{blank}{{"
    yield f"{inner}OFFSET {_offset(bone.offset)}"
    yield f"{inner}CHANNELS {'3 ' if index else '6 Xposition Yposition Zposition '}{TURNS}"
    children = _children(bones, index)
    for child in children:
        yield from _described(bones, names, child, depth + 1)
    if not children:
        yield f"{inner}End Site"
        yield f"{inner}{{"
        yield f"{inner}  OFFSET {_offset(bone.end)}"
        yield f"{inner}}}"
    yield f"{blank}}}"


def _offset(place: tuple[float, float, float]) -> str:
    return " ".join(f"{value + 0.0:.9g}" for value in place)
