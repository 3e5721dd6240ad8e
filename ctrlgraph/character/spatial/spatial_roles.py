"""Roles of the links and joints of a spatial character: legs, feet, trunk, spine, neck, head and tail.

A leg is a branch of the tree of links that ends in a link which can touch the ground and is moved by three joints or
more. Names are only needed where the shape says nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from ctrlgraph.character.model import Roles
from ctrlgraph.character.roles import LIMBS, SEVERAL, SINGLE, RoleStatement, guess_roles, roles_of
from ctrlgraph.character.spatial.spatial_extent import lowest_height
from ctrlgraph.character.spatial.spatial_frames import Array, ReferenceFrames, reference_frames
from ctrlgraph.character.spatial.spatial_pairs import find_pairs, joints_by_link
from ctrlgraph.character.spatial.spatial_schema import SpatialRolesEntry
from ctrlgraph.character.spatial_model import SpatialCharacter, SpatialLeg, SpatialRoles
from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource

COLLIDING = "colliding shapes"
"""Name, in messages, of the shapes with which a link of a spatial character touches the ground."""

LEAST_JOINTS = 3
"""Minimum number of joints of a leg."""

LOWEST = 1.0 / 3.0
"""Share of the height of the character, from the bottom, in which feet are in the reference pose."""

SAME_ROW = 0.1
"""Maximum distance of the hips of a row of legs along x, as a share of the distance between all hips, or in m."""

ALIKE = 0.7
"""Minimum length of the shorter segment at a knee, as a fraction of the longest such segment of the leg.

Each joint between two segments of a leg has a shorter segment. The first joint that reaches the minimum is the knee.
"""

_ROWS = {1: ("",), 2: ("front", "hind"), 3: ("front", "middle", "hind")}
_CHAINS = ("spine", "neck", "tail")
_TAIL = re.compile(r"tail|caudal|^ca_?\d+$", re.IGNORECASE)
_GROUND = 0.05
"""Maximum height of a hand that touches the ground in the reference pose, as a share of the height of the character."""


def guess_spatial_roles(character: SpatialCharacter) -> SpatialRoles:
    """Return the roles and pairs of a character, from its shape in the reference pose and from names."""
    named = guess_roles(character)
    frames = reference_frames(character)
    link_pairs, joint_pairs = find_pairs(character, named, frames)
    legs = find_legs(character, named, frames) if character.floating else ()
    trunk = character.root if named.trunk is None else named.trunk
    spine = _joints_to(character, trunk, {_hip_link(character, leg) for leg in legs})
    neck = () if named.head is None else _joints_to(character, trunk, {named.head})
    neck = tuple(j for j in neck if j not in spine)
    tail = tuple(j for j in character.joints_outward if _is_tail(character, character.joints[j].child))
    feet = tuple(leg.foot for leg in legs) or named.feet
    if character.floating and not feet:
        feet = _low_ends(character, frames)
    shins = tuple(dict.fromkeys(character.joints[leg.knee].child for leg in legs)) or named.shins
    axial = {trunk, character.root, *named.axial}
    axial |= {link for j in (*spine, *neck) for link in (character.joints[j].parent, character.joints[j].child)}
    return SpatialRoles(
        trunk=trunk,
        head=named.head,
        axial=tuple(sorted(axial)),
        feet=feet,
        hands=tuple(i for i in named.hands if i not in feet),
        shins=tuple(i for i in shins if i not in feet),
        link_pairs=link_pairs,
        joint_pairs=joint_pairs,
        legs=legs,
        spine=spine,
        neck=neck,
        tail=tail,
    )


def find_legs(character: SpatialCharacter, named: Roles, frames: ReferenceFrames) -> tuple[SpatialLeg, ...]:
    """Return the legs of a character: front before hind, and left before right.

    Args:
        character: the character.
        named: roles that are guessed from names. A branch that contains a hand is only a leg if the branch touches the
            ground in the reference pose. The last foot or hand of a branch that is named so is its foot.
        frames: frames of the character in the reference pose.
    """
    of_link = joints_by_link(character)
    low, touching = _low_links(character, frames, LOWEST), _low_links(character, frames, _GROUND)
    found = []
    for chain in _branches(character):
        is_arm = bool(set(chain) & {*named.hands}) and not set(chain) & touching
        is_other = is_arm or any(_is_tail(character, link) for link in chain)
        feet = [link for link in chain if link in (*named.feet, *named.hands)]
        chain = chain[: chain.index(feet[-1]) + 1] if feet else chain
        joints = [j for link in chain for j in of_link[link]]
        if len(joints) >= LEAST_JOINTS and chain[-1] in low and not is_other:
            found.append(_leg(character, joints, chain[-1], frames))
    return _in_rows(character, found, frames)


def _is_tail(character: SpatialCharacter, link: int) -> bool:
    return _TAIL.search(character.link_names[link]) is not None


def _low_ends(character: SpatialCharacter, frames: ReferenceFrames) -> tuple[int, ...]:
    """Return the last links of all branches that end near the ground in the reference pose."""
    low = _low_links(character, frames, LOWEST)
    return tuple(chain[-1] for chain in _branches(character) if chain[-1] in low and not _is_tail(character, chain[-1]))


def _low_links(character: SpatialCharacter, frames: ReferenceFrames, share: float) -> set[int]:
    """Return the links with colliding shapes in the lowest part of the character in the reference pose.

    Args:
        character: the character.
        frames: its frames in the reference pose.
        share: height of the part, as a share of the height of the character.
    """
    lowest = [lowest_height(character, i, frames) for i in range(len(character.links))]
    ground = min(lowest)
    top = max(float(frames.position[:, 2].max()), float(frames.anchor[:, 2].max()))
    return {i for i, height in enumerate(lowest) if height <= ground + share * (top - ground) and height < np.inf}


def _branches(character: SpatialCharacter) -> list[list[int]]:
    """Return the chains of links, each from a link with several children (or the root) to a link without children."""
    above = {joint.child: joint.parent for joint in character.joints}
    children: dict[int, set[int]] = {}
    for child, parent in above.items():
        children.setdefault(parent, set()).add(child)
    chains = []
    for leaf in (i for i in range(len(character.links)) if i not in children):
        chain = [leaf]
        while len(children.get(above.get(chain[0], -1), ())) == 1 and above[chain[0]] != character.root:
            chain.insert(0, above[chain[0]])
        if leaf != character.root:
            chains.append(chain)
    return chains


def _leg(character: SpatialCharacter, joints: list[int], foot: int, frames: ReferenceFrames) -> SpatialLeg:
    """Return a leg.

    Args:
        character: the character.
        joints: all joints of the leg, from the trunk outward.
        foot: the link that touches the ground.
        frames: frames of the character in the reference pose.
    """
    places: list[Array] = [frames.anchor[j] for j in joints]
    centres = [
        frames.position[foot] + frames.rotation[foot] @ shape.position
        for shape in character.links[foot].shapes
        if shape.collides
    ]
    places.append(max(centres, key=lambda centre: float(np.linalg.norm(centre - places[-1]))))
    segments = np.linalg.norm(np.diff(places, axis=0), axis=1)
    shorter = np.minimum(segments[:-1], segments[1:])  # of the segments above and below joints 1 and so on
    knee = 1 + int(np.argmax(shorter >= ALIKE * shorter.max()))
    return SpatialLeg(
        name=character.link_names[foot],
        hip=tuple(joints[:knee]),
        knee=joints[knee],
        ankles=tuple(joints[knee + 1 :]),
        foot=foot,
    )


def _in_rows(character: SpatialCharacter, legs: list[SpatialLeg], frames: ReferenceFrames) -> tuple[SpatialLeg, ...]:
    """Return legs in order, with names by their rows and sides if each row has a left and a right leg."""
    if not legs:
        return ()
    place = {leg.foot: frames.anchor[leg.hip[0]] for leg in legs}
    legs = sorted(legs, key=lambda leg: -float(place[leg.foot][0]))
    gap = SAME_ROW * float(place[legs[0].foot][0] - place[legs[-1].foot][0])
    rows: list[list[SpatialLeg]] = [[legs[0]]]
    for leg in legs[1:]:
        if place[rows[-1][-1].foot][0] - place[leg.foot][0] <= gap:
            rows[-1].append(leg)
        else:
            rows.append([leg])
    rows = [sorted(row, key=lambda leg: -float(place[leg.foot][1])) for row in rows]
    words = _ROWS.get(len(rows))
    if words is None or any(len(row) != 2 for row in rows):
        return tuple(leg for row in rows for leg in row)
    return tuple(
        SpatialLeg(f"{word} {side}".strip(), leg.hip, leg.knee, leg.ankles, leg.foot)
        for word, row in zip(words, rows, strict=True)
        for side, leg in zip(("left", "right"), row, strict=True)
    )


def _hip_link(character: SpatialCharacter, leg: SpatialLeg) -> int:
    return character.joints[leg.hip[0]].parent


def _joints_to(character: SpatialCharacter, trunk: int, links: set[int]) -> tuple[int, ...]:
    """Return the joints on the paths from the trunk to links, from the root outward."""
    on_path = {j for link in links for j in character.joints_between(trunk, link)}
    return tuple(j for j in character.joints_outward if j in on_path)


def stated_spatial_roles(
    statement: RoleStatement, entry: SpatialRolesEntry, guessed: SpatialRoles, character: SpatialCharacter
) -> SpatialRoles:
    """Return the roles of a character: each role that its file states, and guesses of the others.

    Args:
        statement: pairs and names of the character.
        entry: field `roles` of the file, which `check_roles` and `check_limbs` have found to be valid.
        guessed: roles and pairs from the shape and from names.
        character: the character.
    """
    links = {name: i for i, name in enumerate(character.link_names)}
    joints = {name: j for j, name in enumerate(character.joint_names)}
    stated = entry.model_fields_set
    changes: dict[str, Any] = {}
    if statement.states("pairs"):
        paired = roles_of(statement, guessed)
        changes |= {"link_pairs": paired.link_pairs, "joint_pairs": paired.joint_pairs}
    if "legs" in stated:
        legs = [
            SpatialLeg(
                leg.name,
                tuple(joints[name] for name in leg.hip),
                joints[leg.knee],
                tuple(joints[name] for name in leg.ankles),
                links[leg.foot],
            )
            for leg in entry.legs
        ]
        changes |= {"legs": tuple(legs), "feet": tuple(leg.foot for leg in legs)}
    for role in SINGLE:
        if role in stated:
            changes[role] = None if getattr(entry, role) is None else links[getattr(entry, role)]
    for index, known in ((links, SEVERAL), (joints, _CHAINS)):
        for role in known:
            if role in stated:
                changes[role] = tuple(index[name] for name in getattr(entry, role))
    return replace(guessed, **changes)


def check_limbs(source: YamlSource, entry: SpatialRolesEntry, character: SpatialCharacter) -> list[Finding]:
    """Return errors in the legs and the chains of joints (spine, neck, tail) that a file states.

    Args:
        source: the file.
        entry: its field `roles`.
        character: the character.
    """
    findings: list[Finding] = []
    places: list[tuple[str, str, Location]] = []  # joint, limb or chain, and location
    for role in _CHAINS:
        places += [(name, f"the {role}", ["roles", role, i]) for i, name in enumerate(getattr(entry, role))]
    names = [leg.name for leg in entry.legs]
    for number, leg in enumerate(entry.legs):
        place: Location = ["roles", "legs", number]
        limb = f"the leg '{leg.name}'"
        if leg.name in names[:number]:
            message = f"two legs are called '{leg.name}': rename one"
            findings.append(source.finding("bad-role", message, [*place, "name"]))
        for part in ("hip", "ankles"):
            places += [(name, limb, [*place, part, i]) for i, name in enumerate(getattr(leg, part))]
        places.append((leg.knee, limb, [*place, "knee"]))
        if character.link_names.count(leg.foot) == 0:
            hint = suggestion(leg.foot, character.link_names)
            message = f"legs: the character has no link '{leg.foot}'"
            findings.append(source.finding("unknown-link", message, [*place, "foot"], hint=hint))
    for name, _, place in places:
        if name not in character.joint_names:
            hint = suggestion(name, character.joint_names)
            message = f"{place[1]}: the character has no joint '{name}'"
            findings.append(source.finding("unknown-joint", message, place, hint=hint))
    return findings or _check_order(source, entry, character) + _check_shared(source, entry, places)


def _check_order(source: YamlSource, entry: SpatialRolesEntry, character: SpatialCharacter) -> list[Finding]:
    """Return an error for each leg that does not list the joints from the trunk to its foot in this order."""
    findings = []
    for number, leg in enumerate(entry.legs):
        chain = [character.joint_names.index(name) for name in (*leg.hip, leg.knee, *leg.ankles)]
        foot = character.link_names.index(leg.foot)
        order = [character.joints_outward.index(j) for j in chain]
        if order != sorted(set(order)) or any(character.side[j, foot] < 0 for j in chain):
            message = f"the leg '{leg.name}' must list the joints from the trunk to its foot in this order"
            findings.append(source.finding("bad-role", message, ["roles", "legs", number]))
    return findings


def _check_shared(
    source: YamlSource, entry: SpatialRolesEntry, joints: list[tuple[str, str, Location]]
) -> list[Finding]:
    """Return errors if a joint belongs to two of legs, spine, neck and tail, or if a limb has another role.

    Args:
        source: the file.
        entry: its field `roles`.
        joints: name of each joint in a leg or chain, the leg or chain in words, and the location of the name.
    """
    findings = []
    owners: dict[str, str] = {}
    for name, owner, place in joints:
        if name not in owners:
            owners[name] = owner
        elif owners[name] == owner:
            if place[1] != "legs":  # the order of the joints of a leg is checked before
                message = f"{owner} has the joint '{name}' twice: remove one"
                findings.append(source.finding("bad-role", message, place))
        else:
            message = f"the joint '{name}' belongs to both {owners[name]} and {owner}: remove it from one"
            findings.append(source.finding("bad-role", message, place))
    for role in LIMBS:
        for i, name in enumerate(getattr(entry, role)):
            if name == entry.head:
                message = f"the link '{name}' cannot be both the head and {LIMBS[role]}: remove one role"
                findings.append(source.finding("bad-role", message, ["roles", role, i]))
    roles = {name: LIMBS[role] for role in ("hands", "shins") for name in getattr(entry, role)}
    roles |= {} if entry.head is None else {entry.head: "the head"}
    for number, leg in enumerate(entry.legs):
        if leg.foot in roles:
            message = f"the link '{leg.foot}' cannot be both {roles[leg.foot]} and the foot of the leg '{leg.name}'"
            findings.append(
                source.finding("bad-role", f"{message}: remove one role", ["roles", "legs", number, "foot"])
            )
        roles[leg.foot] = f"the foot of the leg '{leg.name}'"
    return findings
