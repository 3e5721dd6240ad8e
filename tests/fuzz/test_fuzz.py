"""A few cases of each fuzzer, which `make fuzz` runs many of, and the harness."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import checkpoints, harness, kills, mjcf_files, scripts, spatial_files, yaml_files
from sampling import sampled

from ctrlgraph.character.mjcf import parse_mjcf


@pytest.mark.slow
def test_the_command_line_makes_attempts_in_processes() -> None:
    command = [sys.executable, str(Path(__file__).parent), "checkpoints", "--count", "3", "--seed", "4", "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("checkpoints: 3 cases of seed 4 in ") and done.stdout.count("\n") >= 2


FEW = {
    mjcf_files: (60, {"accepted", "refused"}),
    checkpoints: (50, {"resumed", "refused: damaged"}),
    scripts: (50, {"compiles", "syntax errors", "other errors"}),
    spatial_files: (54, {"model: refused", "mesh: accepted", "graph: refused", "terrain: refused"}),
    yaml_files: (90, {"graph: refused", "scenario: refused"}),
}
"""Number of cases of each fuzzer, and outcomes that occur among them."""


@pytest.mark.parametrize(
    "kind", [checkpoints, mjcf_files, scripts, spatial_files, pytest.param(yaml_files, marks=pytest.mark.slow)]
)
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


@pytest.mark.parametrize("kind", ["character", "model", "roles", "course", "terrain"])
def test_unchanged_files_in_space_are_accepted(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spatial_files, "_changed", lambda text, *_: text.encode())
    verdict = spatial_files.run(kind, random.Random(2))
    assert (verdict.broken, verdict.outcome) == (None, f"{kind}: accepted")


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
