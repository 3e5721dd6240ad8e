"""Writer of characters as MuJoCo models.

A model has the same links, joints, limits of angles and torques, and contact circles as the character, with exact
numbers.
The frame of a body is at the body's centre of mass. Data that MJCF cannot contain (roles, pairs, aliases, gains) is
written into a file of roles next to the model.
"""

from __future__ import annotations

import os.path
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import yaml

from ctrlgraph.arguments import checked
from ctrlgraph.character.paths import MJCF, YAML, is_model, roles_path
from ctrlgraph.character.planar_model import PlanarCharacter, PlanarJoint, PlanarLink
from ctrlgraph.character.roles import SEVERAL, SINGLE
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_text
from ctrlgraph.paths import display_path
from ctrlgraph.yaml_loader import YamlFault, read_text

GROUND = "world"
"""Name of the world body in MuJoCo, which no link can have."""

_VISIBLE = "1"  # group of the geoms that are only for display


@checked
def write_mjcf(character: PlanarCharacter) -> str:
    """Return a character as the text of a MuJoCo model (an XML file).

    A reader of the text gets the same character, with its links in the order of the tree. The default torque limit of a
    joint becomes the limit of the joint's motor. The hard torque limit becomes the limit of the joint itself.

    Raises:
        CtrlGraphError: a link is called "world", which MuJoCo does not allow.

    >>> from ctrlgraph import Project, write_mjcf
    >>> write_mjcf(Project.find().character).splitlines()[0]
    '<mujoco model="humanoid">'
    """
    root = model_element(character)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def model_element(character: PlanarCharacter) -> Element:
    """Return a character on a level floor as the root element of a MuJoCo model.

    Raises:
        CtrlGraphError: a link is called "world", which MuJoCo does not allow.
    """
    if GROUND in character.link_names:
        raise CtrlGraphError(f"rename the link '{GROUND}' of {character.name}: MuJoCo uses this name for the ground")
    root = Element("mujoco", model=character.name)
    SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    world = SubElement(root, "worldbody")
    SubElement(world, "light", directional="true", pos="0 0 5", dir="0 0 -1")
    SubElement(world, "geom", name="floor", type="plane", size="50 2 1", contype="0", conaffinity="1")
    world.append(body_element(character))
    motors = SubElement(root, "actuator")
    for joint in character.joints:
        limits = numbers(*joint.torque_limit)
        SubElement(motors, "motor", name=joint.name, joint=joint.name, ctrlrange=limits, forcerange=limits)
    return root


def save_mjcf(character: PlanarCharacter, path: Path) -> list[Path]:
    """Write a character as a MuJoCo model with a file of roles next to it.

    Args:
        character: the character to write.
        path: path of the model, which ends in ".xml".

    Returns:
        The paths of the model and of the file of roles.

    Raises:
        CtrlGraphError: the path does not end in ".xml", a YAML character file has the same name, one of the two files
            exists with other contents, a link is called "world", or a file cannot be written.
    """
    roles, text = roles_path(path), write_sidecar(character)
    if not is_model(path):
        raise CtrlGraphError(f"the file name of a MuJoCo model must end in {MJCF}, not {display_path(path)}")
    twin = path.with_suffix(YAML)
    if os.path.lexists(twin):
        message = f"{display_path(twin)} exists, and a character must have only one file"
        raise CtrlGraphError(f"{message}: choose another name")
    written = {roles: text, path: write_mjcf(character)}
    for file, new in written.items():
        require_same(file, new)
    had_roles = os.path.lexists(roles)
    write_text(roles, text)
    try:
        write_text(path, written[path])
    except CtrlGraphError:
        if not had_roles:  # a model without its file of roles is incomplete
            roles.unlink(missing_ok=True)
        raise
    return [path, roles]


def require_same(path: Path, text: str) -> None:
    """Check that a file either does not exist or has exactly this text.

    Args:
        path: path of the file.
        text: the text that is to be written.

    Raises:
        CtrlGraphError: the path exists but is not a regular file with this text.
    """
    try:
        same = not os.path.lexists(path) or (path.is_file() and not path.is_symlink() and read_text(path) == text)
    except (OSError, YamlFault):
        same = False
    if not same:
        raise CtrlGraphError(f"{display_path(path)} exists with other contents: choose another name, or delete it")


def body_element(character: PlanarCharacter, *, visual: bool = True) -> Element:
    """Return a character as one `<body>` element with nested bodies.

    The element is for the `<worldbody>` of a model whose compiler has `angle="radian"`. The root has two slides, whose
    coordinates are x and height of the root's centre of mass, m, and a hinge, whose coordinate is the root's clockwise
    angle, rad. Bodies have the names of the links, hinges have the names of the joints. No element needs a default
    class. Contact circles become spheres that touch geoms with bit 1 in their `conaffinity`, but not each other.

    Args:
        character: the character to write.
        visual: whether each link also gets a box of its size for display, which touches nothing.
    """
    hanging: dict[int, list[PlanarJoint]] = {}
    for joint in character.joints:
        hanging.setdefault(joint.parent, []).append(joint)
    root = character.links[character.root]
    element = Element("body", name=root.name, pos=numbers(root.x, 0.0, root.y))
    x, z, turn = _root_joint_names(character)
    SubElement(element, "joint", name=x, type="slide", axis="1 0 0", ref=numbers(root.x))
    SubElement(element, "joint", name=z, type="slide", axis="0 0 1", ref=numbers(root.y))
    SubElement(element, "joint", name=turn, type="hinge", axis="0 1 0")
    unfinished = [(element, character.root)]
    while unfinished:  # a link, then its children
        around, index = unfinished.pop()
        _add_shapes(around, character.links[index], visual)
        for joint in hanging.get(index, []):
            unfinished.append((_add_body(around, character, joint), joint.child))
    return element


def _add_body(around: Element, character: PlanarCharacter, joint: PlanarJoint) -> Element:
    """Add the body of a joint's child link to the body of the parent link, and return the new body.

    Args:
        around: body of the parent link.
        character: the character.
        joint: the joint between both links, which is added to the new body.
    """
    parent, link = character.links[joint.parent], character.links[joint.child]
    body = SubElement(around, "body", name=link.name, pos=numbers(link.x - parent.x, 0.0, link.y - parent.y))
    SubElement(
        body,
        "joint",
        name=joint.name,
        type="hinge",
        axis="0 1 0",
        pos=numbers(joint.x - link.x, 0.0, joint.y - link.y),
        range=numbers(joint.lower, joint.upper),
        actuatorfrcrange=numbers(*joint.hard_torque_limit),
    )
    return body


def _add_shapes(body: Element, link: PlanarLink, visual: bool) -> None:
    """Add the mass, the contact circles and, if `visual`, a box for display to the body of a link.

    Only the moment of inertia about y is known. It is written for all three axes, which MuJoCo accepts.
    """
    inertia = numbers(link.inertia, link.inertia, link.inertia)
    SubElement(body, "inertial", pos="0 0 0", mass=numbers(link.mass), diaginertia=inertia)
    for circle in link.contacts:
        place, radius = numbers(circle.x, 0.0, circle.y), numbers(circle.radius)
        SubElement(body, "geom", type="sphere", pos=place, size=radius, contype="1", conaffinity="0")
    if visual:
        size = numbers(link.width / 2.0, min(link.width, link.height) / 4.0, link.height / 2.0)
        look = SubElement(body, "geom", type="box", size=size, contype="0", conaffinity="0")
        look.attrib |= {"group": _VISIBLE, "rgba": ".6 .7 .8 .4"}


def _root_joint_names(character: PlanarCharacter) -> tuple[str, str, str]:
    """Return the names of the root's joints: rootx, rootz and rooty, with underscores if a joint has such a name."""
    names = ["rootx", "rootz", "rooty"]
    while set(names) & set(character.joint_names):
        names = [f"{name}_" for name in names]
    return names[0], names[1], names[2]


def numbers(*values: float) -> str:
    """Return numbers as text, separated by spaces, with all digits, so that a reader gets exactly the same numbers."""
    return " ".join(repr(float(value) + 0.0) for value in values)


def write_sidecar(character: PlanarCharacter) -> str:
    """Return the text of the file of roles for a character: roles, pairs, aliases and gains."""
    links, joints, roles = character.link_names, character.joint_names, character.roles
    stated: dict[str, Any] = {}
    for role in (*SINGLE, *SEVERAL):
        names = [links[i] for i in roles.of(role)]
        if names:
            stated[role] = names[0] if role in SINGLE else names
    pairs = [[links[right], links[left]] for right, left in roles.link_pairs]
    pairs += [[joints[right], joints[left]] for right, left in roles.joint_pairs]
    gains = Counter((joint.kp, joint.kd) for joint in character.joints)
    (kp, kd), _ = gains.most_common(1)[0]
    usual: dict[str, Any] = {"kp": float(kp), "kd": float(kd)}
    others = {
        joint.name: {"kp": float(joint.kp), "kd": float(joint.kd)}
        for joint in character.joints
        if (joint.kp, joint.kd) != (kp, kd)
    }
    if others:
        usual["joints"] = others
    data: dict[str, Any] = {"roles": stated, "pairs": pairs, "gains": usual}
    if character.link_aliases or character.joint_aliases:
        data["aliases"] = {**character.link_aliases, **character.joint_aliases}
    return yaml.safe_dump(data, sort_keys=False, default_flow_style=None, allow_unicode=True, width=120)
