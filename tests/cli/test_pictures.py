"""`--filmstrip` and `--video`: wrong files are refused before anything is simulated."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ctrlgraph.cli.main import cli
from ctrlgraph.cli.pictures import picture_options, write_pictures
from tests.view.posing import humanoid, walking


@click.command()
@picture_options
def look(filmstrip: Path | None, video: Path | None) -> None:
    """A command with the two options."""
    click.echo(f"{filmstrip} {video}")


@pytest.mark.parametrize(
    ("option", "file", "message"),
    [
        ("--filmstrip", "a.jpg", "Invalid value for '--filmstrip': 'a.jpg' does not end in .png"),
        ("--video", "a.avi", "Invalid value for '--video': 'a.avi' does not end in .gif, .webp or .mp4"),
        ("--video", "no/a.gif", "Invalid value for '--video': the directory 'no' does not exist"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_usage_error(option: str, file: str, message: str) -> None:
    result = CliRunner().invoke(look, [option, file])
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "big"], "Invalid value for '--size': 'big' is not WIDTHxHEIGHT"),
        (["--size", "321x240"], "a video's sides are even, of 64 to 4096 pixels, not 321x240"),
        (["--from", "-1"], "Invalid value for '--from'"),
        (["--from", "3"], "--from and --seconds are for pictures: give --video or --filmstrip"),
        (["--seconds", "3"], "--from and --seconds are for pictures: give --video or --filmstrip"),
    ],
)
def test_a_part_or_size_that_cannot_be_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, ["replay", "last", *arguments])
    assert result.exit_code == 2
    assert message in result.output


def test_the_command_receives_paths_or_none() -> None:
    assert CliRunner().invoke(look, ["--filmstrip", "a.PNG"]).output == "a.PNG None\n"


def test_only_what_was_asked_for_is_written(tmp_path: Path) -> None:
    character = humanoid()
    trace = walking(character, 0.3)
    assert write_pictures(trace, character=character) == []
    strip, film = tmp_path / "a.png", tmp_path / "a.gif"
    assert write_pictures(trace, character=character, filmstrip=strip, video=film) == [strip, film]
    assert sorted(tmp_path.iterdir()) == [film, strip]
