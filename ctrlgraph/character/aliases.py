"""Checks of aliases (other names) of links and joints, in character files and files of roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource


def check_aliases(
    source: YamlSource, known: Sequence[str], stated: Mapping[str, str], given: Iterable[tuple[str, Location]]
) -> list[Finding]:
    """Return the faults of aliases.

    Args:
        source: the file.
        known: names of links and joints.
        stated: entries of the field `aliases`: name by alias.
        given: all aliases of the file with their locations.
    """
    findings = []
    for alias, name in stated.items():
        if name not in known:
            message = f"alias '{alias}': there is no link or joint '{name}'"
            hint = suggestion(name, known)
            findings.append(source.finding("unknown-link", message, ["aliases", alias], hint=hint))
    seen: set[str] = set()
    for alias, location in given:
        key = location[0] == "aliases"
        if alias in known:
            message = f"alias '{alias}' is the name of a link or joint"
            findings.append(source.finding("bad-alias", message, location, key=key))
        elif alias in seen:
            findings.append(source.finding("bad-alias", f"alias '{alias}' is given twice", location, key=key))
        seen.add(alias)
    return findings
