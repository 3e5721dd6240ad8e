"""Drafts: scripts with a success of their own, tuned before they are nodes, and kept in the graph until they can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_project import FALLING_SIT as SIT

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.editor import with_new_edges
from ctrlgraph.graph.model import Node
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.project.project import Project
from ctrlgraph.project.script_success import header_conditions
from ctrlgraph.simulation.measures import Conditions

# A jump that misled `integrate` once: whatever it is entered from, it ends by its fall exit.
TIP = """\
# Jumps, and tips over.
BEGINSCRIPT tip(void)
  PHASE 0
    ACTIONS
      POSE waist(1.2), bHip(-2);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 0.5);
  ENDPHASE
ENDSCRIPT
"""

LEAN = """\
# Leans forward a little.
SET SUCCESS torso = 0.05:0.6
SET SUCCESS com_height = 0.9:1.1
BEGINSCRIPT lean(much)
  PHASE 0
    ACTIONS
      POSE waist(much + 0.02, 600, 60);
      VFFB uTorso(2000, 250).by(bAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(time 0.8);
  ENDPHASE
ENDSCRIPT
"""
FEW = ["--trials", "6", "--minutes", "0", "--seed", "3", "--jobs", "1"]


@pytest.fixture
def command(small: Project, capsys):
    """Write a script, and give the command line words."""
    (small.directory / "controllers" / "tip.t").write_text(TIP)
    (small.directory / "controllers" / "lean.t").write_text(LEAN)
    (small.directory / "controllers" / "sit.t").write_text(SIT)

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["--project", str(small.directory), *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_jump_that_ends_by_its_fall_exit_is_kept_as_a_draft_that_says_so(command, small: Project) -> None:
    code, out, err = command("integrate", "controllers/tip.t", "--yes", *FEW)
    why = (
        "no success conditions can be proposed: it ends by its fall exit 'fallen x 0.5' (tip.t:7) after the start pose"
    )
    assert code == 1
    assert err.splitlines()[-1].startswith(f"tip is a draft, which no walk enters: {why}")
    assert "no edges of tip" in out and f"a draft: {why}" in out
    assert len(out.splitlines()) < 24  # a screen
    graph = Project(small.directory).graph
    assert graph.drafts["tip"].draft.startswith(why) and "tip" not in graph
    assert graph.digest == small.graph.digest  # the log still counts
    code, _, err = command("goto", "tip")
    assert (code, "'tip' is a draft, which no walk enters (no success" in err) == (1, True)
    code, out, _ = command("run", "tip")
    assert code == 1 and "fell" in out


@pytest.mark.slow
def test_a_sit_from_the_squat_lacks_a_way_out_and_is_not_taken_for_a_fall(command, small: Project) -> None:
    # the shipped body rolls onto its back from everywhere: what is meant is said
    wanted = ["--success", "torso=-0.4:0.8", "--success", "com_height=0.2:0.5", "--kind", "static"]
    code, out, err = command("integrate", "controllers/sit.t", "1", "--dry-run", "--json", *wanted, *FEW)
    found = json.loads(out)
    assert (
        code == 1 and found["joined"] == [] and found["draft"].startswith("no transition into it or out of it succeeds")
    )
    assert err.splitlines()[-1].startswith("sit would be a draft, which no walk enters: no transition into it")
    lying = [ends["like"] for ends in found["ends"]]
    assert lying and all(like.startswith("on the ground") for like in lying)
    assert not any(look["completed"] for look in found["looks"])


def test_a_draft_becomes_a_node_once_it_succeeds(command, small: Project) -> None:
    text = with_new_edges(
        small.graph_path.read_text(), [], Node("lean", "controllers/lean.t", (0.1,), draft="not tried")
    )
    small.graph_path.write_text(text)
    code, out, _ = command("integrate", "lean", "--yes", "--only", "stand", *FEW)
    assert code == 0 and "new edges into it (1): stand 6/6" in out
    graph = Project(small.directory).graph
    assert graph.drafts == {} and graph.node("lean").args == (0.1,)
    assert graph.node("lean").success == {"torso": (0.05, 0.6), "com_height": (0.9, 1.1)}
    assert small.graph_path.read_text().count("lean:") == 1


@pytest.mark.slow
def test_a_dry_run_is_applied_afterwards_as_if_it_had_been_written(command, small: Project) -> None:
    words = ["integrate", "controllers/lean.t", "0.1", "--only", "stand", *FEW]
    before = small.graph_path.read_text()
    code, out, _ = command(*words, "--dry-run", "--json")
    proposal = small.directory / "runs" / "integrate" / "lean.proposal.json"
    assert code == 0 and Path(json.loads(out)["proposal"]).name == proposal.name
    assert small.graph_path.read_text() == before
    assert command("integrate", "--apply", str(proposal))[0] == 0
    applied = small.graph_path.read_text()
    small.graph_path.write_text(before)
    assert command(*words, "--yes")[0] == 0
    assert small.graph_path.read_text() == applied

    code, _, err = command("integrate", "--apply", str(proposal))
    assert code == 1 and err.startswith("error: the proposal for lean cannot be added to ")
    small.graph_path.write_text(before)
    script = small.directory / "controllers" / "lean.t"
    script.write_text(LEAN.replace("0.8)", "0.9)"))
    code, _, err = command("integrate", "--apply", str(proposal))
    assert code == 1
    assert err.endswith(
        "lean.t has changed since the dry run, so nothing is written: run 'ctrlgraph integrate' again\n"
    )
    assert small.graph_path.read_text() == before


NODE = {"script": "controllers/lean.t", "args": [0.1]}
HONEST = {"form": "ctrlgraph integration 1", "name": "lean", "node": NODE, "edges": [], "files": {}, "controller": "x"}


@pytest.mark.parametrize(
    "change",
    [
        {"form": "another"},
        {"name": "../lean"},
        {"node": {"script": 1}},
        {"edges": [{"from": "stand"}]},
        {"files": {"../x.yaml": "x"}},
        {"files": {"controllers/lean.t": "x"}},
        {"files": {"learned/x.yaml": 1}},
        {"files": {"learned/x.yaml": "\udcff"}},
        {"controller": None},
        {"edges": 7},
        {"edges": [{"from": "stand", "to": "lean", "kind": "learned", "parameters": "../../x.yaml"}]},
        {"node": {"script": "controllers/lean.t", "success": {"torso": [0, 10**400]}}},
    ],
    ids=lambda change: str(change)[:60],
)
def test_an_untrusted_proposal_writes_nothing(command, small: Project, tmp_path: Path, change) -> None:
    file = tmp_path / "proposal.json"
    file.write_text(json.dumps(HONEST | change))
    before = small.graph_path.read_text()
    code, _, err = command("integrate", "--apply", str(file))
    assert (code, err) == (
        1,
        f"error: {file} is not a valid proposal file: run 'ctrlgraph integrate --dry-run' again\n",
    )
    assert small.graph_path.read_text() == before


def test_a_script_is_tuned_before_it_is_a_node(command, small: Project) -> None:
    script = small.directory / "controllers" / "lean.t"
    script.write_text(LEAN.replace("0.02, 600", "-0.06, 600"))
    before = script.read_text()
    words = ["tune", "controllers/lean.t", "0.1", "--from", "stand", "--only", "angle", "--no-numerics", "--jobs", "1"]
    words += ["--generations", "6", "--sigma", "2", "--optimizer", "1+1", "--trials", "2", "--seed", "1"]
    code, out, _ = command(*words, "--success", "torso=0.3:0.6")
    assert code == 0 and "held-out cases that succeed: 0 of 2" in out and "2 of 2" in out.partition("before")[2]
    after = script.read_text()
    assert [line for line in after.splitlines() if "waist" not in line] == [
        line for line in before.splitlines() if "waist" not in line
    ]
    assert after != before and small.graph_path.read_text() == Project(small.directory).graph_path.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["controllers/tip.t"], "tip has no success conditions: give --success MEASURE=LOW:HIGH, or write"),
        (
            ["controllers/lean.t", "0.1", "--on", "slope=2"],
            "omit --on and --script: they apply only to nodes of the graph",
        ),
        (
            ["stand", "--success", "torso=0:1"],
            "--success cannot be given for a node: change the values in the graph file instead",
        ),
        (["controllers/laen.t"], "'controllers/laen.t' is neither a node of the graph nor a script; did you mean "),
    ],
)
def test_what_cannot_be_tuned_is_reported(command, words, sentence) -> None:
    code, _, err = command("tune", *words)
    assert code == 1 and err.startswith(f"error: {sentence}")


def test_a_script_is_judged_by_the_success_that_it_states(command, small: Project) -> None:
    path = small.directory / "controllers" / "lean.t"
    wanted: Conditions = {"torso": (0.05, 0.6), "com_height": (0.9, 1.1)}
    assert header_conditions(small, path) == wanted
    code, out, _ = command("run", "controllers/lean.t", "0.1", "--from", "stand")
    assert code == 0 and "lean: completed" in out
    code, out, _ = command("run", "controllers/lean.t", "0.1", "--from", "stand", "--success", "torso=1:")
    assert code == 1 and "lean: failed: torso" in out
    path.write_text(LEAN.replace("com_height", "com_hieght"))
    code, out, _ = command("check", str(path))
    assert code == 1 and f"{path}:3:13: error: unknown measure 'com_hieght'" in out and "'com_height'" in out
    with pytest.raises(SourceError, match="unknown measure"):
        header_conditions(Project(small.directory), path)


def test_what_a_script_states_of_its_success_decides_nothing_of_its_motion(small: Project, tmp_path: Path) -> None:
    plain, stated = tmp_path / "plain" / "lean.t", tmp_path / "stated" / "lean.t"
    for path, text in ((plain, LEAN[LEAN.index("BEGIN") :]), (stated, LEAN)):
        path.parent.mkdir()
        path.write_text(text)
    assert small.compile(plain, (0.1,)).digest == small.compile(stated, (0.1,)).digest


def test_a_draft_has_no_edges_and_says_what_it_lacks(small: Project) -> None:
    text = small.graph_path.read_text()
    changed = with_new_edges(text, [], Node("lean", "controllers/lean.t", draft="no transition out of it succeeds"))
    assert list(parse_graph(changed).drafts) == ["lean"]
    again = with_new_edges(changed, [], Node("lean", "controllers/lean.t", draft="it falls"))
    assert parse_graph(again).drafts["lean"].draft == "it falls" and again.count("lean:") == 1
    for wrong, message in (
        (
            changed + "  - {from: stand, to: lean}\n",
            "the edge leads from or to 'lean', which is a draft: drafts cannot have edges",
        ),
        (
            changed.replace("start: stand", "start: lean"),
            "'lean' is a draft and cannot be the start: remove its 'draft', or choose another start",
        ),
        (changed.replace("no transition out of it succeeds", "' '"), "must give a reason"),
    ):
        with pytest.raises(SourceError, match=message):
            parse_graph(wrong)
    with pytest.raises(CtrlGraphError, match="'lean' is a draft, which no walk enters"):
        parse_graph(changed).node("lean")
