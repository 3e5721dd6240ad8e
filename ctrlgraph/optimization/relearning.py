"""Stale learned edges (their scripts have changed) and the commands that learned them.

Learned files are untrusted. They can only set options that `optimization.options` allows, and only for their own edge.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.optimization.options import LARGEST_SEED, parse_words, words_of
from ctrlgraph.paths import contained
from ctrlgraph.yaml_source import shown_value

if TYPE_CHECKING:
    from ctrlgraph.project.learned import LearnedSource
    from ctrlgraph.project.learned_summary import LearnedSummary
    from ctrlgraph.project.project import Project

COMMAND = "learn"

_NOT_KEPT = {"--filmstrip": 1, "--jobs": 1, "--cluster": 1, "--checkpoint": 1, "--json": 0, "--dry-run": 0}
"""Options that do not influence the result, and the number of words that follow each."""


def stale_edges(project: Project) -> list[LearnedSummary]:
    """Return the learned edges that the graph rejects because one of their scripts has changed."""
    from ctrlgraph.project.learned_summary import summaries

    found = summaries(project.graph, project.resolver, project.directory)
    return [summary for summary in found if summary.state == "stale" and summary.file is not None and summary.file.edge]


def recorded_arguments(project: Project, summary: LearnedSummary) -> list[list[str]]:
    """Return the arguments of the `learn` commands that learned an edge, with their seeds.

    An edge with a condition may have one command for each value of the condition.

    Args:
        project: Project with the edge.
        summary: The edge.

    Raises:
        SourceError: The file contains no `learn` command of this edge, or it contains an option that only a command
            line can set.
        CtrlGraphError: The file contains no command.
    """
    source = project.resolver.learned(summary.path)
    search = source.file.search
    searches = [((), search), *(((key,), each) for key, each in search.items() if isinstance(each, dict))]
    found = [words for place, each in searches if (words := _arguments(project, source, summary.name, place, each))]
    if not found:
        raise CtrlGraphError(f"{summary.path} does not say how it was learned: learn {summary.name} by hand")
    # the first command must not start from the stale edge
    return [[word for word in found[0] if word != "--refine"], *found[1:]]


def _arguments(
    project: Project, source: LearnedSource, edge: str, place: tuple[str, ...], search: Mapping[str, object]
) -> list[str]:
    try:
        words = _words(search.get("command", ""))
        if COMMAND not in words:
            return []
        start, end, options = parse_words(words[words.index(COMMAND) + 1 :])
        if f"{start} -> {end}" != edge:
            raise CtrlGraphError(f"it learns {start} -> {end}, and not the edge {edge} that keeps it")
        bridge = options.get("bridge")
        if bridge is not None and not bridge.isdecimal():
            contained(project.directory, bridge)
    except CtrlGraphError as error:
        finding = source.yaml.finding(
            "bad-command",
            f"this command cannot be repeated: {error}",
            ["search", *place, "command"],
            hint=f"learn {edge} by hand",
        )
        raise SourceError([finding]) from None
    return words_of(start, end, options if "seed" in options else options | _seed(source, place, search))


def _words(command: object) -> list[str]:
    if not isinstance(command, str):
        raise CtrlGraphError(f"it is no text, but {shown_value(command)}")
    try:
        return shlex.split(command)
    except ValueError as error:
        raise CtrlGraphError(f"it is no command line ({str(error).lower()})") from None


def _seed(source: LearnedSource, place: tuple[str, ...], search: Mapping[str, object]) -> dict[str, Any]:
    seed = search.get("seed")
    if seed is None:
        return {}
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        message = f"a seed must be a whole number from 0 to {LARGEST_SEED}, not {shown_value(seed)}"
        raise SourceError([source.yaml.finding("bad-value", message, ["search", *place, "seed"])])
    return {"seed": seed}


def kept_command(words: str) -> str:
    """Return a command line without the options that do not influence the result."""
    kept, rest = [], shlex.split(words)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if name not in _NOT_KEPT:
            kept.append(word)
        elif not value:
            del rest[: _NOT_KEPT[name]]
    return shlex.join(kept)
