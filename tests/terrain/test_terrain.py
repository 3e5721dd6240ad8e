"""The ground: its forms in words, its heights, and the nearest point of it against brute force."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ctrlgraph.kernels.planar.collision import nearest
from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.terrain.terrain import Terrain, boxes, flat, heights, slope, stairs
from ctrlgraph.terrain.words import FORMS, parse


def test_a_slope_rises_forward_by_its_angle_through_the_origin() -> None:
    ground = parse("slope=10")
    assert ground.height(0.0) == pytest.approx(0.0, abs=1e-9)
    assert ground.height(2.0) == pytest.approx(2 * math.tan(math.radians(10)))


def test_boxes_stand_on_level_ground() -> None:
    ground = parse("box=1:0.4:0.1,3:1:0.5")
    assert [ground.height(x) for x in (0.5, 1.2, 2.0, 3.5, 9.0)] == pytest.approx([0, 0.1, 0, 0.5, 0])


def test_at_a_wall_the_upper_end_counts() -> None:
    assert parse("box=1:0.4:0.1").height(1.0) == pytest.approx(0.1)


def test_stairs_go_up_or_down_and_stay_there() -> None:
    up, down = parse("stairs=1:3:0.3:0.15"), parse("stairs=1:2:0.3:-0.2")
    assert [up.height(x) for x in (0.9, 1.1, 1.4, 1.7, 50)] == pytest.approx([0, 0.15, 0.3, 0.45, 0.45])
    assert [down.height(x) for x in (0.9, 1.1, 1.4)] == pytest.approx([0, -0.2, -0.4])


def test_a_height_profile_is_level_outside_its_points() -> None:
    ground = parse("heights=0:0,1:0.5,2:0.25")
    assert [ground.height(x) for x in (-3, 0.5, 1.5, 7)] == pytest.approx([0, 0.25, 0.375, 0.25])


def test_friction_goes_with_every_form() -> None:
    for text in ("flat", "slope=3", "box=1:1:1", "stairs=1:2:.3:.1", "heights=0:0"):
        assert parse(text, 0.6).friction == 0.6


@pytest.mark.parametrize(
    "text", ["flat", "slope=-3.5", "box=1:0.4:0.1,3:1:0.5", "stairs=1:3:0.3:-0.15", "heights=0:0,1:2"]
)
def test_a_terrain_s_name_describes_it_wholly(text) -> None:
    """Logs keep the name: it makes the same terrain again."""
    ground = parse(text)
    again = parse(ground.name)
    np.testing.assert_array_equal(ground.x, again.x)
    np.testing.assert_array_equal(ground.y, again.y)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sloop=3", f"terrain 'sloop=3' is not one of {FORMS}"),
        ("slope=steep", f"terrain 'slope=steep' is not one of {FORMS}"),
        ("stairs=1:2.5:.3:.1", f"terrain 'stairs=1:2.5:.3:.1' is not one of {FORMS}"),
        ("slope=75", "a slope must be at most 60 degrees steep, not 75"),
        ("slope=nan", "a slope must be at most 60 degrees steep, not nan"),
        ("box=1:0:1", "width and height of a box must be above 0 m, not 0 m and 1 m"),
        (
            "box=1:1:1,1.5:1:1",
            "the box that begins at 1.5 m overlaps the previous box: move one of the boxes, or list them by"
            " rising start",
        ),
        (
            "stairs=1:0:.3:.1",
            "stairs need 1 to 1000 steps, a run above 0 and a rise other than 0, not 0, 0.3 m and 0.1 m",
        ),
        ("heights=1:0,0:1", "the points of the terrain 'heights' must be ordered by rising x"),
        ("heights=0:inf", "the terrain 'heights' needs at least two points, all with finite coordinates"),
    ],
)
def test_what_is_no_terrain_is_refused_in_a_sentence(text, message) -> None:
    with pytest.raises(TerrainError) as error:
        parse(text)
    assert str(error.value) == message


def test_friction_out_of_range_is_refused() -> None:
    with pytest.raises(TerrainError) as error:
        flat(-1.0)
    assert str(error.value) == "the friction of the terrain 'flat' must be 0 to 10, not -1"


@given(st.text(max_size=30) | st.from_regex(r"(slope|box|stairs|heights)=[-0-9:.,e]{0,20}", fullmatch=True))
def test_any_text_is_a_terrain_or_a_terrain_error(text) -> None:
    with contextlib.suppress(TerrainError):
        assert isinstance(parse(text), Terrain)


def brute_force(ground: Terrain, x: float, y: float) -> float:
    """Distance from the polyline, over all its segments."""
    start = np.stack([ground.x[:-1], ground.y[:-1]], axis=1)
    way = np.stack([np.diff(ground.x), np.diff(ground.y)], axis=1)
    length2 = (way**2).sum(axis=1)
    t = np.clip(((np.array([x, y]) - start) * way).sum(axis=1) / np.where(length2 > 0, length2, 1), 0, 1)
    return float(np.hypot(*(start + t[:, None] * way - (x, y)).T).min())


GROUNDS = [
    slope(12),
    slope(-30),
    boxes([(0.0, 0.4, 0.3), (0.5, 0.2, 0.1), (0.7, 0.3, 0.6)]),
    stairs(-0.5, 5, 0.3, 0.15),
    stairs(-0.5, 5, 0.2, -0.3),
    heights([(-1, 0), (-0.5, 0.4), (0, -0.2), (0.1, 0.5), (1, 0.5)]),
]


@pytest.mark.parametrize("ground", GROUNDS, ids=lambda g: g.name[:12])
@given(x=st.floats(-1.5, 2), above=st.floats(-0.15, 0.15))
def test_near_the_ground_the_signed_distance_is_that_of_brute_force(ground, x, above) -> None:
    y = ground.height(x) + above
    distance, nx, ny = nearest(ground.x, ground.y, x, y, 0.1)
    truth = brute_force(ground, x, y)
    assume(truth <= 0.19)  # farther than that, contacts are not looked for
    assert abs(distance) == pytest.approx(truth, abs=1e-9)
    if truth > 1e-6:
        assert (distance < 0) == (above < 0)
        assert math.hypot(nx, ny) == pytest.approx(1.0)
        # along the normal lies the surface
        assert brute_force(ground, x - nx * distance, y - ny * distance) == pytest.approx(0.0, abs=1e-8)


def test_far_above_the_ground_there_is_none() -> None:
    ground = boxes([(0, 1, 1)])
    distance, nx, ny = nearest(ground.x, ground.y, 100.0, 50.0, 0.1)
    assert distance > 40
    assert (nx, ny) == (0.0, 1.0)


# --- the ground ahead ---


@given(st.floats(-60, 60), st.floats(-100, 100))
def test_a_straight_slope_is_a_slope_without_an_obstacle(degrees: float, x: float) -> None:
    preview = slope(degrees).preview(x)
    assert preview.slope == pytest.approx(degrees, abs=1e-9)
    assert preview.obstacle == 0.0


def test_a_box_is_an_obstacle_while_it_is_within_reach_and_not_stood_on() -> None:
    ground = parse("box=3:1:0.25")
    seen = {x: ground.preview(x).obstacle for x in (0.5, 1.0, 2.9, 3.0, 3.5, 4.5)}
    assert seen == pytest.approx({0.5: 0.0, 1.0: 0.25, 2.9: 0.25, 3.0: 0.0, 3.5: 0.0, 4.5: 0.0})
    assert ground.preview(1.0, reach=1.0).obstacle == 0.0


def test_stairs_are_as_high_as_what_is_in_sight_of_them() -> None:
    assert parse("stairs=1:10:0.5:0.2").preview(0.0).obstacle == pytest.approx(0.6)
    assert parse("stairs=1:3:0.3:-0.2").preview(0.0).obstacle == 0.0


def test_where_a_slope_grows_steeper_the_rise_over_the_line_that_goes_on_counts() -> None:
    ground = heights([(0.0, 0.0), (1.0, 0.1), (3.0, 0.7)])
    preview = ground.preview(0.5)
    assert preview.slope == pytest.approx(math.degrees(math.atan(0.1)))
    assert preview.obstacle == pytest.approx(0.1 + 1.5 * 0.3 - 0.25)


profiles = st.lists(st.tuples(st.floats(-5, 5), st.floats(-1, 1)), min_size=2, max_size=6).map(sorted)


@given(profiles, st.lists(st.floats(-6, 6), max_size=5))
def test_heights_at_many_positions_are_bit_for_bit_those_at_each(points, positions: list[float]) -> None:
    ground = heights(points)
    x = np.array([*positions, *ground.x]).reshape(-1, 1)
    assert ground.heights(x).tobytes() == np.array([[ground.height(float(each))] for each in x[:, 0]]).tobytes()


@given(profiles, st.floats(-6, 6), st.floats(0.1, 3))
def test_an_obstacle_is_the_greatest_height_over_the_line_by_brute_force(points, x: float, reach: float) -> None:
    ground = heights(points)
    preview = ground.preview(x, reach)
    gradient = math.tan(math.radians(preview.slope))
    assume(abs(gradient) <= 50.0 and np.min(np.abs(ground.x - x)) >= 1e-6)  # no wall, nor its very edge
    at = np.linspace(x, x + reach, 2001)
    over = [ground.height(float(p)) - ground.height(x) - gradient * float(p - x) for p in at]
    steepest = np.abs(np.diff(ground.y) / np.maximum(np.diff(ground.x), 1e-9)).max()
    assume(steepest <= 50.0)
    tolerance = 1e-6 + (steepest + abs(gradient)) * reach / 2000
    assert max(0.0, max(over)) - 1e-9 <= preview.obstacle + 1e-6
    assert preview.obstacle <= max(0.0, max(over)) + tolerance


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("flat", []),
        ("slope=60", []),
        ("box=1:0.4:0.1", [(1.0, 0.0, 0.1), (1.4, 0.1, 0.0)]),
        ("box=1:0.4:0.03", []),
        ("stairs=2:3:0.3:-0.15", [(2.0, 0.0, -0.15), (2.3, -0.15, -0.3), (2.6, -0.3, -0.45)]),
        ("heights=0:0,1:0,1.02:0.1,2:0.1", [(1.0, 0.0, 0.1)]),
        ("heights=0:0,1:0,1.1:0.2,2:0.2", [(1.0, 0.0, 0.2)]),
        ("heights=0:0,1:0,1.11:0.2,2:0.2", []),
        ("heights=0:0,1:0,1.03:0.04,2:0.04", []),
        ("heights=1:0,1.01:0.02,1.02:0.04", [(1.0, 0.0, 0.04)]),
        # a gap as narrow as a crack is two edges, not none
        ("heights=1:0,1:-0.5,1.01:-0.5,1.01:0", [(1.0, 0.0, -0.5), (1.01, -0.5, 0.0)]),
        ("heights=1:0,1.005:0.2,1.01:0", [(1.0, 0.0, 0.2), (1.005, 0.2, 0.0)]),
    ],
)
def test_edges_are_where_the_ground_jumps(text: str, edges: list[tuple[float, float, float]]) -> None:
    assert parse(text).edges.shape == (len(edges), 3)
    np.testing.assert_allclose(parse(text).edges, np.array(edges).reshape(-1, 3))


@pytest.mark.parametrize("degrees", [0.0, 4.0, -7.5])
def test_straight_ground_has_the_preview_of_the_same_ground_of_more_points(degrees: float) -> None:
    line = slope(degrees)
    middle = heights([(-20.0, line.height(-20.0)), (20.0, line.height(20.0))])
    for x in (-3.0, 0.0, 11.0):
        assert line.preview(x).slope == pytest.approx(middle.preview(x).slope)
        assert (line.preview(x).obstacle, line.preview(x).ahead) == (0.0, None)
