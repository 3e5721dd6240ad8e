"""Scripts of the published constants parse and check; what their source never prints is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from published import published_motions, published_scripts

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.calls import calls_of
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.codes import ActionKind
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.errors import SourceError

SCRIPTS = sorted(published_scripts())
CALLS_MISSING = {"fwdhandspring": {"step", "walk"}, "handstand": {"step"}}


@pytest.fixture(scope="module")
def published(published_directory: Path) -> ScriptLibrary:
    return ScriptLibrary([published_directory])


@pytest.fixture
def path(stem: str, published_directory: Path) -> Path:
    return published_directory / f"{stem}.t"


def test_the_appendix_holds_nineteen_scripts_each_with_its_section() -> None:
    assert len(SCRIPTS) == 19
    sections = [motion["section"] for motion in published_motions().values()]
    assert len(set(sections)) == 19
    assert all(re.fullmatch(r"A\.[1-5]\.[1-7]", section) for section in sections)


@pytest.mark.parametrize("stem", SCRIPTS)
def test_a_published_script_parses(path: Path) -> None:
    assert parse_script(path.read_text(encoding="utf-8"), path.name).findings == ()


@pytest.mark.parametrize("stem", SCRIPTS)
def test_its_only_errors_are_called_scripts_that_the_source_never_prints_and_its_gains_have_the_right_signs(
    path: Path, published: ScriptLibrary, humanoid: Character
) -> None:
    findings = check_script(published, path, humanoid)
    errors = {f.message for f in findings if f.severity == "error"}
    assert errors == {f"script '{stem}' not found" for stem in CALLS_MISSING.get(path.stem, ())}
    assert [f.message for f in findings if f.code == "gain-sign"] == []


def test_missing_scripts_that_no_reachable_phase_calls_are_warnings(
    published: ScriptLibrary, published_directory: Path, humanoid: Character
) -> None:
    findings = check_script(published, published_directory / "backflip.t", humanoid)
    # angles beyond our joints' limits are the source's own affair
    told = [(f.severity, f.code, f.span and f.span.line) for f in findings if f.code != "angle-limit"]
    assert told == [("warning", "unreachable-phase", 42), ("warning", "missing-script", 43)]


@pytest.mark.parametrize("stem", SCRIPTS)
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


def test_the_walk_steps_on_the_angles_of_the_source(
    published: ScriptLibrary, published_directory: Path, humanoid: Character
) -> None:
    program = compile_script(published, published_directory / "walkonce.t", [], humanoid)
    swing = [row for row in program.actions.tolist() if row[0] == ActionKind.VPD and row[5]]
    values = program.values()
    # swhe, kp, kd, no time, cde and cve of the first phase: the arguments of walkonce.t.
    assert [values[slot] for slot in swing[0][6:9]] == [-0.4, -300.0, -30.0]
    assert [values[slot] for slot in swing[0][9:11]] == [0.0, -0.2]
    assert [values[slot] for slot in swing[1][9:11]] == [-2.2, 0.0]
