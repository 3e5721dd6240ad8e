"""`ctrlgraph learned`, and what `ctrlgraph check` says about learned files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.cli import console
from ctrlgraph.cli.main import main
from ctrlgraph.project.learned import LearnedFile, LearnedPart, constants_of
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  walk: {script: controllers/gaits/walk.t, cycles: [1, 3]ADAPTED}
edges:
  - {from: stand, to: walk}
  - {from: walk, to: standLEARNED}
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def wide_console(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Consoles are kept, and one that another test made may be narrow."""
    monkeypatch.setenv("COLUMNS", "200")
    console.stdout.cache_clear()
    yield
    console.stdout.cache_clear()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without anything learned, in the current directory."""
    make_project(tmp_path, GRAPH.replace("ADAPTED", "").replace("LEARNED", ""), origin=OLD_HUMANOID)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def learned(project: Path) -> Path:
    """A learned edge and an adapted node."""
    opened = Project(project)
    walk, stand = opened.program("walk"), opened.program("stand")
    dt = next(i for i, source in enumerate(walk.parameters) if source.role == "simbicon dt")
    gain = next(i for i, source in enumerate(stand.parameters) if source.role == "VFFB uTorso cd")
    source = LearnedPart(program=walk.digest, cycles=1, constants=constants_of(walk, {dt: 0.27}))
    target = LearnedPart(program=stand.digest, constants=constants_of(stand, {0: 0.55, gain: 1500.0}))
    search = {"command": "ctrlgraph learn walk stand", "seed": 3, "evaluations": 1200, "wall_s": 61.4}
    reached = {"naive": {"trials": 40, "successes": 30}, "learned": {"trials": 40, "successes": 39}}
    file = LearnedFile(edge="walk -> stand", source=source, target=target, search=search, held_out=reached)
    write_learned(project / "learned" / "walk-stand.yaml", file)
    on_slopes = LearnedPart(program=walk.digest, constants=constants_of(walk, {dt: [0.3, 0.36]}))
    history = {"slope=8": {"evaluations": 100, "wall_s": 5.0}, "slope=0": {"evaluations": 50, "wall_s": 2.0}}
    adapted = LearnedFile(node="walk", condition={"slope": [0, 8]}, target=on_slopes, search=history)
    write_learned(project / "learned" / "walk.yaml", adapted)
    text = GRAPH.replace("ADAPTED", ", adapted: learned/walk.yaml")
    text = text.replace("LEARNED", ", kind: learned, parameters: learned/walk-stand.yaml")
    (project / "graph.yaml").write_text(text)
    return project


def stale(project: Path) -> None:
    script = project / "controllers" / "poses" / "stand.t"
    script.write_text(script.read_text().replace("2000, 250", "2000, 260"))


def test_where_nothing_is_learned_that_is_said(project: Path, capsys: Capture) -> None:
    assert main(["learned"]) == 0
    said = "the graph has no learned edges and no adapted nodes\n"
    assert capsys.readouterr().out == said


def test_the_table_tells_condition_changes_success_and_cost(learned: Path, capsys: Capture) -> None:
    assert main(["learned"]) == 0
    title, edge, *rest = capsys.readouterr().out.splitlines()
    assert title.split()[:5] == ["edge", "or", "node", "condition", "constants"]
    assert edge.split()[:4] == ["walk", "->", "stand", "3"]
    for cell in ("VFFB uTorso cd -25 %", "75 % (60-86) of 40", "98 % (87-100) of 40", "1200 evaluations, 61 s", "ok"):
        assert cell in edge
    node = next(line for line in rest if line.startswith("walk "))
    for cell in ("slope 0, 8 deg", "simbicon dt +20 %", "150 evaluations, 7 s", "ok"):
        assert cell in node


def test_one_of_them_is_shown_with_every_constant_and_its_line(learned: Path, capsys: Capture) -> None:
    assert main(["learned", "walk->stand"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[:4] == [
        "walk -> stand (learned/walk-stand.yaml): ok",
        "  the source runs 1 cycle more",
        "  in held-out cases: learned 98 % (87-100) of 40, naive 75 % (60-86) of 40",
        "  search: 1200 evaluations, 61 s",
    ]
    assert "  controllers/gaits/walk.t:5  > simbicon.t(.3, 0," in shown
    assert "    simbicon dt: 0.3 -> 0.27 s (-10 %)" in shown.splitlines()
    assert "    stand rise: 0.5 -> 0.55 s (+10 %)" in shown.splitlines()
    assert "    VFFB uTorso cd: 2000 -> 1500 N/m (-25 %)" in shown.splitlines()


@pytest.mark.parametrize("name", ["walk -> stand", "walk->stand", "walk-stand", "learned/walk-stand.yaml"])
def test_an_edge_goes_by_several_names(learned: Path, capsys: Capture, name: str) -> None:
    assert main(["learned", name, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["learned"]
    assert (found["name"], found["kind"], found["state"]) == ("walk -> stand", "edge", "ok")


def test_json_has_all_of_it(learned: Path, capsys: Capture) -> None:
    assert main(["learned", "--json"]) == 0
    edge, node = json.loads(capsys.readouterr().out)["learned"]
    assert (node["kind"], node["condition"]) == ("node", {"slope": [0.0, 8.0]})
    (constant,) = node["constants"]
    assert (constant["old"], constant["new"], constant["unit"]) == (0.3, [0.3, 0.36], "s")
    assert (constant["path"], constant["line"], constant["column"]) == ("controllers/gaits/walk.t", 5, 18)
    assert edge["learned"] == pytest.approx({"successes": 39, "trials": 40, "low": 0.871, "high": 0.996}, abs=1e-3)
    assert edge["search"]["command"] == "ctrlgraph learn walk stand"
    assert (edge["changed"], edge["cycles"]) == (3, {"source": 1, "target": None})


def test_what_is_not_learned_is_one_sentence(learned: Path, capsys: Capture) -> None:
    assert main(["learned", "walk -> stnd"]) == 1
    message = "error: there is no learned edge or node 'walk -> stnd' (did you mean 'walk -> stand'?)\n"
    assert capsys.readouterr().err == message


def test_a_stale_edge_is_shown_as_such_and_is_exit_code_1(learned: Path, capsys: Capture) -> None:
    stale(learned)
    assert main(["learned"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("walk ")] == ["stale", "ok"]
    said = "error: these constants were learned for another version of 'stand'"
    assert any(line.startswith("learned/walk-stand.yaml:") and line.endswith(said) for line in lines)
    assert main(["learned", "walk-stand", "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["learned"]
    assert found["state"] == "stale"
    old = [(constant["part"], constant["old"], constant["unit"]) for constant in found["constants"]]
    assert old == [("source", 0.3, "s"), ("target", 0.5, ""), ("target", 2000.0, "")]  # what the file says stays known


def test_a_file_with_faults_is_shown_as_such(learned: Path, capsys: Capture) -> None:
    (learned / "learned" / "walk.yaml").write_text("node: walk\ntarget: {constants: []}\n")
    assert main(["learned", "walk"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == [
        "walk (learned/walk.yaml): faulty",
        "learned/walk.yaml:2:1: error: target needs the field 'program'",
    ]


# --- run ---


def ran(capsys: Capture, *words: str) -> str:
    """Digest of all states of a run."""
    main(["run", *words, "--json"])
    return str(json.loads(capsys.readouterr().out)["history_digest"])


def test_arguments_of_ones_own_are_run_as_they_are(learned: Path, capsys: Capture) -> None:
    """What a node is adapted with was found for the arguments of the graph."""
    graph = learned / "graph.yaml"
    opened = Project(learned)
    stand = opened.program("stand")
    target = LearnedPart(program=stand.digest, constants=constants_of(stand, {1: 2.0}))
    write_learned(learned / "learned" / "stand.yaml", LearnedFile(node="stand", target=target))
    plain = ran(capsys, "stand")
    graph.write_text(graph.read_text().replace("[0.5, 0.5]", "[0.5, 0.5], adapted: learned/stand.yaml"))
    assert ran(capsys, "stand") == ran(capsys, "stand", "0.5", "2") != plain
    assert ran(capsys, "stand", "0.5", "0.5") == plain


# --- check ---


def checked(capsys: Capture, *paths: str) -> tuple[int, list[str]]:
    code = main(["check", *paths])
    return code, [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]


def test_learned_files_are_checked_with_the_project(learned: Path, capsys: Capture) -> None:
    code, lines = checked(capsys)
    assert code == 0
    assert lines[-1].endswith("1 graph, 1 character, 2 learned files: 0 errors, 0 warnings")


def test_check_finds_stale_and_unused_files(learned: Path, capsys: Capture) -> None:
    stale(learned)
    (learned / "learned" / "old.yaml").write_text("edge: a -> b\ntarget: {program: d}\n")
    code, lines = checked(capsys)
    assert code == 1
    assert [line.partition(": ")[2] for line in lines[:-1]] == [
        "error: these constants were learned for another version of 'stand'",
        "warning: this learned file is not used by any edge or node of the graph",
    ]


def test_faults_of_files_that_nothing_uses_are_found_too(learned: Path, capsys: Capture) -> None:
    (learned / "learned" / "old.yaml").write_text("edge: a -> b\n")
    (learned / "learned" / "old.t").write_text("BEGINSCRIPT old(void)\n")
    code, lines = checked(capsys)
    assert code == 1
    files = [line.partition(":")[0] for line in lines[:-1] if " error: " in line]
    assert list(dict.fromkeys(files)) == ["learned/old.yaml", "learned/old.t"]


def test_a_bridge_may_call_the_scripts_of_the_project(learned: Path, capsys: Capture) -> None:
    call = "PHASE 0\n    > squat.t(1);\n    TRANSITION to(-1).after(complete);\n  ENDPHASE"
    (learned / "learned" / "b.t").write_text(f"BEGINSCRIPT b(void)\n  {call}\nENDSCRIPT\n")
    code, lines = checked(capsys)
    assert (code, lines[:-1]) == (
        0,
        ["learned/b.t: warning: this script of a learned edge is not used by any edge or node of the graph"],
    )


def test_a_learned_file_can_be_checked_by_itself(learned: Path, capsys: Capture) -> None:
    stale(learned)
    code, lines = checked(capsys, "learned/walk.yaml")
    assert (code, lines) == (0, ["checked 1 learned file: 0 errors, 0 warnings"])
    code, lines = checked(capsys, "learned/walk-stand.yaml")
    assert (code, lines[-1]) == (1, "checked 1 learned file: 1 error, 0 warnings")
