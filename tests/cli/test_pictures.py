"""`--filmstrip` and `--video`: wrong files are refused before anything is simulated."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from ctrlgraph.cli.main import cli
from ctrlgraph.cli.options.pictures import Pictures, write_pictures
from ctrlgraph.errors import CtrlGraphError
from tests.pictures.posing import humanoid, walking


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--filmstrip a.jpg", "Invalid value for '--filmstrip': the file name 'a.jpg' does not end in .png"),
        (
            "--video a.avi",
            "Invalid value for '--video': the file name 'a.avi' does not end in .gif, .webp, .mp4 or .webm",
        ),
        ("--video no/a.gif", "Invalid value for '--video': the directory 'no' does not exist"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_usage_error(words: str, message: str) -> None:
    result = CliRunner().invoke(cli, ["run", "stand", *words.split()])
    assert result.exit_code == 2
    assert message in result.output


def test_a_directory_that_takes_no_file_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)  # whom the rights do not bind, too
    result = CliRunner().invoke(cli, ["run", "stand", "--filmstrip", str(tmp_path / "a.png")])
    assert result.exit_code == 2
    assert f"the directory '{tmp_path}' is not writable" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "--size big",
            "Invalid value for '--size': give the size as WIDTHxHEIGHT in pixels, such as 768x432, not 'big'",
        ),
        ("--size 321x240", "width and height of a video must be even numbers from 64 to 4096 (pixels), not 321x240"),
        ("--between -1 2", "Invalid value for '--between'"),
        (
            "--between 3 1",
            "Invalid value for '--between': the part to show must end after its start at 3 s, not at 1 s",
        ),
        ("--between nan 1", "Invalid value for '--between': 'nan' is not a finite number"),
        ("--between 1 2", "--between selects the part to show: also give --video, --filmstrip or --page"),
        ("--size 320x240", "--size is the size of a video: also give --video"),
        ("last", "several runs or walks can only be shown on a page: give --page FILE.html"),
    ],
)
def test_a_part_or_size_that_cannot_be_is_a_usage_error(arguments: str, message: str) -> None:
    result = CliRunner().invoke(cli, ["replay", "last", *arguments.split()])
    assert result.exit_code == 2
    assert message in result.output


def test_only_what_was_asked_for_is_written(tmp_path: Path) -> None:
    character = humanoid()
    trace = walking(character, 0.3)
    assert write_pictures(trace, Pictures(), character=character) == []
    strip, film = tmp_path / "a.png", tmp_path / "a.gif"
    assert write_pictures(trace, Pictures(strip, film), character=character) == [strip, film]
    assert sorted(tmp_path.iterdir()) == [film, strip]


def test_a_part_that_comes_after_the_motion_is_told_in_a_sentence(tmp_path: Path) -> None:
    character = humanoid()
    with pytest.raises(CtrlGraphError) as caught:
        asked = Pictures(tmp_path / "a.png", between=(5.0, 9.0))
        write_pictures(walking(character, 0.3), asked, character=character)
    assert str(caught.value) == "the motion ends at 0.30 s, but --between begins at 5 s: choose an earlier part"
    assert list(tmp_path.iterdir()) == []
