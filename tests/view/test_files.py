"""A picture is the old one or the whole new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.view.files import replacing


def test_the_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("old")
    with replacing(path) as temporary:
        temporary.write_text("new")
        assert temporary.suffix == ".png"
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("old")
    with pytest.raises(RuntimeError), replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
