"""Pairs of right and left links and joints of a spatial character, and the mirror image of its angles."""

from __future__ import annotations

import re

import numpy as np

from ctrlgraph.character.model import Roles
from ctrlgraph.character.spatial.spatial_frames import Array, ReferenceFrames, reference_frames
from ctrlgraph.character.spatial_model import SpatialCharacter

Pairs = tuple[tuple[int, int], ...]

TOLERANCE = 0.02
"""Maximum deviation of mirrored joints that are a pair, as a share of the largest distance between joints."""

_CODES = re.compile(r"(?<![A-Za-z])(?:([FRHBMfrhbm])([Rr])|([Rr])([FHBMfhbm]))(?![A-Za-z])")
"""Right side in a word for a leg: "FR" (front right), "HR" (hind right), "RF" (right front) and the like."""

_LEFT = {"R": "L", "r": "l"}


def find_pairs(character: SpatialCharacter, named: Roles, frames: ReferenceFrames) -> tuple[Pairs, Pairs]:
    """Return the pairs (right, left) of links and the pairs of joints.

    Names decide first: `right_foot` and `left_foot`, `FR_calf` and `FL_calf`. Links whose names are no pair are paired
    if the positions of their joints in the reference pose are mirror images of each other.

    Args:
        character: the character.
        named: pairs that are guessed from names.
        frames: frames of the character in the reference pose.
    """
    links = dict(named.link_pairs) | _coded_pairs(character.link_names, named.link_pairs)
    joints = dict(named.joint_pairs) | _coded_pairs(character.joint_names, named.joint_pairs)
    of_link = joints_by_link(character)
    _pair_mirrored(character, frames, of_link, links)
    paired = {*joints, *joints.values()}
    for right, left in links.items():
        first, second = of_link[right], of_link[left]
        if len(first) == len(second) and not paired.intersection(first + second):
            joints |= zip(first, second, strict=True)
    return tuple(sorted(links.items())), tuple(sorted(joints.items()))


def joints_by_link(character: SpatialCharacter) -> list[list[int]]:
    """Return the indices of the joints between each link and its parent, from the parent outward."""
    found: list[list[int]] = [[] for _ in character.links]
    for j, joint in enumerate(character.joints):
        found[joint.child].append(j)
    return found


def _coded_pairs(names: tuple[str, ...], known: Pairs) -> dict[int, int]:
    index = {name: i for i, name in enumerate(names)}
    taken = {i for pair in known for i in pair}
    pairs = {}
    for name, i in index.items():
        j = index.get(_CODES.sub(_left_code, name))
        if j is not None and j != i and not taken & {i, j}:
            pairs[i] = j
    return pairs


def _left_code(match: re.Match[str]) -> str:
    row, right, right_first, row_last = match.groups()
    return row + _LEFT[right] if row else _LEFT[right_first] + row_last


def _pair_mirrored(
    character: SpatialCharacter, frames: ReferenceFrames, of_link: list[list[int]], pairs: dict[int, int]
) -> None:
    """Add the pairs of links whose joints are mirror images to `pairs`. The mirror is halfway between the outermost."""
    if len(character.joints) < 2:
        return
    anchor = frames.anchor
    middle = 0.5 * (anchor[:, 1].min() + anchor[:, 1].max())
    reach = TOLERANCE * float(np.ptp(anchor, axis=0).max())
    partner = {right: left for right, left in pairs.items()} | {left: right for right, left in pairs.items()}
    order = dict.fromkeys(character.joints[j].child for j in character.joints_outward)
    above = {joint.child: joint.parent for joint in character.joints}
    for link in order:
        place = anchor[of_link[link][0]]
        if link in partner or place[1] >= middle - reach:
            continue
        parent = above[link]
        image = place * (1.0, -1.0, 1.0) + (0.0, 2.0 * middle, 0.0)
        for other in order:
            is_free = other not in partner and len(of_link[other]) == len(of_link[link])
            if is_free and above[other] == partner.get(parent, parent):
                at: Array = anchor[of_link[other][0]]
                if float(np.abs(at - image).max()) <= reach:
                    pairs[link] = other
                    partner |= {link: other, other: link}
                    break


def mirror_signs(character: SpatialCharacter) -> tuple[float, ...]:
    """Return for each joint the factor (1 or -1) of its angle in the mirror image of a pose.

    The mirror image exchanges right and left. The angle of joint j in it is the factor times the angle of the joint
    `character.opposite_joints[j]` in the pose.
    """
    axis = reference_frames(character).axis
    mirrored = axis * (-1.0, 1.0, -1.0)  # an axis of rotation is a pseudovector
    return tuple(
        1.0 if float(mirrored[other] @ axis[j]) >= 0.0 else -1.0 for j, other in enumerate(character.opposite_joints)
    )
