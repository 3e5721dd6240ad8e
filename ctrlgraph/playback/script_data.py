"""Controller files as data for a browser: text, and for scripts the line numbers of the phases."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import read_bytes
from ctrlgraph.paths import contained

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
    """Return the current text and phases of controller files of a project, by path relative to the project.

    Args:
        project: Project with the files.
        names: Paths of the files relative to the project. Unreadable files, files outside the project and scripts with
            errors are ignored.

    Returns:
        For each path, a dict with the keys `text` and `phases` (the result of `phases_of`; empty for other files).
    """
    own = {project.relative(str(path)): path for path in project.library.paths()}
    found: dict[str, dict[str, Any]] = {}
    room = MAX_CHARACTERS
    for name in sorted(filter(None, set(names))):
        text, phases = None, []
        if name in own:
            parsed = project.library.parse(own[name])
            if parsed.script is not None:
                text, phases = parsed.text, phases_of(parsed.script)
        else:
            with contextlib.suppress(CtrlGraphError, OSError, ValueError):
                text = read_bytes(contained(project.directory, name), MAX_CHARACTERS).decode()
        if text is not None and len(text) <= room:
            room -= len(text)
            found[name] = {"text": text, "phases": phases}
    return found
