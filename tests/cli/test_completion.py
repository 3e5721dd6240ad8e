"""Completion: nodes, scripts and runs, quickly, and whatever state the project is in."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from small_project import make_small
from waiting import PATIENCE_S

from ctrlgraph.cli import completion
from ctrlgraph.cli.completion import ENTRIES, HEAD
from ctrlgraph.cli.main import COMMANDS, cli, load_command, main
from ctrlgraph.errors import RunLogError
from ctrlgraph.run_log.names import RunNames
from ctrlgraph.run_log.run_log import RunLog

SHELLS = ("bash", "zsh", "fish")


def completed(words: str, *, directory: Path | None = None) -> list[str]:
    """What is offered for the last of the words."""
    given, _, incomplete = words.rpartition(" ")
    before = ["--project", str(directory)] if directory is not None else []
    shell = ShellComplete(cli, {}, "ctrlgraph", "_CTRLGRAPH_COMPLETE")
    return [item.value for item in shell.get_completions([*before, *given.split()], incomplete)]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_small(tmp_path_factory.mktemp("completion") / "small")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no completion end because its time is over: a busy machine may be slow."""
    monkeypatch.setattr(completion, "SECONDS", PATIENCE_S)


@pytest.mark.usefixtures("patient")
def test_nodes_are_completed_where_a_node_is_meant(directory: Path) -> None:
    assert completed("run s", directory=directory)[:3] == ["stand", "squat", "spring"]
    assert completed("goto sq", directory=directory) == ["squat"]
    assert completed("run squat --from st", directory=directory) == ["stand"]
    assert completed("tune spring --from sp", directory=directory) == ["spring"]
    assert completed("integrate x.t --only sq", directory=directory) == ["squat"]
    assert completed("learn stand sq", directory=directory) == ["squat"]


def test_scripts_are_completed_where_a_script_is_meant(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed("tune controllers/sp", directory=directory) == ["controllers/spring.t"]
    monkeypatch.chdir(directory.parent)
    assert completed("run small/controllers/sp", directory=directory) == ["small/controllers/spring.t"]
    monkeypatch.chdir(directory)
    assert completed("integrate controllers/sp") == ["controllers/spring.t"]
    assert completed("edit stand controllers/sp") == ["controllers/spring.t"]
    assert completed("edit stand sq") == ["squat"]


@pytest.mark.usefixtures("patient")
def test_runs_are_completed_the_newest_first(directory: Path, capsys) -> None:
    assert completed("replay ", directory=directory) == ["last"]
    for seed in "12":
        assert main(["--project", str(directory), "walk", "--transitions", "1", "--seed", seed, "--no-states"]) == 0
    capsys.readouterr()
    assert main(["--project", str(directory), "log", "runs", "--json"]) == 0
    runs = [run["run"] for run in json.loads(capsys.readouterr().out)]
    assert completed("replay ", directory=directory) == ["last", *runs]
    assert completed("log stats la", directory=directory) == ["last"]


def test_commands_and_options_are_completed() -> None:
    assert completed("in") == ["integrate", "init"]
    assert completed("record t") == ["tracking"]
    assert completed("gate ") == ["check", "confusion"]
    assert "--jobs" in completed("gate check --j")
    assert completed("walk --with fr") == ["friction="]
    assert "--success" in completed("tune --s")


@pytest.mark.parametrize(
    "graph",
    [
        "nodes: 7\n",
        "nodes: [\n",
        "a: &a [*a]\n",
        "\x00",
        "".join(f"%TAG !a{i}! b\n" for i in range(100_000)) + "---\nnodes: {a: 1}\n",
        "nodes: " + "[" * 1_000_000,
        "nodes: {'$(reboot)': {}, 'a b': {}, '-x': {}, \"\\e[2J\": {}}\n",
    ],
)
def test_a_broken_project_offers_nothing_and_does_not_fail(graph: str, tmp_path: Path) -> None:
    (tmp_path / "graph.yaml").write_text(graph)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "runs.sqlite").write_bytes(b"no database")
    assert completed("goto ", directory=tmp_path) == []
    assert completed("replay ", directory=tmp_path) == ["last"]
    assert completed("run ", directory=tmp_path / "nowhere") == []


def test_what_a_link_leads_out_to_is_not_offered(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "controllers").mkdir(parents=True)
    (outside / "controllers" / "secret.t").write_text("")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "graph.yaml").write_text("nodes: {}\n")
    (tmp_path / "project" / "controllers").symlink_to(outside / "controllers")
    assert completed("run c", directory=tmp_path / "project") == []


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id, x AS started FROM c"


def log_of(directory: Path, rows: int, name: str = "x") -> None:
    """A sound log, but for its runs: `name` is what SQLite makes of a number x."""
    RunLog.open(directory).close()
    numbers = f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {rows}) SELECT x FROM c"
    with contextlib.closing(sqlite3.connect(directory / "runs.sqlite")) as connection, connection:
        connection.execute(
            "INSERT INTO runs (id, command, started, seed, graph_hash, versions, settings)"
            f" SELECT {name}, '', x, 0, '', '{{}}', '{{}}' FROM ({numbers})"
        )


@pytest.mark.parametrize("log", ["a pipe", "an endless view", "names that fill memory"])
def test_a_log_that_was_made_to_hold_the_shell_up_offers_no_run(log: str, tmp_path: Path) -> None:
    (tmp_path / "graph.yaml").write_text("nodes: {}\n")
    (tmp_path / "runs").mkdir()
    path = tmp_path / "runs" / "runs.sqlite"
    if log == "a pipe":
        os.mkfifo(path)
    elif log == "an endless view":
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute(f"CREATE VIEW runs AS {ENDLESS}")
            connection.execute("PRAGMA user_version = 2")
    else:
        log_of(path.parent, 9, "hex(zeroblob(200000)) || x")
    assert completed("replay ", directory=tmp_path) == ["last"]


def test_reading_the_names_of_runs_ends_when_its_time_is_over(tmp_path: Path) -> None:
    log_of(tmp_path, 3000)
    with RunNames.read(tmp_path, within=PATIENCE_S) as names:
        assert names.newest(2) == ["3000", "2999"]
    with pytest.raises(RunLogError, match="interrupted"):
        RunNames.read(tmp_path, within=0.0).newest(2)


def test_scripts_are_looked_for_within_bounds_and_not_behind_links(tmp_path: Path) -> None:
    (tmp_path / "graph.yaml").write_text("nodes: {}\n")
    deep = tmp_path / "controllers" / "/".join("abcdefghijkl")
    deep.mkdir(parents=True)
    for folder in (deep, tmp_path / "controllers"):
        (folder / "turn.t").write_text("")
    (tmp_path / "controllers" / "round").symlink_to(tmp_path / "controllers")
    (tmp_path / "controllers" / "same.t").symlink_to("turn.t")
    assert completed("run controllers/", directory=tmp_path) == ["controllers/turn.t"]
    for i in range(ENTRIES):
        (tmp_path / "controllers" / f"{i}.x").touch()
    assert len(completed("run controllers/", directory=tmp_path)) <= 1


@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_that_turns_it_on_prints_a_script_for_the_shell(shell: str) -> None:
    environment = os.environ | {"_CTRLGRAPH_COMPLETE": f"{shell}_source"}
    code = "import sys; from ctrlgraph.cli.entry import main; sys.exit(main())"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    if shell == "bash" and "version" in result.stderr:
        pytest.skip("this machine's bash is too old to complete")
    assert result.returncode == 0 and "ctrlgraph" in result.stdout


@pytest.mark.usefixtures("patient")
def test_of_a_graph_file_without_end_the_first_nodes_are_offered(tmp_path: Path) -> None:
    nodes = "".join(f"  node{i}: {{script: a.t, description: {'x' * 100}}}\n" for i in range(30_000))
    (tmp_path / "graph.yaml").write_text("nodes:\n" + nodes)
    assert (tmp_path / "graph.yaml").stat().st_size > 6 * HEAD
    assert completed("goto node1", directory=tmp_path)[:3] == ["node1", "node10", "node11"]


@pytest.mark.parametrize(("given", "offered"), [("run sq", "squat"), ("replay la", "last")])
def test_nothing_that_simulates_is_loaded(given: str, offered: str, directory: Path) -> None:
    code = (
        "import sys\nfrom ctrlgraph.cli import completion\nfrom ctrlgraph.cli.main import main\n"
        f"completion.SECONDS = {PATIENCE_S}\ntry:\n    main([])\nfinally:\n"
        "    heavy = {'numba', 'numpy', 'matplotlib', 'pydantic', 'networkx', 'rich'}\n"
        "    print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    words = {"_CTRLGRAPH_COMPLETE": "bash_complete", "COMP_WORDS": f"ctrlgraph {given}", "COMP_CWORD": "2"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | words, cwd=directory, check=True
    )
    assert (result.stdout, result.stderr) == (f"plain,{offered}\n", "[]\n")


def test_every_argument_for_a_node_is_completed() -> None:
    lacking = []
    for name in COMMANDS:
        command = load_command(name)
        for parameter in command.params:
            means_node = re.fullmatch(r"\[?[\w|]*(NODE|SCRIPT|RUN)[\w|]*\]?(\.\.\.)?", parameter.metavar or "")
            if means_node and not has_completion(parameter):
                lacking.append(f"{name} {parameter.name}")
    assert lacking == []


def has_completion(parameter: click.Parameter) -> bool:
    """click keeps what was given as `shell_complete` under this name, and tells it in no other way."""
    return getattr(parameter, "_custom_shell_complete", None) is not None
