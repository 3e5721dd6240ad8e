"""Reader of YAML files of spatial characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ctrlgraph.bounds import MAX_FINDINGS
from ctrlgraph.character.aliases import check_aliases
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.roles import RoleStatement, check_roles
from ctrlgraph.character.schema import LEAST, MOST
from ctrlgraph.character.spatial.spatial_digest import digest_of_space
from ctrlgraph.character.spatial.spatial_frames import Array, quaternion_of, rotation_matrix, unit_quaternion, vector
from ctrlgraph.character.spatial.spatial_inertia import (
    MassProperties,
    components,
    inertia_fault,
    properties_of,
    symmetric,
    volume,
)
from ctrlgraph.character.spatial.spatial_roles import COLLIDING, check_limbs, guess_spatial_roles, stated_spatial_roles
from ctrlgraph.character.spatial.spatial_schema import (
    MOST_HINGES,
    SIZES,
    ShapeEntry,
    SpatialCharacterEntry,
    SpatialJointEntry,
    SpatialLinkEntry,
    default_gains,
)
from ctrlgraph.character.spatial_model import (
    DEFAULT_COLOR,
    NamedPose,
    Shape,
    SpatialCharacter,
    SpatialJoint,
    SpatialLink,
)
from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, validate

ENDINGS = {"hinge": ("",), "universal": ("_1", "_2"), "ball": ("_x", "_y", "_z")}
"""Endings of the names of the hinges that make up a joint, by the kind of the joint."""


class _Frame(NamedTuple):
    """Frame of a link in a file, in the reference pose, with its mass properties."""

    place: Array
    """Origin (3,) in the world, m."""
    rotation: Array
    """Rotation matrix (3, 3) to the world."""
    properties: MassProperties
    """Mass properties in this frame."""

    @property
    def centre(self) -> Array:
        """Return the centre of mass (3,) in the world, m."""
        return self.place + self.rotation @ self.properties.centre


def parse_spatial(source: YamlSource) -> tuple[SpatialCharacter | None, list[Finding]]:
    """Return the spatial character in a YAML file, and the findings; no character if there are errors."""
    entry, findings = validate(source, SpatialCharacterEntry)
    if entry is None:
        return None, findings
    findings += _check_tree(source, entry)
    frames: dict[str, _Frame] = {}
    for name, link in entry.links.items():
        shapes_findings = _check_shapes(source, name, link)
        findings += shapes_findings
        if not shapes_findings:
            frame, mass_findings = _frame(source, name, link)
            frames[name] = frame
            findings += mass_findings
    for name, joint in entry.joints.items():
        findings += _check_joint(source, name, joint)
    hinges = [name + end for name, joint in entry.joints.items() for end in ENDINGS[joint.kind]]
    findings += _check_names(source, entry, hinges)
    touching = {name: any(shape.collides for shape in link.shapes) for name, link in entry.links.items()}
    statement = RoleStatement(touching, hinges, entry, COLLIDING)
    warnings: list[Finding] = []
    for finding in check_roles(source, statement):
        (findings if finding.severity == "error" else warnings).append(finding)
    if findings:
        return None, first_findings([*findings, *warnings])
    character = _build(entry, frames)
    findings += check_limbs(source, entry.roles, character) + _check_poses(source, entry, character)
    if findings:
        return None, first_findings([*findings, *warnings])
    roles = stated_spatial_roles(statement, entry.roles, guess_spatial_roles(character), character)
    character = replace(character, roles=roles, poses=_poses(entry, frames, character))
    return replace(character, digest=digest_of_space(character)), warnings[:MAX_FINDINGS]


def _check_tree(source: YamlSource, entry: SpatialCharacterEntry) -> list[Finding]:
    """Return errors if a joint does not connect two known links, or if the joints do not form one tree."""
    findings = []
    above: dict[str, tuple[str, str, int]] = {}
    for name, joint in entry.joints.items():
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in entry.links:
                message = f"joint '{name}': the character has no link '{link}'"
                hint = suggestion(link, entry.links)
                findings.append(source.finding("unknown-link", message, ["joints", name, role], hint=hint))
        first, parent, count = above.get(joint.child, (name, joint.parent, 0))
        count += len(ENDINGS[joint.kind])
        if parent != joint.parent:
            message = (
                f"link '{joint.child}' has two parents, '{parent}' (joint '{first}') and '{joint.parent}': remove"
                " one joint"
            )
            findings.append(source.finding("not-a-tree", message, ["joints", name, "parent"]))
        elif count > MOST_HINGES:
            message = (
                f"the links '{parent}' and '{joint.child}' are joined by {count} axes: at most {MOST_HINGES} are"
                " possible"
            )
            findings.append(source.finding("bad-joint", message, ["joints", name], key=True))
        above[joint.child] = (first, parent, count)
    if findings:
        return findings
    roots = [link for link in entry.links if link not in above]
    reached = set(roots[:1])
    while more := {joint.child for joint in entry.joints.values() if joint.parent in reached} - reached:
        reached |= more
    if len(roots) != 1 or len(reached) != len(entry.links):
        lost = [link for link in entry.links if link not in reached]
        which = (
            f"'{lost[0]}' is not connected to the root"
            if roots and lost
            else "every link is the child of a joint, so there is no root"
        )
        findings.append(source.finding("not-a-tree", f"the joints do not form one tree: {which}", ["joints"], key=True))
    return findings


def _check_shapes(source: YamlSource, name: str, link: SpatialLinkEntry) -> list[Finding]:
    findings = []
    for i, shape in enumerate(link.shapes):
        if len(shape.size) != SIZES[shape.kind]:
            message = f"'size' of a {shape.kind} needs {_counted(SIZES[shape.kind], 'number')}, not {len(shape.size)}"
            findings.append(source.finding("bad-value", message, ["links", name, "shapes", i, "size"]))
    return findings


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _frame(source: YamlSource, name: str, link: SpatialLinkEntry) -> tuple[_Frame, list[Finding]]:
    """Return the frame of a link with its mass properties, and errors about them."""
    findings = []
    place: Location = ["links", name]
    rotation = rotation_matrix(link.orientation)
    shapes = [_shape(shape) for shape in link.shapes]
    if (link.mass is None) == (link.density is None):
        which = "has neither 'mass' nor 'density'" if link.mass is None else "has both 'mass' and 'density'"
        findings.append(source.finding("bad-mass", f"link '{name}' {which}: give exactly one", place, key=True))
    elif link.inertia is None and not shapes:
        message = f"link '{name}' needs 'inertia', or shapes from which the inertia can be computed"
        findings.append(source.finding("bad-mass", message, place, key=True))
    elif link.inertia is None and link.com is not None:
        message = f"link '{name}' has no 'inertia', so its centre of mass is computed from the shapes: remove 'com'"
        findings.append(source.finding("bad-mass", message, [*place, "com"], key=True))
    elif link.inertia is not None and link.mass is None:
        message = f"link '{name}' has 'inertia', so it needs 'mass', not 'density'"
        findings.append(source.finding("bad-mass", message, [*place, "density"], key=True))
    if findings:
        return _Frame(np.array(link.at), rotation, MassProperties(1.0, np.zeros(3), np.eye(3))), findings
    if link.inertia is not None:
        properties = MassProperties(link.mass or 0.0, np.array(link.com or (0.0, 0.0, 0.0)), symmetric(link.inertia))
        fault_place: Location = [*place, "inertia"]
    else:
        density = link.density if link.density is not None else (link.mass or 0.0) / sum(map(volume, shapes))
        properties = properties_of(shapes, density)
        fault_place = [*place, "shapes"]
    fault = inertia_fault(properties.inertia)
    if fault is not None:
        findings.append(source.finding("bad-inertia", f"the inertia of link '{name}' {fault}", fault_place))
    if not LEAST <= properties.mass <= MOST:
        message = f"the mass of link '{name}' must be {LEAST:g} to {MOST:g} kg, not {properties.mass:g} kg"
        findings.append(source.finding("bad-mass", message, fault_place))
    return _Frame(np.array(link.at), rotation, properties), findings


def _shape(entry: ShapeEntry) -> Shape:
    """Return a shape in the frame of its link in the file."""
    return Shape(
        kind=entry.kind,
        size=vector([*entry.size, 0.0, 0.0][:3]),
        position=entry.at,
        orientation=unit_quaternion(entry.orientation),
        collides=entry.collides,
        color=entry.color or DEFAULT_COLOR,
    )


def _check_joint(source: YamlSource, name: str, joint: SpatialJointEntry) -> list[Finding]:
    findings = []
    place: Location = ["joints", name]
    needed = {"hinge": "axis", "universal": "axes"}.get(joint.kind)
    for field in ("axis", "axes"):
        given = getattr(joint, field) is not None
        if given and field != needed:
            message = f"joint '{name}': a {joint.kind} joint cannot have '{field}'"
            findings.append(source.finding("bad-joint", message, [*place, field], key=True))
        elif not given and field == needed:
            findings.append(source.finding("missing-field", f"joint '{name}' needs '{field}'", place, key=True))
    count = len(ENDINGS[joint.kind])
    limits = _limits(joint)
    if len(limits) != count or (count == 1) != isinstance(joint.limits, tuple):
        shape = "a pair [lower, upper]" if count == 1 else f"a list of {count} pairs [lower, upper]"
        message = f"joint '{name}': the limits of a {joint.kind} joint must be {shape}"
        findings.append(source.finding("bad-limits", message, [*place, "limits"]))
    else:
        for lower, upper in limits:
            if not lower < upper:
                message = f"joint '{name}': the lower limit {lower:g} must be below the upper limit {upper:g}"
                findings.append(source.finding("bad-limits", message, [*place, "limits"]))
    fault = None if joint.torque is None else joint.torque.fault()
    if fault is not None:
        findings.append(source.finding("bad-limits", f"joint '{name}': {fault}", [*place, "torque"]))
    if count > 1 and joint.aliases:
        message = f"joint '{name}': aliases of a {joint.kind} joint are ambiguous, because it has {count} axes"
        hint = f"write aliases: {{ALIAS: {name}{ENDINGS[joint.kind][0]}}} at the top level"
        findings.append(source.finding("bad-alias", message, [*place, "aliases"], key=True, hint=hint))
    if joint.axes is not None and float(np.linalg.norm(np.cross(*joint.axes))) < 1e-3:
        message = f"joint '{name}': the two axes must not be parallel"
        findings.append(source.finding("bad-joint", message, [*place, "axes"]))
    return findings


def _limits(joint: SpatialJointEntry) -> list[tuple[float, float]]:
    return [joint.limits] if isinstance(joint.limits, tuple) else list(joint.limits)


def _check_names(source: YamlSource, entry: SpatialCharacterEntry, hinges: list[str]) -> list[Finding]:
    """Return errors about repeated names, aliases, and pairs of links that are excluded from contact."""
    findings = []
    seen: set[str] = set()
    for name, joint in entry.joints.items():
        for end in ENDINGS[joint.kind]:
            if name + end in seen:
                message = f"'{name + end}' is the name of a joint and of an axis of another joint: rename one joint"
                findings.append(source.finding("repeated-name", message, ["joints", name], key=True))
            seen.add(name + end)
    findings += check_aliases(source, [*entry.links, *hinges], entry.aliases, _given_aliases(entry))
    for i, pair in enumerate(entry.excludes):
        for k, name in enumerate(pair):
            if name not in entry.links:
                message = f"excludes: the character has no link '{name}'"
                hint = suggestion(name, entry.links)
                findings.append(source.finding("unknown-link", message, ["excludes", i, k], hint=hint))
        if pair[0] == pair[1]:
            message = f"excludes: '{pair[0]}' is excluded from contact with itself: name another link"
            findings.append(source.finding("bad-pair", message, ["excludes", i]))
    return findings


def _given_aliases(entry: SpatialCharacterEntry) -> Iterator[tuple[str, list[str | int]]]:
    """Yield every alias in a character file with its location: a path of keys and list indices in the file."""
    groups: dict[str, Mapping[str, SpatialLinkEntry | SpatialJointEntry]] = {
        "links": entry.links,
        "joints": entry.joints,
    }
    for group, parts in groups.items():
        for name, part in parts.items():
            for i, alias in enumerate(part.aliases):
                yield alias, [group, name, "aliases", i]
    for alias in entry.aliases:
        yield alias, ["aliases", alias]


def _build(entry: SpatialCharacterEntry, frames: Mapping[str, _Frame]) -> SpatialCharacter:
    """Return the character without roles and poses."""
    index = {name: i for i, name in enumerate(entry.links)}
    parents = {joint.child: joint.parent for joint in entry.joints.values()}
    links = []
    for name, link in entry.links.items():
        frame = frames[name]
        position, rotation = frame.centre, frame.rotation
        if name in parents:
            above = frames[parents[name]]
            position, rotation = above.rotation.T @ (position - above.centre), above.rotation.T @ rotation
        shapes = tuple(
            replace(shape, position=vector(np.array(shape.position) - frame.properties.centre))
            for shape in map(_shape, link.shapes)
        )
        links.append(
            SpatialLink(
                name=name,
                mass=frame.properties.mass,
                inertia=components(frame.properties.inertia),
                position=vector(position),
                orientation=quaternion_of(rotation),
                shapes=shapes,
            )
        )
    joints = [
        hinge
        for name, joint in entry.joints.items()
        for hinge in _hinges(name, joint, (index[joint.parent], index[joint.child]), frames[joint.child], entry)
    ]
    hinges = {joint.name for joint in joints}
    link_aliases = {alias: name for name, link in entry.links.items() for alias in link.aliases}
    joint_aliases = {alias: name for name, joint in entry.joints.items() for alias in joint.aliases}
    for alias, meant in entry.aliases.items():
        (joint_aliases if meant in hinges and meant not in index else link_aliases)[alias] = meant
    excludes = {(min(index[a], index[b]), max(index[a], index[b])) for a, b in entry.excludes}
    return SpatialCharacter(
        name=entry.name,
        links=tuple(links),
        joints=tuple(joints),
        link_aliases=link_aliases,
        joint_aliases=joint_aliases,
        floating=entry.floating,
        excludes=tuple(sorted(excludes)),
    )


def _hinges(
    name: str, joint: SpatialJointEntry, ends: tuple[int, int], frame: _Frame, entry: SpatialCharacterEntry
) -> Iterator[SpatialJoint]:
    """Yield the hinges that make up a joint.

    Args:
        name: name of the joint.
        joint: the joint in the file.
        ends: indices of the parent and the child link.
        frame: frame of the child link.
        entry: contents of the file.
    """
    limit, hard = (TorqueRange(0.0, 0.0),) * 2 if joint.torque is None else joint.torque.ranges
    gains = joint.gains or entry.gains or default_gains(hard)
    if joint.axis is not None:
        axes = [frame.rotation.T @ joint.axis]
    elif joint.axes is not None:
        axes = [frame.rotation.T @ axis for axis in joint.axes]
    else:
        axes = list(np.eye(3))
    for end, axis, (lower, upper) in zip(ENDINGS[joint.kind], axes, _limits(joint), strict=True):
        yield SpatialJoint(
            name=name + end,
            parent=ends[0],
            child=ends[1],
            lower=lower,
            upper=upper,
            torque_limit=limit,
            hard_torque_limit=hard,
            kp=gains.kp,
            kd=gains.kd,
            axis=vector(axis),
            anchor=vector(frame.rotation.T @ (np.array(joint.at) - frame.centre)),
            stiffness=joint.stiffness,
            spring_angle=joint.spring_angle,
            damping=joint.damping,
            armature=joint.armature,
            friction_loss=joint.friction_loss,
            max_speed=joint.max_speed,
            rise_time=joint.rise_time,
        )


def _check_poses(source: YamlSource, entry: SpatialCharacterEntry, character: SpatialCharacter) -> list[Finding]:
    findings = []
    for name, pose in entry.poses.items():
        for joint, angle in pose.angles.items():
            place: Location = ["poses", name, "angles", joint]
            j = character.joint_index(joint)
            if j is None:
                message = f"pose '{name}': the character has no joint '{joint}'"
                hint = suggestion(joint, character.known_joints)
                findings.append(source.finding("unknown-joint", message, place, key=True, hint=hint))
            elif not character.joints[j].lower <= angle <= character.joints[j].upper:
                limits = f"{character.joints[j].lower:g} to {character.joints[j].upper:g}"
                message = (
                    f"pose '{name}': the angle of joint '{joint}' must be within its limits {limits}, not {angle:g}"
                )
                findings.append(source.finding("bad-limits", message, place))
        if not character.floating and (pose.at is not None or pose.orientation is not None):
            message = f"pose '{name}': the root of this character is fixed: remove 'at' and 'orientation'"
            findings.append(source.finding("bad-pose", message, ["poses", name], key=True))
    return findings


def _poses(
    entry: SpatialCharacterEntry, frames: Mapping[str, _Frame], character: SpatialCharacter
) -> dict[str, NamedPose]:
    """Return the named poses. A joint without an angle has the angle within its limits that is nearest to 0."""
    root = character.links[character.root]
    frame = frames[root.name]
    nearest = [min(max(0.0, joint.lower), joint.upper) for joint in character.joints]
    poses = {}
    for name, pose in entry.poses.items():
        rotation = frame.rotation if pose.orientation is None else rotation_matrix(pose.orientation)
        place = frame.place if pose.at is None else np.array(pose.at)
        angles = list(nearest)
        for joint, angle in pose.angles.items():
            angles[character.joint_index(joint) or 0] = angle
        centre = place + rotation @ frame.properties.centre
        poses[name] = NamedPose(vector(centre), quaternion_of(rotation), tuple(angles))
    return poses
