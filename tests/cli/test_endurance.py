"""`ctrlgraph robustness endurance` on the shipped biped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctrlgraph.project.project import Project

BIPED = str(Path(__file__).parents[2] / "projects" / "biped")


def test_endurance_tells_each_start_and_the_same_seed_tells_the_same(command) -> None:
    words = f"--project {BIPED} robustness endurance program --seconds 3 --trials 3 --seed 4 --json".split()
    first = command(*words)
    assert command(*words) == first
    assert first[0] == 0
    found = json.loads(first[1])
    assert (found["seed"], found["with"]) == (4, {"noise": 0.02})
    (gait,) = found["gaits"]
    assert (gait["node"], gait["trials"], gait["lasted"], len(gait["runs"])) == ("program", 3, 0, 3)
    assert gait["steps"]["low"] <= gait["steps"]["mean"] <= gait["steps"]["high"]
    assert len({run["seed"] for run in gait["runs"]}) == 3


def test_endurance_shows_a_row_with_and_one_without_feedback(command) -> None:
    words = "robustness endurance program --seconds 1 --trials 2 --without-feedback --seed 4"
    code, out, _ = command("--project", BIPED, *words.split())
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["program", "yes"], ["program", "no"]]
    assert out.splitlines()[-1] == "seed 4"


def test_endurance_of_a_character_with_one_foot_tells_no_steps(run, small: Project) -> None:
    body = small.directory / "characters" / "humanoid.yaml"
    body.write_text(body.read_text().replace("feet: [rFoot, lFoot]", "feet: [rFoot]"))
    words = ["robustness", "endurance", "squat", "--seconds", "1", "--trials", "2", "--seed", "3"]
    code, out, _ = run(*words, "--json")
    (gait,) = json.loads(out)["gaits"]
    assert (code, gait["steps"]) == (0, None)
    assert [each["steps"] for each in gait["runs"]] == [None, None]
    assert gait["duration"]["mean"] == pytest.approx(sum(each["duration"] for each in gait["runs"]) / 2)
    assert gait["distance"]["low"] <= gait["distance"]["mean"] <= gait["distance"]["high"]
    head, row, *_ = run(*words)[1].splitlines()
    assert row[head.index("steps") :].split()[0] == "-"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("wlak", "error: the graph has no node 'wlak' (did you mean 'walk'?)\n"),
        ("rag_doll --without-feedback", "rag_doll has no feedback to switch off: none of its constants is a cd or cv"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(words: str, message: str, command) -> None:
    code, _, err = command("--project", BIPED, "robustness", "endurance", *words.split())
    assert (code, message in err, "Traceback" in err) == (1, True, False)
