"""What `ctrlgraph experiment phase-policy` and `return-map` refuse before anything is simulated."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.project.shipped import copy_project


@pytest.fixture
def jump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The jump of a copy of the tracking project, in which commands run."""
    copy_project(tmp_path / "tracking", "tracking")
    monkeypatch.chdir(tmp_path / "tracking")
    return Path("tracking/jump.yaml")


POLICY, MAP = "experiment phase-policy", "robustness return-map"


@pytest.mark.parametrize("option", ["-o", "--table"])
def test_a_policy_takes_no_other_files_place(jump: Path, option: str, command) -> None:
    before = jump.read_bytes()
    words = f"{POLICY} {jump} --theta-rate 1 --points 4 --actions 2 {option} {jump}"
    code, _, err = command(*words.split())
    assert (code, "does not end in .npz" in err) == (2, True)
    assert jump.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{POLICY} FILE --theta-rate 5 --fastest 2", "--theta-rate 5 must be between --slowest 0.3 and --fastest 2"),
        (f"{MAP} FILE --slowest 2 --fastest 1", "--slowest 2 must be below --fastest 1"),
    ],
)
def test_rates_that_fit_no_grid_are_refused(jump: Path, words: str, message: str, command) -> None:
    assert command(*words.replace("FILE", str(jump)).split()) == (1, "", f"error: {message}\n")


def test_a_policy_of_an_angle_is_refused_at_its_place(jump: Path, command) -> None:
    code, _, err = command(*f"{POLICY} tracking/walk.yaml --theta-rate 1".split())
    assert code == 1
    assert "walk.yaml:3:1: error: walk: a policy by theta and its rate needs a phase with 'ahead'" in err
    assert not Path("runs").exists()


def test_a_policy_of_a_cycle_that_ends_in_flight_is_refused_at_its_place(jump: Path, command) -> None:
    jump.write_text(jump.read_text().replace("    ends: {theta: 0}", "    ends: {leaves: rFoot}"))
    code, _, err = command(*f"{POLICY} {jump} --theta-rate 1".split())
    assert code == 1
    assert "jump.yaml:35:5: error: jump: a policy by theta and its rate needs flat feet and an end by theta" in err


def test_a_place_of_the_force_needs_a_sole(tmp_path: Path, command) -> None:
    copy_project(tmp_path / "five", "five-link")
    walk = tmp_path / "five" / "tracking" / "walk.yaml"
    message = "error: --beside needs a foot that is flat on the ground, but walk only stands on points\n"
    assert command("--project", tmp_path / "five", *MAP.split(), walk, "--beside", "0.02") == (1, "", message)


@pytest.mark.slow
def test_rates_of_an_angle_are_told_as_such(jump: Path, command) -> None:
    words = f"{MAP} tracking/walk.yaml --samples 2 --slowest 0.95 --fastest 1.1 --cycles 1 --trials 1 --seed 1".split()
    code, out, _ = command(*words)
    assert code == 0
    assert "rad/s, slope" in out and "rad/s at the start" in out
    code, out, _ = command(*words, "--json")
    assert (code, '"unit": "rad/s"' in out) == (0, True)


@pytest.mark.slow
def test_a_motion_that_is_over_in_its_first_tick_has_no_rate(jump: Path, command) -> None:
    walk = jump.with_name("walk.yaml")
    text = walk.read_text().replace("ends: {contact: lFoot}", "ends: {theta: -1e6}")
    walk.write_text(text.replace("theta: -0.2,", "theta: -1e6,").replace("theta: -0.12,", "theta: -1e6,"))
    words = f"{MAP} {walk} --samples 2 --theta-rate 1 --cycles 2 --trials 1 --seed 1"
    code, out, _ = command(*words.split())
    assert (code, "m/s at the start" in out) == (0, False)
    assert "-" in out.splitlines()[-2]
