"""Checks of aliases (alternative names) of links and joints, in character files and files of roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import Location, YamlSource


def check_aliases(
    source: YamlSource, known: Sequence[str], stated: Mapping[str, str], given: Iterable[tuple[str, Location]]
) -> list[Finding]:
    """Return an error for each alias of an unknown link or joint, and for each alias that is ambiguous.

    Args:
        source: the file with the aliases.
        known: names of all links and joints of the character.
        stated: the file's field `aliases`, a mapping from an alias to the name of a link or joint.
        given: every alias that the file defines, in the field `aliases` or at a link or joint, with its location in the
            file.
    """
    findings = []
    for alias, name in stated.items():
        if name not in known:
            message = f"alias '{alias}': the character has no link or joint '{name}'"
            findings.append(source.finding("unknown-link", message, ["aliases", alias], hint=suggestion(name, known)))
    seen: set[str] = set()
    for alias, location in given:
        key = location[0] == "aliases"
        if alias in known:
            message = f"alias '{alias}' is the name of a link or joint: choose another alias"
            findings.append(source.finding("bad-alias", message, location, key=key))
        elif alias in seen:
            findings.append(
                source.finding("bad-alias", f"alias '{alias}' is given twice: remove one", location, key=key)
            )
        seen.add(alias)
    return findings
