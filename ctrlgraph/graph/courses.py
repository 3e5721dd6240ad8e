"""What a simulation is given to run for a node or an edge: programs with learned constants, joined where needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from ctrlgraph.control.program import Program
from ctrlgraph.control.sequence import Part, sequence
from ctrlgraph.errors import SourceError
from ctrlgraph.graph.learned import LearnedSource, load_learned
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.terrain import LEVEL, Ahead

Compile = Callable[[Path, tuple[float, ...]], Program]

_DIGITS = 6  # of slope and obstacle: what is closer is the same ground


class Courses:
    """The controllers and courses of a graph, each made once.

    A *course* is what runs for one transition: a naive or corrective edge's is the target's controller for its
    cycles; that of a learned edge may begin with cycles of the source and a bridge, and is then one program. It
    is judged as a whole, by the target's conditions.
    """

    def __init__(self, directory: Path, graph: ControllerGraph, compile_script: Compile) -> None:
        self._directory = directory
        self._graph = graph
        self._compile = compile_script
        self._files: dict[str, LearnedSource] = {}
        self._controllers: dict[tuple[str, tuple[float, ...], Ahead], Program] = {}
        self._courses: dict[tuple[Edge, int, Ahead], tuple[Program, int]] = {}

    def learned(self, path: str) -> LearnedSource:
        """A learned file; `path` is relative to the project's directory.

        Raises:
            SourceError: it has faults.
        """
        if path not in self._files:
            self._files[path] = load_learned(self._directory / path)
        return self._files[path]

    def plain(self, node: Node) -> Program:
        """A node's program as its script says."""
        return self._compile(self._directory / node.script, node.args)

    def controller(self, node: Node, ahead: Ahead | None = None) -> Program:
        """A node's program, adapted to the ground where the node has a file for that.

        Raises:
            SourceError: the script or the file has faults, or the file is stale.
        """
        plain = self.plain(node)
        if node.adapted is None:
            return plain
        learned = self.learned(node.adapted)
        ground = _rounded(ahead) if learned.file.varies else LEVEL
        key = (node.name, node.args, ground)
        if key not in self._controllers:
            _expect(learned, "node", node.name)
            self._controllers[key] = learned.applied("target", plain, ground)
        return self._controllers[key]

    def course(self, edge: Edge | None, node: Node, cycles: int, ahead: Ahead | None = None) -> tuple[Program, int]:
        """The program and the cycles that `Simulation.run` is given to enter `node` over `edge`.

        Raises:
            SourceError: a script or a learned file has faults, or a file is stale.
        """
        if edge is None or edge.parameters is None:
            return self.controller(node, ahead), cycles
        ground = _rounded(ahead) if self._varies(edge) else LEVEL
        key = (edge, cycles, ground)
        if key not in self._courses:
            self._courses[key] = self._learned_course(edge, self.learned(edge.parameters), cycles, ground)
        return self._courses[key]

    def _learned_course(self, edge: Edge, learned: LearnedSource, cycles: int, ahead: Ahead) -> tuple[Program, int]:
        _expect(learned, "edge", str(edge))
        file, parts = learned.file, []
        if file.source is not None:
            source = self._graph.node(edge.source)
            base = self.controller(source, ahead)
            parts.append(Part(learned.applied("source", self.plain(source), ahead, base), file.source.cycles or 1))
        if file.bridge is not None:
            bridge = self._compile(self._directory / file.bridge.script, tuple(file.bridge.args))
            parts.append(Part(learned.applied("bridge", bridge, ahead), 1))
        target = self._graph.node(edge.target)
        base = self.controller(target, ahead)
        changed = learned.applied("target", self.plain(target), ahead, base)
        first = cycles
        if file.target is not None and file.target.cycles is not None:
            first = min(cycles, file.target.cycles)
        parts.append(Part(changed, first))
        if cycles > first:
            parts.append(Part(base, cycles - first))
        if len(parts) == 1:
            return parts[0].program, parts[0].cycles
        return sequence(str(edge), parts), 1

    def _varies(self, edge: Edge) -> bool:
        """Whether the edge's course depends on the ground."""
        nodes = (self._graph.node(edge.source), self._graph.node(edge.target))
        files = [edge.parameters, *(node.adapted for node in nodes)]
        return any(self.learned(path).file.varies for path in files if path is not None)

    # --- what decides a motion ---

    def node_digest(self, node: Node) -> str:
        """Hash of a node's program and of what it is adapted with."""
        program = self.plain(node).digest
        return program if node.adapted is None else f"{program} {self.learned(node.adapted).file.digest}"

    def edge_digest(self, edge: Edge) -> str:
        """Hash of everything in an edge's learned file that decides a motion; empty where it has none."""
        if edge.parameters is None:
            return ""
        file = self.learned(edge.parameters).file
        bridge = ""
        if file.bridge is not None:
            bridge = self._compile(self._directory / file.bridge.script, tuple(file.bridge.args)).digest
        return hashlib.sha256(json.dumps([file.digest, bridge]).encode()).hexdigest()[:32]


def _rounded(ahead: Ahead | None) -> Ahead:
    if ahead is None:
        return LEVEL
    # adding 0.0 makes -0.0 into 0.0
    return Ahead(round(ahead.slope, _DIGITS) + 0.0, round(ahead.obstacle, _DIGITS) + 0.0)


def _expect(learned: LearnedSource, field: str, name: str) -> None:
    """Whether the file is about this edge or node.

    Raises:
        SourceError: it is not.
    """
    found = getattr(learned.file, field)
    if found is not None and " ".join(found.split()) == name:
        return
    message = f"this file is about {learned.file.title!r}, and the graph uses it for the {field} '{name}'"
    place = ["edge" if learned.file.edge is not None else "node"]
    raise SourceError([learned.yaml.finding("wrong-target", message, place)])
