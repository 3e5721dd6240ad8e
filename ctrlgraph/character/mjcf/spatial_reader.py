"""Reader of spatial characters in MuJoCo XML (MJCF). MuJoCo parses and compiles the model.

Anything that a spatial character cannot contain is an error or a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ctrlgraph.character.mjcf.compilation import compile_model, parse_model
from ctrlgraph.character.mjcf.ground import Ground, warn_of_options
from ctrlgraph.character.mjcf.sections import IGNORED_IN_SPACE, check_spatial_sections
from ctrlgraph.character.mjcf.sidecar import check_sidecar
from ctrlgraph.character.mjcf.spatial_colors import GeomColors
from ctrlgraph.character.mjcf.spatial_joints import (
    build_spatial_joint,
    by_target,
    check_motors,
    find_hinges,
    read_motors,
)
from ctrlgraph.character.mjcf.spatial_links import (
    Looks,
    build_spatial_link,
    excluded_pairs,
    find_spatial_links,
    find_spatial_root,
    link_frame,
    read_shapes,
)
from ctrlgraph.character.mjcf.spatial_mesh_assets import MeshAssets
from ctrlgraph.character.mjcf.spatial_poses import read_poses
from ctrlgraph.character.mjcf.spatial_tendons import replace_tendon_actuators
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.paths import roles_path
from ctrlgraph.character.roles import RoleStatement
from ctrlgraph.character.spatial.spatial_digest import digest_of_space
from ctrlgraph.character.spatial.spatial_roles import COLLIDING, check_limbs, guess_spatial_roles, stated_spatial_roles
from ctrlgraph.character.spatial.spatial_schema import SpatialSidecarEntry
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.yaml_source import YamlSource

_CONTAINERS = ("body", "frame")


def is_spatial(root: XmlElement) -> bool:
    """Return whether a model describes a spatial character: it has joints, and its root moves along no slide.

    The root is the body with joints that no other body with joints contains. A planar character has two slides there.

    Args:
        root: the element `<mujoco>`.
    """
    roots = [joint for world in root.named("worldbody") for joint in _root_joints(world)]
    sliding_default = any(
        joint.attributes.get("type") == "slide" for default in root.named("default") for joint in _defaults(default)
    )
    for joint in roots:
        kind = joint.attributes.get("type")
        if kind == "slide" or (kind is None and joint.tag == "joint" and sliding_default):
            return False
    return bool(roots)


def _root_joints(container: XmlElement) -> Iterator[XmlElement]:
    """Yield the joints of the bodies in a container that have joints and are not below another such body."""
    unfinished = [container]
    while unfinished:
        element = unfinished.pop()
        joints = [child for child in element.children if child.tag in ("joint", "freejoint")]
        yield from joints
        if not joints:
            unfinished += [child for child in element.children if child.tag in _CONTAINERS]


def _defaults(container: XmlElement) -> Iterator[XmlElement]:
    unfinished = [container]
    while unfinished:
        element = unfinished.pop()
        yield from element.named("joint")
        unfinished += element.named("default")


def compile_spatial(
    root: XmlElement,
    name: str,
    beside: YamlSource | None,
    entry: SpatialSidecarEntry,
    meshes: MeshAssets,
    findings: Findings,
) -> SpatialCharacter | None:
    """Return the spatial character in a model. If the model has errors, report the errors and return None.

    Args:
        root: the root element of the model.
        name: name of the character.
        beside: the file of roles, None without one.
        entry: contents of the file of roles.
        meshes: meshes of the model.
        findings: receives the errors and warnings.
    """
    check_spatial_sections(root, findings)
    warn_of_options(root, findings)
    tendons = replace_tendon_actuators(root, findings)
    parsed = parse_model(tendons.root, findings, IGNORED_IN_SPACE, meshes)
    if parsed is None:
        return None
    motors = read_motors(parsed, tendons, findings)
    compiled = compile_model(parsed, findings)
    if compiled is None:
        return None
    ground = Ground(compiled, findings)
    free = find_spatial_root(compiled, next(root.named("worldbody"), root), findings)
    if free is None:
        return None
    bodies = find_spatial_links(compiled, free, findings)
    frames = [link_frame(body, i == 0 and not free.floating, compiled, findings) for i, body in enumerate(bodies)]
    hinges = find_hinges(compiled, bodies, findings)
    check_motors(motors, hinges, {joint.name for joint in compiled.spec.joints}, findings)
    colors = GeomColors(root)
    shaped = [
        read_shapes(body, frame, compiled, ground, Looks(colors, meshes), findings)
        for body, frame in zip(bodies, frames, strict=True)
    ]
    links = [
        build_spatial_link(body.name, frame, frames[body.parent] if i else None, shapes)
        for i, (body, frame, (shapes, _)) in enumerate(zip(bodies, frames, shaped, strict=True))
    ]
    acting = by_target(motors)
    joints = [
        build_spatial_joint(
            hinge,
            bodies[hinge.link].parent,
            frames[hinge.link],
            acting.get(hinge.joint.name, ()),
            entry,
            compiled,
            findings,
        )
        for hinge in hinges
    ]
    poses = read_poses(root, free, frames[0], hinges, joints, compiled, findings)
    excludes = excluded_pairs(root, bodies, [masks for _, masks in shaped], findings)
    touching = {link.name: any(shape.collides for shape in link.shapes) for link in links}
    names_of_joints = [joint.name for joint in joints]
    if beside is not None:
        findings.include(check_sidecar(beside, entry, touching, names_of_joints, COLLIDING))
    if findings.failed:
        return None
    names = [link.name for link in links]
    character = SpatialCharacter(
        name=name,
        links=tuple(links),
        joints=tuple(joints),
        link_aliases={alias: meant for alias, meant in entry.aliases.items() if meant in names},
        joint_aliases={alias: meant for alias, meant in entry.aliases.items() if meant not in names},
        floating=free.floating,
        poses=poses,
        excludes=excludes,
        meshes=meshes.used({shape.mesh for link in links for shape in link.shapes}),
    )
    if beside is not None:
        findings.include(check_limbs(beside, entry.roles, character))
        if findings.failed:
            return None
    statement = RoleStatement(touching, names_of_joints, entry, COLLIDING)
    roles = stated_spatial_roles(statement, entry.roles, guess_spatial_roles(character), character)
    if free.floating and not roles.feet:
        message = "no feet were found: no link at the end of a limb has a colliding shape near the ground"
        hint = f"write the roles into {roles_path(Path(findings.source.path)).name} next to the model"
        findings.add("no-roles", message, root, hint=hint, severity="warning")
    character = replace(character, roles=roles)
    return replace(character, digest=digest_of_space(character))
