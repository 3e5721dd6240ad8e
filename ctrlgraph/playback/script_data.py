"""Scripts as plain data for a browser: their texts, and where their phases stand in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

MAX_CHARACTERS = 2_000_000
"""Of all scripts of a page together; those for which there is no room are left out."""


def phases_of(script: Any) -> list[dict[str, int]]:
    """Return from which line to which each phase of a script goes; nothing where it cannot be read."""
    if script is None:
        return []
    return [
        {"phase": int(phase.number.value), "first": phase.span.line, "last": phase.span.end_line}
        for phase in script.phases
    ]


def scripts_of(project: Project, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return scripts of a project, as they now are: `text` and `phases` by path.

    Args:
        names: paths relative to the project, as signals have them; what is no script of it is passed over.
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
