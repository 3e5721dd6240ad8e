"""A spatial motion as one picture: formats, figures, captions and errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.spatial import VIEWS
from ctrlgraph.pictures.spatial.spatial_clip import SpatialClip
from ctrlgraph.pictures.spatial.spatial_filmstrip import draw_spatial_filmstrip, write_spatial_filmstrip
from ctrlgraph.terrain.spatial import parse_spatial
from tests.pictures.spatial.spatial_posing import Picture, of_trunk, quadruped, trotting

CHARACTER = quadruped()
TROT = trotting(1.5)
PUSH = np.array([[0.7, 0.8, 0, 0.0, 50.0, 0.0, 0.0, 0.0, 0.0]])


def figures(clip: SpatialClip, view: str = "three-quarter") -> list[Picture]:
    canvas = draw_spatial_filmstrip(clip, view=view)
    return [np.asarray(image.get_array()) for axes in canvas.axes for image in axes.images]


def words(clip: SpatialClip) -> list[str]:
    canvas = draw_spatial_filmstrip(clip)
    return [text.get_text() for axes in canvas.axes for text in axes.texts] + [text.get_text() for text in canvas.texts]


@pytest.mark.parametrize("view", VIEWS)
def test_each_figure_is_whole_and_stands_on_white_paper(view: str) -> None:
    shown = figures(SpatialClip(TROT, CHARACTER), view)
    assert len(shown) > 1
    for picture in shown:
        trunk = of_trunk(picture)
        assert trunk.sum() > 1000
        for edge in (picture[:, 0], picture[:, -1], picture[0], picture[-1]):
            assert (edge > 245).all()


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_spatial_filmstrip_is_written_and_the_same_each_time(tmp_path: Path, suffix: str) -> None:
    path, again = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for each in (path, again):
        write_spatial_filmstrip(
            TROT.between(0.0, 0.5), each, character=CHARACTER, labels=[(0.0, "trot")], title="a trot", view="side"
        )
    assert path.read_bytes() == again.read_bytes()
    if suffix == ".png":
        with Image.open(path) as image:
            assert image.format == "PNG" and image.width > 500
    else:
        assert path.read_bytes()[:5] in (b"<?xml", b"%PDF-")


def test_a_single_sample_is_a_spatial_filmstrip() -> None:
    assert len(figures(SpatialClip(TROT.between(0.0, 0.0), CHARACTER))) == 1


def test_names_captions_and_pushes_are_written() -> None:
    clip = SpatialClip(TROT, CHARACTER, None, [(0.0, "stand"), (0.5, "trot_fast")], [(0.0, "0 go")], PUSH, "a title")
    found = words(clip)
    assert {"stand", "trot fast", "0 go", "push", "a title", "0.7 s"} <= set(found)


def test_a_pushed_figure_has_an_arrow() -> None:
    def arrows(pushes: np.ndarray) -> int:
        clip = SpatialClip(TROT, CHARACTER, pushes=pushes)
        return sum(int((p[:, :, 1].astype(int) > p[:, :, 0].astype(int) + 60).sum()) for p in figures(clip))

    assert arrows(PUSH[:0]) == 0
    assert arrows(PUSH) > 200


def test_a_figure_keeps_its_size_on_any_ground() -> None:
    level, hilly = (
        figures(SpatialClip(TROT.between(0.0, 0.0), CHARACTER, parse_spatial(w))) for w in ("flat", "slope=9")
    )
    sizes = [of_trunk(shown[0]).sum() for shown in (level, hilly)]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.05)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("a.gif", {}, "a filmstrip must be a .png, .svg or .pdf file, not 'a.gif'"),
        ("a.png", {"view": "left"}, "a view must be three-quarter, side, front, top or behind, not 'left'"),
    ],
)
def test_invalid_spatial_filmstrips_are_reported_in_a_sentence(
    tmp_path: Path, name: str, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_spatial_filmstrip(TROT, tmp_path / name, character=CHARACTER, **options)
    assert str(caught.value) == sentence
    assert list(tmp_path.iterdir()) == []


def test_an_empty_spatial_motion_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_spatial_filmstrip(TROT.between(7.0, 8.0), tmp_path / "a.png", character=CHARACTER)
    assert str(caught.value) == "the trace has no samples to draw: record a longer motion"
