"""The links of a MuJoCo model: a link is a body with joints, together with all bodies that are fixed to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.bounds import MAX_CONTACTS, MAX_LINKS, name_fault
from ctrlgraph.character.mjcf.compilation import CompiledModel
from ctrlgraph.character.mjcf.contact_circles import Array, Frame, contact_circles, extent
from ctrlgraph.character.mjcf.ground import Ground
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.planar_model import ContactPoint, PlanarLink
from ctrlgraph.character.schema import FARTHEST, LARGEST_RADIUS, LEAST, MOST
from ctrlgraph.errors import quoted

_LEAST_SIZE = 1e-6
SHAPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
"""The types of geoms, in the order of MuJoCo's `mjtGeom`."""
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
"""Number of half-sizes of a geom, by its type."""


@dataclass(slots=True, eq=False)
class LinkBody:
    """A link of the character in the MuJoCo model: a body with joints, and the bodies that are fixed to this body."""

    body: Any
    """The body with joints, in MuJoCo's specification of the model."""
    name: str
    """Name of the link."""
    parent: int
    """Index of the parent link in the list of links; -1 for the root."""
    parts: list[Any]
    """All bodies of the link: `body` first, then the bodies that are fixed to it."""

    @property
    def joint_name(self) -> str:
        """Return the name of the joint between the link and its parent; if it has no name, the name of the link."""
        return self.body.joints[0].name or self.name


def find_links(compiled: CompiledModel, root: Any) -> list[LinkBody]:
    """Return the links of a model: the root first, then the others in the order of the file.

    A link whose body has no name is called `bodyN`, where N is MuJoCo's id of the body.

    Args:
        compiled: the compiled model.
        root: the body that is free in the plane.
    """
    links: list[LinkBody] = []
    owners: dict[int, int] = {}
    for body in compiled.spec.bodies:
        above = owners.get(body.parent.id, -1) if body.parent is not None else -1
        if body.id == root.id or (above >= 0 and body.joints):
            links.append(LinkBody(body, body.name or f"body{body.id}", above, []))
            above = len(links) - 1
        if above >= 0:
            owners[body.id] = above
            links[above].parts.append(body)
    return links


def check_links(compiled: CompiledModel, links: Sequence[LinkBody], findings: Findings) -> None:
    """Report errors about names and the number of links, and a warning about gravity compensation, which is ignored.

    Args:
        compiled: the compiled model.
        links: the links, the root first.
        findings: receives the errors and warnings.
    """
    joints = [link.body.joints[0] for link in links[1:]]
    given = [(link.name, link.body) for link in links]
    given += [(link.joint_name, joint) for link, joint in zip(links[1:], joints, strict=True)]
    for name, item in given:
        fault = name_fault(name)
        if fault is not None:
            findings.add("bad-name", f"the name of the link or joint {fault}", compiled.element(item), "name")
    others = {joint.name for joint in compiled.spec.joints}
    for link, joint in zip(links[1:], joints, strict=True):
        if not joint.name and link.name in others:
            message = (
                "a joint without a name gets the name of its body, but another joint is already called"
                f" {quoted(link.name)}"
            )
            findings.add("repeated-name", message, compiled.element(joint), hint="give the joint a name")
    unnamed = {link.name for link in links if not link.body.name}
    for body in compiled.spec.bodies:
        if body.gravcomp:
            message = "'gravcomp' is ignored: gravity acts on every body"
            findings.add_kind("gravcomp", message, compiled.element(body), "gravcomp")
        if body.name in unnamed:
            message = f"{quoted(body.name)} is also the default name of a body without a name"
            hint = "give every body that has a joint a name"
            findings.add("repeated-name", message, compiled.element(body), "name", hint=hint)
    if len(links) < 2:
        message = "a character must have at least two links that are joined by hinges"
        findings.add("bad-tree", message, compiled.element(links[0].body))
    if len(links) > MAX_LINKS:
        message = f"a character can have at most {MAX_LINKS} links, but the model has {len(links)}"
        findings.add("too-large", message, compiled.element(links[MAX_LINKS].body))


def build_link(link: LinkBody, compiled: CompiledModel, ground: Ground, findings: Findings) -> PlanarLink:
    """Return a link of the character at its position in the model. Report an error for each value that is not allowed.

    Args:
        link: the bodies of the link.
        compiled: the compiled model.
        ground: the geoms that the link can touch.
        findings: receives the errors.
    """
    element = compiled.element(link.body)
    mass, centre, inertia = _mass_properties([body.id for body in link.parts], compiled)
    if not LEAST <= mass <= MOST or inertia <= 0.0:
        message, hint = (
            f"the moment of inertia of the link {quoted(link.name)} about y is 0",
            "give the link geoms with a size",
        )
        if not LEAST <= mass <= MOST:
            message = f"the mass of the link {quoted(link.name)} must be {LEAST:g} to {MOST:g} kg, not {mass:g} kg"
            hint = "give the link geoms with a density, or an <inertial>; lengths are in m, densities in kg/m3"
        findings.add("bad-mass", message, element, hint=hint)
        mass, inertia = 1.0, 1.0
    x, y = float(centre[0]), float(centre[2])
    check_place(f"the centre of mass of {quoted(link.name)}", (x, y), element, findings)
    solid: list[_Solid] = []
    contacts: list[ContactPoint] = []
    for geom in (geom for body in link.parts for geom in body.geoms):
        shape = SHAPES[int(geom.type)] if 0 <= int(geom.type) < len(SHAPES) else "mesh"
        if shape not in SIZES:
            _check_unknown_shape(geom, shape, compiled, ground, findings)
            continue
        position, rotation = compiled.data.geom_xpos[geom.id], compiled.data.geom_xmat[geom.id].reshape(3, 3)
        size = tuple(map(float, compiled.model.geom_size[geom.id][: SIZES[shape]]))
        frame = Frame(position - centre, rotation)
        solid.append((shape, size, frame, not any(compiled.masks[geom.id])))
        part = compiled.element(geom)
        fits = is_in_bounds(size, position, part, findings) and _has_fitting_radius(shape, size, part, findings)
        if fits and ground.touches(geom):
            contacts += [ContactPoint(*circle) for circle in contact_circles(shape, size, frame)]
    if len(contacts) > MAX_CONTACTS:
        message = (
            f"the link {quoted(link.name)} has {len(contacts)} contact circles, but can have at most {MAX_CONTACTS}"
        )
        hint = "set contype and conaffinity of some of its geoms to 0"
        findings.add("too-large", message, element, hint=hint)
    height, width = _size(solid) or 2 * (math.sqrt(6.0 * inertia / mass),)  # a square of its inertia
    return PlanarLink(link.name, mass, inertia, x, y, height, width, tuple(contacts))


def _mass_properties(bodies: Sequence[int], compiled: CompiledModel) -> tuple[float, Array, float]:
    """Return of a link: mass, kg, centre of mass (3,) in the world frame, m, and moment of inertia about y, kg m2.

    Args:
        bodies: MuJoCo's ids of the bodies of the link.
        compiled: the compiled model.
    """
    model, data = compiled.model, compiled.data
    mass = float(sum(model.body_mass[i] for i in bodies))
    if mass <= 0.0:
        return 0.0, np.zeros(3), 0.0
    centre = sum((model.body_mass[i] * data.xipos[i] for i in bodies), np.zeros(3)) / mass
    inertia = 0.0
    for i in bodies:
        arm = data.xipos[i] - centre
        across = data.ximat[i].reshape(3, 3)[1]
        inertia += float(across**2 @ model.body_inertia[i] + model.body_mass[i] * (arm[0] ** 2 + arm[2] ** 2))
    return mass, centre, inertia


def _check_unknown_shape(geom: Any, shape: str, compiled: CompiledModel, ground: Ground, findings: Findings) -> None:
    """Report an error for a geom of a link that is not a simple shape, if this matters.

    Planes and height fields are always errors. A mesh is an error only if it can touch the ground.
    """
    if shape in ("plane", "hfield"):
        findings.add("not-supported", f"a {shape} cannot be part of a link", compiled.element(geom))
    elif ground.touches(geom):
        message = f"a {shape} cannot touch the ground of a planar character"
        hint = 'give the geom contype="0" conaffinity="0", and add a box or a capsule that touches the ground instead'
        findings.add("not-supported", message, compiled.element(geom), hint=hint)


def is_in_bounds(size: Sequence[float], position: Array, element: XmlElement, findings: Findings) -> bool:
    """Return whether the sizes and the position of a geom are allowed. If not, report an error.

    Args:
        size: half-sizes of the geom, m.
        position: centre (3,) of the geom in the world, m.
        element: element of the geom.
        findings: receives the error.
    """
    if not (min(size) >= _LEAST_SIZE and max(size) <= FARTHEST):
        message = f"the half-sizes of a geom must be {_LEAST_SIZE:g} to {FARTHEST:g} m"
        findings.add("bad-size", message, element)
    elif max(map(abs, position)) > FARTHEST:
        findings.add("bad-place", f"the geom is more than {FARTHEST:g} m from the origin", element)
    else:
        return True
    return False


def _has_fitting_radius(shape: str, size: Sequence[float], element: XmlElement, findings: Findings) -> bool:
    """Return whether the contact circles of a geom are not too large. If they are, report an error."""
    if size[0] > LARGEST_RADIUS and shape in ("sphere", "capsule", "cylinder"):
        findings.add(
            "bad-size", f"the radius of a geom that touches the ground must be at most {LARGEST_RADIUS:g} m", element
        )
        return False
    return True


_Solid = tuple[str, tuple[float, ...], Frame, bool]
"""A geom of a link: type, half-sizes, m, pose relative to the link's centre of mass, and whether it touches nothing."""


def _size(solid: Sequence[_Solid]) -> tuple[float, float] | None:
    """Return the height and the width of a link, m, from the bounding box of its geoms; None without geoms.

    If some geoms can touch nothing, they are for display, and only these geoms are used.
    """
    if not solid:
        return None
    visual = [each for each in solid if each[3]]
    corners = [extent(shape, size, frame) for shape, size, frame, _ in visual or solid]
    size = np.max([high for _, high in corners], axis=0) - np.min([low for low, _ in corners], axis=0)
    return float(size[1]), float(size[0])


def check_place(what: str, place: tuple[float, float], element: XmlElement, findings: Findings) -> None:
    """Report an error if a position is more than `FARTHEST` from the origin.

    Args:
        what: what the position belongs to, for the message.
        place: x and z in the world, m.
        element: the element at which the error is reported.
        findings: receives the error.
    """
    if max(map(abs, place)) > FARTHEST:
        message = f"{what} is more than {FARTHEST:g} m from the origin"
        findings.add("bad-place", message, element, hint="lengths are in m")
