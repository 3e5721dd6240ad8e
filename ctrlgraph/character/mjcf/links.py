"""The links of a model: bodies that move by a joint of their own, with all that is fixed to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.bounds import MAX_CONTACTS, MAX_LINKS, name_fault
from ctrlgraph.character.mjcf.bodies import WORLD, BodyTree, ModelBody
from ctrlgraph.character.mjcf.contact_circles import contact_circles, extent
from ctrlgraph.character.mjcf.frames import Array, Frame
from ctrlgraph.character.mjcf.geoms import Geom
from ctrlgraph.character.mjcf.ground import Ground
from ctrlgraph.character.mjcf.masses import combine
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.model import ContactPoint, Link
from ctrlgraph.character.schema import FARTHEST, LARGEST_RADIUS, LEAST, MOST
from ctrlgraph.errors import quoted

_LEAST_SIZE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class LinkBody:
    """A link before it is one: the body that has the joint, and the numbers of all that are fixed to it."""

    index: int
    body: ModelBody
    parts: tuple[int, ...]
    name: str


def find_links(tree: BodyTree, root: int) -> list[LinkBody]:
    """Return the links of a model, the root first, in the order of the text; a body without a name is called by its
    number."""
    parts: dict[int, list[int]] = {root: []}
    for i in range(root, len(tree.bodies)):
        owner = _owner(tree, i)
        if owner == i != root and _owner(tree, tree.bodies[i].parent) in parts:
            parts[i] = []
        if owner in parts:
            parts[owner].append(i)
    return [LinkBody(i, tree.bodies[i], tuple(found), _link_name(tree, i)) for i, found in parts.items()]


def parent_of(tree: BodyTree, link: LinkBody, links: Sequence[LinkBody]) -> LinkBody:
    """Return the link that one hangs from; it is not the root."""
    owner = _owner(tree, link.body.parent)
    return next(each for each in links if each.index == owner)


def _owner(tree: BodyTree, index: int) -> int:
    """The body with joints that a body is, or is fixed to; the world where it does not move."""
    while index != WORLD and not tree.bodies[index].joints:
        index = tree.bodies[index].parent
    return index


def _link_name(tree: BodyTree, index: int) -> str:
    return tree.bodies[index].name or f"body{index + 1}"


def joint_name(link: LinkBody) -> str:
    """Return what the joint of a link that is not the root is called: like the link where it has no name."""
    return link.body.joints[0].values.text("name") or link.name


def check_links(tree: BodyTree, links: Sequence[LinkBody], findings: Findings) -> None:
    """Note names that there are twice or that cannot be names, and too many links, or too few."""
    check_unique("body", [(body.name, body.element) for body in tree.bodies], findings)
    joints = [joint for body in tree.bodies for joint in body.joints]
    check_unique("joint", [(joint.values.text("name"), joint.values.element) for joint in joints], findings)
    geoms = [geom for body in tree.bodies for geom in body.geoms] + tree.ground
    check_unique("geom", [(geom.name, geom.element) for geom in geoms], findings)
    given = [(link.name, link.body.element) for link in links]
    given += [(joint_name(link), link.body.joints[0].values.element) for link in links[1:]]
    for name, element in given:
        fault = name_fault(name)
        if fault is not None:
            findings.add("bad-name", f"this name {fault}", element, "name")
    named = [(joint_name(link), link.body.joints[0]) for link in links[1:]]
    called = [(name, joint.values.element) for name, joint in named if joint.values.text("name") is None]
    others = {joint.values.text("name") for joint in joints}
    for name, element in called:
        if name in others:
            message = f"a joint without a name is called like its body, and there is a joint {quoted(name)} already"
            findings.add("repeated-name", message, element, hint="give it a name")
    unnamed = {link.name for link in links if link.body.name is None}
    for body in tree.bodies:
        if body.name in unnamed:
            message = f"{quoted(body.name)} is what a body without a name is called"
            findings.add("repeated-name", message, body.element, "name", hint="give every body that has a joint a name")
    if len(links) < 2:
        findings.add("bad-tree", "a character has two links or more, joined by hinges", links[0].body.element)
    if len(links) > MAX_LINKS:
        message = f"a character has at most {MAX_LINKS} links, and this has {len(links)}"
        findings.add("too-large", message, links[MAX_LINKS].body.element)


def check_unique(what: str, named: Sequence[tuple[str | None, XmlElement]], findings: Findings) -> None:
    """Note names of things of one sort that are given twice."""
    first: dict[str, XmlElement] = {}
    for name, element in named:
        if name is not None and name in first:
            message = f"there is a {what} {quoted(name)} already (line {first[name].line})"
            findings.add("repeated-name", message, element, "name")
        elif name is not None:
            first[name] = element


def build_link(link: LinkBody, tree: BodyTree, ground: Ground, findings: Findings) -> Link:
    """Return a link at the height of the model; what a link cannot be is noted."""
    bodies = [tree.bodies[i] for i in link.parts]
    whole = combine(body.mass_properties.within(body.frame) for body in bodies)
    mass, inertia = whole.mass, float(whole.inertia[1, 1])
    if not LEAST <= mass <= MOST or inertia <= 0.0:
        _note_mass(link, bodies, mass, findings)
        mass, inertia = 1.0, 1.0
    x, y = float(whole.centre[0]), float(whole.centre[2])
    check_place(f"the centre of mass of {quoted(link.name)}", (x, y), link.body.element, findings)
    placed = [PlacedGeom(i, geom, tree) for i in link.parts for geom in tree.bodies[i].geoms]
    contacts = [
        ContactPoint(*circle)
        for each in placed
        if _touches(each, ground, findings)
        for circle in contact_circles(each.geom.shape, each.geom.size, each.seen_from(whole.centre))
    ]
    if len(contacts) > MAX_CONTACTS:
        message = f"{quoted(link.name)} has {len(contacts)} contact circles, and {MAX_CONTACTS} are the most of a link"
        hint = "let some of its geoms touch nothing: contype and conaffinity 0"
        findings.add("too-large", message, link.body.element, hint=hint)
    height, width = _size(placed, whole.centre) or 2 * (math.sqrt(6.0 * inertia / mass),)  # a square of its inertia
    return Link(link.name, mass, inertia, x, y, height, width, tuple(contacts))


def _note_mass(link: LinkBody, bodies: Sequence[ModelBody], mass: float, findings: Findings) -> None:
    """Note a mass that no link has, or no inertia, unless that comes of what is noted already."""
    heavy = [element for body in bodies for element in (*(geom.element for geom in body.geoms), *body.inertials)]
    if any(map(findings.is_faulty, heavy)):
        return
    message, hint = f"{quoted(link.name)} has no moment of inertia about y", "give it geoms with a size"
    if not LEAST <= mass <= MOST:
        message = f"{quoted(link.name)} weighs {mass:g} kg: a link has from {LEAST:g} to {MOST:g} kg"
        hint = "give it geoms with a density, or an <inertial>; lengths are in m, densities in kg/m3"
    findings.add("bad-mass", message, link.body.element, hint=hint)


class PlacedGeom:
    """A geom of a body where it is in the world."""

    def __init__(self, body: int, geom: Geom, tree: BodyTree) -> None:
        self.body, self.geom = body, geom
        self.frame = geom.frame.within(tree.bodies[body].frame)

    def seen_from(self, centre: Array) -> Frame:
        """Return its frame about a point (3,) of the world."""
        return Frame(self.frame.position - centre, self.frame.rotation)


def _touches(placed: PlacedGeom, ground: Ground, findings: Findings) -> bool:
    """Whether a geom can touch the ground; one that is no shape of a link is noted."""
    geom = placed.geom
    if geom.shape in ("plane", "hfield"):
        findings.add("not-supported", f"a {geom.shape} cannot be part of a link", geom.element)
    elif geom.is_solid and not (min(geom.size) >= _LEAST_SIZE and max(geom.size) <= FARTHEST):
        message = f"the half-sizes of a geom are from {_LEAST_SIZE:g} to {FARTHEST:g} m"
        findings.add("bad-size", message, geom.element)
    elif geom.is_solid and max(map(abs, placed.frame.position)) > FARTHEST:
        findings.add("bad-place", f"the geom is more than {FARTHEST:g} m from the origin", geom.element)
    elif geom.is_solid and geom.size[0] > LARGEST_RADIUS and geom.shape in ("sphere", "capsule", "cylinder"):
        findings.add("bad-size", f"no contact circle is larger than {LARGEST_RADIUS:g} m", geom.element)
    elif ground.touches(placed.body, geom):
        if geom.is_solid:
            return True
        if geom.shape in ("mesh", "sdf"):
            message = f"a {geom.shape} cannot touch the ground here: no mesh is read"
            hint = 'give it contype="0" conaffinity="0", and a box or a capsule in its place'
            findings.add("not-supported", message, geom.element, hint=hint)
    return False


def _size(placed: Sequence[PlacedGeom], centre: Array) -> tuple[float, float] | None:
    """Height and width of the upright box around what is only seen of a link and touches nothing, else around all of
    its geoms, m; None where it has none."""
    solid = [each for each in placed if each.geom.is_solid]
    seen = [each for each in solid if not each.geom.contype and not each.geom.conaffinity]
    if not solid:
        return None
    corners = [extent(each.geom.shape, each.geom.size, each.seen_from(centre)) for each in seen or solid]
    size = np.max([high for _, high in corners], axis=0) - np.min([low for low, _ in corners], axis=0)
    return float(size[1]), float(size[0])


def check_place(what: str, place: tuple[float, float], element: XmlElement, findings: Findings) -> None:
    """Note what is further from the origin than a character reaches."""
    if max(map(abs, place)) > FARTHEST:
        message = f"{what} is more than {FARTHEST:g} m from the origin"
        findings.add("bad-place", message, element, hint="lengths are in m")
