"""The file beside a model, `NAME.roles.yaml` beside `NAME.xml`: what a character is beyond what MJCF can say.

Its fields are those of a character file, and are checked as they are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ctrlgraph.character.aliases import check_aliases
from ctrlgraph.character.paths import roles_path
from ctrlgraph.character.roles import RoleStatement, check_roles
from ctrlgraph.character.schema import SidecarEntry
from ctrlgraph.errors import Finding, SourceError, suggestion
from ctrlgraph.paths import contained
from ctrlgraph.yaml_source import Location, YamlSource, read_yaml, validate

WHAT = "roles"
"""What messages call the file."""


def read_sidecar(path: Path) -> YamlSource | None:
    """Return the file beside a model; None where there is none.

    Raises:
        CtrlGraphError: it is a link that leads out of its directory.
        SourceError: it cannot be read.
    """
    beside = roles_path(path)
    if not (beside.is_symlink() or beside.exists()):
        return None
    return read_yaml(contained(beside.parent, beside.name), WHAT)


def read_entry(source: YamlSource | None) -> SidecarEntry:
    """Return what a file beside a model says; one that says nothing where there is none.

    Raises:
        SourceError: it has errors; it holds all that are seen without the model.
    """
    if source is None:
        return SidecarEntry()
    entry, findings = validate(source, SidecarEntry)
    if entry is None:
        raise SourceError(findings)
    return entry


def check_sidecar(
    source: YamlSource, entry: SidecarEntry, links: Mapping[str, bool], joints: Sequence[str]
) -> list[Finding]:
    """Return what is wrong with a file beside a model.

    Args:
        source: the file, for locations.
        entry: what the file says.
        links: by name, whether the link touches the ground.
        joints: the names of joints.
    """
    findings = check_roles(source, RoleStatement.of(entry, links, joints))
    given = ((alias, ["aliases", alias]) for alias in entry.aliases)
    findings += check_aliases(source, [*links, *joints], entry.aliases, given)
    for name, place in _named_joints(entry):
        if name not in joints:
            hint = suggestion(name, joints)
            findings.append(source.finding("unknown-joint", f"there is no joint '{name}'", place, key=True, hint=hint))
    for name, torque in entry.torque.items():
        fault = torque.fault()
        if fault is not None:
            findings.append(source.finding("bad-limits", f"joint '{name}': {fault}", ["torque", name]))
    return findings


def _named_joints(entry: SidecarEntry) -> Iterator[tuple[str, Location]]:
    for name in entry.torque:
        yield name, ["torque", name]
    for name in entry.gains.joints:
        yield name, ["gains", "joints", name]
