"""Learned edges whose scripts have changed since: which they are, and how they were learned."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.graph.learned_summary import LearnedSummary
    from ctrlgraph.project import Project

COMMAND = "learn"

_NOT_KEPT = {"--filmstrip": 1, "--jobs": 1, "--cluster": 1, "--checkpoint": 1, "--json": 0, "--dry-run": 0}
"""Options that decide nothing about what is found, and how many words follow each."""


def stale_edges(project: Project) -> list[LearnedSummary]:
    """The learned edges that the graph refuses because a script of theirs is another now."""
    from ctrlgraph.graph.learned_summary import summaries

    found = summaries(project.graph, project.courses, project.directory)
    return [summary for summary in found if summary.state == "stale" and summary.file is not None and summary.file.edge]


def recorded_arguments(summary: LearnedSummary) -> list[list[str]]:
    """The arguments of the `learn` commands by which an edge was learned, one after another, with the seeds that were
    drawn then. An edge that is bound to a condition may have one for each of its values.

    Raises:
        CtrlGraphError: its file does not say.
    """
    search = {} if summary.file is None else summary.file.search
    searches = [search, *(each for each in search.values() if isinstance(each, dict))]
    found = [arguments for each in searches if (arguments := _arguments(each))]
    if not found:
        raise CtrlGraphError(f"{summary.path} does not say how it was learned: learn {summary.name} by hand")
    # what the first one went on from is what has become stale
    return [[word for word in found[0] if word != "--refine"], *found[1:]]


def _arguments(search: Mapping[str, object]) -> list[str]:
    words = shlex.split(str(search.get("command", "")))
    if COMMAND not in words:
        return []
    arguments = words[words.index(COMMAND) + 1 :]
    return arguments if "--seed" in arguments or "seed" not in search else [*arguments, "--seed", str(search["seed"])]


def kept_command(words: str) -> str:
    """A command line as a learned file keeps it: without what only concerned the machine and the moment."""
    kept, rest = [], shlex.split(words)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if name not in _NOT_KEPT:
            kept.append(word)
        elif not value:
            del rest[: _NOT_KEPT[name]]
    return shlex.join(kept)
