"""Planar motions as BVH files, for animation programs: a skeleton, and its joint angles in each frame.

Axes: X to the left, Y up, Z forward. Units: metres and degrees. In the rest pose (all angles 0), the skeleton has the
character's reference pose. The character is planar: all rotations are about X, and both legs are in one plane.

The format: M. Meredith and S. Maddock, "Motion Capture File Formats Explained" (2001), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter, PlanarJoint
from ctrlgraph.export.plain_names import plain_names
from ctrlgraph.export.planar_poses import TreePoses, frame_times, tree_poses
from ctrlgraph.simulation.signals import Signals

TURNS = "Zrotation Xrotation Yrotation"
"""Rotation channels in the order that most programs expect. The values of Zrotation and Yrotation are always 0."""
WORDS = frozenset(
    ["HIERARCHY", "ROOT", "JOINT", "END", "SITE", "OFFSET", "CHANNELS", "MOTION", "FRAMES", "FRAME", "TIME"]
)
"""Keywords of the BVH format in upper case. They cannot be names of joints."""


def bvh_of(signals: Signals, character: PlanarCharacter, rate: float) -> str:
    """Return a motion as the text of a BVH file, which has a skeleton and its joint angles in each frame.

    The skeleton's root is at the centre of mass of the character's root link. Each joint has the name of the link that
    it moves (its child link), converted by `plain_names`. The poses of the frames are interpolated between the samples.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        rate: Frames per simulated second.

    Raises:
        CtrlGraphError: The motion is shorter than a frame.
    """
    names = plain_names(character.link_names, WORDS)
    at = frame_times(signals, rate)
    order = list(_depth_first(character, character.root))
    lines = [
        "HIERARCHY",
        *_skeleton(character, names, character.root, 0),
        "MOTION",
        f"Frames: {len(at)}",
        f"Frame Time: {1 / rate:.9g}",
    ]
    frames = _channels(character, order, tree_poses(signals, character, at))
    lines += [" ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in frame) for frame in frames]
    return "\n".join(lines) + "\n"


def _child_joints(character: PlanarCharacter, link: int) -> list[int]:
    """Return the indices of the joints that connect the link with the index `link` to its child links."""
    return [j for j, joint in enumerate(character.joints) if joint.parent == link]


def _depth_first(character: PlanarCharacter, link: int) -> Iterator[int]:
    """Yield the index `link` and the indices of its descendants, depth first, as in the file."""
    yield link
    for joint in _child_joints(character, link):
        yield from _depth_first(character, character.joints[joint].child)


def _channels(character: PlanarCharacter, order: list[int], poses: TreePoses) -> Iterator[list[float]]:
    """Yield the numbers of each frame: X, Y, Z of the root (m), then the Z, X, Y rotations of each link (degrees).

    The rotation of a link is relative to its parent link.

    Args:
        character: The character.
        order: Indices of the links in the order of the file.
        poses: Pose of each frame.
    """
    hinge = {joint.child: k for k, joint in enumerate(character.joints)}
    turned = np.stack(
        [poses.joint[:, hinge[link]] if link in hinge else poses.rotation[:, link] for link in order], axis=1
    )
    for (x, y), angles in zip(poses.place.tolist(), np.degrees(turned).tolist(), strict=True):
        yield [0.0, y, x, *(value for angle in angles for value in (0.0, angle, 0.0))]


def _skeleton(character: PlanarCharacter, names: Sequence[str], link: int, depth: int) -> Iterator[str]:
    """Yield the lines that describe a link and its descendants in the section HIERARCHY of a BVH file.

    Args:
        character: The character.
        names: Name of each link in the file, in the order of the character's links.
        link: Index of the link.
        depth: Number of joints between the root and the link, which is the level of indentation.
    """
    blank, inner = "  " * depth, "  " * (depth + 1)
    hinge, x, y = _pivot(character, link)
    _, *above = _pivot(character, link if hinge is None else hinge.parent)
    yield f"{blank}{'ROOT' if hinge is None else 'JOINT'} {names[link]}"
    yield f"{blank}{{"
    yield f"{inner}OFFSET {_offset(x - above[0], y - above[1])}"
    places = "6 Xposition Yposition Zposition " if hinge is None else "3 "
    yield f"{inner}CHANNELS {places}{TURNS}"
    children = _child_joints(character, link)
    for joint in children:
        yield from _skeleton(character, names, character.joints[joint].child, depth + 1)
    if not children:  # the centre of mass is midway between joint and end
        end = character.links[link]
        yield f"{inner}End Site"
        yield f"{inner}{{"
        yield f"{inner}  OFFSET {_offset(2 * (end.x - x), 2 * (end.y - y))}"
        yield f"{inner}}}"
    yield f"{blank}}}"


def _pivot(character: PlanarCharacter, link: int) -> tuple[PlanarJoint | None, float, float]:
    """Return the joint that connects a link to its parent, and the joint's x and y in the reference pose, m.

    For the root link, return None, and the x and y of its centre of mass.
    """
    hinge = next((joint for joint in character.joints if joint.child == link), None)
    here = character.links[link] if hinge is None else hinge
    return hinge, here.x, here.y


def _offset(forward: float, up: float) -> str:
    return f"0 {up:.9g} {forward:.9g}"
