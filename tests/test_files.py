"""A file is the old one or the whole new one."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import (
    TEMPORARY_SUFFIX,
    read_bytes,
    replacing,
    sweep_temporaries,
    table_cell,
    write_text,
    write_texts,
)


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


def test_a_directory_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError) as caught, replacing(tmp_path / "none" / "a.png"):
        raise AssertionError
    assert str(caught.value) == f"cannot write '{tmp_path / 'none' / 'a.png'}': no such file or directory"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device here that is always full")
def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(CtrlGraphError) as caught, replacing(path) as temporary:
        temporary.unlink()
        temporary.symlink_to("/dev/full")
        temporary.write_text("new")
    assert str(caught.value) == f"cannot write '{path}': no space left on device"
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "old"


def test_write_text_makes_the_directory_and_keeps_line_feeds(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b" / "c.yaml", "x: 1\ny: ü\n")
    assert (tmp_path / "a" / "b" / "c.yaml").read_bytes() == "x: 1\ny: ü\n".encode()


def test_what_a_killed_process_left_is_swept_once_it_is_old(tmp_path: Path) -> None:
    names = (f".a-x{TEMPORARY_SUFFIX}.npz", f".b-x{TEMPORARY_SUFFIX}.npz", ".c")
    fresh, stale, other = (tmp_path / name for name in names)
    for file in (fresh, stale, other):
        file.touch()
    for file in (stale, other):
        os.utime(file, (time.time() - 7200,) * 2)
    sweep_temporaries(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([fresh, other])


def test_a_name_that_is_as_long_as_can_be_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("走" * 83 + ".yaml")
    write_text(path, "x: 1\n")
    assert list(tmp_path.iterdir()) == [path]


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    path, pipe = tmp_path / "a", tmp_path / "pipe"
    path.write_bytes(b"x" * 100)
    os.mkfifo(pipe)
    assert read_bytes(path, 100) == b"x" * 100
    with path.open("r+b") as file:
        file.truncate(2**40)
    with pytest.raises(OSError, match=r"the file is larger than 1 MB, the maximum: "):
        read_bytes(path, 2**20)
    with pytest.raises(OSError, match=r"it is not a regular file: "):
        read_bytes(pipe, 100)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"])
def test_a_text_that_a_spreadsheet_would_run_is_no_formula_in_a_table(text: str) -> None:
    assert table_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["stand->squat", "", "a=1", -1, -1.5, None, True])
def test_other_cells_of_a_table_stay_as_they_are(value: object) -> None:
    assert table_cell(value) is value


def test_who_may_read_a_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    write_text(path, "x: 1\n")
    path.chmod(0o600)
    write_text(path, "x: 2\n")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_of_several_files_all_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """The disk is full, or the directory is gone, once the first of them is written, and once it is in its place."""
    first, second, new = (tmp_path / name for name in ("a.t", "b.t", "c.t"))
    first.write_text("1")
    second.write_text("2")
    texts = {new: "new", first: "one", second: "two"}
    with monkeypatch.context() as broken:
        works = getattr(Path, step)

        def failing(self: Path, *given: object, **named: object) -> object:
            if "b-" in self.name and "two" in (*given, self.read_text()):
                raise OSError(errno.ENOSPC, "No space left on device", str(self))
            return works(self, *given, **named)

        broken.setattr(Path, step, failing)
        with pytest.raises(CtrlGraphError) as caught:
            write_texts(texts)
    assert str(caught.value) == f"cannot write '{second}': no space left on device"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.t": "1", "b.t": "2"}
    write_texts(texts)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.t": "one", "b.t": "two", "c.t": "new"}
