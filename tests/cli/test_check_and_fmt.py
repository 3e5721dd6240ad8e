"""`ctrlgraph check` and `ctrlgraph fmt`."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.project.shipped import copy_project

GOOD = "BEGINSCRIPT good(void)\n  PHASE 0\n    TRANSITION to(-1).after(time 1);\n  ENDPHASE\nENDSCRIPT\n"
BROKEN = GOOD.replace("time 1)", "time 1")
UGLY = GOOD.replace("    TRANS", "TRANS")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy_project(here / "project")
    monkeypatch.chdir(here / "project")
    return here / "project"


def test_the_shipped_project_has_no_errors(project: Path, capsys: Capture) -> None:
    assert main(["check"]) == 0
    summary = capsys.readouterr().out.splitlines()[-1]
    scripts = len([*(project / "controllers").rglob("*.t"), *(project / "learned").glob("*.t")])
    learned = len(list((project / "learned").glob("*.yaml")))
    kinds = f"{scripts} scripts, 1 graph, 1 character" + (f", {learned} learned files" if learned else "")
    assert summary.startswith(f"checked {kinds}: 0 errors, ")


@pytest.mark.slow
def test_everything_in_a_project_is_checked_at_once(project: Path, capsys: Capture) -> None:
    script = project / "controllers" / "broken.t"
    script.write_text(BROKEN, encoding="utf-8")
    character = project / "characters" / "heavy.yaml"
    text = (project / "characters" / "humanoid.yaml").read_text(encoding="utf-8")
    character.write_text(text.replace("mass: 4.725", "mass: -4.725"), encoding="utf-8")
    graph = project / "graph.yaml"
    graph.write_text(graph.read_text(encoding="utf-8").replace("\nstart:", "\nstrat:"), encoding="utf-8")
    assert main(["check", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    errors = {finding["path"] for finding in report["findings"] if finding["severity"] == "error"}
    assert errors == {"graph.yaml", "characters/heavy.yaml", "controllers/broken.t"}
    assert report["errors"] == sum(finding["severity"] == "error" for finding in report["findings"])


@pytest.mark.slow
def test_drafts_are_listed_with_what_each_lacks(project: Path, capsys: Capture) -> None:
    graph = project / "graph.yaml"
    entry = {"script": "controllers/poses/stand.t", "args": [0.5, 0.5], "draft": "no way out of it"}
    text = graph.read_text(encoding="utf-8")
    graph.write_text(text.replace("\nnodes:\n", f"\nnodes:\n  lean: {json.dumps(entry)}\n"), encoding="utf-8")
    assert main(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "draft lean (controllers/poses/stand.t), which no walk enters: no way out of it"
    assert main(["check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["drafts"]
    assert found == [{"name": "lean", "file": "controllers/poses/stand.t", "lacks": "no way out of it"}]


def test_a_script_of_a_project_may_call_all_others(project: Path, capsys: Capture) -> None:
    text = GOOD.replace("    TRANS", "    > stand.t(1, 1);\n    TRANS").replace("time 1", "complete")
    (project / "controllers" / "mine.t").write_text(text, encoding="utf-8")
    assert main(["check", "controllers/mine.t"]) == 0
    assert capsys.readouterr().out == "checked 1 script: 0 errors, 0 warnings\n"


def test_findings_are_shown_with_line_and_caret(here: Path, capsys: Capture) -> None:
    Path("broken.t").write_text(BROKEN, encoding="utf-8")
    assert main(["check", "broken.t"]) == 1
    assert capsys.readouterr().out == (
        "broken.t:3:28: error: expected ')' before ';' to close the '(' opened here\n"
        "        TRANSITION to(-1).after(time 1;\n"
        "                               ^\n"
        "checked 1 script: 1 error, 0 warnings\n"
    )


def test_names_are_those_of_the_shipped_humanoid_where_there_is_no_project(here: Path, capsys: Capture) -> None:
    text = GOOD.replace("    TRANS", "    ACTIONS POSE rNee(1); ENDACTIONS\n    TRANS")
    Path("x.t").write_text(text, encoding="utf-8")
    assert main(["check", "."]) == 1
    assert "unknown joint 'rNee'" in capsys.readouterr().out


def test_without_paths_there_must_be_a_project(here: Path, capsys: Capture) -> None:
    for command in ("check", "fmt"):
        assert main([command]) == 1
        assert capsys.readouterr().err.startswith(f"error: there is no graph.yaml in {here} or above it: ")


def test_only_scripts_and_yaml_can_be_checked(here: Path, capsys: Capture) -> None:
    Path("notes.txt").write_text("", encoding="utf-8")
    assert main(["check", "notes.txt"]) == 1
    assert capsys.readouterr().err == (
        "error: notes.txt cannot be checked: give a script (.t, .s), a YAML file of a project, or a MuJoCo model"
        " (.xml)\n"
    )


def test_fmt_rewrites_and_is_then_content(here: Path, capsys: Capture) -> None:
    Path("x.t").write_text(UGLY, encoding="utf-8")
    os.chmod("x.t", 0o640)
    assert main(["fmt", "--check", "."]) == 1
    assert capsys.readouterr().out == "would change x.t\n1 of 1 script would change\n"
    assert Path("x.t").read_text(encoding="utf-8") == UGLY
    assert main(["fmt", "."]) == 0
    assert capsys.readouterr().out == "changed x.t\n1 of 1 script changed\n"
    assert Path("x.t").read_text(encoding="utf-8") == GOOD
    assert Path("x.t").stat().st_mode & 0o777 == 0o640
    assert main(["fmt", "--check", "x.t"]) == 0
    assert os.listdir() == ["x.t"]


def test_fmt_leaves_scripts_with_errors_alone(here: Path, capsys: Capture) -> None:
    Path("broken.t").write_text(BROKEN, encoding="utf-8")
    Path("ugly.t").write_text(UGLY, encoding="utf-8")
    assert main(["fmt", "."]) == 1
    output = capsys.readouterr()
    assert output.out == "changed ugly.t\n1 of 2 scripts changed, 1 not changed because of errors\n"
    assert "broken.t:3:28: error: expected ')'" in output.err
    assert Path("broken.t").read_text(encoding="utf-8") == BROKEN


def test_fmt_lists_as_json_what_would_change_and_changes_nothing(here: Path, capsys: Capture) -> None:
    for name, text in (("broken", BROKEN), ("ugly", UGLY), ("good", GOOD)):
        Path(f"{name}.t").write_text(text, encoding="utf-8")
    assert main(["fmt", "--check", "--json", "."]) == 1
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.err == ""
    assert found.pop("findings")[0]["path"] == "broken.t"
    files = ["broken.t", "good.t", "ugly.t"]
    assert found == {"check": True, "files": files, "changed": ["ugly.t"], "broken": ["broken.t"]}
    assert Path("ugly.t").read_text(encoding="utf-8") == UGLY


def test_fmt_keeps_a_byte_order_mark(here: Path) -> None:
    mark = b"\xef\xbb\xbf"
    Path("ugly.t").write_bytes(mark + UGLY.encode())
    assert main(["fmt", "ugly.t"]) == 0
    assert Path("ugly.t").read_bytes() == mark + GOOD.encode()


def test_fmt_takes_only_scripts(here: Path, capsys: Capture) -> None:
    Path("graph.yaml").write_text("", encoding="utf-8")
    assert main(["fmt", "graph.yaml"]) == 1
    assert (
        capsys.readouterr().err
        == "error: graph.yaml is not a script, so it cannot be formatted: give a script (.t, .s) or a directory\n"
    )


def test_fmt_does_not_follow_a_link_to_a_script(tmp_path: Path, here: Path, capsys: Capture) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.t"
    outside.write_text(UGLY, encoding="utf-8")
    Path("bow.t").symlink_to(outside)
    assert main(["fmt", "bow.t"]) == 1
    assert capsys.readouterr().err == f"error: bow.t is a symbolic link: format the file {outside.resolve()} instead\n"
    assert outside.read_text(encoding="utf-8") == UGLY


def test_a_directory_of_learned_files_is_checked(here: Path, capsys: Capture) -> None:
    Path("learned").mkdir()
    Path("learned/rise.yaml").write_text("nonsense: 1\n", encoding="utf-8")
    assert main(["check", "learned"]) == 1
    assert "learned/rise.yaml:1:1: error:" in capsys.readouterr().out
    Path("learned/walk.yaml").symlink_to("/etc/passwd")
    assert main(["check", "learned"]) == 1
    assert (
        capsys.readouterr().err
        == "error: 'walk.yaml' lies outside the project: give a relative path inside the project\n"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a pipe")
def test_fmt_says_of_what_it_is_given_that_it_cannot_be_read(here: Path, capsys: Capture) -> None:
    os.mkfifo("z.t")
    assert main(["fmt", "z.t"]) == 1
    said = "z.t: error: the script cannot be read: it is a pipe, a socket or a device, not a file\n"
    assert capsys.readouterr().err == said


def test_fmt_says_what_it_cannot_write(here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    Path("x.t").write_text(UGLY, encoding="utf-8")
    monkeypatch.setattr(os, "replace", refuse)
    assert main(["fmt", "x.t"]) == 1
    assert capsys.readouterr().err == "error: cannot write 'x.t': permission denied\n"
    assert Path("x.t").read_text(encoding="utf-8") == UGLY
    assert os.listdir() == ["x.t"]


@pytest.mark.parametrize("file", ["tracking/walk.yaml", "tracking/jump.yaml"])
def test_a_tracking_file_is_checked_as_one_and_not_as_a_character(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    copy_project(here / "walker", "tracking")
    monkeypatch.chdir(here / "walker")
    assert main(["check", file]) == 0
    assert "checked 1 controller: 0 errors" in capsys.readouterr().out
    text = Path(file).read_text()
    Path(file).write_text(text.replace("rKnee:", "rKneee:", 1))
    assert main(["check", file]) == 1
    assert "has no joint or link 'rKneee'" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["tracking", "regulator", "regulators", "stepping", "keyframes"])
def test_a_file_without_any_key_is_of_the_kind_that_its_folder_is_named_for(
    here: Path, capsys: Capture, kind: str
) -> None:
    (here / kind).mkdir()
    (here / kind / "empty.yaml").write_text("")
    assert main(["check", f"{kind}/empty.yaml"]) == 1
    said = capsys.readouterr().out
    assert "must consist of lines 'FIELD: VALUE'" in said and "a character file" not in said
    assert "checked 1 " in said and "1 character" not in said


def test_a_regulator_file_is_checked_as_one(here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_project(here / "five", "five-link")
    monkeypatch.chdir(here / "five")
    assert main(["check", "regulators/six-steps.yaml"]) == 0
    assert "checked 1 controller: 0 errors" in capsys.readouterr().out


def test_a_line_break_in_a_file_name_forges_no_finding(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a\nb.t").write_text("bad(", encoding="utf-8")
    assert main(["check", "a\nb.t"]) == 1
    captured = capsys.readouterr()
    assert "a\\nb.t:1:1: error" in captured.out + captured.err
    assert "\nb.t" not in captured.out + captured.err


def test_a_gait_file_without_swings_is_checked_as_a_gait(run) -> None:
    Path("pace.yaml").write_text("forward: 0.5\nperiod: 0.4\n")
    code, out, _ = run("--project", Path(__file__).parents[2] / "projects" / "quadruped", "check", "pace.yaml")
    assert code == 1
    assert out.startswith("pace.yaml:1:1: error: the file needs the field 'swing'\n")
    assert "character" not in out


def test_controllers_that_no_node_names_are_checked_as_scripts_are(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_project(here / "robot", "quadruped")
    monkeypatch.chdir(here / "robot")
    Path("controllers/more").mkdir()
    Path("controllers/amble.yaml").write_text("forward: fast\nswing: {}\n")
    Path("controllers/more/nod.yml").write_text("frames: 1\njoints: []\n")
    Path("controllers/notes.yaml").write_text("author: me\n")
    for files in ([], ["controllers"]):
        assert main(["check", *files]) == 1
        said = capsys.readouterr().out
        assert "controllers/amble.yaml:1:10: error: forward must be a number, not 'fast'\n" in said
        assert "controllers/more/nod.yml:1:9: error: frames must be a list, not 1\n" in said
        assert "notes" not in said
