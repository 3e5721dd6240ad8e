"""Projects: directories with a graph file, a character, controllers and a run log."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ctrlgraph.arguments import checked
from ctrlgraph.control.kinds import SCRIPT, read_controller
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.paths import GRAPH_FILE as GRAPH_FILE
from ctrlgraph.paths import RUNS_DIRECTORY as RUNS_DIRECTORY
from ctrlgraph.paths import contained, display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.control.script.program import Program
    from ctrlgraph.graph.model import ControllerGraph, Edge, Node
    from ctrlgraph.project.controllers import ControllerResolver
    from ctrlgraph.run_log.run_log import RunLog
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.rollout import Rollout
    from ctrlgraph.terrain.terrain import TerrainPreview


class Project:
    """A project: a directory with a `graph.yaml`. The files of the project are read when they are first used.

    Properties raise `SourceError` if a file that they need has errors.

    >>> from ctrlgraph import Project
    >>> project = Project.find()
    >>> project.graph.start, project.character.name
    ('stand', 'humanoid')
    """

    @checked
    def __init__(self, directory: Path | str, *, engine: str | None = None) -> None:
        """
        Args:
            directory: Project directory.
            engine: Name of the physics engine. None: the engine that the graph file names.

        Raises:
            CtrlGraphError: The directory has no graph.yaml, or graph.yaml is a link that leads out of the directory.
        """
        self.directory = Path(directory)
        self._engine = engine
        self._characters: dict[Path, Character | SourceError] = {}
        self._controllers: dict[tuple[str, Path, tuple[float, ...], bool], Controller] = {}
        if not self.graph_path.is_file():
            shown = display_path(self.directory)
            raise CtrlGraphError(f"{shown} is not a project: it has no {GRAPH_FILE} ('ctrlgraph init DIR' makes one)")
        contained(self.directory, GRAPH_FILE)

    @classmethod
    @checked
    def find(cls, start: str | Path | None = None, *, engine: str | None = None) -> Project:
        """Return the project in a directory or, if it has no graph.yaml, in the nearest parent directory that has one.

        Args:
            start: Directory in which the search begins. None: the current directory.
            engine: Name of the physics engine. None: the engine that the graph file names.

        Raises:
            CtrlGraphError: Neither the directory nor a parent has a graph.yaml, or the current directory no longer
                exists.
        """
        try:
            start = Path.cwd() if start is None else Path(start).absolute()
        except FileNotFoundError:
            raise CtrlGraphError("the current directory no longer exists; change to another one") from None
        for directory in (start, *start.parents):
            if (directory / GRAPH_FILE).is_file():
                return cls(directory, engine=engine)
        raise CtrlGraphError(
            f"there is no {GRAPH_FILE} in {start} or above it: change to a project directory,"
            " give --project DIR, or make one with 'ctrlgraph init DIR'"
        )

    @property
    def graph_path(self) -> Path:
        """Path of the graph file."""
        return self.directory / GRAPH_FILE

    @property
    def runs_directory(self) -> Path:
        """Directory of the run log and the sweeps.

        Raises:
            CtrlGraphError: The directory is a link that leads out of the project.
        """
        return contained(self.directory, RUNS_DIRECTORY)

    @cached_property
    def graph(self) -> ControllerGraph:
        """Graph of the project, read from the graph file and checked."""
        from ctrlgraph.graph.reader import load_graph

        return load_graph(self.graph_path, self.library, self._read_character)

    @property
    def engine(self) -> str:
        """Name of the physics engine."""
        return self._engine or self.graph.engine

    @checked
    def environment(self, terrain: str = "flat", friction: float = 1.0, **more: Any) -> Environment:
        """Return an environment (terrain, engine settings and perturbations) with the project's engine.

        Args:
            terrain: Terrain as text, such as "slope=4", or path of a course file (terrain with obstacles).
            friction: Friction coefficient of the ground.
            **more: Further fields of `Environment`.

        Raises:
            SourceError: The course file has errors.
            TerrainError: The text does not describe a terrain.
        """
        from ctrlgraph.simulation.environment import Environment
        from ctrlgraph.terrain.course_file import terrain_words

        return Environment(terrain_words(terrain), friction, self.engine, **more)

    @cached_property
    def character(self) -> Character:
        """Character that the graph file names."""
        from ctrlgraph.graph.files import character_path

        return self._read_character(character_path(self.directory, self.graph.character))

    def _read_character(self, path: Path) -> Character:
        """Return the character in a file, which is read only at the first call."""
        from ctrlgraph.character.files import load_character

        if path not in self._characters:
            try:
                self._characters[path] = load_character(path)
            except SourceError as error:
                self._characters[path] = error
        found = self._characters[path]
        if isinstance(found, SourceError):
            raise found
        return found

    @cached_property
    def library(self) -> ScriptLibrary:
        """Scripts of the project. Each script is parsed only once."""
        from ctrlgraph.graph.files import script_library

        return script_library(self.directory)

    @checked
    def program(self, node: Node | str) -> Controller:
        """Return the controller of a node with the constants in the controller's file, without learned constants.

        Each file is read only once.

        Args:
            node: Node, or its name.

        Raises:
            CtrlGraphError: The graph has no such node.
            SourceError: The file of the controller has errors.
        """
        found = self._node(node)
        path = contained(self.directory, found.file)
        return self.read_controller(found.controller, path, found.args, found.mirrored)

    def _node(self, node: Node | str) -> Node:
        return self.graph.node(node) if isinstance(node, str) else node

    @checked
    def compile(self, path: Path, args: tuple[float, ...] = ()) -> Program:
        """Return the program (compiled script) for given arguments. It is compiled only at the first call.

        Args:
            path: File of the script.
            args: Values of the script's parameters.

        Raises:
            SourceError: The script has errors.
        """
        return cast("Program", self.read_controller(SCRIPT, path, args))

    def read_controller(
        self, kind: str, path: Path, args: tuple[float, ...] = (), mirrored: bool = False
    ) -> Controller:
        """Return the controller in a file. The file is read only once for the same arguments.

        Args:
            kind: Name of the kind of controller, such as "script" (see `ctrlgraph.control.kinds`).
            path: File of the controller.
            args: Arguments of the controller.
            mirrored: True exchanges the right and the left side of the body.

        Raises:
            CtrlGraphError: There is no such kind, or controllers of this kind cannot be mirrored.
            SourceError: The file has errors.
        """
        key = (kind, path, args, mirrored)
        if key not in self._controllers:
            try:
                self._controllers[key] = read_controller(
                    kind, path, args, self.character, self.library, mirrored=mirrored
                )
            except SourceError as error:
                raise SourceError(replace(f, path=display_path(f.path)) for f in error.findings) from None
        return self._controllers[key]

    def revise(self, path: Path, text: str | None) -> None:
        """Use another text in place of the contents of a script's file. The file is not changed.

        Controllers that use the script are compiled again when they are next needed.

        Args:
            path: File of the script.
            text: Text to use. None: use the contents of the file again.
        """
        if text is None:
            self.library.withdraw(path)
        else:
            self.library.put(path, text)
        self._controllers = {
            key: known
            for key, known in self._controllers.items()
            if key[1] != path and all(place.script != path.stem for place in getattr(known, "places", ()))
        }
        self.__dict__.pop("resolver", None)

    def relative(self, path: str) -> str:
        """Return a path relative to the directory of the project. A path outside the project is returned unchanged."""
        absolute, directory = Path(path).absolute(), self.directory.absolute()
        return absolute.relative_to(directory).as_posix() if absolute.is_relative_to(directory) else path

    @cached_property
    def resolver(self) -> ControllerResolver:
        """Cache of the controllers that run for nodes and edges, with learned constants."""
        from ctrlgraph.project.controllers import ControllerResolver

        return ControllerResolver(self.directory, self.graph, self.read_controller)

    @checked
    def controller(self, node: Node | str, preview: TerrainPreview | None = None) -> Controller:
        """Return the controller of a node; for a gain-scheduled node, with the learned constants for the ground.

        Args:
            node: Node, or its name.
            preview: Slope of the ground, and the obstacle ahead. None: level ground.

        Raises:
            CtrlGraphError: The graph has no such node.
            SourceError: The file of the controller or the learned file has errors, or the learned file is stale.
        """
        return self.resolver.controller(self._node(node), preview)

    @checked
    def edge_controller(
        self, edge: Edge | None, node: Node | str, cycles: int, preview: TerrainPreview | None = None
    ) -> tuple[Controller, int]:
        """Return the controller that runs when a node is entered by an edge.

        For a learned edge, the controller can join several controllers that run one after another: last cycles of the
        source, a bridging script, and the node.

        Args:
            edge: Edge to the node. None: the node runs with its own controller, without an edge.
            node: Node, or its name.
            cycles: Number of cycles of the node.
            preview: Slope of the ground, and the obstacle ahead. None: level ground.

        Returns:
            The controller, and how often to run it: `cycles` times, or once if it joins several controllers.

        Raises:
            CtrlGraphError: The graph has no such node.
            SourceError: The file of a controller or a learned file has errors, or a learned file is stale.
        """
        return self.resolver.edge_controller(edge, self._node(node), cycles, preview)

    @checked
    def rollout(
        self,
        edge: Edge | None,
        node: Node | str,
        cycles: int,
        preview: TerrainPreview | None = None,
        *,
        length: float = 1.0,
        timeout: float | None = None,
        predicts_falls: bool = False,
    ) -> Rollout:
        """Return the rollout of a node that is entered by an edge: controller, timeout and conditions.

        Args:
            edge: Edge to the node. None: the node runs with its own controller, without an edge.
            node: Node, or its name.
            cycles: Number of cycles of the node.
            preview: Slope of the ground, and the obstacle ahead. None: level ground.
            length: Factor by which all lengths of the body are scaled. Heights in the node's conditions are scaled too.
            timeout: Maximum simulated duration, s. None: the timeout of the node for this number of cycles.
            predicts_falls: Whether a predicted fall ends the rollout if the node has a corrective edge for it. It never
                ends that of a learned edge.

        Raises:
            CtrlGraphError: The graph has no such node.
            SourceError: The file of a controller or a learned file has errors, or a learned file is stale.
        """
        from ctrlgraph.graph.model import EdgeKind
        from ctrlgraph.project.rollout import node_rollout

        found = self._node(node)
        controller = self.edge_controller(edge, found, cycles, preview)
        rollout = node_rollout(found, controller, cycles, length=length, timeout=timeout)
        if not predicts_falls or (edge is not None and edge.kind is EdgeKind.LEARNED):
            return rollout  # a learned edge can begin with steps, which move the capture point off the feet
        return replace(rollout, predicts=self.graph.predicted_falls(found.name))

    def require_learned(self) -> None:
        """Check that all learned files that the graph uses are valid and not stale.

        Raises:
            SourceError: A learned file has errors or is stale.
        """
        from ctrlgraph.project.learned_checks import check_learned

        errors = [f for f in check_learned(self.graph, self.resolver, self.directory) if f.severity == "error"]
        if errors:
            raise SourceError(errors)

    def node_hash(self, node: Node | str) -> str:
        """Return a hash of everything that affects a node's success: controller, learned constants and conditions."""
        found = self._node(node)
        return _hash("node", found.digest, self.resolver.node_digest(found))

    def edge_hash(self, edge: Edge | None, world: str) -> str:
        """Return a hash of everything that affects the success of an edge.

        This includes both nodes, the learned file, the character and the environment.

        Args:
            edge: Edge. None: the result is for the start node, run from the start pose.
            world: Digest of the environment (terrain, engine settings and perturbations).
        """
        if edge is None:
            return _hash("start", self.node_hash(self.graph.start), self.character.digest, world)
        ends = (self.node_hash(edge.source), self.node_hash(edge.target))
        return _hash("edge", edge.kind.value, *ends, self.resolver.edge_digest(edge), self.character.digest, world)

    def log(self) -> RunLog:
        """Open the run log for writing. Close it after use, for example with a `with` block.

        Raises:
            RunLogError: The directory `runs/` cannot be written, or the log is damaged.
        """
        from ctrlgraph.run_log.run_log import RunLog

        return RunLog.open(self.runs_directory)

    def read_log(self) -> RunLog:
        """Open the run log for reading. Close it after use, for example with a `with` block.

        Raises:
            NothingLogged: Nothing is logged yet.
            RunLogError: The log cannot be read.
        """
        from ctrlgraph.run_log.run_log import RunLog

        return RunLog.read(self.runs_directory)


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
