"""Commands that need a planar character: in a project in space they name what needs it, and what to do instead."""

from __future__ import annotations

from pathlib import Path

import pytest

QUADRUPED = Path(__file__).parents[2] / "projects" / "quadruped"


@pytest.mark.parametrize(
    ("words", "feature", "instead"),
    [
        ("record keyframes walk", "recording key frames", ": write the key frames by hand"),
        ("record regulator walk", "recording a regulator", ""),
        ("record tracking walk", "a tracking file", ": write a gait"),
        ("robustness basins walk", "sampling a basin", ": measure pushes or sweep perturbations"),
        ("experiment phase-policy controllers/walk.yaml --theta-rate 1", "a phase policy", ""),
    ],
)
def test_a_command_for_planar_characters_names_its_feature(
    command, monkeypatch, tmp_path, words, feature, instead
) -> None:
    monkeypatch.chdir(QUADRUPED)
    output = ["-o", str(tmp_path / "out.yaml")] if words.startswith("record") else []
    code, out, err = command(*words.split(), *output)
    assert (code, out) == (1, "")
    assert err == f"error: {feature} needs a planar character, but quadruped moves in space{instead}\n"
