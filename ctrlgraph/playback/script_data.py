"""Controller scripts as data for a browser: their texts and the lines of their phases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

MAX_CHARACTERS = 2_000_000
"""Maximum number of characters of all scripts of a page together. Scripts that exceed it are omitted."""


def phases_of(script: Any) -> list[dict[str, int]]:
    """Return `phase` (its number), `first` and `last` (its lines) of each phase of a parsed script.

    Args:
        script: Parsed script; None if it has errors, which gives an empty list.
    """
    if script is None:
        return []
    return [
        {"phase": int(phase.number.value), "first": phase.span.line, "last": phase.span.end_line}
        for phase in script.phases
    ]


def scripts_of(project: Project, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the current `text` and `phases` (`phases_of`) of scripts of a project, by path.

    Args:
        project: Project with the scripts.
        names: Paths relative to the project, as in the signal `script`. Paths that are unknown or whose scripts have
            errors are ignored.
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
