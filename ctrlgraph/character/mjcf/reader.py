"""Reader of characters in MuJoCo XML (MJCF). MuJoCo parses and compiles the model.

This module reads planar models; `spatial_reader` reads the others. Anything that a character cannot contain is an error
or a warning. All errors and warnings are reported together.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ctrlgraph.bounds import name_fault
from ctrlgraph.character.digest import digest_of_meaning
from ctrlgraph.character.mjcf.actuators import joint_torques, read_actuators, torque_limits
from ctrlgraph.character.mjcf.compilation import compile_model, parse_model
from ctrlgraph.character.mjcf.ground import Ground, warn_of_options
from ctrlgraph.character.mjcf.joints import Hinge, find_root, read_hinge
from ctrlgraph.character.mjcf.links import build_link, check_links, check_place, find_links
from ctrlgraph.character.mjcf.sections import check_sections, is_mujoco
from ctrlgraph.character.mjcf.sidecar import WHAT, EntryT, check_sidecar, read_entry, read_sidecar
from ctrlgraph.character.mjcf.spatial_mesh_assets import MeshAssets
from ctrlgraph.character.mjcf.spatial_reader import compile_spatial, is_spatial
from ctrlgraph.character.mjcf.xml_source import EnoughFound, Findings, XmlElement, XmlSource, parse_xml, read_xml
from ctrlgraph.character.model import Character, TorqueRange
from ctrlgraph.character.paths import roles_path
from ctrlgraph.character.planar_model import PlanarCharacter, PlanarJoint, PlanarLink
from ctrlgraph.character.roles import RoleStatement, guess_roles, missing_roles, roles_of
from ctrlgraph.character.schema import SidecarEntry
from ctrlgraph.character.spatial.spatial_schema import SpatialSidecarEntry
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, quoted
from ctrlgraph.paths import display_path
from ctrlgraph.yaml_source import YamlSource, parse_yaml

_WHAT = "character"


def load_mjcf(path: Path | str) -> Character:
    """Return the character of a MuJoCo XML file and of the file of roles next to it, if there is one.

    Raises:
        SourceError: the files have errors; the exception lists all of them.
        CtrlGraphError: the file of roles is a symbolic link to a file outside its directory.
    """
    return _required(*_read_file(Path(path), thorough=False))


def check_mjcf(path: Path | str) -> list[Finding]:
    """Return all errors and warnings of a MuJoCo XML file, of the file of roles next to it and of its meshes."""
    try:
        return _read_file(Path(path), thorough=True)[1]
    except SourceError as error:
        return list(error.findings)
    except CtrlGraphError as error:
        return [Finding("error", "outside", str(error), display_path(path))]


def parse_mjcf(text: str, path: str = "character.xml", roles: str | None = None) -> Character:
    """Return the character in the text of a MuJoCo model.

    Args:
        text: text of the model.
        path: name of the model's file in messages. A model without a name has the name of this file.
        roles: text of a file of roles; None for no such file.

    Raises:
        SourceError: the texts have errors; the exception lists all of them.
    """
    stem = Path(path).stem
    beside = None if roles is None else parse_yaml(roles, str(roles_path(Path(path))), WHAT)
    return _required(*_read(parse_xml(text, path, _WHAT), beside, stem, None, False))


def _required(character: Character | None, findings: list[Finding]) -> Character:
    if character is None:
        raise SourceError(findings)
    return character


def _read_file(path: Path, thorough: bool) -> tuple[Character | None, list[Finding]]:
    return _read(read_xml(path, _WHAT), read_sidecar(path), path.stem, path.parent, thorough)


def _read(
    source: XmlSource, beside: YamlSource | None, stem: str, directory: Path | None, thorough: bool
) -> tuple[Character | None, list[Finding]]:
    """Return the character of a model, None if it has errors, and the errors and warnings.

    Args:
        source: the model.
        beside: the file of roles, None without one.
        stem: name of the model's file without suffix.
        directory: directory of the model's file, for meshes; None if the model is not in a file.
        thorough: whether to read the meshes, to check them.
    """
    findings = Findings(source)
    character: Character | None = None
    with suppress(EnoughFound):
        if is_mujoco(source.root, findings):
            if is_spatial(source.root):
                meshes = MeshAssets(source.root, directory, thorough, findings)
                character = _read_spatial(source.root, beside, stem, meshes, findings)
            else:
                character = _read_planar(source.root, beside, stem, findings)
    return (None if findings.failed else character), findings.all()


def _read_planar(root: XmlElement, beside: YamlSource | None, stem: str, findings: Findings) -> PlanarCharacter | None:
    entry, beside = _entry(beside, SidecarEntry, findings)
    return _compile(root, beside, entry, stem, findings)


def _read_spatial(
    root: XmlElement, beside: YamlSource | None, stem: str, meshes: MeshAssets, findings: Findings
) -> SpatialCharacter | None:
    entry, beside = _entry(beside, SpatialSidecarEntry, findings)
    return compile_spatial(root, _name(root, stem, findings), beside, entry, meshes, findings)


def _entry(beside: YamlSource | None, kind: type[EntryT], findings: Findings) -> tuple[EntryT, YamlSource | None]:
    """Return the contents of a file of roles, and the file. If it has errors, report them and return an empty one.

    Args:
        beside: the file of roles, None without one.
        kind: class of the contents.
        findings: receives the errors.
    """
    try:
        return read_entry(beside, kind), beside
    except SourceError as error:  # the model is checked as well
        findings.include(error.findings)
        return kind(), None


def _compile(
    root: XmlElement, beside: YamlSource | None, entry: SidecarEntry, stem: str, findings: Findings
) -> PlanarCharacter | None:
    """Return the character in a model. If the model has errors, report the errors and return None.

    Args:
        root: the root element of the model.
        beside: the file of roles, None without one.
        entry: contents of the file of roles.
        stem: name of the model's file without suffix.
        findings: receives the errors and warnings.
    """
    check_sections(root, findings)
    warn_of_options(root, findings)
    parsed = parse_model(root, findings)
    if parsed is None:
        return None
    actuators = read_actuators(parsed, findings)
    compiled = compile_model(parsed, findings)
    if compiled is None:
        return None
    ground = Ground(compiled, findings)
    free = find_root(compiled, next(root.named("worldbody"), root), findings)
    if free is None:
        return None
    bodies = find_links(compiled, free)
    check_links(compiled, bodies, findings)
    links = [build_link(body, compiled, ground, findings) for body in bodies]
    names = [body.joint_name for body in bodies[1:]]
    hinges = [read_hinge(body.body, body.joint_name, compiled, findings) for body in bodies[1:]]
    of_root = {joint.name for joint in free.joints}
    others = {joint.name for joint in compiled.spec.joints}
    torques = joint_torques(actuators, set(names), of_root, others, findings)
    if beside is not None:
        touching = {link.name: bool(link.contacts) for link in links}
        findings.include(check_sidecar(beside, entry, touching, names))
    joints = [
        _joint(hinge, (body.parent, child), torques.get(hinge.name), entry, findings)
        for child, (body, hinge) in enumerate(zip(bodies[1:], hinges, strict=True), start=1)
        if hinge is not None
    ]
    name = _name(root, stem, findings)
    if findings.failed:
        return None
    return _with_roles(_standing(name, tuple(links), tuple(joints), entry), beside, entry, root, findings)


def _name(root: XmlElement, stem: str, findings: Findings) -> str:
    """Return the name of the model or, if it has none, `stem`: the name of its file. Report an invalid name."""
    name = root.attributes.get("model") or stem
    fault = name_fault(name)
    if fault is not None:
        findings.add("bad-name", f"the model's name {fault}", root, "model", hint="write <mujoco model='NAME'>")
    return name


def _joint(
    hinge: Hinge, ends: tuple[int, int], actuators: TorqueRange | None, entry: SidecarEntry, findings: Findings
) -> PlanarJoint:
    """Return a joint of the character at its position in the model.

    Args:
        hinge: the hinge.
        ends: indices of the parent and the child link.
        actuators: torque range of the hinge's actuators about MuJoCo's axis, N m; None without actuators.
        entry: contents of the file of roles, whose torque limits take precedence.
        findings: receives the errors and warnings.
    """
    name, (x, z) = hinge.name, hinge.anchor
    check_place(f"the joint {quoted(name)}", (x, z), hinge.element, findings)
    stated = entry.torque.get(name)
    if stated is not None:
        limit, hard = stated.ranges
    else:
        limits = torque_limits(name, hinge.element, actuators, hinge.force_range, findings)
        limit, hard = (_clockwise(each, hinge) for each in limits)
    gains = entry.gains_of(name)
    return PlanarJoint(
        name=name,
        parent=ends[0],
        child=ends[1],
        x=x,
        y=z,
        lower=hinge.lower,
        upper=hinge.upper,
        torque_limit=limit,
        hard_torque_limit=hard,
        kp=gains.kp,
        kd=gains.kd,
    )


def _clockwise(limits: TorqueRange, hinge: Hinge) -> TorqueRange:
    """Convert torque limits about MuJoCo's axis of a hinge to limits that are positive clockwise."""
    return limits if hinge.sign > 0 else TorqueRange(-limits.upper, -limits.lower)


def _standing(
    name: str, links: tuple[PlanarLink, ...], joints: tuple[PlanarJoint, ...], entry: SidecarEntry
) -> PlanarCharacter:
    """Return the character, shifted vertically so that its lowest contact circle touches y = 0.

    If no link has contact circles, the bottom of the lowest link is at y = 0.

    Args:
        name: name of the character.
        links: the links at their positions in the model.
        joints: the joints at their positions in the model.
        entry: contents of the file of roles, which provides the aliases.
    """
    lowest = [link.y + c.y - c.radius for link in links for c in link.contacts]
    ground = min(lowest or (link.y - link.height / 2.0 for link in links))
    names = [link.name for link in links]
    return PlanarCharacter(
        name=name,
        links=tuple(replace(link, y=link.y - ground) for link in links),
        joints=tuple(replace(joint, y=joint.y - ground) for joint in joints),
        link_aliases={alias: meant for alias, meant in entry.aliases.items() if meant in names},
        joint_aliases={alias: meant for alias, meant in entry.aliases.items() if meant not in names},
    )


def _with_roles(
    character: PlanarCharacter, beside: YamlSource | None, entry: SidecarEntry, root: XmlElement, findings: Findings
) -> PlanarCharacter:
    """Return a copy of the character with its roles and its digest (hash).

    If roles were guessed from names, a warning suggests what to write into the file of roles.
    """
    touching = {link.name: bool(link.contacts) for link in character.links}
    stated = RoleStatement(touching, character.joint_names, entry)
    character = replace(character, roles=roles_of(stated, guess_roles(character)))
    missing = missing_roles(stated, character)
    if missing:
        message = f"no file lists {' or '.join(missing)}, so they are guessed from names"
        lines = "; ".join(f"{field}: {text}" for field, text in missing.items())
        where = roles_path(Path(findings.source.path)).name if beside is None else beside.path
        findings.add("no-roles", message, root, hint=f"write into {where}: {lines}", severity="warning")
    elif not stated.states("roles"):
        message = "no file lists roles, and the names of the links do not show them: the character has no feet or trunk"
        hint = f"write the roles into {roles_path(Path(findings.source.path)).name} next to the model"
        findings.add("no-roles", message, root, hint=hint, severity="warning")
    return replace(character, digest=digest_of_meaning(character))
