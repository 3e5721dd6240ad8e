"""Obstacles, found in the polyline alone, and the ground from which heights are measured."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.terrain import parse
from ctrlgraph.terrain.course import RANDOM_KINDS, RandomCourse
from ctrlgraph.terrain.obstacles import ObstacleAhead, ObstacleKind
from ctrlgraph.terrain.terrain import SIGHT, heights, slope

RISE, DROP, GAP, HURDLE = ObstacleKind


def seen(words: str) -> list[tuple[ObstacleKind, float, float]]:
    return [(o.kind, round(o.start, 9), round(o.size, 9)) for o in parse(words).obstacles]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("flat", []),
        ("slope=59", []),
        ("box=1:0.4:0.1", [(RISE, 1.0, 0.1), (DROP, 1.4, 0.1)]),
        ("stairs=1:2:0.3:-0.2", [(DROP, 1.0, 0.2), (DROP, 1.3, 0.2)]),
        ("course=2:hurdle:0.3:0.04", [(HURDLE, 2.0, 0.3)]),
        ("course=2:gap:0.4:1", [(GAP, 2.0, 0.4)]),
        ("course=2:gap:0.4:0.3", [(DROP, 2.0, 0.3), (RISE, 2.4, 0.3)]),  # so shallow, one steps down and up
        ("course=2:gap:4:1", [(DROP, 2.0, 1.0), (RISE, 6.0, 1.0)]),  # so wide, nobody leaps
        ("course=2:gap:1:1,3:stairs:1:0.3:0.2", [(GAP, 2.0, 1.0)]),  # its far rim is the stair's
        ("course=2:stairs:1:0.3:0.02,3:rough:2:0.03:0.5:1,6:slope:3:-5", []),
    ],
)
def test_obstacles_are_found_in_the_profile(words, found) -> None:
    assert seen(words) == found


def test_a_wall_that_leans_a_little_is_one() -> None:
    (rise,) = heights([(1.0, 0.0), (1.02, 0.15)]).obstacles
    assert (rise.kind, rise.start, rise.end, rise.size) == (RISE, 1.0, 1.02, 0.15)


def test_the_next_obstacle_is_the_first_that_begins_ahead() -> None:
    ground = parse("course=3:gap:0.4:1,5:stairs:1:0.3:0.15")
    assert ground.preview(1.0).ahead == ObstacleAhead(GAP, 2.0, pytest.approx(0.4))
    assert ground.preview(3.0).ahead == ObstacleAhead(GAP, 0.0, pytest.approx(0.4))
    assert ground.preview(3.01).ahead == ObstacleAhead(RISE, pytest.approx(1.99), 0.15)
    assert ground.preview(5.1).ahead is None
    assert ground.preview(3.0 - SIGHT - 0.01).ahead is None


def test_heights_are_told_above_the_rims_of_a_gap_and_the_foot_of_a_hurdle() -> None:
    ground = parse("course=2:stairs:1:0.3:0.2,3:gap:0.6:1,5:hurdle:0.4:0.04")
    assert [ground.height(x) for x in (3.3, 5.02)] == pytest.approx([-0.8, 0.6])
    assert [ground.bridged.height(x) for x in (1.0, 2.1, 3.3, 5.02, 9.0)] == pytest.approx([0, 0.2, 0.2, 0.2, 0.2])


@pytest.mark.parametrize("words", ["flat", "slope=4", "box=1:0.4:0.1", "stairs=1:3:0.3:-0.15", "heights=0:0,1:2"])
def test_where_there_is_neither_gap_nor_hurdle_that_ground_is_the_terrain_itself(words) -> None:
    ground = parse(words)
    assert ground.bridged is ground


def test_over_a_gap_the_slope_is_that_from_rim_to_rim() -> None:
    ground = parse("course=3:gap:0.4:1")
    assert (ground.preview(3.2).slope, ground.preview(3.2).obstacle) == (0.0, 0.0)


@given(st.integers(0, 10**6))
def test_every_piece_of_a_random_course_is_found_again(seed: int) -> None:
    course = RandomCourse(seed, kinds=[*RANDOM_KINDS, "hurdle"]).draw()
    kinds = {"stairs": lambda n: int(n[0]), "box": lambda _: 2, "gap": lambda _: 1, "hurdle": lambda _: 1}
    wanted = sum(kinds[piece.kind](piece.numbers) for piece in course.pieces if piece.kind in kinds)
    ground = course.terrain()
    assert len(ground.obstacles) == wanted
    assert np.all(np.diff([obstacle.start for obstacle in ground.obstacles]) > 0)


@given(st.lists(st.tuples(st.floats(0.0, 0.2), st.floats(-0.6, 0.6)), min_size=1, max_size=12))
def test_what_scripts_see_as_edges_and_what_obstacles_are_of_are_the_same_walls(steps) -> None:
    points = np.cumsum([(0.0, 0.0), *steps], axis=0)
    ground = heights([(float(x), float(y)) for x, y in points])
    begins, walls = set(ground.edges[:, 0]), [(wall.start, wall.end) for wall in ground.walls]
    assert len(ground.obstacles) <= len(walls) <= 2 * len(ground.obstacles)
    for obstacle in ground.obstacles:
        assert obstacle.start in begins
        assert any(obstacle.end == end for _, end in walls)


def test_a_steep_slope_is_no_wall() -> None:
    assert slope(60).preview(1.0).ahead is None
