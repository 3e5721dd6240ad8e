"""The hashes by which older versions knew what a project holds, and the present ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.learned_model import LearnedFile
from ctrlgraph.project.old_form import place_of, text_digest_of

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Edge, Node
    from ctrlgraph.project.project import Project

Hashes = dict[str, str]
"""New hashes by old ones."""


def old_hashes(project: Project, worlds: Iterable[str], runs: Iterable[tuple[str, str, int]]) -> Hashes:
    """Return the present hash for every hash that an older version would have made of the project as it is.

    What cannot be run (a script with errors, a stale file) has none.

    Args:
        worlds: digests of worlds in which edges were attempted.
        runs: source, target and cycles of attempts; a learned edge's program depends on the cycles.
    """
    old, graph = _OldIdentity(project), project.graph
    asked: list[Callable[[], Hashes]] = [partial(old.of_node, node) for node in graph]
    asked += [partial(old.of_constants, edge) for edge in graph.edges]
    asked += [partial(old.of_edge, edge, world) for world in dict.fromkeys(worlds) for edge in (None, *graph.edges)]
    asked += [partial(old.of_programs, *run) for run in dict.fromkeys(runs)]
    found = Hashes()
    for ask in asked:
        with suppress(CtrlGraphError):
            found |= ask()
    return {before: after for before, after in found.items() if before != after}


class _OldIdentity:
    """Pairs of old and new hashes of what a project holds."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._files: dict[str, str] = {}

    def of_node(self, node: Node) -> Hashes:
        """Return its program's, its constants' and its own."""
        project, plain = self._project, self._project.resolver.plain(node)
        found = {text_digest_of(plain): plain.digest, self._node(node): project.node_hash(node)}
        if node.adapted is not None:
            found[self._file(node, node.adapted)] = project.resolver.learned(node.adapted).file.digest
        return found

    def of_constants(self, edge: Edge) -> Hashes:
        """Return those of what is learned for an edge."""
        return {} if edge.parameters is None else {self._constants(edge): self._project.resolver.edge_digest(edge)}

    def of_edge(self, edge: Edge | None, world: str) -> Hashes:
        """Return an edge's in a world; None is the start from the start pose."""
        project, character = self._project, self._project.character.digest
        if edge is None:
            start = self._node(project.graph.node(project.graph.start))
            return {_hash("start", start, character, world): project.edge_hash(None, world)}
        ends = [self._node(project.graph.node(name)) for name in (edge.source, edge.target)]
        constants = project.program(edge.target).constants.tobytes().hex() + self._constants(edge)
        return {_hash("edge", edge.kind.value, *ends, constants, character, world): project.edge_hash(edge, world)}

    def of_programs(self, source: str, target: str, cycles: int) -> Hashes:
        """Return what runs over the learned edges between two nodes."""
        edges = [e for e in self._project.graph.edges if (e.source, e.target) == (source, target) and e.parameters]
        programs = [self._project.edge_controller(edge, target, cycles)[0] for edge in edges]
        return {text_digest_of(program): program.digest for program in programs}

    def _node(self, node: Node) -> str:
        program = text_digest_of(self._project.resolver.plain(node))
        adapted = "" if node.adapted is None else f" {self._file(node, node.adapted)}"
        return _hash("node", node.digest, program + adapted)

    def _constants(self, edge: Edge) -> str:
        if edge.parameters is None:
            return ""
        bridge = self._project.resolver.programs(edge).get("bridge")
        data = [self._file(edge, edge.parameters), "" if bridge is None else text_digest_of(bridge)]
        return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:32]

    def _file(self, user: Node | Edge, path: str) -> str:
        """The digest that an older version gave to a learned file that says what this one does.

        Raises:
            SourceError: it is unfit for the scripts as they are.
        """
        if path not in self._files:
            resolver, directory = self._project.resolver, self._project.directory
            resolver.require(user)
            self._files[path] = _file_digest(resolver.learned(path).file, resolver.programs(user), directory)
        return self._files[path]


def _file_digest(file: LearnedFile, programs: Mapping[str, Controller], directory: Path) -> str:
    data = file.model_dump(mode="json", exclude={"search": True, "held_out": True})
    for name, program in programs.items():
        if data[name] is None:
            continue
        data[name]["program"] = text_digest_of(program)
        if name in file.parts:
            places = {p.id: place_of(program, i, directory) for i, p in enumerate(program.parameters)}
            data[name]["constants"] = [[places[c["id"]], c["new"]] for c in data[name]["constants"]]
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
