"""`ctrlgraph run`: one controller, its outcome and its measures."""

from __future__ import annotations

import functools
import json
import shlex
from pathlib import Path

import pytest
from mistakes import read_mistakes
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project

ROOT = Path(__file__).resolve().parents[2]
MISTAKES = read_mistakes("run_commands.txt")

HOLD = """BEGINSCRIPT hold(hip, seconds)
  PHASE 0
    ACTIONS
      POSE rHip(hip), lHip(hip);
    ENDACTIONS
    TRANSITION to(-1).after(time seconds);
  ENDPHASE
ENDSCRIPT
"""

JUMP = """BEGINSCRIPT jump(void)
  PHASE 0
    ACTIONS
      POSE rHip(0, 900, 60), lHip(0, 900, 60);
      POSE rKnee(0, 900, 60), lKnee(0, 900, 60);
      POSE rAnkle(0.6, 900, 60), lAnkle(0.6, 900, 60);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(time 3);
  ENDPHASE
ENDSCRIPT
"""
CALLER = """SCRIPTS jump.t;
BEGINSCRIPT caller(void)
  PHASE 0
    > jump.t();
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def run(monkeypatch, command):
    monkeypatch.chdir(ROOT)
    return command


@pytest.fixture
def script(tmp_path) -> str:
    path = tmp_path / "hold.t"
    path.write_text(HOLD)
    return str(path)


def test_a_node_is_judged_by_its_own_conditions(run) -> None:
    code, out, _ = run("run", "walk", "--cycles", "4", "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["controller"], result["cycles"], result["status"]) == ("walk", 4, "completed")
    assert result["measures"]["duration"] == pytest.approx(result["simulated_s"])


def test_a_node_that_fails_from_the_start_pose_tells_from_where_it_is_entered(run) -> None:
    code, out, _ = run("run", "walk_to_stop")
    assert code == 1
    told = out.splitlines()[-1]
    assert told.startswith("the motion began in the start pose, but in the graph it follows ")
    assert run("run", "walk_to_stop", *told.rpartition(": add ")[2].split())[0] == 0


STRANGE_NAMES = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  $(touch me); x: {script: controllers/poses/stand.t, args: [0.5, 0.5]}
  never: {script: controllers/poses/stand.t, args: [0.5, 0.5], success: {torso: [1, 2]}}
edges: [{from: stand, to: $(touch me); x}, {from: $(touch me); x, to: never}, {from: never, to: stand}]
"""


def test_a_node_that_is_told_to_begin_from_is_one_word_to_a_shell(run, tmp_path) -> None:
    project = make_project(tmp_path, STRANGE_NAMES)
    code, out, _ = run("--project", str(project), "run", "never")
    assert code == 1
    assert shlex.split(out.splitlines()[-1])[-2:] == ["--from", "$(touch me); x"]


@pytest.mark.slow
def test_a_node_that_goes_over_an_obstacle_fails_without_one_and_says_so(run) -> None:
    code, out, _ = run("run", "hop_over")
    assert code == 1
    assert out.splitlines()[-1].startswith("hop_over needs a gap ahead")
    assert run("run", "hop_over", "--with", "terrain=course=1.5:gap:0.25:1")[0] == 0


def test_a_node_is_begun_after_a_gait_that_needs_a_stand_before_it(run) -> None:
    assert run("run", "walk_to_stop", "--from", "slow_walk")[0] == 0


def test_a_failed_node_exits_with_1_and_says_which_condition_does_not_hold(run) -> None:
    code, out, _ = run("run", "walk", "--from", "supine")
    assert code == 1
    first, second = out.splitlines()[:2]
    assert first.startswith("walk: failed: torso -1.")
    low, _ = Project(ROOT).graph.node("walk").bounds["torso"]
    assert first.endswith(f"is below {low:g}")
    assert second.startswith("in phase ")
    assert ".t:" in second


@pytest.mark.parametrize("called", ["jump", "caller"])
def test_a_script_that_leaves_through_a_fall_has_fallen_and_says_through_which_line(run, small, called) -> None:
    place = small.directory / "controllers" / "jump.t"
    place.write_text(JUMP)
    (place.parent / "caller.t").write_text(CALLER)
    words = ("--project", str(small.directory), "run", str(place.parent / f"{called}.t"), "--from", "squat")
    code, out, _ = run(*words)
    assert code == 1
    assert out.splitlines()[0] == (
        f"{called}: fell: left through 'fallen x 1.2' ({place}:8:5), torso 1.21 rad, both feet on the ground"
    )
    code, out, _ = run(*words, "--json")
    result = json.loads(out)
    assert (code, result["status"], result["ending"], result["succeeded"]) == (1, "failed", "fell", False)
    assert result["reason"] == f"left through 'fallen x 1.2' ({place}:8:5)"
    assert result["left_through"] == {
        "condition": "fallen x 1.2",
        "fall": True,
        "path": str(place),
        "line": 8,
        "column": 5,
    }


def test_a_script_that_lies_after_the_time_that_it_was_to_last_has_fallen(run, tmp_path) -> None:
    (tmp_path / "jump.t").write_text(JUMP)
    code, out, _ = run("run", str(tmp_path / "jump.t"), "--seconds", "3", "--json")
    assert (code, json.loads(out)["ending"]) == (1, "fell")


def test_a_script_that_ends_otherwise_has_nothing_to_succeed_by_and_says_so(run, script) -> None:
    code, out, _ = run("run", script, "0", "0.1")
    assert code == 0
    assert out.splitlines()[0] == (
        f"hold: ended: left through 'time 0.1' ({script}:6:5), torso 0.00 rad, both feet on the ground;"
        " there are no success conditions"
    )
    code, out, _ = run("run", script, "0", "0.1", "--seconds", "0.2")
    assert code == 0
    assert out.splitlines()[0] == (
        "hold: ended: its time was over, torso 0.00 rad, both feet on the ground; there are no success conditions"
    )


def test_a_node_is_judged_by_its_conditions_even_where_it_left_through_a_fall(run) -> None:
    code, out, _ = run("run", "squat", "--from", "supine")
    lines = out.splitlines()
    assert code == 1
    assert lines[0].startswith("squat: failed: knee_flexion ")
    script = (ROOT / "controllers" / "poses" / "squat.t").read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(script, 1) if "fallen x 1.2" in text)
    assert lines[2] == f"left through 'fallen x 1.2' (controllers/poses/squat.t:{line}:5)"


LEARNED = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, success: {com_height: [0.88, 1.1]}}
  run: {script: controllers/gaits/run.t, adapted: learned/run.yaml, cycles: [4, 12], timeout: 30,
        bounds: {com_height: [0.7, 1.3]}, success: {speed: [0.8, 3]}}
edges:
  - {from: stand, to: run, kind: learned, parameters: learned/stand-run.yaml, ground: {slope: [-6, 5.5]}}
  - {from: run, to: stand}
"""


@pytest.fixture
def running(tmp_path: Path, run):
    """The command in a project whose run gets going over a learned edge, on gentle slopes."""
    parts = ("controllers", "characters", "learned")
    directory = make_project(tmp_path / "running", LEARNED, shipped=parts, origin=OLD_HUMANOID)
    return lambda *words: run("--project", str(directory), *words)


def test_a_node_is_entered_over_the_learned_edge_that_leads_to_it(running) -> None:
    code, out, err = running("run", "run", "--from", "stand", "--json")
    result = json.loads(out)
    assert (code, result["status"], result["ending"]) == (0, "completed", "success")
    assert result["edge"] == ["stand", "run", "learned"]
    assert err == "using the learned edge stand -> run (--plain runs the node's own controller)\n"
    code, out, err = running("run", "run", "--from", "stand", "--plain", "--json")
    assert (code, err, json.loads(out)["edge"]) == (1, "", None)


def test_a_learned_edge_for_other_ground_is_not_taken_and_is_named(running) -> None:
    code, out, err = running("run", "run", "--from", "stand", "--with", "terrain=slope=6", "--json")
    assert (code, json.loads(out)["edge"]) == (1, None)
    assert err == "the learned edge stand -> run is for other ground: run runs unchanged\n"


def test_a_node_with_other_arguments_or_without_an_edge_runs_as_it_is(run) -> None:
    _, out, err = run("run", "supine", "--from", "stand", "--json")
    assert (err, json.loads(out)["edge"]) == ("", None)
    _, out, _ = run("run", "squat", "0.8", "--from", "stand", "--json")
    assert json.loads(out)["edge"] is None


def test_a_script_takes_its_arguments_also_negative_ones(run, script) -> None:
    code, out, _ = run("run", script, "-0.3", ".4", "--json")
    result = json.loads(out)
    assert (code, result["status"], result["ending"], result["succeeded"]) == (0, "completed", "ended", None)
    assert result["simulated_s"] == pytest.approx(0.4)
    assert result["place"] == {"path": script, "line": 2, "column": 3}


def test_a_time_lets_it_go_on_for_so_long_and_is_no_failure(run, script) -> None:
    code, out, _ = run("run", script, "0", "0.1", "--seconds", "0.75", "--json")
    result = json.loads(out)
    assert (code, result["status"], result["cycles"]) == (0, "completed", None)
    assert result["simulated_s"] == pytest.approx(0.75)


def test_a_push_moves_the_character_at_its_time_counted_from_the_controller_s_beginning(run, script) -> None:
    words = ("run", script, "0", "0.6", "--from", "stand", "--json")
    plain = json.loads(run(*words)[1])
    late = json.loads(run(*words, "--with", "push=uTorso:100@0.7+0.1")[1])
    pushed = json.loads(run(*words, "--with", "push=uTorso:100,20@0.3+.1", "--with", "push=uTorso:50@0.4+0.1")[1])
    assert late["state_digest"] == plain["state_digest"]
    assert pushed["measures"]["distance"] > plain["measures"]["distance"] + 0.01


def test_the_filmstrip_is_written(run, script, tmp_path) -> None:
    picture = tmp_path / "hold.png"
    code, out, _ = run("run", script, "0", "0.3", "--filmstrip", str(picture))
    assert code == 0
    assert picture.stat().st_size > 1000
    assert out.splitlines()[-1].startswith("picture: ")


@pytest.mark.parametrize("words", MISTAKES)
def test_bad_words_are_one_sentence(words: str, run) -> None:
    sentence = MISTAKES[words].shown
    code, out, err = run("run", *words.split())
    assert (code, out) == (2 if sentence.startswith("Error: ") else 1, "")
    assert err.endswith(sentence + "\n")


ALONE = """\
character: humanoid
start: squat
nodes:
  squat: {script: controllers/poses/squat.t, args: [0.6], kind: static, timeout: 4}
"""


def test_a_graph_of_one_node_can_be_checked_run_and_gone_to_but_not_walked(tmp_path, command) -> None:
    run = functools.partial(command, "--project", make_project(tmp_path, ALONE, origin=OLD_HUMANOID))
    for words in ("check", "graph", "run squat", "goto squat"):
        assert run(*words.split())[0] == 0
    sentence = (
        "error: no naive or learned edge with a weight above 0 leads out of the start node 'squat': add one to"
        " the graph file\n"
    )
    assert run("walk", "--no-states") == (1, "", sentence)
    logged = json.loads(run("log", "runs", "--json")[1])
    assert [each["settings"]["mode"] for each in logged] == ["goto"]


def test_the_measures_that_conditions_name_and_a_few_more_are_printed_all_when_asked_for(run) -> None:
    stood = Project(ROOT).graph.node("stand")
    code, few, _ = run("run", "stand")
    listed = {line.split()[0] for line in few.splitlines() if line}
    assert code == 0
    assert {"duration", "distance", "speed", "com_height", *stood.success} <= listed
    assert "peak_joint_angle" not in listed and "stride_length" not in listed
    _, every, _ = run("-v", "run", "stand")
    _, data, _ = run("run", "stand", "--json")
    measures = set(json.loads(data)["measures"])
    assert measures <= {line.split()[0] for line in every.splitlines() if line}
    assert f"{len(measures) - len(measures & listed)} more: `ctrlgraph -v run` prints them" in few
    assert "-v run" not in every


def test_why_tells_what_led_from_phase_to_phase_and_which_condition_was_lost(run) -> None:
    code, out, _ = run("run", "walk", "--why")
    assert code == 1
    phases, _, conditions = out.partition("conditions, had it ended there")
    assert "because of" in phases
    assert "controllers/" in phases.partition("from phase to phase")[2]
    assert "never fulfilled" in conditions or "lost after" in conditions
    result = json.loads(run("run", "walk", "--why", "--json")[1])
    assert {"time", "from", "to", "to_place", "condition", "place"} == set(result["passages"][0])
    low, high = result["conditions"]["speed"]["wanted"]
    assert not low <= result["conditions"]["speed"]["values"][-1] <= high


def test_a_node_that_no_edge_enters_from_there_says_where_the_graph_enters_it(capsys) -> None:
    code = main(["--project", str(Path(__file__).parents[2]), "run", "sprint", "--from", "stand"])
    told = capsys.readouterr().out.splitlines()[-1]
    assert (code, told) == (1, "the motion began where stand ends, but in the graph it follows run: add --from run")
