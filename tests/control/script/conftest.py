"""What the language's tests share: scripts written to a directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.program import Program
from ctrlgraph.errors import Finding

Write = Callable[..., ScriptLibrary]
Check = Callable[..., list[Finding]]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write scripts, given as stem=text, and return the library of them; messages name them `stem.t`."""
    monkeypatch.chdir(tmp_path)

    def write_scripts(**scripts: str) -> ScriptLibrary:
        for stem, text in scripts.items():
            Path(f"{stem}.t").write_text(text, encoding="utf-8")
        return ScriptLibrary([Path()])

    return write_scripts


@pytest.fixture
def check(write: Write, humanoid: Character) -> Check:
    """The findings of a script `x`; others may be given as stem=text."""

    def check_text(text: str, **others: str) -> list[Finding]:
        return check_script(write(x=text, **others), Path("x.t"), humanoid)

    return check_text


@pytest.fixture
def rendered(check: Check) -> Callable[..., str]:
    """All findings of a script `x` as they are shown."""

    def render(text: str, **others: str) -> str:
        return "\n".join(finding.render() for finding in check(text, **others))

    return render


FRAME = "BEGINSCRIPT x({})\nPHASE 0\nACTIONS\n{}\nENDACTIONS\nTRANSITION to(-1).after({});\nENDPHASE\nENDSCRIPT\n"
"""A script of one phase: its parameters, actions and condition."""


@pytest.fixture(scope="session")
def framed(humanoid: Character) -> Callable[..., Program]:
    """Compile a script of one phase."""
    library, path = ScriptLibrary([]), Path("x.t")

    def compile_text(body: str, condition: str = "time 9", parameters: str = "void", *args: float) -> Program:
        library.put(path, FRAME.format(parameters, body, condition))
        return compile_script(library, path, args, humanoid)

    return compile_text
