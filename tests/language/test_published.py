"""The published scripts parse and check unchanged; what their source never prints is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.program import ActionKind
from ctrlgraph.errors import SourceError
from ctrlgraph.language.calls import calls_of
from ctrlgraph.language.checker import check_script
from ctrlgraph.language.compiler import compile_script
from ctrlgraph.language.library import ScriptLibrary
from ctrlgraph.language.parser import parse_script

PUBLISHED = Path(__file__).parents[1] / "data" / "published"
SCRIPTS = sorted(PUBLISHED.glob("*.t"))
CALLS_MISSING = {"fwdhandspring": {"step", "walk"}, "handstand": {"step"}}


@pytest.fixture(scope="module")
def published() -> ScriptLibrary:
    return ScriptLibrary([PUBLISHED])


def test_the_appendix_holds_nineteen_scripts() -> None:
    assert len(SCRIPTS) == 19


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_published_script_parses(path: Path) -> None:
    assert parse_script(path.read_text(encoding="utf-8"), path.name).findings == ()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_its_only_errors_are_scripts_that_a_reachable_phase_calls_and_the_source_never_prints(
    path: Path, published: ScriptLibrary, humanoid: Character
) -> None:
    findings = check_script(published, path, humanoid)
    errors = {f.message for f in findings if f.severity == "error"}
    assert errors == {f"script '{stem}' not found" for stem in CALLS_MISSING.get(path.stem, ())}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_signs_of_its_gains_tell_the_side_of_the_part(
    path: Path, published: ScriptLibrary, humanoid: Character
) -> None:
    assert [f.message for f in check_script(published, path, humanoid) if f.code == "gain-sign"] == []


def test_missing_scripts_that_no_reachable_phase_calls_are_warnings(
    published: ScriptLibrary, humanoid: Character
) -> None:
    findings = check_script(published, PUBLISHED / "backflip.t", humanoid)
    assert [(f.severity, f.code, f.span and f.span.line) for f in findings] == [
        ("warning", "missing-script", 5),
        ("warning", "missing-script", 5),
        ("warning", "missing-script", 5),
        ("warning", "unreachable-phase", 38),
        ("warning", "missing-script", 39),
    ]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_it_compiles_where_all_that_it_calls_is_given(
    path: Path, published: ScriptLibrary, humanoid: Character
) -> None:
    script = published.parse(path).script
    assert script is not None
    args = [1.0] * len(script.parameters)
    if path.stem in CALLS_MISSING:
        with pytest.raises(SourceError, match="script 'step' not found"):
            compile_script(published, path, args, humanoid)
        return
    program = compile_script(published, path, args, humanoid)
    assert len(program.frames) == 1 + sum(1 for _ in calls_of(script, reachable_only=True))
    assert program.values().shape == (program.constants.size + len(program.tape),)


def test_the_walk_steps_on_the_angles_of_the_source(published: ScriptLibrary, humanoid: Character) -> None:
    program = compile_script(published, PUBLISHED / "walkonce.t", [], humanoid)
    swing = [row for row in program.actions.tolist() if row[0] == ActionKind.VPD and row[5]]
    values = program.values()
    # swhe, kp, kd, no time, cde and cve of the first phase: the arguments of walkonce.t.
    assert [values[slot] for slot in swing[0][6:9]] == [-0.4, -300.0, -30.0]
    assert [values[slot] for slot in swing[0][9:11]] == [0.0, -0.2]
    assert [values[slot] for slot in swing[1][9:11]] == [-2.2, 0.0]
