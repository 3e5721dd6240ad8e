"""`--filmstrip` and `--video`: wrong files are refused before anything is simulated."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from ctrlgraph.cli.main import cli
from ctrlgraph.cli.options.pictures import Pictures, write_pictures
from ctrlgraph.errors import CtrlGraphError
from tests.view.posing import humanoid, walking


@pytest.mark.parametrize(
    ("option", "file", "message"),
    [
        ("--filmstrip", "a.jpg", "Invalid value for '--filmstrip': 'a.jpg' does not end in .png"),
        ("--video", "a.avi", "Invalid value for '--video': 'a.avi' does not end in .gif, .webp, .mp4 or .webm"),
        ("--video", "no/a.gif", "Invalid value for '--video': the directory 'no' does not exist"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_usage_error(option: str, file: str, message: str) -> None:
    result = CliRunner().invoke(cli, ["run", "stand", option, file])
    assert result.exit_code == 2
    assert message in result.output


def test_a_directory_that_takes_no_file_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)  # whom the rights do not bind, too
    result = CliRunner().invoke(cli, ["run", "stand", "--filmstrip", str(tmp_path / "a.png")])
    assert result.exit_code == 2
    assert f"nothing can be written into the directory '{tmp_path}'" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "big"], "Invalid value for '--size': 'big' is not WIDTHxHEIGHT"),
        (["--size", "321x240"], "the sides of a video must be even, 64 to 4096 pixels, not 321x240"),
        (["--between", "-1", "2"], "Invalid value for '--between'"),
        (["--between", "3", "1"], "Invalid value for '--between': it ends at 1 s, before it begins at 3 s"),
        (["--between", "nan", "1"], "Invalid value for '--between': 'nan' is not a finite number"),
        (["--between", "1", "2"], "--between is for pictures: give --video, --filmstrip, --page or -o"),
        (["--size", "320x240"], "--size is for a video: give --video or -o"),
        (["--from", "stand"], "--from is for a film: give -o FILE"),
        (["--with", "slope=2"], "--with is for a film: give -o FILE"),
        (["--engine", "ode"], "--engine is for a film: give -o FILE"),
        (["last"], "several motions need a page of walks, --page FILE.html, or a film, -o FILE.gif"),
        (["-o", "x.gif", "--verify"], "-o films motions side by side: it goes without --page, --filmstrip, --video"),
        (["-o", "x.gif", "--walk", "1", "--walk", "2"], "a film shows one walk of each run: give --walk once"),
    ],
)
def test_a_part_or_size_that_cannot_be_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, ["replay", "last", *arguments])
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
    assert str(caught.value) == "the motion ends at 0.30 s: nothing of it comes after 5 s"
    assert list(tmp_path.iterdir()) == []


def test_motions_side_by_side_are_one_film(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    words = ["--project", str(root), "replay", "squat", "stand", "-o", str(tmp_path / "a.gif"), "--fps", "2"]
    result = CliRunner().invoke(cli, [*words, "--json"])
    assert result.exit_code == 0, result.output
    assert [motion["name"] for motion in json.loads(result.stdout)["motions"]] == ["squat", "stand"]
    with Image.open(tmp_path / "a.gif") as film:
        assert film.size == (768, 288) and film.n_frames > 2


def test_what_is_nothing_that_can_be_filmed_is_told_with_a_hint(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    result = CliRunner().invoke(cli, ["--project", str(root), "replay", "backflipp", "-o", str(tmp_path / "a.gif")])
    assert isinstance(result.exception, CtrlGraphError)
    sentence = "'backflipp' is neither a node nor a script nor a run; did you mean 'backflip'?"
    assert str(result.exception) == sentence


def test_a_script_is_filmed_with_its_arguments_where_a_node_ends(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    script = str(root / "controllers" / "poses" / "stand.t")
    words = ["--project", str(root), "replay", script, "0.5", "0.5", script, "0.2", "1.5", "--from", "squat"]
    result = CliRunner().invoke(cli, [*words, "-o", str(tmp_path / "a.gif"), "--fps", "2", "--json"])
    assert result.exit_code == 0, result.output
    first, second = json.loads(result.stdout)["motions"]
    assert (first["args"], second["args"]) == ([0.5, 0.5], [0.2, 1.5])
    assert first["seconds"] != second["seconds"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["squat", "--fsp", "3"], "'--fsp'"),
        (["-0.5", "squat"], "'-0.5'"),
        (["SCRIPT", "0.5", "0.5", "0.5"], "'stand' takes 2 arguments (rise, hold), 3 given"),
        (["last", "--from", "squat"], "--from is for nodes and scripts, and 'last' is neither"),
    ],
)
def test_what_cannot_be_filmed_so_is_told(words: list[str], message: str, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    words = [str(root / "controllers" / "poses" / "stand.t") if word == "SCRIPT" else word for word in words]
    result = CliRunner().invoke(cli, ["--project", str(root), "replay", *words, "-o", str(tmp_path / "a.gif")])
    assert result.exit_code != 0
    assert message in result.output + str(result.exception)
