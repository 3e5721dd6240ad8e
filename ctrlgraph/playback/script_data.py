"""Controller scripts as data for a browser: text, and the line numbers of the phases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

MAX_CHARACTERS = 2_000_000
"""Maximum number of characters of all scripts on a page together. Scripts that would exceed it are omitted."""


def phases_of(script: Any) -> list[dict[str, int]]:
    """Return the phases of a parsed script: a dict with `phase` (number), `first` and `last` (line numbers) for each.

    Args:
        script: Parsed script; None if the script has errors. The list is then empty.
    """
    if script is None:
        return []
    return [
        {"phase": int(phase.number.value), "first": phase.span.line, "last": phase.span.end_line}
        for phase in script.phases
    ]


def scripts_of(project: Project, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the current text and phases of scripts of a project, by path relative to the project.

    Args:
        project: Project with the scripts.
        names: Paths of the scripts relative to the project. Unknown paths and scripts with errors are ignored.

    Returns:
        For each path, a dict with the keys `text` and `phases` (the result of `phases_of`).
    """
    own = {project.relative(str(path)): path for path in project.library.paths()}
    found: dict[str, dict[str, Any]] = {}
    room = MAX_CHARACTERS
    for name in sorted(set(names) & set(own)):
        parsed = project.library.parse(own[name])
        if parsed.script is not None and len(parsed.text) <= room:
            room -= len(parsed.text)
            found[name] = {"text": parsed.text, "phases": phases_of(parsed.script)}
    return found
