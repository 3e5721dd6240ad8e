"""Checks of aliases (alternative names) of links and joints, in character files and files of roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource


def check_aliases(
    source: YamlSource, known: Sequence[str], stated: Mapping[str, str], given: Iterable[tuple[str, Location]]
) -> list[Finding]:
    """Return findings about aliases of unknown links and joints, and about aliases that are ambiguous.

    Args:
        source: the file with the aliases.
        known: names of all links and joints of the character.
        stated: contents of the file's field `aliases`: the name of a link or joint, by alias.
        given: every alias that the file defines, in this field or at a link or joint, with its location in the file.
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
