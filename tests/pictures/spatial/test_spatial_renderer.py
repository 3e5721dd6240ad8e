"""Pictures of spatial characters: what hides what, reflections, shadows, and the ground."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.character.spatial_model import SpatialRoles
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.spatial import VIEWS
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.terrain.spatial import parse_spatial
from tests.pictures.spatial.spatial_posing import Shot, at, balls, of_trunk

PAIR = balls(2, SpatialRoles(link_pairs=((0, 1),)))
THREE = balls(3)


def side(color: list[int]) -> str:
    """Return the side of a link with this color: right limbs are orange, left limbs pale."""
    red, _, blue = color
    return "right" if blue < 0.5 * red else "left"


@pytest.mark.parametrize("view", VIEWS)
def test_a_ball_hides_one_behind_it(view: str) -> None:
    middle, toward = np.array([0.0, 0.0, 0.25]), 0.14 * view_of(view).viewer
    for places, shown in (((toward, -toward), "right"), ((-toward, toward), "left")):
        assert side(Shot(PAIR, at(*(middle + np.array(places))), view).color(*middle)) == shown


@pytest.mark.parametrize(("view", "axis", "flipped"), [("front", 1, 1), ("top", 1, 0), ("side", 0, 1), ("top", 0, 1)])
def test_the_picture_of_a_reflected_body_is_the_reflected_picture(view: str, axis: int, flipped: int) -> None:
    pose = at((0.1, -0.2, 0.3), (-0.25, 0.05, 0.15), (0.0, 0.2, 0.4))
    reflected = pose.copy()
    reflected[:, axis] *= -1.0
    first, second = (of_trunk(Shot(THREE, each, view).picture) for each in (pose, reflected))
    assert first.sum() > 3000
    assert (first != np.flip(second, axis=flipped)).sum() < 0.01 * first.sum()


@pytest.mark.parametrize("view", ["side", "front", "three-quarter"])
@pytest.mark.parametrize("words", ["flat", "slope=8 bank=5"])
def test_the_shadow_lies_on_the_ground_below_the_body(view: str, words: str) -> None:
    terrain = parse_spatial(words)
    x, y = 0.08, -0.05
    places = [(x, y, 0.5), (x, y, 0.7), (x, y, 0.9)]
    shot = Shot(THREE, at(*places), view, terrain)
    below, aside = (sum(shot.color(x + dx, y, terrain.height(x + dx, y))) for dx in (0.0, -0.3))
    lifted = Shot(THREE, at(*np.add(places, (-0.3, 0.0, 0.0))), view, terrain)
    assert below < 0.75 * aside
    assert sum(lifted.color(x - 0.3, y, terrain.height(x - 0.3, y))) < 0.75 * aside


def test_the_ground_shows_blocks_steps_and_relief() -> None:
    away = at((9.0, 9.0, 0.5), (9.0, 9.0, 0.5), (9.0, 9.0, 0.5))
    flat = Shot(THREE, away, "three-quarter").picture.astype(int)
    for words in ("block=0:0:0.2:0.2:0.1:20", "stairs=-0.3:3:0.2:0.05", "slope=10", "bank=-10"):
        shown = Shot(THREE, away, "three-quarter", parse_spatial(words)).picture.astype(int)
        assert (np.abs(shown - flat).max(axis=2) > 12).sum() > 200, words
    block = Shot(THREE, away, "side", parse_spatial("block=0:0:0.2:0.2:0.1"))
    assert sum(block.color(0.03, -0.1, 0.05)) < 0.9 * sum(block.color(0.03, -0.3, 0.0))  # its wall is darker


def test_a_height_field_is_drawn_with_light_and_dark_slopes() -> None:
    rough = parse_spatial("rough=0.1 seed=2")
    away = at((9.0, 9.0, 0.5), (9.0, 9.0, 0.5), (9.0, 9.0, 0.5))
    shot = Shot(THREE, away, "top", rough)
    level = Shot(THREE, away, "top")
    assert np.ptp(level.picture[::7, ::7].sum(axis=2)[5:-5, 5:-5]) < np.ptp(shot.picture.sum(axis=2))


def test_an_unknown_view_is_reported_in_a_sentence() -> None:
    with pytest.raises(CtrlGraphError) as caught:
        view_of("above")
    assert str(caught.value) == "a view must be three-quarter, side, front, top or behind, not 'above'"


@pytest.mark.parametrize("view", VIEWS)
def test_views_have_perpendicular_axes_and_light_from_above(view: str) -> None:
    axes = view_of(view).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    light = view_of(view).light
    assert light[2] > 0.8 and light @ axes[2] > 0.3
