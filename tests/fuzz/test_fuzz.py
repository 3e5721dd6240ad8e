"""A few cases of each fuzzer, which `make fuzz` runs many of, and the harness."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import checkpoints, harness, kills, mjcf_files, scripts, yaml_files
from sampling import sampled

from ctrlgraph.character.mjcf import parse_mjcf

STAND_IN = """\
import os, sys, time
from types import SimpleNamespace
sys.path.insert(0, sys.argv.pop(1))
from fuzz import harness

def attempt(seed, number):
    if number == 1:
        os.abort()
    if number == 3:
        time.sleep(600)
    if number == 4:
        while True: pass
    if number == 5:
        raise ValueError("out of range")
    broken = {6: "six is not seven", 7: "seven is not six"}.get(number)
    material = {"a/b.t": b"b"} if number == 7 else b"text"
    return harness.Verdict("fine", broken, material, {"numbers": number})

limits = harness.Limits(computing_s=0.5, waiting_s=20.0)
sys.modules["fuzz.x"] = SimpleNamespace(COUNT=9, LIMITS=limits, attempt=attempt)
sys.exit(harness.main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_whatever_an_attempt_does_the_others_are_made(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "x.py").write_text(STAND_IN)
    command = [sys.executable, str(tmp_path / "x.py"), str(Path(__file__).parents[1]), "x", "--seed", "4"]
    kept = tmp_path / "kept"
    done = subprocess.run([*command, "--jobs", jobs, "--keep", str(kept)], capture_output=True, text=True)
    assert done.returncode == 1
    shown = done.stdout.splitlines()
    assert shown[0].startswith("x: 9 cases of seed 4 in ") and shown[0].endswith(" s, 6 broke a law")
    counts = ["1  abort", "1  crash", "5  fine", "1  hang", "1  too long"]
    assert [line.strip() for line in shown[1:7]] == [*counts, "sums: 23 numbers"]
    said = sorted(line for line in done.stderr.splitlines() if line.startswith("x: case"))
    assert said == [
        "x: case 1 of seed 4: its process ended with -6",
        "x: case 3 of seed 4: no end after 20 s",
        "x: case 4 of seed 4: more than 0.5 s of computing",
        "x: case 5 of seed 4: Traceback (most recent call last):",
        "x: case 6 of seed 4: six is not seven",
        "x: case 7 of seed 4: seven is not six",
    ]
    assert (kept / "x-4-6").read_bytes() == b"text"
    assert (kept / "x-4-6.why").read_text() == "six is not seven\n"
    assert (kept / "x-4-7" / "a" / "b.t").read_bytes() == b"b"
    assert "ValueError: out of range" in (kept / "x-4-5.why").read_text()


FEW = {
    mjcf_files: (60, {"accepted", "refused"}),
    checkpoints: (50, {"resumed", "refused: damaged"}),
    scripts: (50, {"compiles", "syntax errors", "other errors"}),
    yaml_files: (90, {"graph: refused", "scenario: refused"}),
}
"""Number of cases of each fuzzer, and outcomes that occur among them."""


@pytest.mark.parametrize("kind", [checkpoints, mjcf_files, scripts, pytest.param(yaml_files, marks=pytest.mark.slow)])
def test_no_case_breaks_a_law(kind) -> None:
    count, outcomes = FEW[kind]
    figures = harness.run(kind.attempt, range(count), seed=9)
    assert [(number, verdict.broken) for number, verdict in figures.failures] == []
    assert outcomes <= figures.outcomes.keys()


@pytest.mark.parametrize("kind", FEW)
def test_a_case_depends_only_on_the_seed_and_its_number(kind) -> None:
    cases = [[kind.attempt(seed, number).material for number in range(3)] for seed in (1, 1, 2)]
    assert cases[0] == cases[1] != cases[2]


@pytest.mark.slow
def test_a_killed_walk_loses_nothing_that_was_logged() -> None:
    verdict = kills.attempt(2, 0)
    assert (verdict.broken, verdict.outcome) == (None, "SIGKILL")
    assert verdict.sums["seen"] > 0


def test_unchanged_checkpoints_are_resumed(tmp_path: Path) -> None:
    for plan, text in checkpoints.corpus():
        assert checkpoints.tried(plan, text.encode(), tmp_path)[0].startswith("resumed")


def test_unchanged_models_are_accepted() -> None:
    for model, roles in mjcf_files.samples():
        assert mjcf_files.broken_character(parse_mjcf(model, "x.xml", roles)) == ""


@pytest.mark.parametrize("kind", sampled(yaml_files.READERS, ["character", "gate", "scenario"]))
def test_unchanged_files_are_accepted_and_open_nothing_outside(kind: str) -> None:
    yaml_files.shipped()
    yaml_files.learned_project()
    for name in yaml_files.SAMPLES[kind]:
        yaml_files.opened_outside()
        yaml_files.READERS[kind](yaml_files.project_directory() / name)
        (yaml_files.project_directory() / name).write_text(yaml_files.original(name), encoding="utf-8")
        assert yaml_files.opened_outside() == ""


def test_a_file_that_is_opened_outside_is_detected() -> None:
    link = yaml_files.project_directory() / "links" / "out.t"
    yaml_files.opened_outside()
    assert link.read_text().startswith(yaml_files.SECRET)
    assert yaml_files.opened_outside() == str(link.resolve())


@pytest.mark.parametrize(
    "text",
    [
        "BEGINSCRIPT \nPHASE \nLIPOSE (7).e(),(7-1PHASE ",
        f"BEGINSCRIPT x(void) PHASE {'9' * 20} ENDPHASE ENDSCRIPT",
    ],
)
def test_scripts_that_once_broke_a_law_break_none(text: str) -> None:
    assert scripts.examine(text.encode(), random.Random(0))
