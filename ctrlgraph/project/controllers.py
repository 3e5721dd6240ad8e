"""What a simulation is given to run for a node or an edge: programs with learned constants, joined where needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ctrlgraph.control.controller import Controller, Part
from ctrlgraph.control.kinds import CONTROLLER_KINDS, SCRIPT
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.paths import contained
from ctrlgraph.project.learned import (
    LearnedBridge,
    LearnedFile,
    LearnedSource,
    apply_constants,
    load_learned,
    read_learned,
)
from ctrlgraph.terrain.profile import LEVEL, TerrainPreview

Read = Callable[..., Controller]

_DIGITS = 6  # of slope and obstacle: what is closer is the same ground
_KEPT = 512  # programs; on uneven ground nearly every transition has one of its own


class ControllerResolver:
    """The controllers and courses of a graph, each made once.

    A *course* is what runs for one transition: a naive or corrective edge's is the target's controller for its
    cycles; that of a learned edge may begin with cycles of the source and a bridge, and is then one program. It
    is judged as a whole, by the target's conditions.
    """

    def __init__(self, directory: Path, graph: ControllerGraph, read: Read) -> None:
        """
        Args:
            directory: of the project.
            graph: controller graph.
            read: a kind of controller, its file, its arguments and whether it is mirrored to the controller.
        """
        self._directory = directory
        self._graph = graph
        self._read = read
        self._files: dict[str, LearnedSource] = {}
        self._controllers: dict[tuple[str, str, tuple[float, ...], TerrainPreview], Controller] = {}
        self._edge_controllers: dict[tuple[Edge, int, TerrainPreview], tuple[Controller, int]] = {}

    def learned(self, path: str) -> LearnedSource:
        """Return a learned file; `path` is relative to the project's directory.

        Raises:
            SourceError: it has faults.
            CtrlGraphError: it lies outside the project.
        """
        if path not in self._files:
            self._files[path] = load_learned(contained(self._directory, path))
        return self._files[path]

    def read(self, path: str) -> LearnedFile:
        """Return a learned file as it is on disk now.

        Raises:
            SourceError: it has faults.
            CtrlGraphError: it lies outside the project.
        """
        return read_learned(contained(self._directory, path))

    def _bridge(self, bridge: LearnedBridge) -> Controller:
        return self._read(SCRIPT, contained(self._directory, bridge.script), tuple(bridge.args), False)

    def plain(self, node: Node) -> Controller:
        """Return a node's controller as its file says."""
        return self._read(node.controller, contained(self._directory, node.file), node.args, node.mirrored)

    def programs(self, user: Node | Edge) -> dict[str, Controller]:
        """Return the programs of the parts ("source", "bridge", "target") of an adapted node's or a learned edge's
        file, as the scripts now are.

        Raises:
            SourceError: the file or a script has faults.
        """
        if isinstance(user, Node):
            return {"target": self.plain(user)}
        target = {"target": self.plain(self._graph.node(user.target))}
        if user.parameters is None:
            return target
        file, before = self.learned(user.parameters).file, {}
        if file.source is not None:
            before["source"] = self.plain(self._graph.node(user.source))
        if file.bridge is not None:
            before["bridge"] = self._bridge(file.bridge)
        return before | target

    def findings(self, user: Node | Edge) -> list[Finding]:
        """Return what makes the learned file of an adapted node or a learned edge unfit for it: it is about another
        one, or stale.

        Raises:
            SourceError: the file or a script has faults.
        """
        path = user.adapted if isinstance(user, Node) else user.parameters
        if path is None:
            return []
        learned = self.learned(path)
        field, name = ("node", user.name) if isinstance(user, Node) else ("edge", str(user))
        found = getattr(learned.file, field)
        if found is None or "".join(found.split()) != "".join(name.split()):
            message = f"this file is about '{learned.file.title}', and the graph uses it for the {field} '{name}'"
            place = ["edge" if learned.file.edge is not None else "node"]
            return [learned.yaml.finding("wrong-target", message, place)]
        programs = self.programs(user)
        return [*learned.findings(programs), *_unjoinable(learned, programs)]

    def controller(self, node: Node, preview: TerrainPreview | None = None) -> Controller:
        """Return a node's program, adapted to the ground where the node has a file for that.

        Raises:
            SourceError: the script or the file has faults, or the file is stale.
        """
        plain = self.plain(node)
        if node.adapted is None:
            return plain
        learned = self.learned(node.adapted)
        ground = same_ground(preview) if learned.file.varies else LEVEL
        key = (node.name, node.file, node.args, ground)
        if key not in self._controllers:
            self.require(node)
            _make_room(self._controllers)
            self._controllers[key] = learned.applied("target", plain, ground)
        return self._controllers[key]

    def edge_controller(
        self, edge: Edge | None, node: Node, cycles: int, preview: TerrainPreview | None = None
    ) -> tuple[Controller, int]:
        """Return the program and the cycles that `Simulation.run` is given to enter `node` over `edge`.

        Raises:
            SourceError: a script or a learned file has faults, or a file is stale.
        """
        if edge is None or edge.parameters is None:
            return self.controller(node, preview), cycles
        ground = same_ground(preview) if self._varies(edge) else LEVEL
        key = (edge, cycles, ground)
        if key not in self._edge_controllers:
            self.require(edge)
            _make_room(self._edge_controllers)
            self._edge_controllers[key] = self._learned_course(edge, self.learned(edge.parameters), cycles, ground)
        return self._edge_controllers[key]

    def _learned_course(
        self, edge: Edge, learned: LearnedSource, cycles: int, preview: TerrainPreview
    ) -> tuple[Controller, int]:
        bridge = self.programs(edge)["bridge"] if learned.file.bridge is not None else None
        return joined(edge, self.parts(edge, learned.file, bridge, cycles, preview))

    def parts(
        self, edge: Edge, file: LearnedFile, bridge: Controller | None, cycles: int, preview: TerrainPreview = LEVEL
    ) -> list[Part[Controller]]:
        """Return what an edge with such a learned file runs on some ground, one after another: cycles of the source,
        the bridge, the target's first cycles with constants of their own, and its others as they are.

        Args:
            edge: between nodes of the graph; it need not be in the graph itself.
            file: fit for the scripts as they are.
            bridge: the program of the file's bridge.
            cycles: number of cycles.
            preview: ground ahead.
        """
        preview = same_ground(preview)

        def end(node: str, part: str) -> Any:
            known, base = file.parts.get(part), self.controller(self._graph.node(node), preview)
            if known is None:
                return base
            return apply_constants(base, known.constants, file.condition, preview)

        parts: list[Part[Controller]] = []
        if file.source is not None:
            parts.append(Part(end(edge.source, "source"), file.source.cycles or 1))
        if bridge is not None:
            parts.append(Part(bridge, 1))
        first = cycles
        if file.target is not None and file.target.cycles is not None:
            first = min(cycles, file.target.cycles)
        parts.append(Part(end(edge.target, "target"), first))
        if cycles > first:
            rest: Any = self.controller(self._graph.node(edge.target), preview)
            parts.append(Part(rest, cycles - first))
        return parts

    def _varies(self, edge: Edge) -> bool:
        """Whether the edge's course depends on the ground."""
        nodes = (self._graph.node(edge.source), self._graph.node(edge.target))
        files = [edge.parameters, *(node.adapted for node in nodes)]
        return any(self.learned(path).file.varies for path in files if path is not None)

    def require(self, user: Node | Edge) -> None:
        """
        Raises:
            SourceError: what is learned for it is unfit (see `findings`).
        """
        findings = self.findings(user)
        if findings:
            raise SourceError(findings)

    # --- what decides a motion ---

    def node_digest(self, node: Node) -> str:
        """Return the hash of a node's program and of what it is adapted with."""
        program = self.plain(node).digest
        return program if node.adapted is None else f"{program} {self.learned(node.adapted).file.digest}"

    def edge_digest(self, edge: Edge) -> str:
        """Return the hash of everything in an edge's learned file that decides a motion; empty where it has none."""
        if edge.parameters is None:
            return ""
        file = self.learned(edge.parameters).file
        bridge = self.programs(edge)["bridge"].digest if file.bridge is not None else ""
        return hashlib.sha256(json.dumps([file.digest, bridge]).encode()).hexdigest()[:32]


def _unjoinable(learned: LearnedSource, programs: Mapping[str, Controller]) -> list[Finding]:
    """Return a finding for each controller of another kind that the file joins with others to one: only scripts can."""
    file = learned.file
    if len(programs) == 1 and (file.target is None or file.target.cycles is None):
        return []
    message = (
        "'{0.name}' is of the kind '{0.kind}', and only scripts can be joined with what comes before or after them"
    )
    return [
        learned.yaml.finding("mixed-kinds", message.format(each), [part] if getattr(file, part) is not None else [])
        for part, each in programs.items()
        if not CONTROLLER_KINDS[each.kind].can_join
    ]


def joined(edge: Edge, parts: Sequence[Part[Controller]]) -> tuple[Controller, int]:
    """Return an edge's parts as one controller, and how often it runs.

    Raises:
        CtrlGraphError: they are several, and not all of them are scripts.
    """
    if len(parts) == 1:
        return parts[0].controller, parts[0].cycles
    for part in parts:
        if not CONTROLLER_KINDS[part.controller.kind].can_join:
            raise CtrlGraphError(
                f"the edge {edge} runs several controllers as one, which only scripts can be joined to,"
                f" and '{part.controller.name}' is of the kind '{part.controller.kind}'"
            )
    kind = CONTROLLER_KINDS[parts[0].controller.kind]
    return kind.join(str(edge), parts), 1


def same_ground(preview: TerrainPreview | None) -> TerrainPreview:
    """Return the ground that constants are chosen for, one for all that are hardly different (level where None): the
    slope of a polyline is a quotient, so that a hill of 3 degrees is one of 3.0000000000000004.
    """
    if preview is None:
        return LEVEL
    # adding 0.0 makes -0.0 into 0.0
    return TerrainPreview(round(preview.slope, _DIGITS) + 0.0, round(preview.obstacle, _DIGITS) + 0.0)


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) >= _KEPT:
        kept.clear()
