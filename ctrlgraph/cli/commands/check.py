"""`ctrlgraph check`: find the errors in scripts, other controllers, graph files, characters and learned files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.character.paths import character_files, is_model, is_roles, model_path
from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.paths import EXAMPLES_FILE, GRAPH_FILE, LEARNED_DIRECTORY, contained, display_path, files_below

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.graph.files import ControllerFile
    from ctrlgraph.graph.model import Node

SCRIPT = "script"  # as in ctrlgraph.control.kinds, whose import takes long
KINDS = (SCRIPT, "graph", "character", "learned file")
"""Kinds of files to check, besides controllers that are not scripts, such as keyframes."""
CONTROLLERS = "controllers"
"""Name of the directory in which a project keeps scripts and other controllers."""
KEYFRAMES = "keyframes"
"""Name of a controller kind, and of the directory in which a project may keep files of this kind."""


@dataclass
class _Files:
    """The files that `ctrlgraph check` checks, by kind."""

    paths: dict[str, dict[Path, None]] = field(default_factory=lambda: {kind: {} for kind in KINDS})
    """Files by kind (one of `KINDS`). A dict with the paths as keys keeps the order and removes repetitions."""
    controllers: list[ControllerFile] = field(default_factory=list)
    """Controllers that are not scripts."""
    directories: list[Path] = field(default_factory=list)
    """Directories on the command line."""

    def add(self, kind: str, paths: Iterable[Path]) -> None:
        """Add the paths of files of a kind, which is one of `KINDS`."""
        self.paths[kind] |= dict.fromkeys(paths)

    def summary(self) -> str:
        """Return the number of files of each kind as a text such as "3 scripts, 1 graph"."""
        numbers = {kind: len(paths) for kind, paths in self.paths.items()}
        numbers["controller"] = len({file.path for file in self.controllers})
        return ", ".join(_count(number, kind) for kind, number in numbers.items() if number) or "nothing"


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@json_option("files, errors, warnings, findings, drafts")
@click.pass_obj
def command(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> int:
    """Find errors in scripts, other controllers, graph files, characters and learned files.

    PATHS are files or directories; by default the whole project is checked. All errors and warnings are printed, and
    the drafts (unfinished nodes). The exit code is 1 if there are errors.

    Example:
      ctrlgraph check controllers/poses
    """
    project = _project(settings, needed=not paths)
    files = _collect(paths or ([project] if project else []))
    findings = [replace(f, path=display_path(f.path)) for f in _check(files, project)]
    drafts = list(_drafts(files))
    errors = sum(f.severity == "error" for f in findings)
    warnings = len(findings) - errors
    if as_json:
        others = {file.path: None for file in files.controllers}
        checked = [path for paths in (*files.paths.values(), others) for path in paths]
        report = {
            "files": [display_path(path) for path in checked],
            "errors": errors,
            "warnings": warnings,
            "findings": [f.as_dict() for f in findings],
            "drafts": [{"name": node.name, "file": node.file, "lacks": node.draft} for node in drafts],
        }
        console.print_json(report)
    else:
        for finding in findings:
            console.echo(*_coloured(finding))
        for node in drafts:
            console.echo(f"draft {node.name} ({node.file}), which no walk enters: {node.draft}")
        console.echo(f"checked {files.summary()}: {_count(errors, 'error')}, {_count(warnings, 'warning')}")
    return ExitCode.of(not errors)


def _drafts(files: _Files) -> Iterator[Node]:
    """Yield the drafts (unfinished nodes) of the checked graphs. Graphs with errors are skipped."""
    from ctrlgraph.project.project import Project

    for path in files.paths["graph"]:
        with contextlib.suppress(CtrlGraphError):
            yield from Project(path.parent).graph.drafts.values() if path.name == GRAPH_FILE else ()


def _project(settings: Settings, needed: bool) -> Path | None:
    """Return the directory of the project, or None if there is no project.

    Args:
        settings: Values of the options before the command's name.
        needed: Whether a missing project is an error.
    """
    try:
        return settings.project().directory
    except CtrlGraphError:
        if needed or settings.project_directory is not None:
            raise
        return None


def _collect(paths: Iterable[Path]) -> _Files:
    from ctrlgraph.graph.files import ControllerFile

    files = _Files()
    for path in paths:
        if path.is_dir():
            files.directories.append(path)
            _collect_directory(path, files)
        elif is_model(path) or is_roles(path):
            files.add("character", [_model(path)])
        elif (kind := _kind(path)) in KINDS:
            files.add(kind, [path])
        else:
            files.controllers.append(ControllerFile(path, kind))
    return files


def _model(path: Path) -> Path:
    """Return the path of a MuJoCo model, given the path of the model or of its file of roles.

    Args:
        path: A model (.xml), or a file of roles (YAML), which states which links of the model are feet, hands and so
            on.

    Raises:
        CtrlGraphError: `path` is a file of roles, and there is no model with its name in the same directory.
    """
    found = model_path(path) if is_roles(path) else path
    if not found.exists():
        fault = f"{path} has the roles for the model {found.name}, but this model is not in the same directory"
        raise CtrlGraphError(f"{fault}: add the model, or rename the file of roles")
    return found


def _kind(path: Path) -> str:
    """Find the kind of a file by its name, its folder or its top-level YAML keys.

    Returns:
        One of `KINDS`, or a controller kind such as "keyframes".

    Raises:
        CtrlGraphError: The file is of no known kind.
    """
    from ctrlgraph.control.gait.gait_values import RANGES
    from ctrlgraph.control.kinds import in_folder_of, key_of, kind_of_file, top_level_keys

    kind = kind_of_file(path)
    if kind is None:
        kinds = "a script (.t, .s), a YAML file of a project, or a MuJoCo model (.xml)"
        raise CtrlGraphError(f"{path} cannot be checked: give {kinds}")
    if path.suffix not in (".yaml", ".yml"):
        return kind
    folder, keys = path.absolute().parent.name, top_level_keys(path)
    named = set() if folder == "characters" else keys
    if path.name == GRAPH_FILE or named & {"nodes", "edges"}:
        return "graph"
    if folder == LEARNED_DIRECTORY or named & {"edge", "node"}:
        return "learned file"
    if in_folder_of(path, kind) or key_of(kind) in keys:
        return kind
    return "gait" if "links" not in keys and keys & RANGES.keys() else "character"


def _collect_directory(path: Path, files: _Files) -> None:
    """Add all files of a directory to the files to check.

    In the directory of a project, these include all files that the graph file names.

    Args:
        path: The directory.
        files: Files to check, which are extended.
    """
    from ctrlgraph.control.script.library import script_files
    from ctrlgraph.graph.files import ControllerFile, script_library
    from ctrlgraph.project.learned_checks import learned_files, learned_scripts

    project = path if (path / GRAPH_FILE).is_file() else None
    if project is not None:
        files.add("graph", [contained(path, GRAPH_FILE)])
    characters = character_files(path if path.name == "characters" else path / "characters")
    keyframes = sorted((path if path.name == KEYFRAMES else path / KEYFRAMES).glob("*.yaml"))
    files.add("character", _inside(path, characters))
    if path.name == LEARNED_DIRECTORY:
        files.add("learned file", _inside(path, learned_files(path.parent)))
    scripts = script_library(path).roots if project is not None else [path]
    files.add(SCRIPT, script_files(scripts))
    if project is not None:
        files.add("learned file", _inside(project, learned_files(path)))
        files.add(SCRIPT, _inside(project, learned_scripts(path)))
        _collect_named(path, files)
    named = {file.path.resolve() for file in files.controllers}
    others = [(frames, KEYFRAMES) for frames in _inside(path, keyframes)] + list(_unnamed_controllers(scripts))
    known = {other.resolve(): ControllerFile(other, kind, project) for other, kind in others}
    files.controllers += [file for place, file in known.items() if place not in named]


def _unnamed_controllers(roots: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield all controllers of other kinds than scripts in folders `controllers`, with the names of their kinds.

    Args:
        roots: Directories, in which the files are searched.
    """
    for path in (path for root in roots for path in files_below(root, "*.y*ml")):
        if CONTROLLERS in path.absolute().parts and (kind := _kind(path)) not in KINDS:
            yield path, kind


def _collect_named(project: Path, files: _Files) -> None:
    """Add the files that the graph file of a project names, in any directory of the project, to the files to check.

    Args:
        project: Directory of the project.
        files: Files to check, which are extended.
    """
    from ctrlgraph.graph.files import named_controllers, named_files
    from ctrlgraph.yaml_source import read_yaml

    try:
        source = read_yaml(project / GRAPH_FILE, "graph")
    except SourceError:
        return  # the check of the graph file reports this error
    files.controllers += named_controllers(source, project)
    for kind, paths in zip(("character", SCRIPT, "learned file"), named_files(source, project), strict=True):
        known = {path.resolve() for path in files.paths[kind]}
        files.add(kind, (path for path in paths if path.resolve() not in known))


def _inside(directory: Path, paths: list[Path]) -> list[Path]:
    """Return paths in a directory, after a check that no path is a link that leads out of the directory.

    Raises:
        CtrlGraphError: A path is a link that leads out of the directory.
    """
    return [contained(directory, path.relative_to(directory)) for path in paths]


# --- checking ---


def _check(files: _Files, project: Path | None) -> Iterator[Finding]:
    for path in files.paths["graph"]:
        from ctrlgraph.graph.reader import check_graph

        yield from check_graph(path)
        yield from _check_confusion(path)
    for path in files.paths["character"]:
        from ctrlgraph.character.files import check_character

        yield from check_character(path)
    yield from _check_learned(files, project)
    if files.controllers:
        yield from dict.fromkeys(_check_controllers(files, project))
    if files.paths[SCRIPT]:
        yield from _check_scripts(files, project)


def _check_confusion(graph: Path) -> Iterator[Finding]:
    """Yield a warning for each node whose success conditions also hold for a stored motion of another node."""
    from ctrlgraph.project.project import Project

    with contextlib.suppress(CtrlGraphError):  # errors of the graph and of scripts are findings
        project = Project(graph.parent)
        if graph.name != GRAPH_FILE or not (project.runs_directory / EXAMPLES_FILE).is_file():
            return
        from ctrlgraph.robustness.example_measures import load_examples, not_told_apart
        from ctrlgraph.yaml_source import read_yaml

        examples, source = load_examples(project), read_yaml(graph, "graph")
        for node in project.graph:
            others = not_told_apart(node, examples)
            if others:
                yield source.finding(
                    "confused-conditions",
                    f"the success conditions of '{node.name}' also hold for {', '.join(others)}",
                    ["nodes", node.name, "success"],
                    hint="tighten the conditions, or give a reason under 'also'; see `ctrlgraph gate confusion`",
                    severity="warning",
                )


def _check_learned(files: _Files, project: Path | None) -> list[Finding]:
    """Return errors and warnings about learned files: in their text, and in relation to the graph.

    If a whole project is checked, all its learned files are checked, otherwise only those in `files`.

    Args:
        files: Files to check.
        project: Directory of the project; None if there is no project.
    """
    graphs, learned = files.paths["graph"], files.paths["learned file"]
    if not graphs and not learned:
        return []
    from ctrlgraph.project.learned import load_learned
    from ctrlgraph.project.learned_checks import check_learned
    from ctrlgraph.project.project import Project

    whole = [graph.parent for graph in graphs if graph.name == GRAPH_FILE]
    findings: list[Finding] = []
    for directory in whole or ([project] if learned and project is not None else []):
        with contextlib.suppress(CtrlGraphError):  # errors of the graph are findings
            opened = Project(directory)
            findings += check_learned(opened.graph, opened.resolver, directory)
    if not whole:
        wanted = {path.resolve() for path in learned}
        findings = [finding for finding in findings if Path(finding.path).resolve() in wanted]
    for path in learned:
        try:
            load_learned(path)
        except SourceError as error:
            findings += error.findings
    return list(dict.fromkeys(findings))


def _check_controllers(files: _Files, project: Path | None) -> Iterator[Finding]:
    """Yield errors and warnings about controllers that are not scripts.

    Args:
        files: Files to check.
        project: Directory of the project whose character and scripts the controllers use; None if there is no project.
    """
    from ctrlgraph.graph.files import check_controller_file, script_library

    homes = dict.fromkeys(file.project or project for file in files.controllers)
    characters = {home: _character(home) for home in homes}
    for file in files.controllers:
        home = file.project or project
        character = characters[home]
        if character is not None:  # the check of the character reports why it cannot be read
            yield from check_controller_file(file, character, script_library(home or file.path.parent))


def _check_scripts(files: _Files, project: Path | None) -> Iterator[Finding]:
    from ctrlgraph.control.script.checks.checker import check_script
    from ctrlgraph.graph.files import script_library
    from ctrlgraph.project.script_success import check_success

    roots = list(script_library(project).roots) if project is not None else []
    character = _character(project)
    libraries: dict[Path, ScriptLibrary] = {}
    for path in files.paths[SCRIPT]:
        library = _library(path, roots + files.directories, libraries)
        yield from check_script(library, path, character)
        yield from check_success(library.parse(path), character)


def _library(path: Path, roots: list[Path], libraries: dict[Path, ScriptLibrary]) -> ScriptLibrary:
    """Return the library (set of scripts by name) in which the calls of a script are looked up.

    The library has the scripts of the first of `roots` that contains the script, otherwise of the script's directory.

    Args:
        path: The script.
        roots: Script directories of the project, and directories on the command line.
        libraries: Libraries that were returned before, by directory. A new library is added.
    """
    from ctrlgraph.control.script.library import ScriptLibrary

    root = next((r for r in roots if path.absolute().is_relative_to(r.absolute())), path.parent)
    if root.name == LEARNED_DIRECTORY:  # a bridging script of a learned edge may call the project's scripts
        root = next((r for r in roots if r.parent.absolute() == root.parent.absolute()), root)
    if (root / GRAPH_FILE).is_file():  # a script outside controllers/ may also call the project's scripts
        from ctrlgraph.graph.files import script_library

        root = script_library(root).roots[0]
    if root not in libraries:
        libraries[root] = ScriptLibrary([root])
    return libraries[root]


def _character(project: Path | None) -> Character | None:
    """Return the project's character, or the shipped humanoid if there is no project.

    The result is None if no character of the project can be read.
    """
    from ctrlgraph.character.files import load_character
    from ctrlgraph.graph.files import named_character
    from ctrlgraph.project.shipped import shipped_file

    if project is None:
        return load_character(shipped_file("characters") / "humanoid.yaml")
    named = named_character(project)
    files = _inside(project, character_files(project / "characters"))
    for path in [named, *files] if named is not None else files:
        with contextlib.suppress(SourceError):
            return load_character(path)
    return None


# --- printing ---


def _coloured(finding: Finding) -> list[str | console.Styled]:
    place, severity, message = finding.render().partition(f" {finding.severity}: ")
    colour = "red" if finding.severity == "error" else "yellow"
    return [console.Styled(place, bold=True), " ", console.Styled(severity.lstrip(), colour, bold=True), message]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
