"""The controllers that run for nodes and edges: scripts and other controller files, with learned constants.

A learned file contains constants that a search has found for a learned edge or a gain-scheduled node (a node whose
constants depend on the ground). An edge without a learned file runs the controller of its target.
"""

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
from ctrlgraph.project.learned import LearnedFile, LearnedSource, apply_constants, load_learned, read_learned
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview

Read = Callable[..., Controller]

_DIGITS = 6
"""Number of decimals of slope (degrees) and obstacle height (m) in the keys of caches."""
_KEPT = 512
"""Maximum number of cached controllers. On uneven ground, nearly every transition needs a controller of its own."""


class ControllerResolver:
    """Cache that makes and stores the controllers that run for the nodes and edges of a graph.

    A naive or corrective edge runs the controller of its target. A learned edge runs the controller of its target with
    learned constants. Before the target, a learned edge can run last cycles of the source and a bridging script. All of
    these are joined to one program, but success is measured only from the beginning of the target.
    """

    def __init__(self, directory: Path, graph: ControllerGraph, read: Read) -> None:
        """
        Args:
            directory: Directory of the project.
            graph: Graph with the nodes and edges.
            read: Function that reads a controller, such as `Project.read_controller`. Its arguments are the kind of
                controller, the file, the controller's arguments, and whether right and left are exchanged.
        """
        self._directory = directory
        self._graph = graph
        self._read = read
        self._files: dict[str, LearnedSource] = {}
        self._controllers: dict[tuple[str, str, tuple[float, ...], TerrainPreview], Controller] = {}
        self._edge_controllers: dict[tuple[Edge, int, TerrainPreview], tuple[Controller, int]] = {}

    def learned(self, path: str) -> LearnedSource:
        """Return a learned file, which is read only at the first call.

        Args:
            path: Path relative to the directory of the project.

        Raises:
            SourceError: The file has errors.
            CtrlGraphError: The file is outside the project.
        """
        if path not in self._files:
            self._files[path] = load_learned(contained(self._directory, path))
        return self._files[path]

    def read(self, path: str) -> LearnedFile:
        """Read a learned file again, even if `learned` has cached it, and return its contents.

        Args:
            path: Path relative to the directory of the project.

        Raises:
            SourceError: The file has errors.
            CtrlGraphError: The file is outside the project.
        """
        return read_learned(contained(self._directory, path))

    def plain(self, node: Node) -> Controller:
        """Return the controller of a node with the constants in the controller's file, without learned constants."""
        return self._read(node.controller, contained(self._directory, node.file), node.args, node.mirrored)

    def programs(self, user: Node | Edge) -> dict[str, Controller]:
        """Return the controllers to which the learned file of a node or an edge applies, without learned constants.

        Args:
            user: Node or edge.

        Returns:
            Controller of each part of the learned file, by name of the part, in the order in which the parts run:
            "source", "bridge" (the script between source and target), "target". A node, or an edge without a learned
            file, has only a "target".

        Raises:
            SourceError: The learned file or the file of a controller has errors.
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
            script = contained(self._directory, file.bridge.script)
            before["bridge"] = self._read(SCRIPT, script, tuple(file.bridge.args), False)
        return before | target

    def findings(self, user: Node | Edge) -> list[Finding]:
        """Return the reasons why the learned file of a node or an edge cannot be used. Empty: it can be used.

        Possible reasons: the file belongs to another node or edge, it is stale (learned for another version of a
        script), it names unknown constants, or it joins controllers of a kind that cannot be joined.

        Args:
            user: Node or edge. If it has no learned file, the result is empty.

        Raises:
            SourceError: The learned file or the file of a controller has errors.
        """
        path = user.adapted if isinstance(user, Node) else user.parameters
        if path is None:
            return []
        learned = self.learned(path)
        field, name = ("node", user.name) if isinstance(user, Node) else ("edge", str(user))
        found = getattr(learned.file, field)
        if found is None or "".join(found.split()) != "".join(name.split()):
            message = (
                f"the file is for '{learned.file.title}', but the graph uses it for the {field} '{name}': correct"
                " the file or the graph"
            )
            place = ["edge" if learned.file.edge is not None else "node"]
            return [learned.yaml.finding("wrong-target", message, place)]
        programs = self.programs(user)
        return [*learned.findings(programs), *_unjoinable(learned, programs)]

    def controller(self, node: Node, preview: TerrainPreview | None = None) -> Controller:
        """Return the controller of a node; for a gain-scheduled node, with the learned constants for the ground.

        Args:
            node: Node of the graph.
            preview: Slope of the ground, and the obstacle ahead. None: level ground.

        Raises:
            SourceError: The file of the controller or the learned file has errors, or the learned file is stale.
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
        """Return the controller that runs when a node is entered by an edge.

        Args:
            edge: Edge to the node. None: the node runs with its own controller, without an edge.
            node: Node to enter.
            cycles: Number of cycles of the node.
            preview: Slope of the ground, and the obstacle ahead. None: level ground.

        Returns:
            The controller, and how often to run it: `cycles` times, or once if it joins several controllers.

        Raises:
            SourceError: The file of a controller or a learned file has errors, or a learned file is stale.
        """
        if edge is None or edge.parameters is None:
            return self.controller(node, preview), cycles
        ground = same_ground(preview) if self._varies(edge) else LEVEL
        key = (edge, cycles, ground)
        if key not in self._edge_controllers:
            self.require(edge)
            _make_room(self._edge_controllers)
            file = self.learned(edge.parameters).file
            bridge = self.programs(edge).get("bridge")
            self._edge_controllers[key] = joined(edge, self.parts(edge, file, bridge, cycles, ground))
        return self._edge_controllers[key]

    def parts(
        self, edge: Edge, file: LearnedFile, bridge: Controller | None, cycles: int, preview: TerrainPreview = LEVEL
    ) -> list[Part[Controller]]:
        """Return the controllers that a learned edge runs one after another.

        These are last cycles of the source, the bridging script, the first cycles of the target with learned constants,
        and the remaining cycles of the target without learned constants. A controller for which the file has no entry
        is omitted.

        Args:
            edge: Edge between two nodes of the graph. The edge itself need not be in the graph.
            file: Learned file of the edge, learned for the current scripts (not stale).
            bridge: Controller of the bridging script. None: the file has no bridging script.
            cycles: Number of cycles of the target.
            preview: Slope of the ground, and the obstacle ahead.
        """
        preview = same_ground(preview)

        def end(node: str, part: str) -> Any:
            known, base = file.parts.get(part), self.controller(self._graph.node(node), preview)
            return base if known is None else apply_constants(base, known.constants, file.condition, preview)

        parts: list[Part[Controller]] = []
        if file.source is not None:
            parts.append(Part(end(edge.source, "source"), file.source.cycles or 1, judged=False))
        if bridge is not None:
            parts.append(Part(bridge, judged=False))
        first = cycles
        if file.target is not None and file.target.cycles is not None:
            first = min(cycles, file.target.cycles)
        parts.append(Part(end(edge.target, "target"), first))
        if cycles > first:
            rest: Any = self.controller(self._graph.node(edge.target), preview)
            parts.append(Part(rest, cycles - first))
        return parts

    def _varies(self, edge: Edge) -> bool:
        """Return True if the constants of an edge's controller depend on the slope or the obstacle ahead."""
        nodes = (self._graph.node(edge.source), self._graph.node(edge.target))
        files = [edge.parameters, *(node.adapted for node in nodes)]
        return any(self.learned(path).file.varies for path in files if path is not None)

    def require(self, user: Node | Edge) -> None:
        """Check that the learned file of a node or an edge can be used.

        Raises:
            SourceError: The file cannot be used. The error has the reasons that `findings` returns.
        """
        findings = self.findings(user)
        if findings:
            raise SourceError(findings)

    # --- digests ---

    def node_digest(self, node: Node) -> str:
        """Return the digest of a node's controller, followed by the digest of the node's learned file, if any."""
        program = self.plain(node).digest
        return program if node.adapted is None else f"{program} {self.learned(node.adapted).file.digest}"

    def edge_digest(self, edge: Edge) -> str:
        """Return a hash of everything in an edge's learned file that affects motions. Empty: no learned file."""
        if edge.parameters is None:
            return ""
        file = self.learned(edge.parameters).file
        bridge = self.programs(edge)["bridge"].digest if file.bridge is not None else ""
        return hashlib.sha256(json.dumps([file.digest, bridge]).encode()).hexdigest()[:32]


def _unjoinable(learned: LearnedSource, programs: Mapping[str, Controller]) -> list[Finding]:
    """Return a finding for each controller that a learned file joins with others although its kind cannot be joined."""
    file = learned.file
    if len(programs) == 1 and (file.target is None or file.target.cycles is None):
        return []
    message = "'{0.name}' is of the kind '{0.kind}': a learned file with a source, a bridge or 'cycles' needs scripts"
    return [
        learned.yaml.finding("mixed-kinds", message.format(each), [part] if getattr(file, part) is not None else [])
        for part, each in programs.items()
        if not CONTROLLER_KINDS[each.kind].can_join
    ]


def joined(edge: Edge, parts: Sequence[Part[Controller]]) -> tuple[Controller, int]:
    """Join controllers that run one after another into one controller.

    Args:
        edge: Edge that runs the controllers. The joined controller gets the name of the edge.
        parts: Controllers with their numbers of cycles, in the order in which they run. At least one.

    Returns:
        The controller to run and its number of cycles: the joined controller with 1 cycle, or a single part unchanged.

    Raises:
        CtrlGraphError: There are several controllers, and the kind of one of them cannot be joined.
    """
    if len(parts) == 1:
        return parts[0].controller, parts[0].cycles
    for part in parts:
        if not CONTROLLER_KINDS[part.controller.kind].can_join:
            raise CtrlGraphError(
                f"the edge {edge} joins several controllers, which must be scripts,"
                f" but '{part.controller.name}' is of the kind '{part.controller.kind}'"
            )
    return CONTROLLER_KINDS[parts[0].controller.kind].join(str(edge), parts), 1


def same_ground(preview: TerrainPreview | None) -> TerrainPreview:
    """Round the slope and the obstacle height of a ground, so that equal grounds have the same key in caches.

    Rounding is necessary because the slope of a terrain is computed. The slope of a hill of 3 degrees is
    3.0000000000000004.

    Args:
        preview: Slope of the ground, and the obstacle ahead. None: level ground.
    """
    if preview is None:
        return LEVEL
    # adding 0.0 makes -0.0 into 0.0
    return TerrainPreview(round(preview.slope, _DIGITS) + 0.0, round(preview.obstacle, _DIGITS) + 0.0)


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) >= _KEPT:
        kept.clear()
