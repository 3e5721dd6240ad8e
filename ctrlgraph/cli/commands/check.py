"""`ctrlgraph check`: every error of scripts, key frames, graph files, characters and learned files at once."""

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
from ctrlgraph.paths import EXAMPLES_FILE, LEARNED_DIRECTORY, contained, display_path
from ctrlgraph.yaml_loader import YamlFault, read_text

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.graph.model import Node
    from ctrlgraph.graph.scripts import ControllerFile

KEYFRAMES = "keyframes"
"""A kind, and the directory in which a project may keep files of it."""


@dataclass
class _Files:
    """What there is to check, by kind; `dict` keeps the order and drops repetitions."""

    scripts: dict[Path, None] = field(default_factory=dict)
    graphs: dict[Path, None] = field(default_factory=dict)
    characters: dict[Path, None] = field(default_factory=dict)
    learned: dict[Path, None] = field(default_factory=dict)
    controllers: list[ControllerFile] = field(default_factory=list)
    directories: list[Path] = field(default_factory=list)

    def summary(self) -> str:
        frames = {file.path for file in self.controllers if file.kind == KEYFRAMES}
        kinds = (
            ("script", self.scripts),
            ("graph", self.graphs),
            ("character", self.characters),
            ("learned file", self.learned),
            ("file of key frames", frames),
            ("controller", {file.path for file in self.controllers} - frames),
        )
        parts = [_count(len(files), name) for name, files in kinds if files]
        return ", ".join(parts) or "nothing"


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@json_option("files, errors, warnings, findings, drafts")
@click.pass_obj
def command(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> int:
    """Check scripts, keyframes, graph files, characters and learned files; print all errors and warnings, and drafts.

    PATHS are files or directories; by default the whole project is checked. The exit code is 1 where there are errors.

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
        others = dict.fromkeys(file.path for file in files.controllers)
        checked = (*files.graphs, *files.characters, *files.learned, *others, *files.scripts)
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
    """The drafts of the graphs that are checked; none of one that has faults, which are findings of their own."""
    from ctrlgraph.project.project import GRAPH_FILE, Project

    for path in files.graphs:
        with contextlib.suppress(CtrlGraphError):
            yield from Project(path.parent).graph.drafts.values() if path.name == GRAPH_FILE else ()


# --- which files ---


def _project(settings: Settings, needed: bool) -> Path | None:
    """The project's directory; without one, scripts can be checked, but not against a character's names."""
    try:
        return settings.project().directory
    except CtrlGraphError:
        if needed or settings.project_directory is not None:
            raise
        return None


def _collect(paths: Iterable[Path]) -> _Files:
    from ctrlgraph.control.kinds import SCRIPT, kind_of_file

    files = _Files()
    for path in paths:
        if path.is_dir():
            files.directories.append(path)
            _collect_directory(path, files)
            continue
        if is_model(path) or is_roles(path):
            files.characters[_model(path)] = None
            continue
        kind = kind_of_file(path)
        if kind is None:
            raise CtrlGraphError(
                f"{path} is neither a script (.t, .s), a graph, character or learned file (.yaml) nor a model (.xml)"
            )
        known = _yaml_files(path, files) if path.suffix in (".yaml", ".yml") else None
        if known is not None:
            known[path] = None
        elif kind == SCRIPT:
            files.scripts[path] = None
        else:
            from ctrlgraph.graph.scripts import ControllerFile

            files.controllers.append(ControllerFile(path, kind))
    return files


def _model(path: Path) -> Path:
    """The MuJoCo model that a file is, or that it holds the roles of.

    Raises:
        CtrlGraphError: there is none beside it.
    """
    found = model_path(path) if is_roles(path) else path
    if not found.exists():
        raise CtrlGraphError(f"{path} holds the roles of {found.name}, which is not beside it")
    return found


def _collect_directory(path: Path, files: _Files) -> None:
    """A project's graph, characters, learned files and scripts; of any other directory, all characters and scripts."""
    from ctrlgraph.control.script.library import script_files
    from ctrlgraph.graph.scripts import ControllerFile, script_library
    from ctrlgraph.project.learned_checks import learned_files, learned_scripts

    is_project = (path / "graph.yaml").is_file()
    if is_project:
        contained(path, "graph.yaml")
        files.graphs[path / "graph.yaml"] = None
    characters = path if path.name == "characters" else path / "characters"
    found = character_files(characters)
    files.characters |= dict.fromkeys(_inside(path, found) if is_project else found)
    frames = path if path.name == KEYFRAMES else path / KEYFRAMES
    found = sorted(frames.glob("*.yaml"))
    framed = [
        ControllerFile(each, KEYFRAMES, path if is_project else None)
        for each in (_inside(path, found) if is_project else found)
    ]
    files.scripts |= dict.fromkeys(script_files(script_library(path).roots if is_project else [path]))
    if is_project:
        files.learned |= dict.fromkeys(_inside(path, learned_files(path)))
        files.scripts |= dict.fromkeys(_inside(path, learned_scripts(path)))
        _collect_named(path, files)
    named = {file.path.resolve() for file in files.controllers}
    files.controllers += [file for file in framed if file.path.resolve() not in named]


def _collect_named(project: Path, files: _Files) -> None:
    """What the graph names, wherever in the project it lies."""
    from ctrlgraph.graph.scripts import named_controllers, named_files
    from ctrlgraph.yaml_source import read_yaml

    try:
        source = read_yaml(project / "graph.yaml", "graph")
    except SourceError:
        return  # said where the graph itself is checked
    files.controllers += named_controllers(source, project)
    for known, paths in zip(
        (files.characters, files.scripts, files.learned), named_files(source, project), strict=True
    ):
        there = {path.resolve() for path in known}
        known |= dict.fromkeys(path for path in paths if path.resolve() not in there)


def _inside(project: Path, paths: Iterable[Path]) -> list[Path]:
    """
    Raises:
        CtrlGraphError: one of these files of a project is a link that leads out of it.
    """
    return [contained(project, path.relative_to(project)) for path in paths]


def _yaml_files(path: Path, files: _Files) -> dict[Path, None] | None:
    """The files of the kind that a YAML file is of; None for a controller's."""
    if _is_graph(path):
        return files.graphs
    if _is_learned(path):
        return files.learned
    from ctrlgraph.control.kinds import in_folder_of, key_of, kind_of_file

    kind = kind_of_file(path)
    if kind is not None and (in_folder_of(path, kind) or _has_key(path, key_of(kind))):
        return None
    return files.characters


def _is_graph(path: Path) -> bool:
    """Whether a YAML file is a graph and not a character: by its name, its folder, or its keys."""
    if path.name == "graph.yaml":
        return True
    if path.absolute().parent.name == "characters":
        return False
    return _has_key(path, "nodes", "edges")


def _is_learned(path: Path) -> bool:
    """Whether a YAML file is a learned file and not a character: by its folder or its keys."""
    if path.absolute().parent.name in ("characters", LEARNED_DIRECTORY):
        return path.absolute().parent.name == LEARNED_DIRECTORY
    return _has_key(path, "edge", "node")


def _has_key(path: Path, *keys: str) -> bool:
    try:
        text = read_text(path)
    except (OSError, YamlFault):
        return False  # said where it is read as a character
    return any(line.startswith(tuple(f"{key}:" for key in keys)) for line in text.splitlines())


# --- checking ---


def _check(files: _Files, project: Path | None) -> Iterator[Finding]:
    for path in files.graphs:
        from ctrlgraph.graph.reader import check_graph

        yield from check_graph(path)
        yield from _check_confusion(path)
    for path in files.characters:
        from ctrlgraph.character.files import check_character

        yield from check_character(path)
    yield from _check_learned(files, project)
    if files.controllers:
        yield from dict.fromkeys(_check_controllers(files, project))
    if files.scripts:
        yield from _check_scripts(files, project)


def _check_confusion(graph: Path) -> Iterator[Finding]:
    """Warnings about nodes whose conditions hold for an example of another node, as far as examples are kept."""
    from ctrlgraph.project.project import GRAPH_FILE, Project

    with contextlib.suppress(CtrlGraphError):  # an error of the graph or of a script is a finding of its own
        project = Project(graph.parent)
        if graph.name != GRAPH_FILE or not (project.runs_directory / EXAMPLES_FILE).is_file():
            return
        from ctrlgraph.experiments.example_measures import load_examples, not_told_apart
        from ctrlgraph.yaml_source import read_yaml

        examples, source = load_examples(project), read_yaml(graph, "graph")
        for node in project.graph:
            others = not_told_apart(node, examples)
            if others:
                yield source.finding(
                    "confused-conditions",
                    f"the conditions of '{node.name}' also hold for {', '.join(others)}",
                    ["nodes", node.name, "success"],
                    hint="tighten them, or give a reason with 'also'; `ctrlgraph confusion` shows how often they hold",
                    severity="warning",
                )


def _check_learned(files: _Files, project: Path | None) -> list[Finding]:
    """Learned files by themselves, and whether they fit the graph: all of a project's that is checked as a whole,
    else those that were given.
    """
    if not files.graphs and not files.learned:
        return []
    from ctrlgraph.project.learned import load_learned
    from ctrlgraph.project.learned_checks import check_learned
    from ctrlgraph.project.project import GRAPH_FILE, Project

    whole = dict.fromkeys(graph.parent for graph in files.graphs if graph.name == GRAPH_FILE)
    directories = list(whole)
    if not whole and files.learned and project is not None:
        directories = [project]
    findings: list[Finding] = []
    for directory in directories:
        opened = Project(directory)
        # a graph that cannot be read is a finding of its own
        with contextlib.suppress(CtrlGraphError):
            findings += check_learned(opened.graph, opened.resolver, directory)
    if not whole:
        wanted = {path.resolve() for path in files.learned}
        findings = [finding for finding in findings if Path(finding.path).resolve() in wanted]
    for path in files.learned:
        try:
            load_learned(path)
        except SourceError as error:
            findings += error.findings
    return list(dict.fromkeys(findings))


def _check_controllers(files: _Files, project: Path | None) -> Iterator[Finding]:
    """What is no script, whether a graph names it or not: whatever its kind finds in the file."""
    from ctrlgraph.graph.scripts import check_controller_file, script_library

    homes = dict.fromkeys(file.project or project for file in files.controllers)
    characters = {home: _character(home) for home in homes}
    for file in files.controllers:
        home = file.project or project
        character = characters[home]
        if character is not None:  # else said where the character is checked
            yield from check_controller_file(file, character, script_library(home or file.path.parent))


def _check_scripts(files: _Files, project: Path | None) -> Iterator[Finding]:
    from ctrlgraph.control.script.checks.checker import check_script
    from ctrlgraph.graph.scripts import script_library
    from ctrlgraph.project.script_success import check_success

    roots = list(script_library(project).roots) if project is not None else []
    character = _character(project)
    libraries: dict[Path, ScriptLibrary] = {}
    for path in files.scripts:
        library = _library(path, roots + files.directories, libraries)
        yield from check_script(library, path, character)
        yield from check_success(library.parse(path), character)


def _library(path: Path, roots: list[Path], libraries: dict[Path, ScriptLibrary]) -> ScriptLibrary:
    """What a script may call: the project's scripts for one of them, else those of the directory that was
    given, else those beside it.
    """
    from ctrlgraph.control.script.library import ScriptLibrary

    root = next((r for r in roots if path.absolute().is_relative_to(r.absolute())), path.parent)
    if root.name == LEARNED_DIRECTORY:  # a bridge may call what the project's scripts may
        root = next((r for r in roots if r.parent.absolute() == root.parent.absolute()), root)
    if (root / "graph.yaml").is_file():  # so may whatever script the graph names
        from ctrlgraph.graph.scripts import script_library

        root = script_library(root).roots[0]
    if root not in libraries:
        libraries[root] = ScriptLibrary([root])
    return libraries[root]


def _character(project: Path | None) -> Character | None:
    """The project's character, or the shipped one; None where none can be read (findings of their own)."""
    from ctrlgraph.character.files import load_character
    from ctrlgraph.graph.scripts import named_character
    from ctrlgraph.project.shipped import shipped_file

    if project is None:
        return load_character(shipped_file("characters") / "humanoid.yaml")
    named = named_character(project)
    files = _inside(project, character_files(project / "characters"))
    for path in [named, *files] if named is not None else files:
        try:
            return load_character(path)
        except SourceError:
            continue
    return None


# --- printing ---


def _coloured(finding: Finding) -> list[str | console.Styled]:
    colour = "red" if finding.severity == "error" else "yellow"
    first, *rest = finding.render().split("\n")
    where, _, message = first.partition(f": {finding.severity}: ")
    parts: list[str | console.Styled] = [console.Styled(where, bold=True), ": "]
    parts += [console.Styled(f"{finding.severity}: ", fg=colour, bold=True), message]
    for line in rest:
        is_caret = line.strip() != "" and not line.strip().strip("^")
        is_hint = finding.hint is not None and line.strip() == finding.hint
        parts += ["\n", console.Styled(line, fg=colour if is_caret else "cyan") if is_caret or is_hint else line]
    return parts


def _count(number: int, noun: str) -> str:
    first, _, rest = noun.partition(" of ")
    plural = f"{first}{'s' * (number != 1)}"
    return f"{number} {plural} of {rest}" if rest else f"{number} {plural}"
