"""`--json` on every command that prints results: one JSON value, whose keys the help names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from small_project import make_small

from ctrlgraph.cli.main import COMMANDS, load_command, main

WITHOUT = dict.fromkeys(("edit", "play"), "it serves a page, and prints where")
"""Commands that print no results, each with what they do."""

QUICK: dict[str, str] = {
    "check": "check",
    "fmt": "fmt --check",
    "tune": "tune squat->spring --script spring --no-numerics --generations 0 --trials 1 --jobs 1 --seed 1",
    "measures": "measures",
    "record keyframes": "record keyframes squat --from stand -o {out}/squat.yaml",
    "run": "run squat --from stand",
    "walk": "walk --transitions 1 --seed 1 --no-states",
    "goto": "goto squat --seed 1",
    "replay": "replay last",
    "trace": "trace squat --from stand -o {out}/squat.csv",
    "footsteps": "footsteps crawler --seed 1 --seconds 0.5",
    "experiment footsteps": "experiment footsteps update",
    "log runs": "log runs",
    "log stats": "log stats",
    "graph": "graph",
    "learned": "learned",
    "init": "init {out}/made",
    "doctor": "doctor",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small project with a way to tune, and a logged walk."""
    directory = make_small(tmp_path_factory.mktemp("json") / "small")
    graph = directory / "graph.yaml"
    graph.write_text(
        graph.read_text().replace("  - {from: spring", "  - {from: squat, to: spring}\n  - {from: spring", 1)
    )
    assert main(["--project", str(directory), "walk", "--transitions", "2", "--seed", "1"]) == 0
    return directory


def help_of(name: str) -> str:
    """The help of a command's --json."""
    (option,) = (parameter for parameter in load_command(name).params if "--json" in parameter.opts)
    return str(option.help)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in WITHOUT])
def test_every_command_prints_its_results_as_json_and_names_the_keys(name: str) -> None:
    assert re.match(r"Print one JSON object: .*\w[.)]", help_of(name))


@pytest.mark.parametrize("name", QUICK)
def test_what_is_printed_has_the_keys_that_are_documented(name: str, project: Path, tmp_path: Path, capsys) -> None:
    words = [word.format(out=tmp_path) for word in QUICK[name].split()]
    main(["--project", str(project), *words, "--json"])
    found = json.loads(capsys.readouterr().out)
    keys = found if isinstance(found, dict) else found[0]
    assert keys and set(keys) - set(re.findall(r"[a-z_]+", help_of(name))) == set()


def test_every_command_is_in_one_of_the_lists() -> None:
    assert {*QUICK, *WITHOUT} <= {*COMMANDS}
