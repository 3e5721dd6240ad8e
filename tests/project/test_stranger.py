"""A project from a stranger: its files name only what lies inside it, within bounds, and print nothing that a terminal
would obey."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.export import to_dot, to_graphml
from ctrlgraph.graph.reader import check_graph, parse_graph
from ctrlgraph.project.project import Project
from ctrlgraph.run_log.run_log import RunLog

ROOT = Path(__file__).parents[2]
SECRET = "no line of this may be shown"
OUTSIDE = "lies outside the project: give a relative path inside the project"

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  squat: {script: controllers/poses/squat.t, args: [1], kind: static}
edges:
  - {from: stand, to: squat}
  - {from: squat, to: stand}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current directory, beside files that are none of its business."""
    directory = make_project(tmp_path / "project", GRAPH)
    (directory / "learned").mkdir()
    for name in ("secret.t", "secret.yaml"):
        (tmp_path / name).write_text(f"{SECRET}: [\n")
        (directory / f"link{Path(name).suffix}").symlink_to(tmp_path / name)
    monkeypatch.chdir(directory)
    return directory


def findings_of(project: Path, text: str) -> list[str]:
    (project / "graph.yaml").write_text(text)
    return [f.render().split("\n")[0] for f in check_graph(project / "graph.yaml") if f.severity == "error"]


def parsed(text: str) -> list[str]:
    with pytest.raises(SourceError) as raised:
        parse_graph(text)
    return [finding.render().split("\n")[0] for finding in raised.value.findings]


# --- paths ---


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.t", "controllers/../../secret.t", "link.t"])
def test_a_script_outside_the_project_is_a_located_finding_and_never_read(project: Path, path: str) -> None:
    text = GRAPH.replace("controllers/poses/squat.t", path)
    assert findings_of(project, text) == [f"graph.yaml:5:19: error: '{path}' {OUTSIDE}"]


def test_no_file_outside_the_project_is_proposed_for_a_name(project: Path) -> None:
    (project / "out").symlink_to(project.parent)
    for path in (".", f"out/{project.name}"):
        assert "secret" not in str(findings_of(project, GRAPH.replace("controllers/poses/squat.t", path)))


@pytest.mark.parametrize("path", ["/etc/hostname", "../secret.yaml", "link.yaml"])
def test_a_character_outside_the_project_is_a_located_finding(project: Path, path: str) -> None:
    text = GRAPH.replace("humanoid", path)
    assert findings_of(project, text) == [f"graph.yaml:1:12: error: '{path}' {OUTSIDE}"]


@pytest.mark.parametrize("path", ["/etc/hostname", "../secret.yaml", "link.yaml"])
def test_learned_files_outside_the_project_are_located_findings(project: Path, path: str) -> None:
    text = GRAPH.replace("args: [1]", f"args: [1], adapted: {path}")
    text = text.replace("to: stand}", f"to: stand, kind: learned, parameters: {path}}}")
    column = text.splitlines()[4].index(path) + 1
    assert findings_of(project, text) == [
        f"graph.yaml:5:{column}: error: '{path}' {OUTSIDE}",
        f"graph.yaml:8:57: error: '{path}' {OUTSIDE}",
    ]


def test_a_bridge_outside_the_project_is_a_located_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GRAPH.replace("to: stand}", "to: stand, kind: learned, parameters: learned/up.yaml}")
    (project / "graph.yaml").write_text(text)
    (project / "learned" / "up.yaml").write_text(
        "edge: squat -> stand\nbridge: {script: ../secret.t, program: d}\ntarget: {program: d}\n"
    )
    assert main(["check"]) == 1
    said = capsys.readouterr().out
    assert f"learned/up.yaml:2:18: error: '../secret.t' {OUTSIDE}" in said
    assert SECRET not in said
    with pytest.raises(CtrlGraphError, match=OUTSIDE):
        Project(project).edge_controller(Project(project).graph.edges[1], "stand", 1)


@pytest.mark.parametrize("name", ["characters/other.yaml", "learned/other.yaml", "learned/other.t"])
def test_check_follows_no_link_out_of_the_project(project: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (project / name).symlink_to(project.parent / f"secret{Path(name).suffix}")
    assert main(["check"]) == 1
    shown = capsys.readouterr()
    assert shown.err == f"error: '{name}' {OUTSIDE}\n"
    assert SECRET not in shown.out


def test_a_graph_that_is_a_link_out_of_its_project_is_not_read(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "graph.yaml").unlink()
    (project / "graph.yaml").symlink_to("../secret.yaml")
    for command in (["check"], ["check", "."], ["graph"]):
        assert main(command) == 1
        shown = capsys.readouterr()
        assert (shown.out, shown.err) == ("", f"error: 'graph.yaml' {OUTSIDE}\n")


def test_a_project_may_itself_be_reached_through_a_link(project: Path) -> None:
    (project.parent / "elsewhere").symlink_to(project)
    opened = Project(project.parent / "elsewhere")
    assert opened.program("squat").name == "squat"
    assert opened.runs_directory == project.parent / "elsewhere" / "runs"


def test_what_lies_deeper_in_the_project_may_be_named(project: Path) -> None:
    assert findings_of(project, GRAPH.replace("poses/squat.t", "poses/../poses/squat.t")) == []


def test_a_path_that_no_system_has_is_one_that_does_not_exist(project: Path) -> None:
    name = "x" * 300
    text = GRAPH.replace("humanoid", f"{name}.yaml").replace("controllers/poses/squat.t", f"{name}/{name[:150]}")
    text = text.replace("args: [1]", f"args: [1], adapted: {name}.yaml")
    assert [said.partition("error: ")[2] for said in findings_of(project, text)] == [
        f"no character '{name}.yaml': there is no file {name}.yaml"[:497] + "...",
        f"no script '{name}/{name[:150]}' for node 'squat'",
        f"there is no file of learned constants '{name}.yaml': correct the path, or learn the edge",
    ]


def test_check_covers_everything_that_the_graph_names_and_counts_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "other").mkdir()
    (project / "characters" / "humanoid.yaml").rename(project / "other" / "giant.yaml")
    (project / "characters").rmdir()
    (project / "other" / "squat.t").write_text("BEGINSCRIPT squat(x)\n")
    (project / "other" / "up.yaml").write_text("edge: squat\n")
    text = GRAPH.replace("humanoid", "other/giant.yaml").replace("controllers/poses/squat.t", "other/squat.t")
    text = text.replace("to: stand}", "to: stand, kind: learned, parameters: other/up.yaml}")
    (project / "graph.yaml").write_text(text)
    assert main(["check"]) == 1
    said = capsys.readouterr().out
    assert "other/squat.t:" in said and "other/up.yaml:" in said
    scripts = len([*(project / "controllers").rglob("*.t"), "other/squat.t"])
    assert f"checked {scripts} scripts, 1 graph, 1 character, 1 learned file: " in said


def test_nothing_is_logged_through_a_link_out_of_the_project(project: Path) -> None:
    elsewhere = project.parent / "elsewhere"
    elsewhere.mkdir()
    (project / "runs").symlink_to(elsewhere)
    with pytest.raises(CtrlGraphError, match=f"^'runs' {OUTSIDE}$"):
        Project(project).log()
    (project / "runs").unlink()
    (project / "runs").mkdir()
    file = project / "runs" / RunLog.FORMAT.file
    file.symlink_to(elsewhere / "database")
    with pytest.raises(
        CtrlGraphError, match=r"^the run log .* must not link out of its directory: replace it with the file$"
    ):
        Project(project).log()
    assert list(elsewhere.iterdir()) == []


# --- names and texts ---

WHY = "(names must not contain / \\ or ->, or begin with a dot or dash)"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../../../x/rise", f"is not a valid name: '../../../x/rise' {WHY}"),
        ("a/b", f"is not a valid name: 'a/b' {WHY}"),
        ("'a\\b'", f"is not a valid name: 'a\\\\b' {WHY}"),
        (".hidden", f"is not a valid name: '.hidden' {WHY}"),
        ("--all", f"is not a valid name: '--all' {WHY}"),
        ("a->b", f"is not a valid name: 'a->b' {WHY}"),
        ("' a'", "is not a valid name: ' a'"),
        ('"a\\nb"', "is not a valid name: 'a\\nb'"),
        ("é" * 51, f"is too long for a name: '{'é' * 20}'... has more than 100 bytes"),
    ],
)
def test_files_can_be_named_after_every_node_link_and_character(name: str, reason: str) -> None:
    assert parsed(GRAPH.replace("  squat:", f"  {name}:"))[0] == f"graph.yaml:5:3: error: a key of nodes {reason}"
    with pytest.raises(SourceError) as raised:
        parse_character((ROOT / "characters" / "humanoid.yaml").read_text().replace("name: humanoid", f"name: {name}"))
    assert raised.value.findings[0].message == f"name {reason}"


def test_a_text_may_hold_no_character_that_a_terminal_obeys() -> None:
    for written in ('"\\e]0;mine\\a"', '"\\u202e"', '"\\x9b2J"'):
        (said,) = parsed(GRAPH.replace("kind: static}\nedges", f"kind: static, description: {written}}}\nedges"))
        assert said.startswith("graph.yaml:5:84: error: a text must not contain the character \\")


def test_every_graph_that_loads_is_valid_graphml_and_dot() -> None:
    name = "a<&\"']]>é🏃;{}"
    quoted = "'" + name.replace("'", "''") + "'"
    graph = parse_graph(GRAPH.replace("squat:", f"{quoted}:").replace("to: squat", f"to: {quoted}").replace(
        "from: squat", f"from: {quoted}").replace("args: [1]", f"args: [1], description: {quoted}"))  # fmt: skip
    nodes = ElementTree.fromstring(to_graphml(graph).encode()).iter("{http://graphml.graphdrawing.org/xmlns}node")
    assert [node.get("id") for node in nodes] == ["stand", name]
    assert '"a<&\\"\']]>é🏃;{}" -> "stand" [style=solid];' in to_dot(graph)


# --- numbers and sizes ---

STAND = "{script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static"


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("timeout: 1.0e300", "nodes.stand.timeout must be at most 3600, not 1e+300"),
        ("cycles: [3, 99999999999999999999]", "a whole number must have at most 64 bits, not 67"),
        ("success: {torso: [0, 1e7]}", "nodes.stand.success.torso must have numbers from -1e+06 to 1e+06,"
         " or infinite ones (.inf)"),
        (f"success: {{torso: [0, {'9' * 401}]}}", "a number must have at most 100 characters, not 401"),
        ("success: {torso: [2001-02-30, 1]}", "nodes.stand.success.torso must be a list of two numbers,"
         " [least, greatest], such as [-0.3, 0.3]"),
    ],
)  # fmt: skip
def test_every_number_has_a_bound(field: str, message: str) -> None:
    assert [said.partition("error: ")[2] for said in parsed(GRAPH.replace(STAND, f"{STAND}, {field}"))] == [message]


def test_arguments_weights_and_orders_have_bounds() -> None:
    text = GRAPH.replace("[1]", "[1e7]").replace("to: squat}", "to: squat, weight: 1e9}")
    text += "  - {from: squat, to: stand, kind: corrective, when: failed, order: -99999999}\n"
    assert [said.partition("error: ")[2] for said in parsed(text)] == [
        "nodes.squat.args[0] must be at most 1e+06, not 10000000.0",
        "edges[0].weight must be at most 1e+06, not 1000000000.0",
        "edges[2].order must be at least -1e+06, not -99999999",
    ]


def quickly(text: str) -> list[str]:
    """Parse a text that a reader of quadratic time would take minutes for."""
    began = time.process_time()
    said = parsed(text)
    assert time.process_time() - began < 60
    return said


def test_a_graph_of_more_nodes_than_anybody_draws_is_refused_at_once() -> None:
    nodes = "".join(f"  n{i}: {{script: a.t}}\n" for i in range(20_000))
    (said,) = quickly(f"character: a\nstart: n0\nnodes:\n{nodes}")
    assert said == "graph.yaml:4:3: error: nodes must have at most 1000 items, not 20000"


def test_edges_from_every_node_count_for_each() -> None:
    nodes = "".join(f"  n{i}: {{script: a.t}}\n" for i in range(1000))
    edges = "".join(f"  - {{from: '*', to: n{i}}}\n" for i in range(1000))
    (said,) = quickly(f"character: a\nstart: n0\nnodes:\n{nodes}edges:\n{edges}")
    assert said == (
        "graph.yaml:1015:5: error: up to here the graph has more than 10000 edges ('*' counts as one"
        " edge per node): remove some"
    )


def test_thousands_of_unknown_nodes_take_no_time() -> None:
    edges = "".join(f"  - {{from: n{i}, to: m{i}}}\n" for i in range(9000))
    said = quickly(GRAPH + edges)
    assert len(said) == 101 and said[-1] == "graph.yaml: error: there are more errors, which are not shown"


def test_more_grounds_than_can_be_told_apart_in_minutes_are_refused() -> None:
    edges = "".join(
        f"  - {{from: n{i}, to: squat, ground: {{slope: [{i}, {i + 1}], obstacle: [{i}, {i + 1}]}}}}\n"
        f"  - {{from: squat, to: n{i}}}\n"
        for i in range(300)
    )
    nodes = "".join(f"  n{i}: {{script: a.t}}\n" for i in range(300))
    said = quickly(GRAPH.replace("edges:\n", nodes + "edges:\n") + edges)
    assert [each for each in said if "ground ranges" in each] == [
        "graph.yaml:306:1: error: the edges have 301 ground ranges, with 303 slopes and 303 heights: too many to check"
    ]


@pytest.mark.parametrize("mass", ["1e-320", "5e-324", "1e308", "1e5"])
def test_a_body_has_a_mass_that_can_be_simulated(mass: str) -> None:
    text = (ROOT / "characters" / "humanoid.yaml").read_text().replace("mass: 4.725", f"mass: {mass}")
    tiny = mass.startswith(("1e-", "5e-"))
    bound = f"least 0.0001, not {float(mass):g}" if tiny else f"most 10000, not {float(mass)}"
    with pytest.raises(SourceError) as raised:
        parse_character(text)
    assert [f.message for f in raised.value.findings] == [f"links.head.mass must be at {bound}"]


def test_a_character_of_ten_thousand_links_is_refused_at_once() -> None:
    links = "".join(f"  l{i}: {{mass: 1, size: [1, 1], at: [0, 0]}}\n" for i in range(7_000))
    joint = "{parent: l0, child: l1, at: [0, 0], limits: [-1, 1], torque: [1, 1]}"
    with pytest.raises(SourceError) as raised:
        parse_character(f"name: worm\nlinks:\n{links}joints:\n  a: {joint}\n")
    assert [f.message for f in raised.value.findings] == ["links must have at most 100 items, not 7000"]
