"""Courses: pieces one after another, in words, and drawn by a seed."""

from __future__ import annotations

import contextlib
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.simulation.environment import Environment
from ctrlgraph.terrain import Course, Piece, RandomCourse, Terrain, TerrainError, parse
from ctrlgraph.terrain.pieces import PIECES

EVERY = "course=1:stairs:3:0.3:0.15,3:box:0.5:0.2,5:gap:0.4:1,7:hurdle:0.3:0.04,8:rough:2:0.02:0.5:7,11:slope:4:5"


def test_each_piece_begins_at_the_level_that_the_one_before_it_led_to() -> None:
    ground = parse(EVERY)
    stairs, hill = 0.45, math.tan(math.radians(5)) * 3.5
    places = {0.5: 0.0, 1.1: 0.15, 1.4: 0.3, 1.7: stairs, 3.2: stairs + 0.2, 4: stairs, 5.2: stairs - 1, 6: stairs}
    places |= {7.02: stairs + 0.3, 7.5: stairs, 10.5: stairs, 20.0: stairs + hill}
    assert {x: ground.height(x) for x in places} == pytest.approx(places)


def test_a_slope_is_joined_without_a_kink_and_is_as_steep_as_it_says() -> None:
    ground = parse("course=2:slope:4:10,6:slope:3:-8")
    gradient = np.diff(ground.y) / np.diff(ground.x)
    assert np.abs(np.diff(gradient)).max() < math.tan(math.radians(10)) / 7
    assert gradient.max() == pytest.approx(math.tan(math.radians(10)))
    assert ground.preview(4.0).slope == pytest.approx(10.0)


def test_rough_ground_keeps_within_its_amplitude_and_begins_and_ends_level() -> None:
    ground = parse("course=1:rough:20:0.05:0.5:3")
    inside = (ground.x >= 1) & (ground.x <= 21)
    assert 0.04 < np.abs(ground.y[inside]).max() <= 0.05
    assert [ground.height(x) for x in (1.0, 21.0, 30.0)] == [0.0, 0.0, 0.0]
    summits = np.sum(np.diff(np.sign(np.diff(ground.y[inside]))) != 0)
    assert 20 / 0.5 / 2 < summits <= 2 * 20 / 0.5
    assert ground.digest != parse("course=1:rough:20:0.05:0.5:4").digest


def test_the_same_seed_is_the_same_ground_on_every_machine() -> None:
    """Only sums, products and the Mersenne twister, which Python promises to keep."""
    # the first summit is 0.02 (2 r - 1), r the first number of random.Random(7)
    assert parse("course=1:rough:1:0.02:1:7").y[7] == 0.02 * (2.0 * 0.32383276483316237 - 1.0)
    assert RandomCourse(7).draw().words.startswith("course=2.971:stairs:1:0.344:0.118,6.837:stairs:1:0.291:-0.121,")


@given(st.integers(0, 2**40))
def test_the_words_of_a_random_course_are_the_whole_course(seed: int) -> None:
    drawn, again = parse(f"random:{seed}"), parse(parse(f"random:{seed}").name)
    assert (drawn.x.tobytes(), drawn.y.tobytes(), drawn.name) == (again.x.tobytes(), again.y.tobytes(), again.name)
    assert drawn.name.startswith("course=")


@given(st.integers(0, 10**6), st.sampled_from(sorted(PIECES)), st.floats(5, 60))
def test_a_random_course_keeps_to_its_length_its_kinds_and_its_limits(seed: int, kind: str, length: float) -> None:
    low, high = 0.31, 0.33
    quantity = next(q for q in PIECES[kind].quantities if q.low <= low and high <= q.high)
    course = RandomCourse(seed, length, [kind], {kind: {quantity.name: (low, high)}}, (1.0, 2.0)).draw()
    assert course.end <= length
    at = PIECES[kind].quantities.index(quantity)
    assert all(low <= piece.numbers[at] <= high and piece.kind == kind for piece in course.pieces)
    for before, after in itertools.pairwise(course.pieces):
        assert 0.999 <= after.start - (before.start + before.length) <= 2.001


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("course=1:gpa:1:1", "there is no kind of piece 'gpa' (did you mean 'gap'?)"),
        ("course=1:gap:1", "the piece 'gap' needs 2 numbers (WIDTH:DEPTH), but has 1"),
        ("course=1:gap:99:1", "the width of the piece 'gap' must be between 0.05 and 10, not 99"),
        (
            "course=1:stairs:1.5:1:1",
            "the count of the piece 'stairs' must be a whole number between 1 and 100, not 1.5",
        ),
        ("course=1:stairs:1:1:0", "the rise of the piece 'stairs' must not be 0 m: give a positive or negative rise"),
        ("course=1:box:1:1,1.5:box:1:1", "the piece 'box' begins at 1.5 m, before the previous piece ends at 2 m"),
        ("course=nan:box:1:1", "a piece must begin within 10000 m of the origin, not at nan m"),
        ("random:7:0", "a random course must be 1 to 1000 m long, not 0 m"),
    ],
)
def test_what_is_no_course_is_refused_in_a_sentence(words, message) -> None:
    with pytest.raises(TerrainError) as error:
        parse(words)
    assert str(error.value) == message


@pytest.mark.parametrize("words", ["random:", "random:x", "random:-1", "random:1:x", "course=x", "course=1:gap:x:1"])
def test_words_of_another_form_are_told_the_forms(words) -> None:
    with pytest.raises(TerrainError, match=r"is not one of flat, slope=DEGREES.*random:SEED\[:LENGTH\]"):
        parse(words)


def test_a_course_is_bounded_before_it_is_made() -> None:
    """The text in a log may be untrusted."""
    with pytest.raises(TerrainError, match="at most 500 pieces"):
        parse("course=" + ",".join(f"{i}:gap:0.5:1" for i in range(600)))
    rough = ",".join(f"{101 * i}:rough:100:0.1:0.1:1" for i in range(3))
    with pytest.raises(TerrainError, match="has 36003 points, more than 3998"):
        parse(f"course={rough}")


@given(st.from_regex(r"(course=|random:)[-0-9:.,egapstirbox]{0,40}", fullmatch=True))
def test_any_text_is_a_course_or_a_terrain_error(text) -> None:
    with contextlib.suppress(TerrainError):
        assert isinstance(parse(text), Terrain)


def test_a_world_keeps_the_whole_course_and_not_how_it_was_drawn() -> None:
    world = Environment("random:7")
    assert world.terrain == RandomCourse(7).draw().words
    assert Environment.from_dict(world.as_dict()) == world


def test_worlds_with_the_same_course_are_the_same_world_however_it_is_described() -> None:
    one = Environment("course=3:gap:0.4:1,5:box:1:0.2")
    same = Environment("course=3.0:gap:.4:1.0,5:box:1:2e-1")
    assert one.terrain != same.terrain
    assert one.digest == same.digest != Environment("course=3:gap:0.4:1,5:box:1:0.21").digest


def test_a_course_without_pieces_is_level() -> None:
    assert parse("course=").height(3.0) == 0.0
    assert Course((Piece("gap", 1.0, (0.4, 1.0)),)).words == "course=1:gap:0.4:1"


@given(st.integers(0, 10**6), st.sampled_from(sorted(PIECES)))
def test_a_piece_is_as_long_as_its_ground(seed: int, kind: str) -> None:
    for piece in RandomCourse(seed, kinds=[kind]).draw().pieces:
        assert piece.points[-1][0] == pytest.approx(piece.length, abs=1e-12)
        assert len(piece.points) <= piece.count


@pytest.mark.parametrize(
    "text", ["course=1:stairs:2:0.3:-0.1", "course=1:stairs:1:0.3:0.1,2:gap:0.4:1", "heights=1:0,1:0,1:-0.1"]
)
def test_no_stretch_of_the_ground_is_without_length(text) -> None:
    """A foot over one touches a wall that faces nowhere: whoever stepped down from a course's stairs fell."""
    terrain = parse(text)
    assert (np.hypot(np.diff(terrain.x), np.diff(terrain.y)) > 0.0).all()


def test_a_step_down_is_the_same_world_as_a_stair_of_a_course() -> None:
    stair, course = parse("stairs=0.6:1:0.3:-0.115"), parse("course=0.6:stairs:1:0.3:-0.115")
    along = np.linspace(0.0, 2.0, 81)
    assert [stair.height(x) for x in along] == [course.height(x) for x in along]


def test_a_random_course_rejects_ranges_of_unknown_quantities() -> None:
    with pytest.raises(TerrainError, match=r"a piece 'box' has no quantity 'depth' \(known: width, height\)"):
        RandomCourse(1, limits={"box": {"depth": (1.0, 2.0)}})


@pytest.mark.slow
def test_a_walk_goes_up_six_treads_with_one_foot_on_each(project) -> None:
    with project.environment("stairs=7:6:0.31:0.145").simulation(project.character) as moving:
        moving.run_rollout(project.rollout(None, "stand", 1))
        for source, node, cycles in (("stand", "walk", 4), ("walk", "walk_upstairs", 1)):
            edge = project.graph.planned_edge(source, node)
            outcome = moving.run_rollout(project.rollout(edge, node, cycles, moving.preview))
    assert outcome.succeeded, outcome.reason
    assert outcome.measures["crossed"] == 6.0
    assert outcome.measures["one_foot_treads"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("run", "rise"), [(0.3, 0.12), (0.33, 0.14), (0.36, 0.1)])
def test_a_walk_goes_down_five_treads_with_one_foot_on_each(run: float, rise: float, project) -> None:
    with project.environment(f"stairs=7:5:{run}:-{rise}").simulation(project.character) as moving:
        moving.run_rollout(project.rollout(None, "stand", 1))
        for source, node, cycles in (("stand", "walk", 4), ("walk", "walk_downstairs", 1)):
            edge = project.graph.planned_edge(source, node)
            outcome = moving.run_rollout(project.rollout(edge, node, cycles, moving.preview))
    assert outcome.succeeded, outcome.reason
    assert outcome.measures["crossed"] == 5.0
    assert outcome.measures["one_foot_treads"] == 1.0


@given(st.integers(0, 10**6))
def test_a_course_of_human_size_has_stairs_boxes_gaps_hurdles_and_slopes_of_human_size(seed: int) -> None:
    greatest = {
        "stairs": ("rise", 0.17),
        "box": ("height", 0.3),
        "gap": ("width", 0.8),
        "hurdle": ("height", 0.3),
        "slope": ("degrees", 8),
    }
    for piece in RandomCourse(seed, 100.0, list(greatest), size="human").draw().pieces:
        numbers = dict(zip((q.name for q in PIECES[piece.kind].quantities), piece.numbers, strict=True))
        name, limit = greatest[piece.kind]
        assert abs(numbers[name]) <= limit
        if piece.kind == "stairs":
            assert (abs(numbers["rise"]), numbers["run"]) == (0.17, 0.29)


def test_stairs_of_human_size_go_up_and_down() -> None:
    pieces = RandomCourse(1, 200.0, ["stairs"], size="human").draw().pieces
    assert {piece.numbers[2] for piece in pieces} == {0.17, -0.17}


def test_the_sizes_of_random_courses_are_named_if_one_is_unknown() -> None:
    with pytest.raises(TerrainError, match=r"there is no size 'large' of random courses \(known: small, human\)"):
        RandomCourse(1, size="large")
