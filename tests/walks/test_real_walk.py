"""Walks on the real engine with shipped scripts, through the library and the command line."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from waiting import PATIENCE_S

from ctrlgraph.cli.main import cli
from ctrlgraph.errors import SourceError
from ctrlgraph.project.project import Project
from ctrlgraph.run_log.run_log import RunLog


def ctrlgraph(directory: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--project", str(directory), *arguments], catch_exceptions=False)


@pytest.mark.slow
def test_a_walk_in_another_process_is_the_same_bit_for_bit(walked: Path):
    command = [sys.executable, "-m", "ctrlgraph", "--project", str(walked)]
    command += ["walk", "--random", "--transitions", "5", "--seed", "11", "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    summary = json.loads(found.stdout)
    with RunLog.read(walked / "runs") as log:
        histories = {
            run.id: [(a.node, a.history_digest, a.exit_digest) for a in log.attempts(run.id)] for run in log.runs()
        }
    assert len(histories) == 2
    assert histories.pop(summary["run"]) == next(iter(histories.values()))


def test_a_replay_is_the_same_bit_for_bit(walked: Path):
    result = ctrlgraph(walked, "replay", "last", "--verify")
    assert result.exit_code == 0
    assert re.fullmatch(
        r"run \S+, walk 0: \d+ attempts, [\d.]+ s simulated; every state is identical"
        r" \(\d{3,} sampled states compared\)\n",
        result.output,
    )


def test_a_changed_script_is_a_difference_with_exit_code_1(walked: Path):
    path = walked / "controllers" / "poses" / "stand.t"
    path.write_text(path.read_text().replace("waist(0, 600, 10)", "waist(0, 601, 10)"))
    result = ctrlgraph(walked, "replay", "last", "--verify", "--json")
    assert result.exit_code == 1
    (walk,) = json.loads(result.stdout)["walks"]
    assert walk["identical"] is False
    assert walk["difference"]["attempt"] == 0
    assert walk["difference"]["link"] is not None
    assert "stand" in walk["changes"]["controllers"]


def test_runs_and_stats_show_what_was_logged(walked: Path):
    (run,) = json.loads(ctrlgraph(walked, "log", "runs", "--json").stdout)
    assert run["seed"] == 11 and run["finished"] is not None
    stats = json.loads(ctrlgraph(walked, "log", "stats", run["run"][:7], "--json").stdout)
    assert stats["runs"] == [run["run"]]
    assert sum(node["attempts"] for node in stats["nodes"]) == run["attempts"]
    for node in stats["nodes"]:
        assert 0 <= node["low"] <= node["rate"] <= node["high"] <= 1
    assert json.loads(ctrlgraph(walked, "log", "stats", "--current", "--json").stdout)["nodes"] == stats["nodes"]


def test_statistics_of_the_present_scripts_leave_out_those_of_others(walked: Path):
    path = walked / "controllers" / "poses" / "stand.t"
    path.write_text(path.read_text().replace("waist(0, 600, 10)", "waist(0, 602, 10)"))
    assert ctrlgraph(walked, "log", "stats", "--current", "--node", "stand").output == (
        "no matching attempt is logged\n"
    )


def test_goto_explains_its_path_and_reaches_the_goal(walked: Path):
    ctrlgraph(walked, "goto", "rise")  # from now on its edges were tried
    result = ctrlgraph(walked, "goto", "rise")
    assert result.exit_code == 0
    first, *_, last = result.output.splitlines()
    assert first.startswith("stand -> squat -> rise: p = 0.")
    assert last.startswith("'rise' reached: 2 transitions, 0 failed; run ")


def test_wrong_arguments_and_saved_states_are_found_in_the_graph(real_directory: Path):
    path = real_directory / "graph.yaml"
    jump = real_directory / "controllers" / "jump.t"
    jump.write_text(
        "BEGINSCRIPT jump(void)\n  PHASE 0\n    LOAD before;\n    TRANSITION to(-1).after(time 1);\n"
        "  ENDPHASE\nENDSCRIPT\n"
    )
    text = path.read_text().replace("rise.t, args: [0.5]", "rise.t, args: [0.5, 1]")
    path.write_text(text.replace("controllers/gaits/walk.t", "controllers/jump.t"))
    with pytest.raises(SourceError) as raised:
        _ = Project(real_directory).graph
    assert [finding.message for finding in raised.value.findings] == [
        "controllers/poses/rise.t takes 1 argument (time), but node 'rise' gives 2",
        "the script of node 'walk' uses LOAD, which jumps to a saved state: remove it",
    ]


def test_walk_prints_what_happened_and_where_the_picture_is(real_directory: Path):
    result = ctrlgraph(real_directory, "walk", "--random", "--transitions", "2", "--seed", "3")
    assert result.exit_code == 0
    *_, counts, share, run, picture = result.stdout.splitlines()
    assert counts == "2 transitions: 2 succeeded, 0 failed"
    with RunLog.read(real_directory / "runs") as log:
        seconds = [(attempt.node, attempt.simulated_s) for attempt in log.attempts()]
    static = sum(s for node, s in seconds if node in ("stand", "squat", "prone", "supine"))
    assert 0.05 < static / sum(s for _, s in seconds) < 0.95
    assert share == f"{100 * static / sum(s for _, s in seconds):.0f} % of the time in static poses"
    assert re.fullmatch(r"run \S+, seed 3: [\d.]+ s simulated in [\d.]+ s \([\d.]+x real time\)", run)
    path = Path(picture.removeprefix("picture: "))
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path == real_directory / "runs" / run.split()[1].rstrip(",") / "walk.png"


def test_pictures_need_the_states(real_directory: Path):
    result = CliRunner().invoke(
        cli, ["--project", str(real_directory), "walk", "--no-states", "--filmstrip", str(real_directory / "a.png")]
    )
    assert result.exit_code == 2
    assert "pictures are drawn from stored states: omit --no-states" in result.output
    assert not (real_directory / "runs").exists()


def test_a_lost_walk_is_one_sentence_and_exit_code_1(real_directory: Path):
    path = real_directory / "graph.yaml"
    path.write_text(path.read_text().replace("torso: [-.3, .3]", "torso: [1, 2]", 1))
    result = ctrlgraph(real_directory, "walk", "--transitions", "2", "--seed", "3", "--json")
    assert result.exit_code == 1
    assert re.match(
        r"walk 0 was lost: the start node 'stand' fails from the start pose, so correct its controller or"
        r" conditions: failed: torso \S+ is below 1$",
        result.stderr.splitlines()[-1],
    )
    assert json.loads(result.stdout)["transitions"] == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "note"),
    [
        ("characters/humanoid.yaml", "mass: 4.725", "mass: 4.7", "the character has changed since the run was logged"),
        (
            "graph.yaml",
            "torso: [-.3, .3]",
            "torso: [-.31, .3]",
            "the success conditions, bounds or timeouts of 'stand' have changed since the run was logged",
        ),
        (
            "controllers/poses/stand.t",
            "waist(0, 600, 10)",
            "waist(0, 601, 10)",
            "the controllers of 'stand' have changed since the run was logged",
        ),
    ],
)
def test_a_replay_names_what_has_changed_and_nothing_else(walked: Path, file: str, old: str, new: str, note: str):
    path = walked / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    result = ctrlgraph(walked, "replay", "last", "--verify")
    assert [line for line in result.stderr.splitlines() if line.startswith("note: ")] == [f"note: {note}"]


def test_a_run_without_hashes_is_not_replayed(walked: Path):
    with sqlite3.connect(walked / "runs" / "runs.sqlite") as connection:
        connection.execute("UPDATE runs SET settings = json_remove(settings, '$.hashes')")
    connection.close()
    result = CliRunner().invoke(cli, ["--project", str(walked), "replay", "last"])
    assert re.fullmatch(
        r"the run log is damaged, so restore or delete it: run '\d{4}-\w{5}' has no hashes", str(result.exception)
    )


FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from ctrlgraph.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def on_a_full_disk(size: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command whose files cannot grow beyond a size."""
    command = [sys.executable, "-c", FULL_DISK, str(size), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of a file's size")
def test_states_that_do_not_fit_on_the_disk_are_a_warning(real_directory: Path):
    arguments = ["--project", str(real_directory), "walk", "--transitions", "3", "--seed", "11", "--json"]
    found = on_a_full_disk(160_000, *arguments)
    summary = json.loads(found.stdout)
    path = real_directory / "runs" / summary["run"] / "walk-0.npz"
    assert found.stderr == f"warning: the states of the walk cannot be written to {path}: file too large\n"
    assert found.returncode == 0 and summary["transitions"] == 3
    assert list(path.parent.iterdir()) == []
    with RunLog.read(real_directory / "runs") as log:
        assert log.run("last").summary == summary
        assert sum(attempt.planned for attempt in log.attempts()) == 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of a file's size")
def test_an_attempt_that_does_not_fit_on_the_disk_ends_the_walk_with_one_sentence(real_directory: Path):
    found = on_a_full_disk(60_000, "--project", str(real_directory), "walk", "--transitions", "40", "--no-states")
    path = real_directory / "runs" / "runs.sqlite"
    assert found.returncode == 1 and found.stdout == ""
    assert re.fullmatch(
        rf"error: the run log {path} cannot be used: (disk I/O error|database or disk is full)\n", found.stderr
    )
    with RunLog.open(real_directory / "runs") as log:
        positions = [attempt.position for attempt in log.attempts()]
        assert positions == list(range(len(positions))) and positions
        assert log.run("last").finished is None
