"""Commands of `ctrlgraph`: their exit code, and what they print on stdout and stderr."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command."""
    return lambda *words: (main([str(word) for word in words]), *capsys.readouterr())


@pytest.fixture
def run(small: Project, monkeypatch: pytest.MonkeyPatch, command: Run) -> Run:
    """Run a command in the small project."""
    monkeypatch.chdir(small.directory)
    return command
