"""A command of `ctrlgraph` in the small project: its exit code, and what it prints."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project


@pytest.fixture
def run(
    small: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.chdir(small.directory)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
