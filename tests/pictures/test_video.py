"""A motion as a film: true speed, a camera that follows, both formats."""

from __future__ import annotations

import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.film import SIZE
from ctrlgraph.pictures.film_files import write_frames
from ctrlgraph.pictures.planar import clip
from ctrlgraph.pictures.planar.figure import Figure
from ctrlgraph.pictures.planar.video import write_video
from ctrlgraph.simulation.recording.planar_trace import Trace
from tests.pictures.posing import durations, humanoid, walking

CHARACTER = humanoid()
WALK = walking(CHARACTER, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_film_runs_at_the_true_speed_and_shows_the_present_label_in_its_colour(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write_video(WALK, path, character=CHARACTER, labels=[(0.0, "walk"), (0.5, "run")], fps=20)
    assert sum(durations(path)) / 1000 == pytest.approx(1.05, abs=0.06)
    with Image.open(path) as film:
        assert film.size == SIZE and film.info["loop"] == 0
        corners = []
        for frame in (0, film.n_frames - 1):
            film.seek(frame)
            corners.append({c for _, c in film.convert("RGB").crop((0, 0, 120, 60)).getcolors(10**5)})
    walk, run = (0x3A, 0x6E, 0xA5), (0x5B, 0x8E, 0x7D)
    assert [(walk in corner, run in corner) for corner in corners] == [(True, False), (False, True)]


@pytest.mark.parametrize("size", [(321, 240), (320, 62), (5000, 240)])
def test_an_invalid_size_is_reported_in_a_sentence(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_video(WALK, tmp_path / "a.gif", character=CHARACTER, size=size)
    assert str(caught.value) == (
        f"width and height of a video must be even numbers from 64 to 4096 (pixels), not {size[0]}x{size[1]}"
    )


def view(trace: Trace, aspect: float, still: bool):
    figure = Figure.of(CHARACTER)
    extents = figure.extents(trace.position, trace.angle)
    return *clip._view(clip._camera(trace, None), extents, aspect, still), extents


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("lift", [0.0, 3.0])
@pytest.mark.parametrize("aspect", [16 / 9, 4 / 3, 0.2])
def test_the_character_is_never_cut_off(still: bool, lift: float, aspect: float) -> None:
    rising = lift * np.sin(np.pi * WALK.time)[:, None] * [0.0, 1.0]
    trace = replace(WALK, position=WALK.position + rising[:, None, :], com=WALK.com + rising)
    camera, (width, height), (left, right, bottom, top) = (lambda c, v, e: (c, v, e.T))(*view(trace, aspect, still))
    assert width / height == pytest.approx(aspect) and height >= clip.VIEW_HEIGHT
    low = camera[:, 1] - clip.VIEW_BELOW * height
    assert (left > camera[:, 0] - width / 2).all() and (right < camera[:, 0] + width / 2).all()
    assert (bottom > low).all() and (top < low + height).all()


@pytest.mark.parametrize(("name", "beginning"), [("a.mp4", b"ftyp"), ("a.webm", b"\x1aE\xdf\xa3")])
def test_ffmpeg_writes_a_film_with_progress(tmp_path: Path, name: str, beginning: bytes) -> None:
    pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / name
    calls: list[tuple[int, int]] = []
    write_video(WALK.between(0.0, 0.2), path, character=CHARACTER, fps=30, progress=lambda *done: calls.append(done))
    assert calls == [(i, 7) for i in range(1, 8)]
    assert beginning in path.read_bytes()[:8]


@pytest.mark.parametrize(
    ("trace", "name", "sentence"),
    [
        (WALK, "a.avi", "a video must be a .gif, .webp, .mp4 or .webm file, not 'a.avi'"),
        (WALK.between(7.0, 8.0), "a.gif", "the trace has no samples to film: record a longer motion"),
    ],
)
def test_invalid_films_are_reported_in_a_sentence(tmp_path: Path, trace: Trace, name: str, sentence: str) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_video(trace, tmp_path / name, character=CHARACTER)
    assert str(caught.value) == sentence


def test_a_gif_of_parts_that_changed_shows_the_frames_themselves(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    frames = [np.full((64, 80, 3), 255, np.uint8)]
    for _ in range(5):
        frame = frames[-1].copy()
        y, x = rng.integers(0, 50), rng.integers(0, 60)
        frame[y : y + 12, x : x + 15] = (0x22, 0x30, 0x3C)
        frames += [frame, frame]
    write_frames(tmp_path / "a.gif", iter(frames), len(frames), 20.0, [])
    with Image.open(tmp_path / "a.gif") as film:
        shown = []
        for i in range(film.n_frames):
            film.seek(i)
            picture = np.asarray(film.convert("RGB"))
            shown += [picture] * round(film.info["duration"] / 50)
    np.testing.assert_array_equal(shown, frames)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_no_frame_is_kept_while_a_film_is_written(tmp_path: Path, suffix: str) -> None:
    alive: list[weakref.ref[object]] = []

    class Tracked(np.ndarray):
        pass

    def frames():
        for i in range(40):
            frame = np.full((64, 64, 3), 255, np.uint8).view(Tracked)
            frame[i : i + 5, i : i + 5] = 40
            alive.append(weakref.ref(frame))
            assert sum(each() is not None for each in alive) < 6
            yield frame

    write_frames(tmp_path / f"a{suffix}", frames(), 40, 20.0, [])
    assert len(alive) == 40


def test_a_missing_ffmpeg_is_reported_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")

    def missing() -> str:
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr(ffmpeg, "get_ffmpeg_exe", missing)
    with pytest.raises(CtrlGraphError) as caught:
        write_video(WALK, tmp_path / "a.webm", character=CHARACTER)
    assert str(caught.value) == (
        "a .webm film cannot be written: no working ffmpeg was found: set IMAGEIO_FFMPEG_EXE to the path of"
        " ffmpeg, or write"
        " a .gif or .webp file"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.mp4", "a.webm"])
def test_a_film_that_is_interrupted_leaves_no_half_file(tmp_path: Path, name: str) -> None:
    if name.endswith(("mp4", "webm")):
        pytest.importorskip("imageio_ffmpeg")

    def interrupt(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_video(WALK, tmp_path / name, character=CHARACTER, size=(160, 120), progress=interrupt)
    assert list(tmp_path.iterdir()) == []
