"""Ground in three dimensions: its words, height, normals and previews."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.terrain import TerrainError, parse
from ctrlgraph.terrain.spatial import SpatialTerrain, extruded, parse_spatial
from ctrlgraph.terrain.spatial.height_field import CELL, TILE

PLACES = st.floats(-40.0, 40.0)
SMOOTH = ("flat", "slope=4 bank=2", "slope=-12 bank=30", "hills=0.5 rough=0.1 seed=3", "slope=5 bank=-3 rough=0.2")


@given(PLACES, PLACES, st.floats(-45.0, 45.0), st.floats(-45.0, 45.0))
def test_an_inclined_plane_rises_by_the_slope_along_x_and_by_the_bank_along_y(x, y, slope, bank) -> None:
    ground = parse_spatial(f"slope={slope!r} bank={bank!r}")
    expected = x * math.tan(math.radians(slope)) + y * math.tan(math.radians(bank))
    assert ground.height(x, y) == pytest.approx(expected, abs=1e-10)
    assert ground.preview(x, y).slope == pytest.approx(slope, abs=1e-6)
    assert ground.preview(x, y, math.pi / 2).slope == pytest.approx(bank, abs=1e-6)
    assert ground.preview(x, y, math.pi).slope == pytest.approx(-slope, abs=1e-6)


@given(PLACES, PLACES, st.sampled_from(SMOOTH))
def test_the_normal_is_a_unit_vector_perpendicular_to_the_surface(x, y, words) -> None:
    ground = parse_spatial(words)
    step = 1e-6
    # within a triangle of the height field the surface is flat
    u, v = x / CELL % 1.0, y / CELL % 1.0
    if min(u, v, 1.0 - u, 1.0 - v, abs(u - v)) * CELL < 2 * step:
        return
    rise_x = (ground.height(x + step, y) - ground.height(x - step, y)) / (2 * step)
    rise_y = (ground.height(x, y + step) - ground.height(x, y - step)) / (2 * step)
    normal = np.array(ground.normal(x, y))
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    assert normal / normal[2] == pytest.approx([-rise_x, -rise_y, 1.0], abs=1e-6)


@pytest.mark.parametrize("words", ["flat", "stairs=1:3:0.3:0.15", "course=1:box:0.5:0.2,3:gap:0.4:1", "random:7"])
@given(PLACES, PLACES)
def test_planar_ground_is_the_same_for_every_y(words, x, y) -> None:
    plane, ground = parse(words), parse_spatial(words)
    assert ground.height(x, y) == plane.height(x)
    assert ground.preview(x, y) == plane.preview(x)
    assert (ground.name, ground.digest) == (plane.name, extruded(plane).digest)


def test_the_same_seed_is_the_same_rough_ground_which_repeats_and_begins_level() -> None:
    one, again, other = (parse_spatial(f"rough=0.05 hills=0.2 seed={seed}") for seed in (5, 5, 6))
    assert one.grid.tobytes() == again.grid.tobytes()
    assert one.digest == again.digest != other.digest
    assert one.height(3.3, -2.1) == pytest.approx(one.height(3.3 + TILE, -2.1 - 2 * TILE))
    assert [one.height(x, y) for x, y in ((0.0, 0.0), (0.6, -0.6), (-0.9, 0.1))] == [0.0, 0.0, 0.0]
    assert 0.15 < np.abs(one.grid).max() <= 0.25
    # the summits and hollows, 4 cells apart, are those of Python's generator
    draw = random.Random(5)
    numbers = [draw.random() for _ in range(2000)]
    assert parse_spatial("rough=0.1 seed=5").grid[40, 44] == 0.1 * (2.0 * numbers[10 * 128 + 11] - 1.0)


def test_a_block_stands_on_the_ground_and_turns_by_its_yaw() -> None:
    ground = parse_spatial("slope=10 block=3:1:2:0.4:0.15:90")
    top = 3.0 * math.tan(math.radians(10)) + 0.15
    assert ground.height(3.0, 1.9) == ground.height(3.19, 0.1) == pytest.approx(top)
    assert ground.height(3.9, 1.0) == parse_spatial("slope=10").height(3.9, 1.0)
    assert ground.normal(3.0, 1.9) == (0.0, 0.0, 1.0)


def test_a_preview_reports_the_block_that_is_ahead_along_the_heading() -> None:
    ground = parse_spatial("block=0:3:2:1:0.12")
    ahead = ground.preview(0.0, 1.0, math.pi / 2).ahead
    assert (ahead.kind, ahead.distance, ahead.size) == ("rise", pytest.approx(1.5), pytest.approx(0.12))
    assert ground.preview(0.0, 1.0, 0.0).ahead is None
    back = ground.preview(0.0, 5.0, -math.pi / 2).ahead
    assert (back.kind, back.distance) == ("rise", pytest.approx(1.5))


def test_gaps_are_bridged_and_blocks_remain() -> None:
    ground = parse_spatial("course=3:gap:0.4:1 block=1:0:0.5:0.5:0.1")
    assert (ground.height(3.2, 0.0), ground.bridged.height(3.2, 0.0)) == (-1.0, 0.0)
    assert ground.bridged.height(1.0, 0.0) == 0.1
    assert parse_spatial("rough=0.1").bridged.grid.size > 0


@given(
    st.sampled_from(["", "flat", "slope=3.5", "slope=-2 bank=4"]),
    st.sampled_from(["", "rough=0.03", "hills=0.25 seed=9"]),
    st.sampled_from(["", "block=1:2:0.5:0.4:0.1", "block=1:2:0.5:0.4:0.1:30,-1:0:1:1:0.2"]),
)
def test_the_name_of_a_terrain_describes_it_completely(profile, field, blocks) -> None:
    ground = parse_spatial(f"{profile} {field} {blocks}")
    again = parse_spatial(ground.name)
    assert (again.name, again.digest) == (ground.name, ground.digest)


def test_friction_and_every_part_of_the_shape_change_the_digest() -> None:
    words = ["flat", "slope=1", "bank=1", "rough=0.1", "rough=0.1 seed=1", "block=1:0:1:1:0.1", "block=1:0:1:1:0.1:1"]
    grounds = [parse_spatial(each) for each in words] + [parse_spatial("flat", 0.5)]
    assert len({ground.digest for ground in grounds}) == len(grounds)
    assert parse_spatial("flat").digest == parse_spatial("slope=0 bank=0 rough=0").digest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ruogh=1", "'ruogh=1' is not part of a terrain (did you mean 'rough'?)"),
        ("rough=nan", "'rough' must be a number between 0 and 0.5, not 'nan'"),
        ("hills=1e300", "'hills' must be a number between 0 and 2, not '1e300'"),
        ("bank=90", "'bank' must be a number between -60 and 60, not '90'"),
        ("seed=-1", "'seed' must be a whole number between 0 and 9223372036854775807, not '-1'"),
        ("bank=1 bank=2", "terrain 'bank=1 bank=2' has 'bank' twice: remove one"),
        (
            "flat slope=2",
            "terrain 'flat slope=2' describes the planar ground twice: remove 'flat' or the other description",
        ),
        ("block=1:2", "a block must be X:Y:LENGTH:WIDTH:HEIGHT[:YAW], not '1:2'"),
        ("block=0:0:1:1:inf", "the height of a block must be between 0.01 and 5, not inf"),
        ("block=nan:0:1:1:1", "the x of a block must be between -10000 and 10000, not nan"),
        ("slope=70", "a slope must be at most 60 degrees steep, not 70"),
        ("random:7 bank=2", "bank, rough and hills need straight ground (flat or slope), not 'course'"),
        ("block=" + ",".join(["0:0:1:1:1"] * 501), "a terrain can have at most 500 blocks, not 501: remove some"),
    ],
)
def test_a_wrong_description_is_rejected_with_one_sentence(words: str, message: str) -> None:
    with pytest.raises(TerrainError) as error:
        parse_spatial(words)
    assert str(error.value) == message


def test_a_height_field_must_be_small_and_finite() -> None:
    message = "a height field needs finite heights and at most 1024 points along each axis"
    for grid in (np.zeros((1025, 2)), np.full((4, 4), np.inf)):
        with pytest.raises(TerrainError, match=message):
            SpatialTerrain("grid", parse("flat"), grid=grid)
