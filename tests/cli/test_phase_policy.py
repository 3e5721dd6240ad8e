"""What `ctrlgraph experiment phase-policy` and `return-map` refuse before anything is simulated."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.experiments.worker_pool import Interrupted
from ctrlgraph.project.shipped import copy_project


@pytest.fixture
def jump(tmp_path: Path) -> Path:
    """The jump of a copy of the tracking project."""
    copy_project(tmp_path / "tracking", "tracking")
    return tmp_path / "tracking" / "tracking" / "jump.yaml"


@pytest.mark.parametrize("option", ["-o", "--table"])
def test_a_policy_takes_no_other_files_place(jump: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = jump.read_bytes()
    words = [
        "--project",
        str(jump.parents[1]),
        "experiment",
        "phase-policy",
        str(jump),
        "--theta-rate",
        "1",
        "--points",
        "4",
    ]
    assert main([*words, "--actions", "2", option, str(jump)]) == 2
    assert "does not end in .npz" in capsys.readouterr().err
    assert jump.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["experiment", "phase-policy", "--theta-rate", "5", "--fastest", "2"],
            "the rate 5 is not between --slowest 0.3 and --fastest 2",
        ),
        (["robustness", "return-map", "--slowest", "2", "--fastest", "1"], "--slowest 2 is not below --fastest 1"),
    ],
)
def test_rates_that_fit_no_grid_are_refused(
    jump: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--project", str(jump.parents[1]), *words[:2], str(jump), *words[2:]]) == 1
    assert capsys.readouterr().err == f"error: {message}\n"


def test_a_policy_of_an_angle_is_refused_at_its_place(jump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = jump.with_name("walk.yaml")
    assert main(["--project", str(jump.parents[1]), "experiment", "phase-policy", str(walk), "--theta-rate", "1"]) == 1
    told = capsys.readouterr().err
    assert "walk.yaml:3:1: error: walk: a policy by theta and its rate needs a theta in m" in told
    assert not (jump.parents[1] / "runs").exists()


def test_a_policy_of_a_cycle_that_ends_in_flight_is_refused_at_its_place(
    jump: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = jump.read_text()
    jump.write_text(text.replace("    ends: {theta: 0}", "    ends: {leaves: rFoot}"))
    assert main(["--project", str(jump.parents[1]), "experiment", "phase-policy", str(jump), "--theta-rate", "1"]) == 1
    assert "jump.yaml:35:5: error: jump: a policy by theta and its rate needs a cycle that begins" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("option", ["--constant", "--beside"])
def test_a_place_of_the_force_needs_a_sole(tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    copy_project(tmp_path / "five", "five-link")
    walk = tmp_path / "five" / "tracking" / "walk.yaml"
    assert main(["--project", str(tmp_path / "five"), "robustness", "return-map", str(walk), option, "0.02"]) == 1
    message = "walk stands on points alone: there is no sole along which a force could act"
    assert capsys.readouterr().err == f"error: {message}\n"


@pytest.mark.slow
def test_rates_of_an_angle_are_told_as_such(jump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--project",
        str(jump.parents[1]),
        "robustness",
        "return-map",
        str(jump.with_name("walk.yaml")),
        "--samples",
        "2",
    ]
    words += ["--slowest", "0.95", "--fastest", "1.1", "--cycles", "1", "--trials", "1", "--seed", "1"]
    assert main(words) == 0
    assert "rad/s, slope" in (told := capsys.readouterr().out)
    assert "rad/s at the start" in told
    assert main([*words, "--json"]) == 0
    assert '"unit": "rad/s"' in capsys.readouterr().out


def test_ctrl_c_while_tabulating_says_how_to_go_on(
    jump: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted

    monkeypatch.setattr("ctrlgraph.experiments.gaits.tabulation.tabulate", interrupted)
    kept = jump.parent / "kept.npz"
    words = ["experiment", "phase-policy", str(jump), "--theta-rate", "1", "--points", "4", "--table", str(kept)]
    assert main(["--project", str(jump.parents[1]), *words]) == 130
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("interrupted: the same command resumes with ")
    assert told.endswith("kept.npz")


@pytest.mark.slow
def test_a_motion_that_is_over_in_its_first_tick_has_no_rate(jump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = jump.with_name("walk.yaml")
    text = walk.read_text().replace("ends: {contact: lFoot}", "ends: {theta: -1e6}")
    walk.write_text(text.replace("theta: -0.2,", "theta: -1e6,").replace("theta: -0.12,", "theta: -1e6,"))
    words = [
        "--project",
        str(jump.parents[1]),
        "robustness",
        "return-map",
        str(walk),
        "--samples",
        "2",
        "--theta-rate",
        "1",
    ]
    assert main([*words, "--cycles", "2", "--trials", "1", "--seed", "1"]) == 0
    assert "m/s at the start" not in (told := capsys.readouterr().out)
    assert "-" in told.splitlines()[-2]
