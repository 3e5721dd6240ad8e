"""A project directory: graph, character, scripts and log."""

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
    from ctrlgraph.runs.run_log import RunLog
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.rollout import Rollout
    from ctrlgraph.terrain.terrain import TerrainPreview


class Project:
    """A directory with a `graph.yaml`. Its parts are read when they are first used.

    Attributes raise SourceError if a file has errors.

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
            engine: The physics engine; the one that the graph names where None.

        Raises:
            CtrlGraphError: The directory holds no graph.yaml, or a link in place of it that leads out.
        """
        self.directory = Path(directory)
        self._engine = engine
        self._characters: dict[Path, Character | SourceError] = {}
        self._controllers: dict[tuple[str, Path, tuple[float, ...], bool], Controller] = {}
        if not self.graph_path.is_file():
            shown = display_path(self.directory)
            raise CtrlGraphError(f"{shown} is no project: it holds no {GRAPH_FILE} ('ctrlgraph init DIR' makes one)")
        contained(self.directory, GRAPH_FILE)

    @classmethod
    @checked
    def find(cls, start: str | Path | None = None, *, engine: str | None = None) -> Project:
        """Return the project of the nearest directory upwards from `start` (the current one where None).

        Raises:
            CtrlGraphError: Neither it nor a parent holds a graph.yaml.
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
        """Return the path of the graph file."""
        return self.directory / GRAPH_FILE

    @property
    def runs_directory(self) -> Path:
        """
        Raises:
            CtrlGraphError: It is a link that leads out of the project.
        """
        return contained(self.directory, RUNS_DIRECTORY)

    @cached_property
    def graph(self) -> ControllerGraph:
        """Return the graph, with everything about it checked."""
        from ctrlgraph.graph.reader import load_graph

        return load_graph(self.graph_path, self.library, self._read_character)

    @property
    def engine(self) -> str:
        """Return the name of the physics engine on which the project's motions are simulated."""
        return self._engine or self.graph.engine

    @checked
    def environment(self, terrain: str = "flat", friction: float = 1.0, **more: Any) -> Environment:
        """Return a world on the project's engine; `more` as `Environment` takes it.

        Args:
            terrain: In words, or the path of a course file.
            friction: Friction coefficient of the ground.
            **more: Other fields of `Environment`.

        Raises:
            SourceError: The course file has faults.
            TerrainError: No course is drawn as the words say.
        """
        from ctrlgraph.simulation.environment import Environment
        from ctrlgraph.terrain.course_file import terrain_words

        return Environment(terrain_words(terrain), friction, self.engine, **more)

    @cached_property
    def character(self) -> Character:
        """Return the character that the graph names."""
        from ctrlgraph.graph.scripts import character_path

        return self._read_character(character_path(self.directory, self.graph.character))

    def _read_character(self, path: Path) -> Character:
        """Return the character of a file, or raise its errors again; the file is read once."""
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
        """Return the scripts of the project, each parsed once."""
        from ctrlgraph.graph.scripts import script_library

        return script_library(self.directory)

    @checked
    def program(self, node: Node | str) -> Controller:
        """Return a node's controller as its file says, read once.

        Raises:
            CtrlGraphError: There is no such node.
            SourceError: Its file has errors.
        """
        found = self.graph.node(node) if isinstance(node, str) else node
        path = contained(self.directory, found.file)
        return self.read_controller(found.controller, path, found.args, found.mirrored)

    @checked
    def compile(self, path: Path, args: tuple[float, ...] = ()) -> Program:
        """Return a script with its arguments as a program, compiled once.

        Raises:
            SourceError: The script has errors.
        """
        return cast("Program", self.read_controller(SCRIPT, path, args))

    def read_controller(
        self, kind: str, path: Path, args: tuple[float, ...] = (), mirrored: bool = False
    ) -> Controller:
        """Return a controller of a kind (`ctrlgraph.control.kinds`) from its file, read once; mirrored: with right and
        left exchanged.

        Raises:
            CtrlGraphError: There is no such kind, or its controllers cannot be mirrored.
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

    def draft(self, path: Path, text: str) -> None:
        """Use a text in place of a script's file, for the script itself."""
        self.library.put(path, text)
        self._controllers = {key: known for key, known in self._controllers.items() if key[1] != path}

    def revise(self, path: Path, text: str | None) -> None:
        """Use a text in place of a script's file, for all controllers that contain it.

        Args:
            path: File of the script.
            text: The text; None: the contents of the file.
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
        """Return a path relative to the project's directory if it is inside, as the log stores it."""
        absolute, directory = Path(path).absolute(), self.directory.absolute()
        return absolute.relative_to(directory).as_posix() if absolute.is_relative_to(directory) else path

    @cached_property
    def resolver(self) -> ControllerResolver:
        """Return the controllers of nodes and edges, with learned constants."""
        from ctrlgraph.project.controllers import ControllerResolver

        return ControllerResolver(self.directory, self.graph, self.read_controller)

    @checked
    def controller(self, node: Node | str, preview: TerrainPreview | None = None) -> Controller:
        """Return a node's program, adapted to the ground `preview` (level where None) if the node has a file for that.

        Raises:
            CtrlGraphError: There is no such node.
            SourceError: Its script or its adapted file has faults, or the file is stale.
        """
        return self.resolver.controller(self.graph.node(node) if isinstance(node, str) else node, preview)

    @checked
    def edge_controller(
        self, edge: Edge | None, node: Node | str, cycles: int, preview: TerrainPreview | None = None
    ) -> tuple[Controller, int]:
        """Return the program and the cycles that `Simulation.run` is given to enter `node` over `edge` and run it
        `cycles` times: the node's controller, or what a learned edge makes of it on the ground `preview` (level where
        None).

        Raises:
            CtrlGraphError: There is no such node.
            SourceError: A script or a learned file has faults, or a file is stale.
        """
        found = self.graph.node(node) if isinstance(node, str) else node
        return self.resolver.edge_controller(edge, found, cycles, preview)

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
    ) -> Rollout:
        """Return the rollout that enters `node` over `edge` and runs it `cycles` times.

        Args:
            edge: Edge by which the node is entered; None: from any state.
            node: The node, or its name.
            cycles: Number of cycles.
            preview: The ground, level where None.
            length: Of the body, as a factor; heights in the node's conditions are scaled with it.
            timeout: S, instead of the node's own for these cycles.

        Raises:
            CtrlGraphError: There is no such node.
            SourceError: A script or a learned file has faults, or a file is stale.
        """
        from ctrlgraph.project.rollout import node_rollout

        found = self.graph.node(node) if isinstance(node, str) else node
        return node_rollout(
            found, self.edge_controller(edge, found, cycles, preview), cycles, length=length, timeout=timeout
        )

    def require_learned(self) -> None:
        """Check that the learned files of the graph are valid and not stale.

        Raises:
            SourceError: They are not.
        """
        from ctrlgraph.project.learned_checks import check_learned

        errors = [f for f in check_learned(self.graph, self.resolver, self.directory) if f.severity == "error"]
        if errors:
            raise SourceError(errors)

    def node_hash(self, node: Node | str) -> str:
        """Return the hash of a node's controller and its conditions."""
        found = self.graph.node(node) if isinstance(node, str) else node
        return _hash("node", found.digest, self.resolver.node_digest(found))

    def edge_hash(self, edge: Edge | None, world: str) -> str:
        """Return the hash of everything that affects the success of an edge.

        Args:
            edge: The edge; None: the start node from the start pose.
            world: Digest of the environment.
        """
        if edge is None:
            return _hash("start", self.node_hash(self.graph.start), self.character.digest, world)
        ends = (self.node_hash(edge.source), self.node_hash(edge.target))
        return _hash("edge", edge.kind.value, *ends, self.resolver.edge_digest(edge), self.character.digest, world)

    def log(self) -> RunLog:
        """Return the run log, open for writing.

        Raises:
            RunLogError: `runs/` cannot be written.
        """
        from ctrlgraph.runs.run_log import RunLog

        return RunLog.open(self.runs_directory)

    def read_log(self) -> RunLog:
        """Return the run log, open for reading.

        Raises:
            RunLogError: Nothing is logged yet, or it cannot be read.
        """
        from ctrlgraph.runs.run_log import RunLog

        return RunLog.read(self.runs_directory)


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
