"""Characters with scaled masses, lengths and torque limits, and with slower muscles."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ctrlgraph.character.model import Character, Joint, Link
from ctrlgraph.character.planar_model import ContactPoint, PlanarJoint, PlanarLink
from ctrlgraph.character.spatial_model import NamedPose, SpatialCharacter, SpatialJoint, SpatialLink
from ctrlgraph.errors import CtrlGraphError, near_names


def scale_masses(character: Character, factors: Mapping[str, float]) -> Character:
    """Return a copy of a character with the masses of its links multiplied by factors.

    The moment of inertia of a link is multiplied by the same factor.

    Args:
        character: the character.
        factors: factor of the mass, by name of the link. The factor with the key "" multiplies the mass of every link.

    Raises:
        CtrlGraphError: a link is unknown, or a factor is not above 0 or not finite.
    """
    every = _positive(factors.get("", 1.0), "mass")
    by_index: dict[int, float] = {}
    for name, factor in factors.items():
        if name:
            index = link_index(character, name)
            by_index[index] = by_index.get(index, 1.0) * _positive(factor, "mass")
    links = tuple(_heavier_link(link, every * by_index.get(i, 1.0)) for i, link in enumerate(character.links))
    usual = character.mass if character.usual_mass is None else character.usual_mass
    return _changed(character, f"masses {sorted(factors.items())}", links=links, usual_mass=usual)


def scale_lengths(character: Character, factor: float) -> Character:
    """Return the character with all lengths multiplied by a factor.

    Masses do not change, so the moments of inertia grow with the square of the factor.

    Raises:
        CtrlGraphError: the factor is not above 0 or not finite.
    """
    f = _positive(factor, "length")
    links = tuple(_longer_link(link, f) for link in character.links)
    joints = tuple(_farther_joint(joint, f) for joint in character.joints)
    more: dict[str, Any] = {}
    if isinstance(character, SpatialCharacter):
        more["poses"] = {name: _higher_pose(pose, f) for name, pose in character.poses.items()}
    return _changed(character, f"lengths {f!r}", links=links, joints=joints, **more)


def scale_torques(character: Character, factor: float) -> Character:
    """Return the character with the default and hard torque limits of every joint multiplied by a factor.

    Raises:
        CtrlGraphError: the factor is not above 0 or not finite.
    """
    f = _positive(factor, "torque")
    joints = tuple(
        replace(joint, torque_limit=joint.torque_limit.scaled(f), hard_torque_limit=joint.hard_torque_limit.scaled(f))
        for joint in character.joints
    )
    return _changed(character, f"torques {f!r}", joints=joints)


def limit_muscles(character: Character, max_speed: float | None, rise_time: float) -> Character:
    """Return the character with the same limits of speed and rise time of the torque in every joint.

    Args:
        character: the character.
        max_speed: speed at which a joint has no torque left, rad/s; None keeps the character's.
        rise_time: time in which a torque can rise from 0 to its limit, s; 0 keeps the character's.

    Raises:
        CtrlGraphError: a value is below 0 or not finite.
    """
    for name, value in (("max_speed", max_speed), ("rise_time", rise_time)):
        if value is not None and not 0.0 <= value < float("inf"):
            raise CtrlGraphError(f"'{name}' must be at least 0 and finite, not {value:g}")
    joints = tuple(
        replace(joint, max_speed=max_speed or joint.max_speed, rise_time=rise_time or joint.rise_time)
        for joint in character.joints
    )
    return _changed(character, f"muscles {max_speed!r} {rise_time!r}", joints=joints)


def link_index(character: Character, name: str) -> int:
    """Return the index of the link with this name or alias.

    Raises:
        CtrlGraphError: the character has no such link.
    """
    index = character.link_index(name)
    if index is None:
        hint = near_names(name, character.known_links, "links")
        raise CtrlGraphError(f"the character {character.name} has no link '{name}' {hint}")
    return index


def _heavier_link(link: Link, f: float) -> Link:
    if isinstance(link, PlanarLink):
        return replace(link, mass=link.mass * f, inertia=link.inertia * f)
    assert isinstance(link, SpatialLink)
    return replace(link, mass=link.mass * f, inertia=_times(link.inertia, f))


def _longer_link(link: Link, f: float) -> Link:
    if isinstance(link, PlanarLink):
        return replace(
            link,
            inertia=link.inertia * f * f,
            x=link.x * f,
            y=link.y * f,
            height=link.height * f,
            width=link.width * f,
            contacts=tuple(ContactPoint(c.x * f, c.y * f, c.radius * f) for c in link.contacts),
        )
    assert isinstance(link, SpatialLink)
    return replace(
        link,
        inertia=_times(link.inertia, f * f),
        position=_times(link.position, f),
        shapes=tuple(replace(s, size=_times(s.size, f), position=_times(s.position, f)) for s in link.shapes),
    )


def _farther_joint(joint: Joint, f: float) -> Joint:
    if isinstance(joint, PlanarJoint):
        return replace(joint, x=joint.x * f, y=joint.y * f)
    assert isinstance(joint, SpatialJoint)
    return replace(joint, anchor=_times(joint.anchor, f))


def _higher_pose(pose: NamedPose, f: float) -> NamedPose:
    return replace(pose, position=_times(pose.position, f))


def _times(values: tuple[float, ...], factor: float) -> Any:
    return tuple(value * factor for value in values)


def _positive(factor: float, what: str) -> float:
    if not 0.0 < factor < float("inf"):
        raise CtrlGraphError(f"the factor that scales a {what} must be above 0 and finite, not {factor:g}")
    return factor


def _changed(character: Character, how: str, **changes: Any) -> Character:
    digest = hashlib.sha256(f"{character.digest} {how}".encode()).hexdigest()
    return replace(character, digest=digest, **changes)
