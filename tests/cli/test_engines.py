"""`--engine`, `engine:`, `--with engine=`: what they choose, and what is said where one is not there."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import click
import pytest
from small_project import GRAPH

from ctrlgraph.cli.main import COMMANDS, load_command
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore

MISSING = "error: the engine 'mujoco' needs the package mujoco-core: pip install mujoco-core\n"

ARGUMENTS = {
    "goto": ["squat"],
    "run": ["stand"],
    "edit": ["stand", "--no-browser"],
    "play": ["--no-browser"],
    "trace": ["stand", "-o", "stand.csv"],
    "export": ["stand", "-o", "stand.csv"],
    "record keyframes": ["stand", "-o", "frames.yaml"],
    "record regulator": ["stand", "-o", "steps.yaml"],
    "robustness sweep": ["squat", "--jobs", "1"],
    "robustness limit": ["squat", "slope=20", "--jobs", "1"],
    "robustness basins": ["squat", "--samples", "10", "--jobs", "1"],
    "learn": ["squat", "spring", "--jobs", "1"],
    "integrate": ["controllers/spring.t", "--name", "again", "--jobs", "1", "--dry-run"],
    "tune": ["spring", "--jobs", "1"],
    "robustness endurance": ["squat"],
    "robustness pushes": ["squat", "--from", "stand", "--at", "0.1"],
    "report run": ["-o", "page"],
    "gate check": ["gate.yaml"],
    "gate confusion": ["squat", "--trials", "1"],
    "report motions": ["--trials", "1"],
    "record tracking": ["stand", "-o", "fit.yaml"],
    "experiment stepping": ["tabulate", "steps.yaml"],
    "experiment phase-policy": ["gate.yaml", "-o", "policy.npz"],
    "robustness return-map": ["gate.yaml"],
}
"""Of the commands that need some."""

FILE_FIRST = ("experiment stepping", "experiment phase-policy", "robustness return-map")
"""Commands that read their file before the graph."""

SIMULATING = [name for name in COMMANDS if name in ARGUMENTS or name in ("walk",)]


def options(name: str) -> set[str]:
    command: click.Command = load_command(name)
    return {word for parameter in command.params for word in parameter.opts}


@pytest.fixture
def run(small: Project, run):
    """Run a command in the small project, which has a gate."""
    (small.directory / "gate.yaml").write_text("nodes: {squat: 0.5}\n")
    return run


def test_every_command_that_simulates_takes_an_engine_and_what_is_stored_of_one_too() -> None:
    taking = {name for name in COMMANDS if "--engine" in options(name)}
    assert taking == {*SIMULATING, "log stats"}


# --- where it is not installed ---


def started(_: BaseProcess) -> None:
    """Stand in for the start of a worker."""
    raise AssertionError("a worker is started")


@pytest.mark.parametrize("name", [*SIMULATING, "log stats"])
def test_an_engine_that_is_missing_is_said_in_one_sentence_before_anything_is_simulated(
    run, name: str, small: Project, without_mujoco: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ctrlgraph.simulation.simulation", None)
    monkeypatch.setattr(BaseProcess, "start", started)
    assert run(*name.split(), *ARGUMENTS.get(name, []), "--engine", "mujoco") == (1, "", MISSING)
    assert not (small.directory / "runs").exists()


@pytest.mark.parametrize("name", ["robustness sweep", "tune", "learn"])
@pytest.mark.parametrize("words", [["--engine", "ode,mujoco"], ["--with", "engine=mujoco"]])
def test_one_that_is_missing_among_several_or_for_perturbations_is_said_too(
    run, name: str, words: list[str], without_mujoco: None
) -> None:
    assert run(*name.split(), *ARGUMENTS[name], *words) == (1, "", MISSING)


@pytest.mark.parametrize("name", [name for name in SIMULATING if name not in ("report run", *FILE_FIRST)])
def test_a_graph_whose_engine_is_missing_is_said_in_one_sentence(
    run, name: str, small: Project, without_mujoco: None
) -> None:
    small.graph_path.write_text("engine: mujoco\n" + GRAPH)
    code, _, err = run(*name.split(), *ARGUMENTS.get(name, []))
    assert code == 1
    assert [line for line in err.splitlines(keepends=True) if line.startswith("error: ")] == [MISSING]
    assert "Traceback" not in err


def test_a_gate_that_names_it_is_said_in_one_sentence(run, small: Project, without_mujoco: None) -> None:
    (small.directory / "gate.yaml").write_text("with: {engine: mujoco}\nnodes: {squat: 0.5}\n")
    code, _, err = run("gate")
    assert (code, err) == (1, MISSING)


def test_without_it_everything_else_works(run, small: Project, without_mujoco: None) -> None:
    assert run("check")[0] == 0
    assert run("run", "squat")[0] == 0
    assert run("walk", "--transitions", "2", "--seed", "1")[0] == 0
    assert run("log", "stats")[0] == 0
    assert run("robustness", "sweep", "squat", "--jobs", "1")[0] == 0
    assert run("gate")[0] == 0
    assert run("report", "-o", "page")[0] == 0
    assert run("doctor")[0] == 0
    small.graph_path.write_text("engine: mujoco\n" + GRAPH)
    assert run("check")[0] == 0


# --- what they choose ---


@pytest.mark.parametrize("names", ["mojoco", "ode,mojoco"])
def test_an_engine_that_does_not_exist_is_reported_with_those_that_do(run, names: str) -> None:
    code, _, err = run("robustness", "sweep", "squat", "--engine", names)
    assert (code, err) == (1, "error: there is no engine 'mojoco' (did you mean 'mujoco'?)\n")


def test_a_command_for_one_engine_refuses_several(run) -> None:
    code, _, err = run("run", "squat", "--engine", "ode,mujoco")
    assert code == 2
    assert "this command simulates on a single engine: give only one --engine" in err


def test_several_engines_and_a_perturbation_that_names_one_are_not_asked_for_together(run) -> None:
    for name in ("robustness sweep", "tune", "learn"):
        code, _, err = run(*name.split(), *ARGUMENTS[name], "--engine", "ode,mujoco", "--with", "engine=ode")
        assert (code, err) == (1, "error: --engine and --with engine=NAME both choose the engine: give one of them\n")


def test_a_sweep_is_made_on_the_engine_that_is_asked_for(run) -> None:
    for words, engine in ((["--engine", "mujoco"], "mujoco"), (["--engine", "mujoco", "--with", "engine=ode"], "ode")):
        code, out, _ = run("robustness", "sweep", "squat", *words, "--jobs", "1", "--seed", "1", "--json")
        [sweep] = json.loads(out)["sweeps"]
        assert code == 0
        assert sweep["perturbations"].get("engine", "ode") == engine and engine in sweep["versions"]


# --- the same question on several ---

QUESTION = ["robustness", "sweep", "squat", "squat->stand", "--engine", "ode,mujoco", "--jobs", "1", "--seed", "3"]


@pytest.mark.slow
def test_a_question_is_put_to_each_engine_and_stored_as_a_sweep_of_each(run, small: Project, tmp_path: Path) -> None:
    table = tmp_path / "trials.csv"
    code, out, _ = run(*QUESTION, "--with", "noise=0.05", "--trials", "3", "-o", str(table))
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "noise=0.05; 3 trials on each engine, seed 3; success with its 95 % interval"
    titles = ["target", "ode", "mujoco", "p", "differs"]
    assert lines[1].split() == [*titles, *["the", "first", "condition", "that", "differs"]]
    assert [line.split()[0] for line in lines[2:4]] == ["squat", "squat->stand"]
    assert lines[5].startswith("0 of 2 differ (p below 0.05 in Fisher's exact test")
    with SweepStore.read(small.directory / "runs") as store:
        sweeps = store.sweeps()
        assert [(s.target, s.perturbations.get("engine", "ode")) for s in sweeps] == [
            ("squat", "ode"), ("squat", "mujoco"), ("squat->stand", "ode"), ("squat->stand", "mujoco"),
        ]  # fmt: skip
        ode, mujoco = (store.trials(sweep.id) for sweep in sweeps[2:])
    assert [trial.seed for trial in ode] == [trial.seed for trial in mujoco]
    assert [trial.simulated_s for trial in ode] != [trial.simulated_s for trial in mujoco]
    rows = [row.split(",")[:2] for row in table.read_text().splitlines()]
    assert [rows[1], rows[4]] == [["squat", "ode"], ["squat", "mujoco"]]


@pytest.mark.slow
def test_with_several_engines_all_is_every_node_and_every_planned_edge(run) -> None:
    code, out, _ = run("robustness", "sweep", "--all", "--engine", "ode,mujoco", "--jobs", "1", "--seed", "3", "--json")
    said = json.loads(out)
    assert code == 0
    assert [row["target"] for row in said["comparison"]] == [
        "stand", "squat", "spring", "stand->squat", "stand->spring", "squat->stand", "spring->stand",
    ]  # fmt: skip
    assert all(row["certain"] for row in said["comparison"])
    code, out, _ = run("robustness", "sweep", "--all", "--jobs", "1", "--seed", "3", "--json")
    assert [sweep["target"] for sweep in json.loads(out)["sweeps"]] == ["stand", "squat", "spring"]


def test_where_nothing_is_drawn_each_engine_holds_or_fails(run, small: Project) -> None:
    # the stand comes to rest sooner on one engine than on the other, if only by a step, and has just time for that
    seconds = {}
    for engine in ("ode", "mujoco"):
        seconds[engine] = json.loads(run("run", "stand", "--engine", engine, "--json")[1])["simulated_s"]
    later = max(seconds, key=lambda engine: seconds[engine])
    text, changed = re.subn(r"(stand: .*timeout: )[\d.]+", rf"\g<1>{min(seconds.values()):.3f}", GRAPH, count=1)
    assert changed == 1
    small.graph_path.write_text(text)
    code, out, _ = run("robustness", "sweep", "squat", "--engine", "ode,mujoco", "--jobs", "1")
    assert code == 0
    lines = out.splitlines()
    assert sorted(lines[2].split()[1:4]) == ["fails", "holds", "yes"]
    assert f"{later}: on the way, stand timeout: not ended after " in lines[2]
    assert lines[4] == "1 of 1 differ (which is certain: nothing is random)"


def test_several_engines_search_no_limit_and_write_no_ground(run) -> None:
    code, _, err = run("robustness", "limit", "squat", "--engine", "ode,mujoco", "slope")
    assert (code, err) == (1, "error: a search for a limit needs a single engine, not 2: give one --engine\n")
    code, _, err = run("robustness", "sweep", "--edges", "--engine", "ode,mujoco", "slope=0,1", "--write-ground")
    assert (code, err) == (1, "error: --write-ground needs the slopes of a single engine: give only one --engine\n")


def test_a_sweep_goes_on_with_the_engine_that_it_was_begun_on(run) -> None:
    run("robustness", "sweep", "squat", "--jobs", "1")
    for words in (["--engine", "mujoco"], ["--engine", "ode,mujoco"]):
        code, _, err = run("robustness", "sweep", "--resume", "last", *words)
        assert code == 2 and "--resume continues a sweep unchanged" in err


# --- what is evidence of what ---


def test_statistics_are_those_of_the_engine_that_is_named(run, small: Project) -> None:
    assert run("walk", "--transitions", "4", "--seed", "1", "--no-states", "--engine", "mujoco")[0] == 0
    assert run("walk", "--transitions", "2", "--seed", "1", "--no-states")[0] == 0

    def attempts(*words: str) -> int:
        found = json.loads(run("log", "stats", *words, "--json")[1])
        return sum(row["attempts"] for row in found["edges"])

    assert [attempts(), attempts("--engine", "ode"), attempts("--engine", "mujoco")] == [6, 2, 4]
    assert [attempts("--current"), attempts("--current", "--engine", "mujoco")] == [2, 4]
    assert attempts("last", "--engine", "ode") == 2
    assert attempts("last", "--engine", "mujoco") == 0
    with sqlite3.connect(small.runs_directory / "runs.sqlite") as log:  # a world of another version
        log.execute("UPDATE runs SET settings = '{}' WHERE rowid = 1")
    assert [attempts(), attempts("--engine", "ode"), attempts("--engine", "mujoco")] == [6, 2, 0]


def test_runs_name_their_engine(run) -> None:
    run("walk", "--transitions", "1", "--no-states")
    run("walk", "--transitions", "1", "--no-states", "--engine", "mujoco")
    head, *rows = run("log", "runs")[1].splitlines()
    column = slice(head.index("engine"), head.index("engine") + len("engine"))
    assert [row[column] for row in rows if row[column].strip()] == ["mujoco", "ode   "]
    found = json.loads(run("log", "runs", "--json")[1])
    assert sorted(each["settings"]["world"]["engine"]["name"] for each in found) == ["mujoco", "ode"]
    assert run("replay", "last", "--verify")[0] == 0


def test_a_filmstrip_names_the_engine_that_is_not_the_usual_one(run, monkeypatch: pytest.MonkeyPatch) -> None:
    from ctrlgraph.pictures.planar import filmstrip

    titles: list[str] = []
    monkeypatch.setattr(filmstrip, "write_filmstrip", lambda *_, title, **__: titles.append(title))
    for engine in ("ode", "mujoco"):
        for words in (["run", "squat"], ["walk", "--transitions", "1", "--seed", "1"]):
            assert run(*words, "--engine", engine, "--filmstrip", "strip.png")[0] == 0
        assert run("replay", "last", "--filmstrip", "strip.png")[0] == 0
    newest, oldest = (each["run"] for each in json.loads(run("log", "runs", "--json")[1]))
    first, second = f"run {oldest}, walk 0", f"run {newest}, walk 0"
    assert titles == ["squat", first, first, "squat, on mujoco", f"{second}, on mujoco", f"{second}, on mujoco"]


def test_present_statistics_are_of_the_ground_that_is_named(run) -> None:
    assert run("walk", "--transitions", "3", "--seed", "1", "--no-states", "--with", "friction=0.8")[0] == 0
    nothing = "no matching attempt is logged\n"
    assert run("log", "stats", "--current")[1] == nothing
    assert run("log", "stats", "--current", "--with", "friction=0.8", "--with", "terrain=slope=1")[1] == nothing
    found = json.loads(run("log", "stats", "--current", "--with", "friction=0.8", "--json")[1])
    assert sum(row["attempts"] for row in found["edges"]) == 3
    code, _, err = run("log", "stats", "--with", "friction=0.8")
    assert code == 2 and err.endswith(
        "Error: --with selects attempts only together with --current: also give --current\n"
    )
    code, _, err = run("log", "stats", "--current", "--with", "terrain=hill")
    assert code == 1 and err.startswith("error: ") and "hill" in err


def test_a_goal_is_planned_by_the_attempts_on_its_own_engine(run) -> None:
    for _ in range(2):
        assert run("goto", "squat", "--seed", "1", "--engine", "mujoco")[0] == 0

    def attempts(*engine: str) -> int:
        code, out, _ = run("goto", "squat", "--seed", "1", *engine, "--json")
        assert code == 0
        [plan] = json.loads(out)["plans"]
        return sum(step["attempts"] for step in plan["steps"])

    assert attempts() == 0
    assert attempts("--engine", "mujoco") == 2
