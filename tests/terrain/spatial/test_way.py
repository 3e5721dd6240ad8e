"""Ways around blocks: shortest lines that keep their distance."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.terrain.spatial import parse_spatial
from ctrlgraph.terrain.spatial.way import MAX_AVOIDED, MAX_PLACES, shortest_way


def test_without_blocks_the_way_is_straight_from_place_to_place() -> None:
    places = [(0.0, 0.0), (3.0, 1.0), (3.0, 4.0)]
    assert shortest_way(parse_spatial("flat"), places, 0.5) == places


def test_a_way_goes_around_the_nearer_end_of_a_block() -> None:
    ground = parse_spatial("block=3:0.5:1:2:0.5")  # from y = -0.5 to y = 1.5
    way = shortest_way(ground, [(0.0, 0.0), (6.0, 0.0)], 0.5)
    assert way == [(0.0, 0.0), (2.0, -1.0), (4.0, -1.0), (6.0, 0.0)]


@pytest.mark.parametrize("seed", range(5))
def test_a_way_keeps_its_distance_from_turned_blocks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.uniform((2, -2, 0.3, 0.3, 0.3, -90), (8, 2, 1.2, 1.2, 0.8, 90), (6, 6))
    ground = parse_spatial("block=" + ",".join(":".join(f"{each:.2f}" for each in row) for row in rows))
    way = shortest_way(ground, [(0.0, 0.0), (10.0, 0.0)], 0.4)
    line = np.concatenate([np.linspace(a, b, 200) for a, b in itertools.pairwise(way)])
    for x, y, half_length, half_width, cosine, sine, _ in ground.tops:
        u = np.abs((line[:, 0] - x) * cosine + (line[:, 1] - y) * sine) - half_length
        v = np.abs((line[:, 1] - y) * cosine - (line[:, 0] - x) * sine) - half_width
        assert np.maximum(u, v).min() > 0.4 - 1e-5


def test_a_place_near_a_block_is_an_error() -> None:
    with pytest.raises(TerrainError, match=r"the place 3,0 is less than 0\.5 m from a block: choose another one"):
        shortest_way(parse_spatial("block=3:0.5:1:2:0.5"), [(0.0, 0.0), (3.0, 0.0)], 0.5)


def test_a_place_behind_walls_is_an_error() -> None:
    walls = "block=5:2:4:0.1:1,5:-2:4:0.1:1,3:0:0.1:4:1,7:0:0.1:4:1"
    with pytest.raises(TerrainError, match="no way leads around the blocks from 0,0 to 5,0"):
        shortest_way(parse_spatial(walls), [(0.0, 0.0), (5.0, 0.0)], 0.3)


def test_a_place_can_be_visited_twice() -> None:
    places = [(0.0, 0.0), (2.0, 0.0), (0.0, 0.0)]
    way = shortest_way(parse_spatial("flat"), places, 0.5)
    assert way == places
    assert math.dist(way[0], way[2]) == 0.0


def test_too_many_blocks_are_an_error() -> None:
    rows = ",".join(f"{3 + k}:5:0.1:0.1:0.2" for k in range(MAX_AVOIDED + 1))
    with pytest.raises(TerrainError, match=f"ways lead around at most {MAX_AVOIDED} blocks, not {MAX_AVOIDED + 1}"):
        shortest_way(parse_spatial(f"block={rows}"), [(0.0, 0.0), (1.0, 0.0)], 0.5)


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ([(600.0, 0.0), (0.0, 0.0)], "a way has at most 1,000 m, not 1,200: choose nearer places"),
        ([(1.0, 0.0)] * (MAX_PLACES + 1), "a way leads to at most 100 places, not 101: leave some out"),
    ],
)
def test_long_ways_are_errors(places: list[tuple[float, float]], message: str) -> None:
    with pytest.raises(TerrainError, match=message):
        shortest_way(parse_spatial("flat"), [(0.0, 0.0), *places], 0.5)
