"""Writer of spatial characters as MuJoCo models.

The frame of a body is that of the link: at the centre of mass, with the link's axes. The numbers are exact. Roles,
aliases and meshes are not written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ctrlgraph.character.mjcf.writer import GROUND, numbers, require_same
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter, SpatialJoint
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_text

FLOOR = "floor"
"""Name of the geom that is the ground."""
_MEASURES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


def write_spatial_mjcf(character: SpatialCharacter) -> str:
    """Return a character on a level floor as the text of a MuJoCo model, with its named poses as key frames.

    Raises:
        CtrlGraphError: a link is called "world", which MuJoCo does not allow.
    """
    root = spatial_model_element(character)
    keys = SubElement(root, "keyframe")
    order = joints_in_order(character)
    for name, pose in character.poses.items():
        free = (*pose.position, *pose.orientation) if character.floating else ()
        SubElement(keys, "key", name=name, qpos=numbers(*free, *(pose.angles[j] for j in order)))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def save_spatial_mjcf(character: SpatialCharacter, path: Path) -> list[Path]:
    """Write a character as a MuJoCo model, see `write_spatial_mjcf`, and return the path of the file in a list.

    Args:
        character: the character to write.
        path: path of the model.

    Raises:
        CtrlGraphError: the file exists with other contents, a link is called "world", or the file cannot be written.
    """
    text = write_spatial_mjcf(character)
    require_same(path, text)
    write_text(path, text)
    return [path]


def joints_in_order(character: SpatialCharacter) -> list[int]:
    """Return the indices of the joints in the order of the nested bodies, in which the model lists them."""
    found, unfinished = [], [character.root]
    while unfinished:
        link = unfinished.pop()
        found += [j for j, joint in enumerate(character.joints) if joint.child == link]
        unfinished += reversed(_children(character, link))
    return found


def spatial_model_element(character: SpatialCharacter) -> Element:
    """Return a character on a level floor as the root element of a MuJoCo model, without key frames.

    Raises:
        CtrlGraphError: a link is called "world", which MuJoCo does not allow.
    """
    if GROUND in character.link_names:
        raise CtrlGraphError(f"rename the link '{GROUND}' of {character.name}: MuJoCo uses this name for the ground")
    root = Element("mujoco", model=character.name)
    SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    world = SubElement(root, "worldbody")
    SubElement(world, "light", directional="true", pos="0 0 5", dir="0 0 -1")
    SubElement(world, "geom", name=FLOOR, type="plane", size="50 50 1")
    unfinished = [(world, character.root)]
    while unfinished:
        around, link = unfinished.pop()
        body = _add_body(around, character, link)
        unfinished += [(body, child) for child in reversed(_children(character, link))]
    contact = SubElement(root, "contact")
    for first, second in character.excludes:
        SubElement(contact, "exclude", body1=character.link_names[first], body2=character.link_names[second])
    actuator = SubElement(root, "actuator")
    for j in joints_in_order(character):
        joint = character.joints[j]
        if joint.hard_torque_limit.lower < joint.hard_torque_limit.upper:
            limits = numbers(*joint.torque_limit)
            gains = {"kp": numbers(joint.kp), "kv": numbers(joint.kd)}
            SubElement(actuator, "position", gains, name=joint.name, joint=joint.name, forcerange=limits)
    return root


def _children(character: SpatialCharacter, link: int) -> list[int]:
    """Return the indices of the links that hang from the link with the index `link`."""
    return list(dict.fromkeys(joint.child for joint in character.joints if joint.parent == link))


def _add_body(around: Element, character: SpatialCharacter, index: int) -> Element:
    """Add the body of a link to that of its parent, and return it.

    Args:
        around: the parent's body, or the world.
        character: the character.
        index: index of the link.
    """
    link = character.links[index]
    body = SubElement(around, "body", name=link.name, pos=numbers(*link.position), quat=numbers(*link.orientation))
    if index == character.root and character.floating:
        SubElement(body, "freejoint")
    for joint in (joint for joint in character.joints if joint.child == index):
        _add_joint(body, joint)
    SubElement(body, "inertial", pos="0 0 0", mass=numbers(link.mass), fullinertia=numbers(*link.inertia))
    _add_shapes(body, link.shapes)
    return body


def _add_joint(body: Element, joint: SpatialJoint) -> None:
    place = {"axis": numbers(*joint.axis), "pos": numbers(*joint.anchor)}
    element = SubElement(body, "joint", place, name=joint.name)
    if math.isfinite(joint.lower) and math.isfinite(joint.upper):
        element.set("range", numbers(joint.lower, joint.upper))
    if joint.hard_torque_limit.lower < joint.hard_torque_limit.upper:
        element.set("actuatorfrcrange", numbers(*joint.hard_torque_limit))
    passive = {
        "stiffness": joint.stiffness,
        "springref": joint.spring_angle,
        "damping": joint.damping,
        "armature": joint.armature,
        "frictionloss": joint.friction_loss,
    }
    for name, value in passive.items():
        if value != 0.0:
            element.set(name, numbers(value))


def _add_shapes(body: Element, shapes: Iterable[Shape]) -> None:
    """Add the shapes of a link to its body, without meshes; those that do not collide are only for display."""
    for shape in shapes:
        if shape.kind != "mesh":
            place = {"pos": numbers(*shape.position), "quat": numbers(*shape.orientation)}
            size = numbers(*shape.size[: _MEASURES[shape.kind]])
            geom = SubElement(body, "geom", place, type=shape.kind, size=size, rgba=numbers(*shape.color))
            if not shape.collides:
                geom.attrib |= {"contype": "0", "conaffinity": "0"}
