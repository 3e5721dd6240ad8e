"""Blocks of the pages: commands are commands, files are what they say, scripts have no errors, Python imports."""

from __future__ import annotations

import ast
import itertools
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import pytest
import yaml

from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import load_character, parse_character
from ctrlgraph.cli.main import TOP_LEVEL, LazyGroup, cli
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.keyframes.keyframes_file import parse_keyframes
from ctrlgraph.control.regulator.regulator_file import parse_regulator
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.stepping.stepping import read_entry
from ctrlgraph.control.tracking.tracking_file import parse_tracking
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.graph.schema import graph_model, node_kinds
from ctrlgraph.project.learned import read_learned
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gates.gate_file import load_gate
from ctrlgraph.robustness.perturbation import AXES
from ctrlgraph.robustness.sweeps.scenario import load_scenario
from ctrlgraph.terrain.course_file import parse_course_file
from ctrlgraph.yaml_source import parse_yaml, validate
from tests.docs.pages import PAGES, ROOT, Block, blocks, prose

# --- commands ---


def commands_of(block: Block) -> list[str]:
    """The lines of a block that begin `ctrlgraph`, whatever stands before it or follows."""
    text = block.text.replace("\\\n", " ")
    lines = re.findall(r"^\$ (.*)$", text, flags=re.MULTILINE) if block.kind == "console" else text.splitlines()
    parts = [part.strip() for line in lines for part in re.split(r"&&|\|(?!\|)|;", line.partition(" # ")[0])]
    return [part for part in parts if re.match(r"(\S*/)?ctrlgraph ", part)]


COMMANDS_SHOWN = [
    pytest.param(line, id=f"{block}-{i}")
    for block in blocks("console", "sh", "")
    for i, line in enumerate(commands_of(block))
]


def parse(words: list[str]) -> None:
    """Parse a command line of ctrlgraph as click does: options exist, and values have their types.

    Files need not exist, and nothing is run.
    """
    inner, command = click.Context(cli, info_name="ctrlgraph"), cli
    rest = list(words)
    while isinstance(command, LazyGroup):
        if command.default is not None and not {*rest[:1]} & {*command.texts}:
            rest = [command.default, *rest]
        _, rest, _ = command.make_parser(inner).parse_args(rest)
        name, command, rest = command.resolve_command(inner, rest)
        assert command is not None and name is not None
        inner = click.Context(command, info_name=name, parent=inner)
    values, left, _ = command.make_parser(inner).parse_args(list(rest))
    assert left == []
    for option in command.params:
        given = values.get(option.name or "")
        if isinstance(option, click.Option) and not isinstance(option.type, click.Path | click.File):
            for value in given if isinstance(given, list) else [given]:
                if isinstance(value, str):
                    option.type.convert(value, option, inner)


@pytest.mark.parametrize("line", COMMANDS_SHOWN)
def test_a_command_that_is_shown_is_one(line: str) -> None:
    parse(shlex.split(line.partition(" > ")[0].partition(" < ")[0])[1:])


def inline_commands(page: str) -> list[str]:
    return re.findall(r"`ctrlgraph ([^`\n]+)`", prose(page))


@pytest.mark.parametrize("page", PAGES)
def test_a_command_in_running_text_exists_with_its_options(page: str) -> None:
    for line in inline_commands(page):
        first, *others = [word for word in line.split() if word != "--project"]
        words = [first, *others] if first in TOP_LEVEL else others
        if page == "CHANGELOG.md" or first.isupper() or not words or words[0].startswith(("-", "...")):
            continue
        command: click.Command | None = cli
        while isinstance(command, LazyGroup):
            if command.default is not None and not {*words[:1]} & {*command.texts}:
                words = [command.default, *words]
            if not words:
                break
            assert words[0] in command.texts, line
            command, words = command.get_command(click.Context(command), words[0]), words[1:]
        assert command is not None
        known = {opt for p in command.params for opt in (*p.opts, *p.secondary_opts)} | {"--help"}
        assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, line


OTHER_PROJECTS = {
    "docs/results/biped.md",
    "docs/guides/write-a-tracking-file.md",
    "docs/guides/compute-a-jump-policy.md",
    "docs/guides/step-over-gaps.md",
}
"""Pages whose commands name nodes of other projects than the shipped one."""
NODES = {"run", "goto", "record keyframes", "robustness sweep", "robustness limit", "robustness basins"}
NODES |= {"learn", "tune", "trace"}
"""Commands whose words before their options are nodes, edges or scripts."""
OWN = {"leap", "seat", "walker", "leaning", "upright", "trot", "last"}
OWN |= {f"controllers/{name}.t" for name in ("leap", "seat", "stand", "lean")}
"""What readers make themselves, and runs."""


def named_in(line: str) -> list[str]:
    command, *words = shlex.split(line.partition(" > ")[0])[1:]
    if command not in NODES and words:
        command, words = f"{command} {words[0]}", words[1:]
    if command not in NODES:
        return []
    named = list(itertools.takewhile(lambda word: not word.startswith("-"), words))
    named = [name for name in named if "=" not in name and name not in AXES]
    return named + [node for option, node in itertools.pairwise(words) if option == "--from"]


def test_commands_name_nodes_edges_and_scripts_that_there_are() -> None:
    graph = Project(ROOT).graph
    named = {
        (str(block), name)
        for block in blocks("console", "")
        if block.page not in OTHER_PROJECTS and not block.page.startswith("projects/")
        for line in commands_of(block)
        for name in named_in(line)
    }
    assert len(named) > 20
    for place, name in sorted(named):
        source, arrow, target = name.partition("->")
        if name in OWN or re.fullmatch(r"[\d.]+", name):
            continue
        if name.endswith(".t"):
            assert (ROOT / name).exists(), f"{place} {name}"
        elif arrow:
            assert graph.planned_edge(source, target) is not None, f"{place} {name}"
        else:
            assert name in graph, f"{place} {name}"


# --- files ---


def _graph(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    if "character" in data and "start" in data:
        parse_graph(block.text)
        return
    _, findings = validate(parse_yaml(block.text, str(block), "graph"), graph_model(node_kinds()))
    lacking = {f"the file needs the field '{field}'" for field in ("character", "start", "nodes", "edges")}
    assert [each.message for each in findings if each.message not in lacking] == []


def _nodes(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    indented = "nodes:\n" + block.text
    _graph(Block(block.page, block.line, block.kind, indented), {"nodes": data}, tmp_path, project)


def _file(block: Block, tmp_path: Path) -> Path:
    path = tmp_path / "block.yaml"
    path.write_text(block.text, encoding="utf-8")
    return path


def _learned(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    assert read_learned(_file(block, tmp_path))


def _gate(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    shutil.copytree(ROOT / "scenarios", tmp_path / "scenarios")
    load_gate(_file(block, tmp_path), project)


def _scenario(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    load_scenario(_file(block, tmp_path))


def _reference(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    text = "targets: [walk]\nsweep: {slope: [0, 1]}\n" + block.text
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    load_scenario(path)


def _trajectories(block: Block, data: dict, tmp_path: Path, project: Project) -> None:
    dog = Project(ROOT / "projects" / "dog").character
    assert gait_of(parse_yaml("swing: {}\n" + block.text, str(block), "gait"), dog).moving


FIVE_LINK = ROOT / "projects" / "five-link" / "characters" / "five-link.yaml"
WALKER = load_character(ROOT / "projects" / "tracking" / "characters" / "walker.yaml")

KINDS: list[tuple[str, Callable[[Block, dict, Path, Project], object]]] = [
    ("links", lambda block, data, tmp_path, project: parse_character(block.text)),
    ("obstacles", lambda block, data, tmp_path, project: parse_course_file(block.text)),
    ("random", lambda block, data, tmp_path, project: parse_course_file(block.text)),
    ("weights", lambda block, data, tmp_path, project: parse_regulator(block.text, load_character(FIVE_LINK))),
    ("frames", lambda block, data, tmp_path, project: parse_keyframes(block.text, project.character)),
    ("stages", lambda block, data, tmp_path, project: parse_tracking(block.text, WALKER)),
    ("trajectories", _trajectories),
    ("edge", _learned),
    ("node", _learned),
    ("scenarios", _gate),
    ("gaits", lambda block, data, tmp_path, project: read_entry(_file(block, tmp_path))),
    ("sweep", _scenario),
    ("reference", _reference),
    ("nodes", _graph),
    ("edges", _graph),
    ("walk", _nodes),
]
"""What a block of YAML is, by a field that only such a one has, the first that it has."""


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_a_file_that_is_shown_is_read_as_what_it_is(block: Block, tmp_path: Path, project: Project) -> None:
    data = yaml.safe_load(block.text)
    kind = next((read for field, read in KINDS if field in data), None)
    assert kind is not None, f"{block}: a kind of file that this test does not know"
    kind(block, data, tmp_path, project)


# --- scripts ---

SCRIPTS = [
    block
    for block in blocks("ctrl", "")
    if "BEGINSCRIPT" in block.text
    and block.page != "docs/reference/language.md"  # tests/control/script/test_language_page.py
]
BOW = next(block for block in blocks("ctrl") if "BEGINSCRIPT bow(" in block.text)


@pytest.mark.parametrize("block", SCRIPTS, ids=str)
def test_a_script_that_is_shown_has_no_findings(block: Block, tmp_path: Path, humanoid: Character) -> None:
    (tmp_path / "bow.t").write_text(BOW.text, encoding="utf-8")
    stand = ROOT / "controllers" / "poses" / "stand.t"  # which scripts of readers may call
    (tmp_path / "stand.t").write_text(stand.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "shown.t").write_text(block.text, encoding="utf-8")
    characters = (each.text for each in blocks("yaml") if each.page == block.page and "links:" in each.text)
    shown = next(characters, None)  # a script on a page that shows a character is for that one
    body = humanoid if shown is None else parse_character(shown)
    library = ScriptLibrary([tmp_path])
    assert [finding.render() for finding in check_script(library, tmp_path / "shown.t", body)] == []


@pytest.mark.parametrize("block", SCRIPTS, ids=str)
def test_a_script_that_is_shown_has_the_one_layout(block: Block) -> None:
    assert format_script(block.text) == block.text


# --- Python ---


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_every_import_that_a_page_shows_works(block: Block) -> None:
    compile(block.text, str(block), "exec")
    imports = [node for node in ast.walk(ast.parse(block.text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    exec(compile(ast.Module(imports, []), str(block), "exec"), {})
    assert imports
