"""Course files, and messages about faulty ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.errors import SourceError
from ctrlgraph.project.project import Project
from ctrlgraph.terrain import RandomCourse
from ctrlgraph.terrain.course_file import load_course, parse_course_file, terrain_words

COURSE = """\
obstacles:
  - {at: 3, stairs: {rise: 0.15, run: 0.3, count: 2}}
  - {after: 2, gap: {width: 0.4}}
  - {after: 2.5, box: {width: 1, height: 0.12}}
  - {after: 0, hurdle: {height: 0.3}}
"""


def faults(text: str) -> list[str]:
    with pytest.raises(SourceError) as raised:
        parse_course_file(text)
    return [f"{f.span.line if f.span else 0}: {f.message}" for f in raised.value.findings]


def test_pieces_begin_at_a_place_or_so_far_behind_the_one_before() -> None:
    assert (
        parse_course_file(COURSE).words == "course=3:stairs:2:0.3:0.15,5.6:gap:0.4:1,8.5:box:1:0.12,9.5:hurdle:0.3:0.04"
    )


def test_a_course_is_drawn_from_what_the_file_says() -> None:
    text = "random: {seed: 5, length: 40, kinds: [gap, stairs]}"
    assert parse_course_file(text) == RandomCourse(5, 40.0, ["gap", "stairs"]).draw()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "obstacles: []\nrandom: {seed: 1}",
            "1: a course file needs either the field 'obstacles' or the field 'random'",
        ),
        ("obstacles: ~", "1: a course file needs either the field 'obstacles' or the field 'random'"),
        ("obstacles:\n  - {at: 1, gpa: {width: 1}}", "2: unknown field 'gpa' in obstacles[0]: correct or remove it"),
        ("obstacles:\n  - {at: 1, gap: {width: 99}}", "2: obstacles[0].gap.width must be at most 10, not 99"),
        (
            "obstacles:\n  - {gap: {width: 1}}",
            "2: obstacles[0] needs exactly one of 'at' (its start, m) or 'after' (length of level ground before it)",
        ),
        (
            "obstacles:\n  - {at: 1}",
            "2: obstacles[0] must have exactly one kind of piece, but has none of stairs, box, gap, hurdle,"
            " rough, slope",
        ),
        (
            "obstacles:\n  - {at: 1, gap: {width: 1}, box: {width: 1, height: 1}}",
            "2: obstacles[0] must have exactly one kind of piece, but has box and gap",
        ),
        (
            "obstacles:\n  - {at: 1, gap: {width: 1}}\n  - {at: 1.5, gap: {width: 1}}",
            "3: the piece 'gap' begins at 1.5 m, before the previous piece ends at 2 m",
        ),
        (
            "obstacles:\n  - {at: 1, stairs: {rise: 0}}",
            "2: the rise of the piece 'stairs' must not be 0 m: give a positive or negative rise",
        ),
        (
            "random: {seed: 1, kinds: [pit]}",
            "1: random.kinds[0] must be one of stairs, box, gap, hurdle, rough, slope, not 'pit'",
        ),
    ],
)
def test_a_fault_is_told_at_its_place(text: str, message: str) -> None:
    assert message in faults(text)


def test_all_faults_are_told_at_once() -> None:
    text = COURSE.replace("rise: 0.15", "rise: 15").replace("width: 0.4", "wdth: 0.4")
    assert len(faults(text)) == 3  # too high, an unknown field, and the one that is missing


def test_a_course_is_bounded() -> None:
    row = "  - {after: 1, gap: {width: 1}}\n"
    assert faults("obstacles:\n" + 501 * row) == ["2: obstacles must have at most 500 items, not 501"]
    rough = "  - {after: 1, rough: {length: 100, amplitude: .1, wave: .1}}\n"
    assert faults("obstacles:\n" + rough) == [
        "1: the course has 12001 points, more than 3998: use fewer or shorter pieces"
    ]


def test_a_world_takes_a_course_file_and_keeps_what_it_says(tmp_path: Path, small_project_directory: Path) -> None:
    path = tmp_path / "course.yaml"
    path.write_text(COURSE)
    world = Project(small_project_directory).environment(str(path))
    assert world.terrain == load_course(path).words
    path.unlink()  # it is no longer needed
    assert world.ground().height(8.6) == pytest.approx(0.42)


@pytest.mark.parametrize("words", ["flat", "slope=3", "heights=0:0,1:2", "random:7", "course=1:gap:1:1"])
def test_words_are_no_path(words: str) -> None:
    assert terrain_words(words) == words


@pytest.fixture
def small_project_directory(tmp_path: Path) -> Path:
    from small_project import make_small

    return make_small(tmp_path / "project")
