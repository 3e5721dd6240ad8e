"""A motion as one picture: what is shown, where it stands, how it is written."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.filmstrip_layout import GAP, ROW_WIDTH, Slot, full_title
from ctrlgraph.pictures.key_poses import KeyPose, key_poses, nearest
from ctrlgraph.pictures.planar import filmstrip
from ctrlgraph.pictures.planar.figure import Figure
from ctrlgraph.pictures.planar.filmstrip import figure_rows, write_filmstrip
from ctrlgraph.pictures.planar.video import write_video
from ctrlgraph.simulation.recording.planar_trace import Trace
from tests.pictures.posing import flipping, humanoid, motion, walking
from tests.pictures.test_figure import ground_of

CHARACTER = humanoid()
FIGURE = Figure.of(CHARACTER)
WALK = walking(CHARACTER, 6.0)
FLIP = flipping(CHARACTER)


def rows(trace: Trace) -> list[list[Slot]]:
    return figure_rows(trace, FIGURE, key_poses(trace, CHARACTER))


def test_a_single_sample_is_a_picture(tmp_path: Path) -> None:
    write_filmstrip(FLIP.between(0.0, 0.0), tmp_path / "one.png", character=CHARACTER)
    with Image.open(tmp_path / "one.png") as image:
        assert image.format == "PNG"


def test_figures_in_a_row_never_overlap() -> None:
    for trace in (WALK, FLIP):
        for row in rows(trace):
            for slot, following in pairwise(row):
                assert following.left - slot.right >= GAP - 1e-9


def test_a_motion_that_travels_far_enough_stands_at_its_true_distances() -> None:
    sliding = motion(CHARACTER, 4.0, lambda t: ({}, 0.0, 1.5 * t, 0.0))
    poses = [KeyPose(i) for i in nearest(sliding, np.arange(0.0, 4.0, 0.6))]
    for row in figure_rows(sliding, FIGURE, poses):
        assert len(row) > 3
        assert [slot.shift for slot in row] == pytest.approx([row[0].shift] * len(row))


def test_captions_side_by_side_never_overlap() -> None:
    long = "a phase of which very much is said, so that it takes several lines"
    phases = [(0.1 * i, f"{i} {long}") for i in range(16)]
    for row in figure_rows(FLIP, FIGURE, key_poses(FLIP, CHARACTER, phases=phases)):
        for slot, following in pairwise(row):
            assert following.text_left >= slot.text_right - 1e-9


def test_empty_ground_between_two_figures_is_cut_short() -> None:
    still = motion(CHARACTER, 0.4, lambda t: ({}, 0.0, 0.0 if t < 0.2 else 50.0, 0.0))
    assert rows(still)[0][-1].right < 20


def test_rows_are_no_wider_than_a_row_and_of_about_the_same_width() -> None:
    long = walking(CHARACTER, 40.0)
    widths = [row[-1].right - row[0].left for row in rows(long)]
    assert len(widths) > 2
    assert max(widths) <= ROW_WIDTH
    assert min(widths) > 0.6 * max(widths)


@pytest.mark.slow
def test_of_a_motion_that_is_too_long_the_beginning_is_shown_and_the_title_says_so() -> None:
    long = walking(CHARACTER, 200.0)
    poses = key_poses(long, CHARACTER)
    assert full_title(long, poses, "walk", None) == "walk (the first 120 s of 200 s)"
    assert full_title(WALK, key_poses(WALK, CHARACTER), "walk", None) == "walk"
    assert full_title(WALK, key_poses(WALK, CHARACTER), "walk", 60.0) == "walk (the first 6 s of 60 s)"


def test_an_empty_trace_has_no_picture(tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError, match=r"^the trace has no samples to draw: record a longer motion$"):
        write_filmstrip(FLIP.between(5.0, 6.0), tmp_path / "a.png", character=CHARACTER)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_directory_is_reported_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "no" / "a.png"
    with pytest.raises(CtrlGraphError) as caught:
        write_filmstrip(FLIP, path, character=CHARACTER)
    assert str(caught.value) == f"cannot write '{path}': no such file or directory"


def test_labels_and_terrain_are_drawn(tmp_path: Path) -> None:
    def colours(path: Path) -> set[tuple[int, ...]]:
        with Image.open(path) as image:
            return {colour for _, colour in image.convert("RGB").getcolors(10**6)}

    ground = ground_of((-1, 0), (2, 0), (4, 0.3))
    write_filmstrip(WALK, tmp_path / "bare.png", character=CHARACTER)
    labels = [(0.0, "walk"), (3.0, "a node of which the name is much too long for its band")]
    write_filmstrip(WALK, tmp_path / "full.png", character=CHARACTER, labels=labels, terrain=ground, title="T")
    first, second = (0x3A, 0x6E, 0xA5), (0x5B, 0x8E, 0x7D)
    assert not {first, second} & colours(tmp_path / "bare.png")
    assert {first, second} <= colours(tmp_path / "full.png")


def test_the_same_motion_gives_the_same_picture(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        write_filmstrip(FLIP, tmp_path / name, character=CHARACTER, labels=[(0.0, "flip")])
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize("name", ["$\\frac{$", "$x^", "\x1b[2J\x07", "\ud800", "\u202e\u4e00", "a\nb", "\\$"])
def test_a_name_is_drawn_literally(name: str, tmp_path: Path) -> None:
    trace = walking(CHARACTER, 0.4)
    write_filmstrip(trace, tmp_path / "a.png", character=CHARACTER, labels=[(0.0, name)], title=name)
    write_video(trace, tmp_path / "a.gif", character=CHARACTER, labels=[(0.0, name)], fps=5)
    write_filmstrip(trace, tmp_path / "nameless.png", character=CHARACTER)
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "nameless.png").read_bytes()
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames > 1


def test_a_compressed_trail_is_cut_and_keeps_its_form() -> None:
    way = np.linspace(0.0, 4.0, 401)
    y = 1.0 + 0.05 * np.sin(9 * way)
    x, height = 0.25 * way, y.copy()  # a path of 4 m between figures that are 1 m apart
    filmstrip._cut_compressed_trail(x, height, way, [0, 400])
    drawn = ~np.isnan(height)
    assert drawn[0] and drawn[-1] and not drawn[200]
    near = drawn & (way < 2.0)
    np.testing.assert_allclose(x[near], way[near])  # not compressed
    assert (np.diff(x[drawn]) > 0).all()
