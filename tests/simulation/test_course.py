"""The course of a rollout: its changes of phase, and its conditions over time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout_request import RolloutResult, carry_out, find_rollout
from ctrlgraph.simulation.outcome import MeasureValues
from ctrlgraph.simulation.rollout_course import ConditionCourse

SCRIPT = """BEGINSCRIPT bend(void)
  PHASE 0
    ACTIONS
      LIPOSE bHip(-.4, 300, 30).time(.2), bKnee(.8, 300, 30).time(.2), bAnkle(-.4, 300, 30).time(.2);
    ENDACTIONS
    TRANSITION to(3).after(when angle(rKnee) > 2);
    TRANSITION to(1).after(time .1 and when angle(rKnee) > .3);
  ENDPHASE
  PHASE 1
    TRANSITION to(2).after(contact rFoot);
  ENDPHASE
  PHASE 2
    TRANSITION to(-1).after(time .15);
  ENDPHASE
  PHASE 3
    TRANSITION to(-1).after(time 1);
  ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def bend(small: Project, tmp_path: Path) -> RolloutResult:
    path = tmp_path / "bend.t"
    path.write_text(SCRIPT)
    return carry_out(small, find_rollout(small, str(path)), after=small.graph.node("stand"), why=True)


def test_every_change_of_phase_has_the_condition_that_led_there(bend: RolloutResult) -> None:
    told = [(each.before, each.phase, each.condition.split(" > ")[0], each.place.line) for each in bend.passages]
    assert [each[:2] for each in told] == [(0, 1), (1, 2), (2, None)]
    assert told[0][2].startswith("time 0.1 and when 0.3")  # with the angle that it had
    assert [each[2] for each in told[1:]] == ["contact rFoot", "time 0.15"]
    assert [each[3] for each in told] == [7, 10, 13]


def test_times_are_the_controller_s_own_and_to_the_step(bend: RolloutResult) -> None:
    first, second, last = (each.time for each in bend.passages)
    assert 0.1 <= first <= second < last == pytest.approx(bend.outcome.simulated_s)
    assert last - second == pytest.approx(0.15)


def test_the_angle_that_a_condition_saw_is_the_one_of_that_moment(bend: RolloutResult) -> None:
    seen = float(bend.passages[0].condition.split("when ")[1].split(" > ")[0])
    assert seen == pytest.approx(0.3, abs=0.05)
    assert seen > 0.3


def test_recording_phase_changes_does_not_change_the_motion(small: Project) -> None:
    digests = {carry_out(small, find_rollout(small, "squat"), why=why).history_digest for why in (True, False)}
    assert len(digests) == 1


def test_conditions_over_time_end_with_what_was_measured(small: Project) -> None:
    result = carry_out(small, find_rollout(small, "squat"), after=small.graph.node("stand"), why=True)
    courses = {course.name: course for course in result.courses}
    assert set(courses) == set(result.request.rollout.conditions)
    for name, course in courses.items():
        assert course.values[-1] == pytest.approx(result.outcome.measures[name])
    height = courses["com_height"]
    assert height.fulfilled[-1][1] == height.times[-1]
    assert height.fulfilled[0][0] > 0.1  # it stood before


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((1, 1, 1, 1), "fulfilled all the time"),
        ((0, 0, 0, 0), "never fulfilled"),
        ((0, 1, 1, 0), "fulfilled 0.10-0.20 s; lost after 0.20 s"),
        ((0, 1, 0, 1), "fulfilled at 0.10 s, at 0.30 s"),
        ((0, 0, 1, 1), "fulfilled 0.20-0.30 s"),
    ],
)
def test_when_a_condition_was_fulfilled_is_one_phrase(values, sentence) -> None:
    course = ConditionCourse("speed", (0.5, 2), (0.0, 0.1, 0.2, 0.3), tuple(map(float, values)))
    assert course.sentence() == sentence


def test_key_frames_have_no_phases_to_change(small: Project, tmp_path: Path) -> None:
    path = tmp_path / "nod.yaml"
    path.write_text("joints: [rElbow]\nduration: 0.2\nframes: [[0.0, -0.5], [0.2, -0.6]]\n")
    result = carry_out(small, find_rollout(small, str(path)), why=True)
    assert result.passages == ()
    assert result.outcome.simulated_s == pytest.approx(0.2)


def test_the_last_phase_lists_its_pending_conditions_with_their_final_values(small: Project, tmp_path: Path) -> None:
    path = tmp_path / "wait.t"
    path.write_text(
        """BEGINSCRIPT wait(void)
  PHASE 0
    ACTIONS
      LIPOSE rShoulder(-1, 100, 10).time(.5);
    ENDACTIONS
    TRANSITION to(-1).after(when angle(rShoulder) > 2.8);
    TRANSITION to(-1).after(fallen x 3);
  ENDPHASE
ENDSCRIPT
"""
    )
    result = carry_out(small, find_rollout(small, str(path), time=1.5, cycles=1), why=True)
    assert result.passages == ()
    first, second = result.awaited
    assert -1.2 < float(first.condition.removeprefix("when ").split(" > ")[0]) < -0.8
    assert (first.place.line, second.condition) == (6, "fallen x 3")


def test_a_bound_that_ends_a_rollout_is_among_the_conditions_over_time(small: Project) -> None:
    node = small.graph.node("spring")
    bounded = replace(node, bounds={"com_height": (0.85, 1.2)})
    request = replace(find_rollout(small, "spring"), node=bounded)
    result = carry_out(small, request, after=small.graph.node("squat"), plain=True, why=True)
    course = next(each for each in result.courses if each.name == "com_height")
    assert result.outcome.reason.startswith("com_height")
    assert "lost" in course.sentence() or "never" in course.sentence()


def test_an_unknown_measure_of_an_outcome_comes_with_a_suggestion() -> None:
    with pytest.raises(KeyError, match=r"no measure 'com_heigth' .did you mean 'com_height'"):
        MeasureValues(com_height=1.0)["com_heigth"]


def test_conditions_in_space_have_a_course_too() -> None:
    project = Project(Path(__file__).parents[2] / "projects" / "quadruped", engine="mujoco")
    result = carry_out(project, find_rollout(project, "hop"), why=True)
    courses = {course.name: course for course in result.courses}
    assert set(courses) == {"flight", "distance", "tilt", "feet_contact", "com_speed"}
    assert courses["flight"].fulfilled[0][0] > 0.15  # the flight must be that long first
    assert all(course.values[-1] == pytest.approx(result.outcome.measures[name]) for name, course in courses.items())
