"""What the tests of learning share: the shipped project, and scripts of one's own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.program import Program
from ctrlgraph.project.project import Project

sys.path.insert(0, str(Path(__file__).parent))  # worker processes import the stand-ins from here

ROOT = Path(__file__).parents[2]

Compile = Callable[..., Program]


@pytest.fixture(scope="session")
def shipped() -> Project:
    """The shipped project; nothing is written into it."""
    return Project(ROOT)


@pytest.fixture
def compiled(tmp_path: Path, humanoid) -> Compile:
    """The program of a script `x`; others may be given as stem=text, arguments as args=(...)."""

    def compile_text(text: str, args: tuple[float, ...] = (), **others: str) -> Program:
        for stem, each in {"x": text, **others}.items():
            (tmp_path / f"{stem}.t").write_text(each, encoding="utf-8")
        return compile_script(ScriptLibrary([tmp_path]), tmp_path / "x.t", args, humanoid)

    return compile_text
