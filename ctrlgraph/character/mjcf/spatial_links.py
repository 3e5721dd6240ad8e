"""The links of a MuJoCo model of a spatial character, with their masses and shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.bounds import MAX_CONTACTS, MAX_LINKS, name_fault
from ctrlgraph.character.mjcf.compilation import CompiledModel
from ctrlgraph.character.mjcf.ground import Ground
from ctrlgraph.character.mjcf.links import SHAPES, SIZES, LinkBody, find_links, is_in_bounds
from ctrlgraph.character.mjcf.spatial_colors import GeomColors
from ctrlgraph.character.mjcf.spatial_mesh_assets import MeshAssets
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.schema import FARTHEST, LEAST, MOST
from ctrlgraph.character.spatial.spatial_frames import Array, quaternion_of, rotation_matrix, vector
from ctrlgraph.character.spatial.spatial_inertia import components, inertia_fault
from ctrlgraph.character.spatial_model import Shape, SpatialLink
from ctrlgraph.errors import quoted

FIXED_MASS = 1.0
"""Mass of a root that is fixed to the world and for which the model states no mass, kg. It has no effect."""


_CONTACT = {
    "friction": (1.0, 0.005, 0.0001),
    "condim": 3,
    "priority": 0,
    "solref": (0.02, 1.0),
    "solimp": (0.9, 0.95, 0.001, 0.5, 2.0),
    "margin": 0.0,
    "gap": 0.0,
}
"""Attributes of geoms that determine contact forces in MuJoCo, with MuJoCo's default values."""


class Looks(NamedTuple):
    """Contents of a model that only pictures use: colors and meshes."""

    colors: GeomColors
    """Colors of the geoms."""
    meshes: MeshAssets
    """Meshes of the model."""


class SpatialRoot(NamedTuple):
    """The root of a spatial character."""

    body: Any
    """The body in MuJoCo's specification; the world's body if hinges connect links to the world itself."""
    floating: bool
    """Whether the body moves freely."""


def find_spatial_root(compiled: CompiledModel, worldbody: XmlElement, findings: Findings) -> SpatialRoot | None:
    """Return the root of the character. Report an error if there is none, or if there are several.

    Of several bodies with a free joint, the one with the most joints below it is the root. The others are ignored with
    a warning if they have no joints below them, like a ball on the ground.

    Args:
        compiled: the compiled model.
        worldbody: the element at which a missing root is reported.
        findings: receives the errors and warnings.
    """
    found = [body for body in compiled.spec.bodies if body.joints and compiled.is_static(body.parent)]
    free = [body for body in found if int(body.joints[0].type) == 0]
    if not free:
        bases = {_base(body).id: _base(body) for body in found}
        base = next(iter(bases.values()))
        return SpatialRoot(compiled.spec.worldbody if len(bases) > 1 or base in found else base, False)
    chosen = max(free, key=lambda body: len(_joints_below(body)))
    if not _joints_below(chosen):
        findings.add(
            "bad-tree", "the model has no body with a hinge, but a character must have at least two links", worldbody
        )
        return None
    for body in found:
        if body.id == chosen.id:
            continue
        if body in free and not _joints_below(body):
            message = "a free body that is not part of the character is ignored"
            findings.add_kind("other-body", message, compiled.element(body))
        else:
            message = f"{_called(body)} is a second root besides {_called(chosen)}: a file contains one character"
            hint = "move this body into the first root and give it a hinge, or remove this body"
            findings.add("bad-root", message, compiled.element(body), hint=hint)
    return SpatialRoot(chosen, True)


def _base(body: Any) -> Any:
    """Return the body directly in the world that contains a body, or is the body itself."""
    while body.parent is not None and body.parent.parent is not None:
        body = body.parent
    return body


def _joints_below(body: Any) -> list[Any]:
    unfinished, found = list(body.bodies), []
    while unfinished:
        each = unfinished.pop()
        found += list(each.joints)
        unfinished += list(each.bodies)
    return found


def find_spatial_links(compiled: CompiledModel, root: SpatialRoot, findings: Findings) -> list[LinkBody]:
    """Return the links of a model: the root first. Report errors about their number and their names.

    Args:
        compiled: the compiled model.
        root: the root of the character.
        findings: receives the errors.
    """
    links = find_links(compiled, root.body)
    for body in compiled.spec.bodies:
        if body.gravcomp:
            message = "'gravcomp' is ignored: gravity acts on every body"
            findings.add_kind("gravcomp", message, compiled.element(body), "gravcomp")
    seen: set[str] = set()
    for link in links:
        fault = name_fault(link.name)
        if fault is not None:
            findings.add("bad-name", f"the name of the link {fault}", compiled.element(link.body), "name")
        elif link.name in seen:
            message = f"{quoted(link.name)} is also the default name of a body without a name"
            hint = "give every body that has a joint a name"
            findings.add("repeated-name", message, compiled.element(link.body), "name", hint=hint)
        seen.add(link.name)
    if len(links) < 2:
        message = "a character must have at least two links that are joined by hinges"
        findings.add("bad-tree", message, compiled.element(links[0].body))
    if len(links) > MAX_LINKS:
        message = f"a character can have at most {MAX_LINKS} links, but the model has {len(links)}"
        findings.add("too-large", message, compiled.element(links[MAX_LINKS].body))
    return links


class LinkFrame(NamedTuple):
    """Frame and mass of a link in the reference configuration of the model."""

    centre: Array
    """Centre of mass (3,) in the world, m."""
    rotation: Array
    """Rotation matrix (3, 3) from the frame of the link to the world."""
    mass: float
    """Mass, kg."""
    inertia: Array
    """Inertia tensor (3, 3) about the centre of mass, in the frame of the link, kg m^2."""


def link_frame(link: LinkBody, fixed: bool, compiled: CompiledModel, findings: Findings) -> LinkFrame:
    """Return the frame and the mass of a link. Report an error for each value that is not allowed.

    Args:
        link: the bodies of the link.
        fixed: whether the link is a root that is fixed to the world, which needs no mass.
        compiled: the compiled model.
        findings: receives the errors.
    """
    model, data, element = compiled.model, compiled.data, compiled.element(link.body)
    rotation = data.xmat[link.body.id].reshape(3, 3).copy()
    ids = [body.id for body in link.parts]
    mass = float(sum(model.body_mass[i] for i in ids))
    if fixed and mass < LEAST:
        return LinkFrame(data.xpos[link.body.id].copy(), rotation, FIXED_MASS, np.eye(3) * FIXED_MASS * 0.01)
    if not LEAST <= mass <= MOST:
        message = f"the mass of the link {quoted(link.name)} must be {LEAST:g} to {MOST:g} kg, not {mass:g} kg"
        hint = "give the link geoms with a density, or an <inertial>; lengths are in m, densities in kg/m3"
        findings.add("bad-mass", message, element, hint=hint)
        return LinkFrame(data.xpos[link.body.id].copy(), rotation, 1.0, np.eye(3))
    centre = sum((model.body_mass[i] * data.xipos[i] for i in ids), np.zeros(3)) / mass
    tensor = np.zeros((3, 3))
    for i in ids:
        axes, arm = data.ximat[i].reshape(3, 3), data.xipos[i] - centre
        tensor += (axes * model.body_inertia[i]) @ axes.T
        tensor += model.body_mass[i] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    tensor = rotation.T @ tensor @ rotation
    fault = inertia_fault(tensor)
    if fault is not None:
        message = f"the inertia of {quoted(link.name)} {fault}"
        findings.add("bad-mass", message, element, hint="give the link geoms with a size, or an <inertial>")
    if max(map(abs, centre)) > FARTHEST:
        message = f"the centre of mass of {quoted(link.name)} is more than {FARTHEST:g} m from the origin"
        findings.add("bad-place", message, element, hint="lengths are in m")
    return LinkFrame(centre, rotation, mass, tensor)


def build_spatial_link(name: str, frame: LinkFrame, parent: LinkFrame | None, shapes: tuple[Shape, ...]) -> SpatialLink:
    """Return a link of the character.

    Args:
        name: name of the link.
        frame: frame and mass of the link.
        parent: frame of the parent link; None for the root.
        shapes: shapes of the link.
    """
    position, rotation = frame.centre, frame.rotation
    if parent is not None:
        position = parent.rotation.T @ (position - parent.centre)
        rotation = parent.rotation.T @ rotation
    return SpatialLink(
        name=name,
        mass=frame.mass,
        inertia=components(frame.inertia),
        position=vector(position),
        orientation=quaternion_of(rotation),
        shapes=shapes,
    )


def read_shapes(
    link: LinkBody, frame: LinkFrame, compiled: CompiledModel, ground: Ground, looks: Looks, findings: Findings
) -> tuple[tuple[Shape, ...], frozenset[tuple[int, int]]]:
    """Return the shapes of a link, and the bit masks (contype, conaffinity) of the shapes that collide.

    Report an error for each shape that is not allowed, and a warning for each mesh that can touch something in the
    model, because meshes are only drawn. If a link has other meshes, those that can touch something are not drawn.

    Args:
        link: the bodies of the link.
        frame: frame of the link.
        compiled: the compiled model.
        ground: the geoms that the link can touch.
        looks: colors and meshes of the model.
        findings: receives the errors and warnings.
    """
    shapes: list[Shape] = []
    rough: list[Shape] = []
    masks: set[tuple[int, int]] = set()
    bodies = [body for body in link.parts if body.parent is not None]  # the terrain replaces the world's geoms
    for geom in (geom for body in bodies for geom in body.geoms):
        element = compiled.element(geom)
        kind = SHAPES[int(geom.type)] if 0 <= int(geom.type) < len(SHAPES) else "mesh"
        mask = compiled.masks[geom.id]
        collides = ground.touches(geom)
        if not collides and any(mask):
            message = "a geom that cannot touch the ground does not collide with other geoms either"
            findings.add_kind("not-ground", message, element)
        if kind in ("plane", "hfield"):
            findings.add("not-supported", f"a {kind} cannot be part of a link", element)
            continue
        position, rotation = compiled.data.geom_xpos[geom.id], compiled.data.geom_xmat[geom.id].reshape(3, 3)
        size: tuple[float, ...]
        if kind == "mesh":
            if collides:
                message = "a mesh is only drawn and does not collide: use a box, capsule or sphere for contacts"
                findings.add_kind("colliding-mesh", message, element)
                collides = False
            if geom.meshname not in looks.meshes.files and geom.meshname not in looks.meshes.faults:
                message = f"the model has no mesh {quoted(geom.meshname)}, so this geom is not drawn"
                findings.add_kind("mesh", message, element, "mesh")
            if geom.meshname not in looks.meshes.files:
                continue
            size = looks.meshes.scales[geom.meshname]
            # MuJoCo has moved the mesh, or the placeholder for it, into the frame of its principal axes
            at = int(compiled.model.geom_dataid[geom.id])
            rotation = rotation @ rotation_matrix(compiled.model.mesh_quat[at]).T
            position = position - rotation @ compiled.model.mesh_pos[at]
        else:
            size = tuple(map(float, compiled.model.geom_size[geom.id][: SIZES[kind]]))
        if not is_in_bounds((1.0,) if kind == "mesh" else size, position, element, findings):
            continue
        red, green, blue, opacity = (round(float(part), 6) for part in compiled.model.geom_rgba[geom.id])
        shapes.append(
            Shape(
                kind=kind,  # type: ignore[arg-type]
                size=vector([*size, 0.0, 0.0][:3]),
                position=vector(frame.rotation.T @ (position - frame.centre)),
                orientation=quaternion_of(frame.rotation.T @ rotation),
                collides=collides,
                color=looks.colors.of(geom, element, (red, green, blue, opacity)),
                mesh=geom.meshname if kind == "mesh" else "",
            )
        )
        if kind == "mesh" and any(mask):
            rough.append(shapes[-1])
        if collides:
            masks.add(mask)
            _warn_of_contact(geom, element, findings)
    if any(shape.mesh and shape not in rough for shape in shapes):
        shapes = [shape for shape in shapes if shape not in rough]
    if len(shapes) > MAX_CONTACTS:
        message = f"the link {quoted(link.name)} has {len(shapes)} shapes, but can have at most {MAX_CONTACTS}"
        findings.add("too-large", message, compiled.element(link.body), hint="remove some of its geoms")
    return tuple(shapes), frozenset(masks)


def _warn_of_contact(geom: Any, element: XmlElement, findings: Findings) -> None:
    stated = [name for name, usual in _CONTACT.items() if np.any(getattr(geom, name) != np.asarray(usual))]
    if stated:
        message = f"contact parameters of a geom are ignored ({', '.join(stated)}): they are settings of the simulation"
        findings.add_kind("contact-parameters", message, element)


def excluded_pairs(
    root: XmlElement, links: Sequence[LinkBody], masks: Sequence[frozenset[tuple[int, int]]], findings: Findings
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of links that do not touch each other, because the model or the bit masks exclude the contact.

    Neighbors in the tree of links are left out. A parent comes before its children in the list of links.

    Args:
        root: the element `<mujoco>`.
        links: the links.
        masks: bit masks (contype, conaffinity) of the colliding shapes of each link.
        findings: receives a warning about excluded bodies that do not exist.
    """
    owners = {part.name: i for i, link in enumerate(links) for part in link.parts if part.name}
    found = set(_stated_exclusions(root, owners, findings))
    for i, first in enumerate(masks):
        for j in range(i + 1, len(masks)):
            pairs = [(a, b) for a in first for b in masks[j]]
            if pairs and not any(a[0] & b[1] or b[0] & a[1] for a, b in pairs):
                found.add((i, j))
    return tuple(sorted(pair for pair in found if links[pair[1]].parent != pair[0]))


def _stated_exclusions(root: XmlElement, owners: Mapping[str, int], findings: Findings) -> Iterator[tuple[int, int]]:
    for section in root.named("contact"):
        for element in section.named("exclude"):
            names = [element.attributes.get(each, "") for each in ("body1", "body2")]
            known = [owners[name] for name in names if name in owners]
            if len(known) < 2:
                message = "<exclude> is ignored: it names a body that is not part of the character"
                findings.add_kind("exclude", message, element)
            elif known[0] != known[1]:
                yield min(known), max(known)


def _called(body: Any) -> str:
    return quoted(body.name) if body.name else "the body"
