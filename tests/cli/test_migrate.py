"""`ctrlgraph migrate`: what older versions left is taken over where it fits the scripts' texts, and nothing else."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from sampling import slow

from ctrlgraph.cli.main import main
from ctrlgraph.engine.ode.settings import OdeSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.sweeps.sweep import check_unchanged
from ctrlgraph.experiments.sweeps.sweep_log import SweepStore
from ctrlgraph.project.learned import read_learned
from ctrlgraph.project.project import Project
from ctrlgraph.runs.store import RunLog
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walkthrough.replay import replay_walk

OLD = Path(__file__).parents[1] / "data" / "version_1"
"""A project as the version before left it: a learned edge, a log of three runs, a stored sweep."""

LEARNED = "learned/squat-spring.yaml"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def migrated(directory: Path, *options: str) -> int:
    return main(["--project", str(directory), "migrate", *options])


def contents(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def comparable(directory: Path) -> int:
    """How many attempts count as evidence of the graph as it is, with the joints of that version."""
    project = Project(directory)
    world = Environment(settings=OdeSettings(pins="balls", friction="box", erp=0.2)).digest
    hashes = [project.edge_hash(edge, world) for edge in (None, *project.graph.edges)]
    with project.read_log() as log:
        return len(list(log.attempts(edge_hashes=hashes)))


def attempts(directory: Path) -> int:
    with Project(directory).read_log() as log:
        return len(list(log.attempts()))


def append_comment(directory: Path, script: str) -> None:
    path = directory / "controllers" / script
    path.write_text(path.read_text() + "# said later\n")


def test_all_evidence_and_everything_learned_is_taken_over(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert comparable(old) == 0 < attempts(old)
    assert migrated(old) == 0
    assert capsys.readouterr().out == (
        f"{LEARNED}: 1 constant by id, 1 program by meaning\n"
        f"run log: {attempts(old)} attempts and the settings of 3 runs taken over\n"
        "stored sweeps: 1 taken over\n"
    )
    assert comparable(old) == attempts(old)
    assert main(["--project", str(old), "check"]) == 0
    said = capsys.readouterr().out  # the character is of a version before roles
    assert "0 errors, 1 warning" in said and "roles" in said
    [constant] = read_learned(old / LEARNED).target.constants
    assert (constant.id, constant.old, constant.new) == ("spring.t/0/call straighten/time", 0.12, 0.5402)


def test_what_is_migrated_stays_so_whatever_comments_are_written(old: Path) -> None:
    migrated(old)
    for script in ("spring.t", "straighten.t", "stand.t", "squat.t"):
        append_comment(old, script)
    Project(old).require_learned()
    assert comparable(old) == attempts(old)
    with (
        SweepStore.read(old / "runs") as store,
        pytest.raises(CtrlGraphError, match=r"cannot go on: engine settings changed since it began"),
    ):
        check_unchanged(Project(old), store.find("last"))  # it was begun with other joints


def test_a_second_time_there_is_nothing_to_do(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    migrated(old)
    before = contents(old)
    capsys.readouterr()
    assert migrated(old) == 0
    assert capsys.readouterr().out == "everything is in the present form\n"
    assert {name: data for name, data in contents(old).items() if ".sqlite" not in name} == {
        name: data for name, data in before.items() if ".sqlite" not in name
    }


def test_a_dry_run_says_the_same_and_changes_nothing(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(old)
    assert migrated(old, "--dry-run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert contents(old) == before
    assert said["dry_run"] is True and said["log"] == {"old": True, "attempts": attempts(old), "runs": 3}
    [file] = said["files"]
    assert file["constants"] == {"controllers/spring.t:5:20": "spring.t/0/call straighten/time"}
    migrated(old, "--json")
    assert json.loads(capsys.readouterr().out) == {**said, "dry_run": False}


def test_before_it_is_migrated_a_project_runs_and_its_log_opens(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = Project(old)
    project.require_learned()
    edge = project.graph.planned_edge("squat", "spring")
    assert 0.5402 in project.edge_controller(edge, "spring", 1)[0].constants
    assert main(["--project", str(old), "check"]) == 0
    assert "it is in the form of an older version, which the next one will not read" in capsys.readouterr().out
    with RunLog.open(old / "runs") as log:  # to be written into
        assert log.is_old and len(log.runs()) == 3
    with (
        SweepStore.read(old / "runs") as store,
        pytest.raises(CtrlGraphError, match=r"cannot go on: .* engine settings, .* changed since it began"),
    ):
        check_unchanged(project, store.find("last"))


@pytest.mark.parametrize("first", [True, *slow(False)])
def test_every_logged_walk_replays_bit_for_bit_before_and_after(old: Path, first: bool) -> None:
    if first:
        migrated(old)
    project = Project(old)
    with project.read_log() as log:
        for run in log.runs():
            replay = replay_walk(project, log, run, 0, verify=True)
            assert replay.difference is None and replay.verified
            assert replay.changes.sentences() == []


def test_what_was_found_for_other_texts_stays_as_it_is(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It cannot be told whether they meant the same."""
    append_comment(old, "spring.t")
    before = (old / LEARNED).read_bytes()
    assert migrated(old) == 1
    out = capsys.readouterr().out
    assert f"{LEARNED}: stays as it is\n" in out
    assert "these constants were learned for another version of 'spring' than the present one" in out
    assert "learn them anew, or run 'ctrlgraph migrate' with the scripts' texts as they were then" in out
    assert (old / LEARNED).read_bytes() == before
    with Project(old).read_log() as log:
        of_spring = sum("spring" in (attempt.node, attempt.source) for attempt in log.attempts())
    assert comparable(old) == attempts(old) - of_spring < attempts(old)


def test_with_the_old_texts_back_the_rest_is_taken_over_too(old: Path) -> None:
    text = (old / "controllers" / "spring.t").read_text()
    append_comment(old, "spring.t")
    assert migrated(old) == 1
    (old / "controllers" / "spring.t").write_text(text)
    assert migrated(old) == 0
    assert comparable(old) == attempts(old)


def test_comments_at_the_top_stay(old: Path) -> None:
    path = old / LEARNED
    path.write_text("# my own words\n" + path.read_text())
    top = [line for line in path.read_text().splitlines() if line.startswith("#")]
    migrated(old)
    assert path.read_text().splitlines()[: len(top)] == top


def test_the_log_keeps_what_it_was_called_before(old: Path) -> None:
    with sqlite3.connect(old / "runs" / "runs.sqlite") as connection:
        before = {row[0] for row in connection.execute("SELECT edge_hash FROM attempts")}
    migrated(old)
    with sqlite3.connect(old / "runs" / "runs.sqlite") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        now = {row[0] for row in connection.execute("SELECT edge_hash FROM attempts")}
        kept = dict(connection.execute("SELECT old, new FROM rehashed"))
    assert before <= kept.keys() and {kept[each] for each in before} == now


def test_a_project_without_a_log_gets_none(old: Path) -> None:
    shutil.rmtree(old / "runs")
    assert migrated(old) == 0
    assert not (old / "runs").exists()


def test_stats_of_the_graph_as_it_is_say_that_older_evidence_does_not_count(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "note: what an older version logged counts once 'ctrlgraph migrate' has taken it over\n"
    assert main(["--project", str(old), "stats", "--current"]) == 0
    assert capsys.readouterr().err == said
    migrated(old)
    capsys.readouterr()
    assert main(["--project", str(old), "stats", "--current"]) == 0
    assert capsys.readouterr().err == ""
