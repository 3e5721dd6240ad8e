"""The file of roles `NAME.roles.yaml` next to a MuJoCo model `NAME.xml`: data of a character that MJCF cannot contain.

Roles, pairs and aliases have the form of a YAML character file, with the same checks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ctrlgraph.character.aliases import check_aliases
from ctrlgraph.character.paths import roles_path
from ctrlgraph.character.roles import CONTACT_CIRCLES, RoleStatement, check_roles
from ctrlgraph.character.schema import SidecarEntry
from ctrlgraph.errors import Finding, SourceError, suggestion
from ctrlgraph.paths import contained
from ctrlgraph.yaml_source import Location, YamlSource, read_yaml, validate

WHAT = "roles"
"""Kind of file in messages about a file of roles."""

EntryT = TypeVar("EntryT", bound=SidecarEntry)


def read_sidecar(path: Path) -> YamlSource | None:
    """Return the file of roles next to the model `path`; None if the file does not exist.

    Raises:
        CtrlGraphError: the file of roles is a symbolic link to a file outside its directory.
        SourceError: the file of roles cannot be read.
    """
    beside = roles_path(path)
    if not (beside.is_symlink() or beside.exists()):
        return None
    return read_yaml(contained(beside.parent, beside.name), WHAT)


def read_entry(source: YamlSource | None, kind: type[EntryT]) -> EntryT:
    """Return the validated contents of a file of roles; default values if there is no such file (None).

    Args:
        source: the file of roles.
        kind: class of the contents: that of planar or of spatial characters.

    Raises:
        SourceError: the file has errors; the exception lists all errors that can be found without the model.
    """
    if source is None:
        return kind()
    entry, findings = validate(source, kind)
    if entry is None:
        raise SourceError(findings)
    return entry


def check_sidecar(
    source: YamlSource,
    entry: SidecarEntry,
    links: Mapping[str, bool],
    joints: Sequence[str],
    contacts: str = CONTACT_CIRCLES,
) -> list[Finding]:
    """Return errors and warnings about the names, roles and torque limits in a file of roles.

    Args:
        source: the file of roles, which provides locations for the findings.
        entry: contents of the file.
        links: whether a link can touch the ground, by name of the link; all links of the model.
        joints: names of the joints of the model.
        contacts: what lets a link touch the ground, for messages.
    """
    findings = check_roles(source, RoleStatement(links, joints, entry, contacts))
    given = ((alias, ["aliases", alias]) for alias in entry.aliases)
    findings += check_aliases(source, [*links, *joints], entry.aliases, given)
    named: list[tuple[str, Location]] = [(name, ["torque", name]) for name in entry.torque]
    named += [(name, ["gains", "joints", name]) for name in entry.gains.joints]
    for name, place in named:
        if name not in joints:
            hint = suggestion(name, joints)
            findings.append(
                source.finding("unknown-joint", f"the model has no joint '{name}'", place, key=True, hint=hint)
            )
    for name, torque in entry.torque.items():
        fault = torque.fault()
        if fault is not None:
            findings.append(source.finding("bad-limits", f"joint '{name}': {fault}", ["torque", name]))
    return findings
