"""Paths and checks of the files that a graph file names: character, scripts, other controllers and learned files."""

from __future__ import annotations

import contextlib
import os.path  # unlike Path, it returns False for a name that is too long
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ctrlgraph.bounds import MAX_FINDINGS
from ctrlgraph.character.files import load_character
from ctrlgraph.character.paths import MJCF, AmbiguousCharacter, character_files, named_file
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.kinds import CONTROLLER_KINDS, SCRIPT, read_controller
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, suggestion
from ctrlgraph.graph.conditions import LYING_IN_SPACE
from ctrlgraph.graph.schema import NodeEntry, node_kinds
from ctrlgraph.paths import contained
from ctrlgraph.simulation.measures import MEASURES, lacking, remedy
from ctrlgraph.yaml_source import YamlSource, read_yaml

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.controller import Controller, ControllerKind
    from ctrlgraph.control.script.library import ScriptLibrary


def character_path(directory: Path, name: str) -> Path:
    """Return the path of the character file that the field `character` of a graph file names.

    Args:
        directory: directory of the project.
        name: value of the field: a path relative to `directory`, or the name of a file in `characters/` without suffix.

    Raises:
        AmbiguousCharacter: both a YAML file and a MuJoCo model have this name.
        CtrlGraphError: the path leads out of the project.
    """
    if not _is_bare(name):
        return contained(directory, name)
    contained(directory, Path("characters") / name)  # before any file is accessed
    return contained(directory, Path("characters") / named_file(directory / "characters", name).name)


def _is_bare(name: str) -> bool:
    """Return whether the field `character` of a graph file is a bare name, such as "humanoid", and not a path."""
    return "/" not in name and not Path(name).suffix


def check_character_file(source: YamlSource, directory: Path) -> list[Finding]:
    """Return an error if the character file that a graph file names does not exist in the project."""
    name = source.data.get("character")
    if not isinstance(name, str):
        return []
    try:
        path = character_path(directory, name)
    except AmbiguousCharacter as error:
        return [source.finding("ambiguous-character", str(error), ["character"])]
    except CtrlGraphError as error:
        return [source.finding("outside", str(error), ["character"])]
    if os.path.isfile(path):
        return []
    is_bare = _is_bare(name)
    known = [found.stem if is_bare else found.name for found in character_files(path.parent)]
    message = f"no character '{name}': there is no file {_relative(path, directory)}"
    message += f" or {MJCF}" if is_bare else ""
    return [source.finding("missing-character", message, ["character"], hint=suggestion(name, known))]


def check_measures(
    source: YamlSource,
    directory: Path,
    nodes: Mapping[str, dict[str, Any]],
    read_character: Callable[[Path], Character] | None = None,
) -> list[Finding]:
    """Return an error for each condition on a measure that the character cannot have.

    Either the character lacks links with a role, such as hands, or the measure exists only in the plane or in space.

    Args:
        source: graph file.
        directory: directory of the project.
        nodes: unvalidated data of the nodes, by name.
        read_character: function that loads the character from a path; `load_character` by default. Errors in the
            character's file are ignored here, because other checks report them.
    """
    named: list[list[str]] = []  # the places of conditions; the last word of each is the measure
    for place, data in [([], source.data), *((["nodes", name], data) for name, data in nodes.items())]:
        for field in ("success", "bounds", "plausible"):
            given = data.get(field)
            named += [[*place, field, str(measure)] for measure in (given if isinstance(given, dict) else ())]
    measures = [MEASURES[place[-1]] for place in named if place[-1] in MEASURES]
    if all(each.moves == "both" and not each.needs for each in measures):
        return []
    try:
        character = (read_character or load_character)(character_path(directory, source.data["character"]))
    except (CtrlGraphError, LookupError, TypeError):
        return []  # reported by the checks of the field and the file
    faults = lacking({place[-1] for place in named}, character)
    return [
        source.finding("missing-role", faults[place[-1]], place, key=True, hint=remedy(place[-1], character))
        for place in named
        if place[-1] in faults
    ][: MAX_FINDINGS + 1]


def check_falls(
    source: YamlSource, directory: Path, read_character: Callable[[Path], Character] | None = None
) -> list[Finding]:
    """Return an error for each edge of a planar character that follows a fall which exists only in space.

    Args:
        source: graph file.
        directory: directory of the project.
        read_character: as in `check_measures`.
    """
    edges = source.data.get("edges")
    failures = [entry.get("when") if isinstance(entry, dict) else None for entry in edges or ()] if edges else []
    found = [(i, when) for i, when in enumerate(failures) if when in LYING_IN_SPACE]
    if not found:
        return []
    try:
        character = (read_character or load_character)(character_path(directory, source.data["character"]))
    except (CtrlGraphError, LookupError, TypeError):
        return []  # reported by the checks of the field and the file
    if not isinstance(character, PlanarCharacter):
        return []
    return [
        source.finding(
            "unknown-condition",
            f"'{when}' exists only in space, and the character {character.name} is planar",
            ["edges", i, "when"],
            hint="use 'fallen forward', 'fallen backward' or 'fallen'",
        )
        for i, when in found
    ]


def check_parameter_files(source: YamlSource, directory: Path) -> list[Finding]:
    """Return an error for each learned file of an edge (`parameters`) or node (`adapted`) that does not exist."""
    named: list[tuple[object, list[str | int]]] = []
    edges, nodes = source.data.get("edges"), source.data.get("nodes")
    for i, entry in enumerate(edges if isinstance(edges, list) else []):
        named.append((entry.get("parameters") if isinstance(entry, dict) else None, ["edges", i, "parameters"]))
    for name, entry in nodes.items() if isinstance(nodes, dict) else ():
        named.append((entry.get("adapted") if isinstance(entry, dict) else None, ["nodes", str(name), "adapted"]))
    findings = []
    for path, place in named:
        if isinstance(path, str):
            try:
                if not os.path.isfile(contained(directory, path)):
                    message = f"there is no file of learned constants '{path}': correct the path, or learn the edge"
                    findings.append(source.finding("missing-parameters", message, place))
            except CtrlGraphError as error:
                findings.append(source.finding("outside", str(error), place))
    return findings


def check_scripts(
    source: YamlSource, directory: Path, nodes: Mapping[str, dict[str, Any]], library: ScriptLibrary | None = None
) -> list[Finding]:
    """Return an error for each controller file that does not exist, wrong number of arguments, and script with LOAD.

    Scripts that cannot be parsed are skipped, because the check of scripts reports them.

    Args:
        source: graph file.
        directory: directory of the project.
        nodes: unvalidated data of the nodes, by name.
        library: library of parsed scripts; by default a new one for the project.
    """
    findings: list[Finding] = []
    library, kinds = library or script_library(directory), node_kinds()
    files: list[tuple[str, Path]] = []
    for name, kind, data in ((name, kind, data) for name, data in nodes.items() for kind in kinds):
        file = data.get(kind)
        if not isinstance(file, str):
            continue
        if len(findings) > MAX_FINDINGS:
            break
        try:
            path = contained(directory, file)
        except CtrlGraphError as error:
            findings.append(source.finding("outside", str(error), ["nodes", name, kind]))
            continue
        if not os.path.isfile(path):
            findings.append(_unknown_file(source, directory, name, kind, file))
            continue
        if kind != SCRIPT:
            continue
        files.append((name, path))
        parameters = library.parameters(path)
        if parameters is not None:
            findings += _check_arguments(source, name, data, file, parameters)
    if not library.mentions("LOAD", (path for _, path in files)):
        return findings  # without parsing them all
    for name, path in files:
        loader = _loading_script(library, path)
        if loader is not None and len(findings) <= MAX_FINDINGS:
            through = "" if loader == path else f", through {_relative(loader, directory)}"
            message = f"the script of node '{name}' uses LOAD{through}, which jumps to a saved state: remove it"
            findings.append(source.finding("loads-state", message, ["nodes", name, "script"]))
    return findings


def named_files(source: YamlSource, directory: Path) -> tuple[list[Path], list[Path], list[Path]]:
    """Return the files that a graph file names and that exist: characters, scripts and learned files, as three lists.

    Parts of the graph file that have errors are skipped.
    """
    data, nodes = source.data, source.data.get("nodes")
    entries = [entry for entry in nodes.values() if isinstance(entry, dict)] if isinstance(nodes, dict) else []
    given = data.get("edges")
    edges = [entry for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []
    learned = [*(entry.get("adapted") for entry in entries), *(entry.get("parameters") for entry in edges)]
    return (
        _existing([data.get("character")], lambda name: character_path(directory, name)),
        _existing([entry.get("script") for entry in entries], lambda name: contained(directory, name)),
        _existing(learned, lambda name: contained(directory, name)),
    )


def named_character(directory: Path) -> Path | None:
    """Return the path of the character file that a project's graph file names; None if the file does not exist.

    Other errors in the graph file are ignored.
    """
    try:
        characters, *_ = named_files(read_yaml(directory / "graph.yaml", "graph"), directory)
    except SourceError:
        return None
    return characters[0] if characters else None


def _existing(names: Iterable[object], path_of: Callable[[str], Path]) -> list[Path]:
    paths = []
    for name in dict.fromkeys(name for name in names if isinstance(name, str)):
        with contextlib.suppress(CtrlGraphError):  # reported by the checks of the graph
            if os.path.isfile(path_of(name)):
                paths.append(path_of(name))
    return paths


@dataclass(frozen=True)
class ControllerFile:
    """A controller file of another kind than a script, with its use in a graph file."""

    path: Path
    kind: str
    """Controller kind, such as `tracking`."""
    project: Path | None = None
    """Directory of the project to which the file belongs; None if unknown."""
    args: tuple[float, ...] = ()
    """Arguments of the controller, from the graph file."""
    graph: YamlSource | None = None
    """Graph file that names the controller file, if any."""
    node: str = ""
    """Name of the node in the graph file that has this controller; empty without a graph file."""


def named_controllers(source: YamlSource, directory: Path) -> Iterator[ControllerFile]:
    """Yield the controller files, other than scripts, that the nodes of a graph file name and that exist."""
    nodes = source.data.get("nodes")
    for name, entry in nodes.items() if isinstance(nodes, dict) else ():
        if not isinstance(entry, dict):
            continue
        args = entry.get("args", [])
        for kind in node_kinds():
            paths = [] if kind == SCRIPT else _existing([entry.get(kind)], lambda name: contained(directory, name))
            given = tuple(args) if isinstance(args, list) else ()
            yield from (ControllerFile(path, kind, directory, given, source, str(name)) for path in paths)


def check_controller_file(file: ControllerFile, character: Character, library: ScriptLibrary) -> list[Finding]:
    """Return the errors that occur when a controller file is read, or else warnings about the controller.

    An error that has no location in the controller file gets the location of the node in the graph file.

    Args:
        file: the controller file.
        character: character that the controller moves.
        library: scripts of the project, which the controller can use.
    """
    try:
        controller = read_controller(file.kind, file.path, file.args, character, library)
    except SourceError as error:
        return list(error.findings)
    except CtrlGraphError as error:
        if file.graph is None:
            return [Finding("error", "controller", str(error), str(file.path))]
        return [file.graph.finding("controller", str(error), ["nodes", file.node, "args" if file.args else file.kind])]
    kind = CONTROLLER_KINDS[file.kind]
    return [*kind.warnings(controller, file.path), *_timeout_warning(file, kind, controller)]


def _timeout_warning(
    file: ControllerFile, kind: ControllerKind[Any, Any, Any], controller: Controller
) -> Iterator[Finding]:
    """Yield a warning if the node of a controller file reaches its timeout before the end of its cycles."""
    if file.graph is None:
        return
    node = file.graph.data["nodes"][file.node]
    try:
        entry = NodeEntry.model_validate({name: node[name] for name in ("cycles", "timeout") if name in node})
    except ValidationError:
        return  # the check of the graph file reports this error
    cycles, taken = entry.cycles[1], kind.duration(controller, entry.cycles[1])
    if taken is not None and taken > entry.timeout:
        message = f"{cycles} cycles of '{file.node}' take {taken:g} s, but its timeout is {entry.timeout:g} s"
        hint = "raise 'timeout', or reduce 'cycles'"
        yield file.graph.finding(
            "short-timeout", message, ["nodes", file.node], key=True, hint=hint, severity="warning"
        )


def script_library(directory: Path) -> ScriptLibrary:
    """Return the library of a project's scripts in `controllers/` or, if this is missing, in `directory`.

    Raises:
        CtrlGraphError: `controllers/` is a link that leads out of the project.
    """
    from ctrlgraph.control.script.library import ScriptLibrary

    if not (directory / "controllers").is_dir():
        return ScriptLibrary([directory])
    return ScriptLibrary([contained(directory, "controllers")])


def _unknown_file(source: YamlSource, directory: Path, name: str, kind: str, given: str) -> Finding:
    folder = (directory / given).parent
    if not os.path.isdir(folder) or not folder.resolve().is_relative_to(directory.resolve()):
        folder = directory
    pattern = "*.[ts]" if kind == SCRIPT else f"*{Path(given).suffix}"
    known = sorted(_relative(file, directory) for file in folder.rglob(pattern))
    message = f"no {kind}{' file' if kind != SCRIPT else ''} '{given}' for node '{name}'"
    return source.finding(f"unknown-{kind}", message, ["nodes", name, kind], hint=suggestion(given, known))


def _check_arguments(
    source: YamlSource, name: str, data: dict[str, Any], script: str, parameters: Sequence[str]
) -> list[Finding]:
    args = data.get("args", [])
    if not isinstance(args, list) or len(args) == len(parameters):
        return []
    count, given = len(parameters), len(args)
    takes = f"{count} argument{'s' * (count != 1)}" if count else "no arguments"
    named = f" ({', '.join(parameters)})" if count else ""
    message = f"{script} takes {takes}{named}, but node '{name}' gives {given or 'none'}"
    place = ["nodes", name, "args"] if "args" in data else ["nodes", name, "script"]
    return [source.finding("argument-count", message, place)]


def _loading_script(library: ScriptLibrary, path: Path) -> Path | None:
    """Return the first script that uses the command LOAD, among a script and all scripts that it calls; None for none.

    Args:
        library: library in which called scripts are found.
        path: path of the script.
    """
    seen, queue = {path}, [path]
    while queue:
        current = queue.pop(0)
        script = library.parse(current).script
        if script is None:
            continue
        actions = [action for phase in script.phases for action in phase.actions]
        if any(getattr(action, "keyword", None) == "LOAD" for action in actions):
            return current
        for phase in script.phases:
            for call in phase.calls:
                callee = library.find(call.script.stem)
                if callee is not None and callee not in seen:
                    seen.add(callee)
                    queue.append(callee)
    return None


def _relative(path: Path, directory: Path) -> str:
    return path.relative_to(directory).as_posix() if path.is_relative_to(directory) else str(path)
