"""A motion as a film: true speed, a camera that follows, both formats."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.view import clip
from ctrlgraph.view.figure import Figure
from ctrlgraph.view.video import SIZE, write_video
from tests.view.posing import humanoid, walking
from tests.view.test_figure import Ground

CHARACTER = humanoid()
WALK = walking(CHARACTER, 1.0)
LONGER = walking(CHARACTER, 2.0)


def test_a_gif_runs_at_the_true_speed(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    write_video(WALK, path, character=CHARACTER, labels=[(0.0, "walk"), (0.5, "run")])
    with Image.open(path) as film:
        assert film.size == SIZE
        durations = []
        for frame in range(film.n_frames):  # frames that show the same are one, shown longer
            film.seek(frame)
            durations.append(film.info["duration"])
    assert sum(durations) / 1000 == pytest.approx(1.02, abs=0.031)


def test_a_webp_runs_at_the_true_speed_and_is_smaller_than_a_gif(tmp_path: Path) -> None:
    for name in ("a.webp", "a.gif"):
        write_video(WALK, tmp_path / name, character=CHARACTER, fps=20, size=(320, 240))
    with Image.open(tmp_path / "a.webp") as film:
        assert film.format == "WEBP" and film.size == (320, 240) and film.info["loop"] == 0
        durations = []
        for frame in range(film.n_frames):
            film.seek(frame)
            film.load()
            durations.append(film.info["duration"])
        colours = film.convert("RGB").getcolors(10**5)
    assert sum(durations) / 1000 == pytest.approx(1.05, abs=0.06)
    assert len(colours) <= 256
    assert (tmp_path / "a.webp").stat().st_size < (tmp_path / "a.gif").stat().st_size


@pytest.mark.parametrize("size", [(321, 240), (320, 62), (5000, 240)])
def test_a_size_that_no_picture_has_is_told_in_a_sentence(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_video(WALK, tmp_path / "a.gif", character=CHARACTER, size=size)
    assert str(caught.value) == f"a video's sides are even, of 64 to 4096 pixels, not {size[0]}x{size[1]}"


def view(trace: Trace, aspect: float, still: bool):
    figure = Figure.of(CHARACTER)
    extents = np.array([figure.extent(p, a) for p, a in zip(trace.position, trace.angle, strict=True)])
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


def test_the_camera_stands_still_where_all_of_it_fits_if_it_may() -> None:
    camera, _, _ = view(WALK, 4 / 3, still=True)
    assert np.ptp(camera, axis=0).max() == 0.0
    far = replace(
        WALK,
        position=WALK.position + (4.0 * WALK.time)[:, None, None] * [1.0, 0.0],
        com=WALK.com + (4.0 * WALK.time)[:, None] * [1.0, 0.0],
    )
    assert np.ptp(view(far, 4 / 3, still=True)[0][:, 0]) > 3.0
    assert np.ptp(view(WALK, 4 / 3, still=False)[0][:, 0]) > 0.0


def test_the_label_of_the_moment_is_shown_in_its_colour(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    write_video(WALK, path, character=CHARACTER, labels=[(0.0, "walk"), (0.5, "run")])
    with Image.open(path) as film:
        corners = []
        for frame in (0, film.n_frames - 1):
            film.seek(frame)
            corners.append({c for _, c in film.convert("RGB").crop((0, 0, 120, 60)).getcolors(10**5)})
    walk, run = (0x3A, 0x6E, 0xA5), (0x5B, 0x8E, 0x7D)
    assert [walk in corners[0], run in corners[0]] == [True, False]
    assert [walk in corners[1], run in corners[1]] == [False, True]


def test_an_mp4_is_written_and_progress_is_told(tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "a.mp4"
    told: list[tuple[int, int]] = []
    write_video(WALK.between(0.0, 0.2), path, character=CHARACTER, fps=30, progress=lambda *done: told.append(done))
    assert told == [(i, 7) for i in range(1, 8)]
    assert path.read_bytes()[4:8] == b"ftyp"


def test_without_the_extra_an_mp4_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(CtrlGraphError) as caught:
        write_video(WALK, tmp_path / "a.mp4", character=CHARACTER)
    assert str(caught.value) == (
        "an .mp4 or .webm needs the extra 'video' (python -m pip install 'ctrlgraph[video]'); a .gif needs nothing more"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("trace", "name", "sentence"),
    [
        (WALK, "a.avi", "a video is a .gif, .webp, .mp4 or .webm file, not 'a.avi'"),
        (WALK.between(7.0, 8.0), "a.gif", "there is no motion to film: the trace is empty"),
    ],
)
def test_what_cannot_be_filmed_is_told_in_a_sentence(tmp_path: Path, trace: Trace, name: str, sentence: str) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_video(trace, tmp_path / name, character=CHARACTER)
    assert str(caught.value) == sentence


def test_the_camera_keeps_the_pace_of_a_steady_walk() -> None:
    steady = replace(WALK, com=np.column_stack([WALK.time * 1.5, np.ones(len(WALK))]))
    np.testing.assert_allclose(clip._camera(steady, None), steady.com - (0, 1), atol=1e-9)


def test_the_camera_smooths_what_jerks() -> None:
    jerky = replace(LONGER, com=np.column_stack([0.1 * (-1.0) ** np.arange(len(LONGER)), np.ones(len(LONGER))]))
    far_from_the_ends = clip._camera(jerky, None)[60:-60, 0]
    assert len(far_from_the_ends) > 0
    assert np.abs(far_from_the_ends).max() < 0.01


def test_the_camera_starts_anew_where_the_character_is_put_elsewhere() -> None:
    jumping = replace(WALK, com=np.column_stack([np.where(WALK.time < 0.5, 0.0, 9.0), np.ones(len(WALK))]))
    assert set(np.round(clip._camera(jumping, None)[:, 0], 9)) == {0.0, 9.0}


def test_the_camera_rises_with_the_ground() -> None:
    slope = Ground((0, 0), (10, 1))
    steady = replace(WALK, com=np.column_stack([WALK.time, np.ones(len(WALK))]))
    np.testing.assert_allclose(clip._camera(steady, slope)[:, 1], WALK.time / 10, atol=1e-6)
