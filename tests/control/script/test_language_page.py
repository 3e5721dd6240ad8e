"""The language's page: its examples are right, its messages are those that are shown, nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.script.syntax.forms import CONDITION_FORMS, PRIMITIVE_FORMS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "language.md").read_text(encoding="utf-8")
FRAME = "BEGINSCRIPT x(a)\nPHASE 0\nACTIONS\n{}\nENDACTIONS\nTRANSITION to(-1).after(time a);\nENDPHASE\nENDSCRIPT\n"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


SCRIPTS = {match: text for text in blocks("ctrl") for match in re.findall(r"BEGINSCRIPT (\w+)", text)}
Write = Callable[..., ScriptLibrary]


@pytest.mark.parametrize("name", SCRIPTS)
def test_its_scripts_have_no_findings(name: str, write: Write, humanoid: Character) -> None:
    library = write(**SCRIPTS)
    assert [finding.render() for finding in check_script(library, Path(f"{name}.t"), humanoid)] == []
    assert compile_script(library, Path(f"{name}.t"), [1.0], humanoid).phases.size


@pytest.mark.parametrize("name", SCRIPTS)
def test_its_scripts_are_in_canonical_layout(name: str) -> None:
    assert format_script(SCRIPTS[name]) == SCRIPTS[name]


@pytest.mark.parametrize("actions", blocks("ctrl-actions"))
def test_its_actions_have_no_errors(actions: str, write: Write, humanoid: Character) -> None:
    findings = check_script(write(x=FRAME.format(actions)), Path("x.t"), humanoid)
    assert [finding.render() for finding in findings if finding.code != "set-twice"] == []


def test_its_errors_are_those_that_are_shown(write: Write, humanoid: Character) -> None:
    (text,), (shown,) = blocks("ctrl-errors"), blocks("console")
    findings = check_script(write(wave=text), Path("wave.t"), humanoid)
    assert "\n".join(finding.render() for finding in findings) + "\n" == shown


def test_its_python_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = blocks("python")
    exec(compile(code, "docs/reference/language.md", "exec"), {})
    assert "numbers to tune; the first:" in capsys.readouterr().out


@pytest.mark.parametrize("word", [*PRIMITIVE_FORMS, *CONDITION_FORMS])
def test_it_names_every_primitive_and_every_condition(word: str) -> None:
    assert re.search(rf"`[^`]*\b{word}\b", PAGE)
