"""Checks of the learned files of a project, which contain the constants of learned edges and gain-scheduled nodes.

The checks find learned files that do not fit the graph or its scripts, missing bridging scripts (scripts between source
and target of an edge), and files that nothing uses.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.paths import LEARNED_DIRECTORY, contained, display_path
from ctrlgraph.project.controllers import ControllerResolver


def users_of(graph: ControllerGraph) -> list[tuple[Edge | Node, str]]:
    """Return (edge or node, path of its learned file) for all learned edges, then for all gain-scheduled nodes."""
    users: list[tuple[Edge | Node, str]] = []
    users += [(edge, edge.parameters) for edge in graph.edges if edge.parameters is not None]
    users += [(node, node.adapted) for node in graph if node.adapted is not None]
    return users


def check_learned(graph: ControllerGraph, resolver: ControllerResolver, directory: Path) -> list[Finding]:
    """Return the errors of the learned files that a graph uses, and a warning for each file in `learned/` not used.

    Errors in scripts are not returned. `ctrlgraph check` finds these errors separately.

    Args:
        graph: Graph of the project.
        resolver: Controllers of the graph.
        directory: Directory of the project.
    """
    findings: list[Finding] = []
    used: set[Path] = set()
    for user, path in users_of(graph):
        used.add((directory / path).resolve())
        try:
            learned = resolver.learned(path)
        except SourceError as error:
            findings += error.findings
            continue
        bridge = learned.file.bridge
        if bridge is not None:
            used.add((directory / bridge.script).resolve())
            fault = _script_fault(directory, bridge.script)
            if fault is not None:
                findings.append(learned.yaml.finding("unknown-script", fault, ["bridge", "script"]))
                continue
        try:
            findings += resolver.findings(user)
        except SourceError:
            continue
    return [*dict.fromkeys(findings), *_unused(directory, used)]


def _script_fault(directory: Path, script: str) -> str | None:
    try:
        there = os.path.isfile(contained(directory, script))
    except CtrlGraphError as error:
        return str(error)
    return None if there else f"there is no bridging script '{script}'"


def learned_scripts(directory: Path) -> list[Path]:
    """Return the paths of the scripts in `learned/` of a project, which are bridging scripts."""
    return sorted((directory / LEARNED_DIRECTORY).glob("*.[ts]"))


def learned_files(directory: Path) -> list[Path]:
    """Return the paths of the learned files in `learned/` of a project."""
    return sorted((directory / LEARNED_DIRECTORY).glob("*.yaml"))


def _unused(directory: Path, used: set[Path]) -> Iterator[Finding]:
    for path in (*learned_files(directory), *learned_scripts(directory)):
        if path.resolve() not in used:
            what = "learned file" if path.suffix == ".yaml" else "script of a learned edge"
            message = f"this {what} is not used by any edge or node of the graph"
            yield Finding("warning", "unused-file", message, display_path(path))
