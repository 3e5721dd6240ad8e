"""Learned edges whose scripts have changed since: which they are, and how they were learned."""

from __future__ import annotations

import shlex
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


def recorded_arguments(summary: LearnedSummary) -> list[str]:
    """The arguments of the `learn` command by which an edge was learned, with the seed that was drawn then.

    Raises:
        CtrlGraphError: its file does not say.
    """
    search = {} if summary.file is None else summary.file.search
    words = shlex.split(str(search.get("command", "")))
    if COMMAND not in words:
        raise CtrlGraphError(f"{summary.path} does not say how it was learned: learn {summary.name} by hand")
    arguments = words[words.index(COMMAND) + 1 :]
    if "--refine" in arguments:
        arguments.remove("--refine")  # what it went on from is what has become stale
    if "--seed" not in arguments and "seed" in search:
        arguments += ["--seed", str(search["seed"])]
    return arguments


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
