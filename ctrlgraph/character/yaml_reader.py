"""Reader of YAML character files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ctrlgraph.bounds import MAX_FINDINGS
from ctrlgraph.character.aliases import check_aliases
from ctrlgraph.character.digest import digest_of
from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import ContactPoint, PlanarCharacter, PlanarJoint, PlanarLink
from ctrlgraph.character.roles import RoleStatement, check_roles, guess_roles, roles_of, suggest_roles
from ctrlgraph.character.schema import CharacterEntry, JointEntry, LinkEntry
from ctrlgraph.errors import Finding, SourceError, suggestion
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, parse_yaml, read_yaml, validate


def check_character(path: Path | str) -> list[Finding]:
    """Return all errors and warnings of a character file. An unreadable file is an error."""
    try:
        return _parse(read_yaml(path, "character"))[1]
    except SourceError as error:
        return list(error.findings)


def load_character(path: Path | str) -> Character:
    """Return the character in a YAML character file.

    Raises:
        SourceError: the file has errors; the exception contains all of them.
    """
    return _character(read_yaml(path, "character"))


def parse_character(text: str, path: str = "character.yaml") -> Character:
    """Return the character in the text of a character file.

    Args:
        text: text of the file.
        path: name of the file in messages.

    Raises:
        SourceError: the text has errors; the exception contains all of them.
    """
    return _character(parse_yaml(text, path, "character"))


def _character(source: YamlSource) -> Character:
    character, findings = _parse(source)
    if character is None:
        raise SourceError(findings)
    return character


def _parse(source: YamlSource) -> tuple[Character | None, list[Finding]]:
    try:
        planar = TypeAdapter(bool).validate_python(source.data.get("planar", True))
    except ValidationError:
        return None, [source.finding("bad-value", "planar must be true or false", ["planar"])]
    other = _other_dimension(source, planar)
    if other is not None:
        return None, [other]
    if not planar:
        from ctrlgraph.character.spatial.spatial_yaml import parse_spatial

        return parse_spatial(source)
    entry, findings = validate(source, CharacterEntry)
    if entry is None:
        return None, findings
    findings += _check_tree(source, entry) + _check_joints(source, entry)
    findings += check_aliases(source, [*entry.links, *entry.joints], entry.aliases, _given_aliases(entry))
    warnings: list[Finding] = []
    touching = {name: bool(link.contacts) for name, link in entry.links.items()}
    stated = RoleStatement(touching, tuple(entry.joints), entry)
    for finding in check_roles(source, stated):
        (findings if finding.severity == "error" else warnings).append(finding)
    if findings:
        return None, first_findings([*findings, *warnings])
    character = _build(source, entry, stated)
    return character, (warnings + suggest_roles(source, stated, character))[:MAX_FINDINGS]


def _other_dimension(source: YamlSource, planar: bool) -> Finding | None:
    """Return an error if all links of a planar character have places in space, or those of a spatial one in the plane.

    Without this check, each link would have several errors.

    Args:
        source: the file.
        planar: whether the file is read as that of a planar character.
    """
    links = source.data.get("links")
    places = [link.get("at") for link in links.values() if isinstance(link, dict)] if isinstance(links, dict) else []
    numbers = {len(place) if isinstance(place, list) else 0 for place in places}
    if numbers != {3 if planar else 2}:
        return None
    character, other = ("planar", "spatial") if planar else ("spatial", "planar")
    needed, given = (2, 3) if planar else (3, 2)
    message = f"a {character} character needs {needed} coordinates in 'at' of each link, not {given}"
    hint = f"for a {other} character, state 'planar: {str(not planar).lower()}'"
    place: Location = ["planar"] if "planar" in source.data else ["links"]
    return source.finding("wrong-dimension", message, place, key=True, hint=hint)


def _check_tree(source: YamlSource, entry: CharacterEntry) -> list[Finding]:
    """Return errors if a joint does not connect two known links, or if the joints do not form one tree."""
    findings = []
    parents: dict[str, str] = {}
    for name, joint in entry.joints.items():
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in entry.links:
                message = f"joint '{name}': the character has no link '{link}'"
                hint = suggestion(link, entry.links)
                findings.append(source.finding("unknown-link", message, ["joints", name, role], hint=hint))
        if joint.child in parents:
            message = (
                f"link '{joint.child}' is the child of two joints, '{parents[joint.child]}' and '{name}': remove one"
            )
            findings.append(source.finding("not-a-tree", message, ["joints", name, "child"]))
        parents.setdefault(joint.child, name)
    if findings:
        return findings
    reached = _reachable(entry)
    roots = [link for link in entry.links if link not in parents]
    if len(roots) != 1 or len(reached) != len(entry.links):
        lost = sorted(set(entry.links) - reached)
        which = (
            f"'{lost[0]}' is not connected to the root"
            if lost
            else "every link is the child of a joint, so there is no root"
        )
        findings.append(source.finding("not-a-tree", f"the joints do not form one tree: {which}", ["joints"], key=True))
    return findings


def _reachable(entry: CharacterEntry) -> set[str]:
    children = {joint.child for joint in entry.joints.values()}
    reached = set(sorted(entry.links.keys() - children)[:1])
    while more := {joint.child for joint in entry.joints.values() if joint.parent in reached} - reached:
        reached |= more
    return reached


def _check_joints(source: YamlSource, entry: CharacterEntry) -> list[Finding]:
    findings = []
    for name, joint in entry.joints.items():
        lower, upper = joint.limits
        if not lower < upper:
            message = f"joint '{name}': the lower limit {lower:g} must be below the upper limit {upper:g}"
            findings.append(source.finding("bad-limits", message, ["joints", name, "limits"]))
        elif not lower <= 0 <= upper:
            message = f"joint '{name}': the limits {lower:g} to {upper:g} must contain 0, the reference pose"
            findings.append(source.finding("bad-limits", message, ["joints", name, "limits"]))
        fault = joint.torque.fault()
        if fault is not None:
            findings.append(source.finding("bad-limits", f"joint '{name}': {fault}", ["joints", name, "torque"]))
    return findings


def _given_aliases(entry: CharacterEntry) -> Iterator[tuple[str, list[str | int]]]:
    """Yield every alias in a character file with its location: a path of keys and list indices in the file."""
    groups: dict[str, Mapping[str, LinkEntry | JointEntry]] = {"links": entry.links, "joints": entry.joints}
    for group, parts in groups.items():
        for name, part in parts.items():
            for i, alias in enumerate(part.aliases):
                yield alias, [group, name, "aliases", i]
    for alias in entry.aliases:
        yield alias, ["aliases", alias]


def _build(source: YamlSource, entry: CharacterEntry, stated: RoleStatement) -> PlanarCharacter:
    names = list(entry.links)
    links = tuple(
        PlanarLink(
            name=name,
            mass=link.mass,
            inertia=link.mass * (link.size[0] ** 2 + link.size[1] ** 2) / 12.0,
            x=link.at[0],
            y=link.at[1],
            height=link.size[0],
            width=link.size[1],
            contacts=tuple(ContactPoint(*point) for point in link.contacts),
        )
        for name, link in entry.links.items()
    )
    joints = tuple(
        PlanarJoint(
            name=name,
            parent=names.index(joint.parent),
            child=names.index(joint.child),
            x=joint.at[0],
            y=joint.at[1],
            lower=joint.limits[0],
            upper=joint.limits[1],
            torque_limit=joint.torque.ranges[0],
            hard_torque_limit=joint.torque.ranges[1],
            kp=(joint.gains or entry.gains).kp,
            kd=(joint.gains or entry.gains).kd,
            max_speed=joint.max_speed,
            rise_time=joint.rise_time,
        )
        for name, joint in entry.joints.items()
    )
    link_aliases = {alias: name for name, link in entry.links.items() for alias in link.aliases}
    joint_aliases = {alias: name for name, joint in entry.joints.items() for alias in joint.aliases}
    for alias, name in entry.aliases.items():
        (link_aliases if name in entry.links else joint_aliases)[alias] = name
    character = PlanarCharacter(
        name=entry.name, links=links, joints=joints, link_aliases=link_aliases, joint_aliases=joint_aliases
    )
    named = guess_roles(character)
    roles = roles_of(stated, named)
    return replace(character, roles=roles, digest=digest_of(source, roles, named))
