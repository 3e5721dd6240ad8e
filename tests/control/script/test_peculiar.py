"""What is peculiar about the published way of writing controllers is understood as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.codes import ActionKind
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.program import Program

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def library() -> ScriptLibrary:
    return ScriptLibrary([DATA])


@pytest.fixture(scope="module")
def program(library: ScriptLibrary, humanoid: Character) -> Program:
    return compile_script(library, DATA / "peculiar.t", [0.5], humanoid)


def action(program: Program, kind: ActionKind, number: int = 0) -> list[float]:
    row = [row for row in program.actions.tolist() if row[0] == kind][number]
    values = program.values()
    return [float(values[slot]) for slot in row[6:12] if slot >= 0]


def test_the_peculiar_script_has_no_errors(library: ScriptLibrary, humanoid: Character) -> None:
    assert check_script(library, DATA / "peculiar.t", humanoid) == []


def test_a_setting_and_a_feedback_need_no_semicolon(program: Program) -> None:
    assert program.values()[program.frames[0, 1]] == 450.0
    assert action(program, ActionKind.VPD) == [-0.3, -300.0, -30.0, -0.1, 0.2]


def test_zeros_may_be_negative_and_may_lead(program: Program) -> None:
    assert action(program, ActionKind.POSE, 0) == [0.0, 50.0, 30.0]
    assert action(program, ActionKind.POSE, 1) == [0.0, 50.0, 30.0]
    assert action(program, ActionKind.VF) == [0.0, 120.0, 0.0]
    assert program.phases[2, 1] == 7


def test_two_gains_need_no_comma(program: Program) -> None:
    assert action(program, ActionKind.POSEFB) == [1.5, -0.25]


def test_misspellings_of_the_source_are_names_too(program: Program, humanoid: Character) -> None:
    joints = [humanoid.joints[row[1]].name for row in program.actions.tolist() if row[0] == ActionKind.POSE]
    assert joints == ["rElbow", "lElbow", "rShoulder", "lShoulder", "rWrist"]
    assert action(program, ActionKind.VFSFB) == [100.0, 1.0]


def test_a_call_names_the_script_whatever_its_extension(program: Program) -> None:
    assert len(program.frames) == 2
