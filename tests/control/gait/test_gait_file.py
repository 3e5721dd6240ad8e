"""Gait files: what they say, defaults by the size of the character, and errors with their places."""

from __future__ import annotations

import math

import pytest

from ctrlgraph import Project
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.errors import SourceError
from ctrlgraph.graph.files import ControllerFile, check_controller_file, named_controllers
from ctrlgraph.yaml_source import parse_yaml
from tests.controllers.conftest import ROOT

CHARACTER = Project(ROOT / "projects" / "quadruped").character
DOG = Project(ROOT / "projects" / "dog").character
SWING = "swing: {front left: [0, 0.4], hind right: [0.5, 0.4]}\n"


def gait(text: str) -> Gait:
    return gait_of(parse_yaml(text, "trot.yaml", "gait"), CHARACTER)


def test_height_period_and_step_height_follow_from_the_start_pose() -> None:
    values = gait(SWING).values
    assert values.height == pytest.approx(0.284, abs=0.001)
    assert values.period == pytest.approx(2.02 * math.sqrt(values.height / 9.81))
    assert values.step_height == pytest.approx(0.18 * values.height)


def test_period_and_step_height_follow_from_a_given_height() -> None:
    values = gait(SWING + "height: 0.2\n").values
    assert (values.period, values.step_height) == pytest.approx((2.02 * math.sqrt(0.2 / 9.81), 0.036))


def test_legs_without_a_swing_always_stand() -> None:
    assert gait(SWING).swings.tolist() == [[0, 0.4], [0, 0], [0, 0], [0.5, 0.4]]


def test_each_number_is_a_parameter_with_its_place_and_its_value() -> None:
    found = gait("height: 0.25\n" + SWING)
    assert len({each.id for each in found.parameters}) == found.constants.size == 30 + 8
    height = next(each for each in found.parameters if each.id == "trot.yaml/height")
    assert (height.line, height.column, height.unit) == (1, 9, "m")
    at = [each.id for each in found.parameters].index("trot.yaml/swing/hind right/start")
    assert found.constants[at] == 0.5
    assert found.parameters[at].line == 2


def dog_gait(text: str) -> Gait:
    return gait_of(parse_yaml(SWING + text, "trot.yaml", "gait"), DOG)


def test_numbers_of_trajectories_are_parameters_with_their_places() -> None:
    text = "trajectories:\n  neck_yaw: {turn: 0.3}\n  back_2_y: {amplitude: 0.05, phase: 0.75}\n"
    found = dog_gait(text)
    assert found.trajectories.tolist() == [[0, 0, 0, 0.3], [0, 0.05, 0.75, 0]]
    assert [DOG.joints[j].name for j in found.moving.values()] == ["neck_yaw", "back_2_y"]
    turn = found.parameters[30 + 8 + 3]
    assert (turn.id, turn.line, turn.column) == ("trot.yaml/trajectories/neck_yaw/turn", 3, 20)
    assert found.swings.shape == (4, 2)
    assert found.digest != dog_gait(text.replace("neck_yaw", "head_pitch")).digest


@pytest.mark.parametrize("joint", ["left_hip", "neck"])
def test_only_joints_that_belong_to_no_leg_have_trajectories(joint: str) -> None:
    with pytest.raises(SourceError, match="neck_pitch_1") as caught:
        dog_gait(f"trajectories:\n  {joint}: {{offset: 0.1}}\n")
    finding = caught.value.findings[0]
    assert (finding.code, finding.span.line) == ("unknown-joint", 3)
    assert "belongs to no leg" in finding.message


def test_trajectories_stay_within_the_limits_of_the_joint() -> None:
    assert dog_gait("trajectories:\n  back_2_y: {offset: -0.1, amplitude: 0.15}\n").moving
    with pytest.raises(SourceError, match=r"back_2_y moves from -0\.35 to 0\.05 rad, but its limits are -0\.25"):
        dog_gait("trajectories:\n  back_2_y: {offset: -0.15, amplitude: 0.2}\n")


def test_other_constants_make_another_gait_with_another_digest() -> None:
    found = gait(SWING)
    constants = found.constants.copy()
    constants[0] = 0.6
    assert found.with_constants(constants).values.period == 0.6
    assert found.with_constants(constants).digest != found.digest


def test_laws_of_the_published_controller_make_another_digest() -> None:
    plain, other = gait(SWING), gait(SWING + "published: [swing, stance]\n")
    assert [name for name, used in other.published._asdict().items() if used] == ["swing", "stance"]
    assert other.digest != plain.digest
    assert gait(SWING + "published: []\n").digest == plain.digest


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("swing: {front: [0, 0.4]}", 1, "the character quadruped has no leg 'front'"),
        ("swing: {front left: [0, 0.95]}", 1, "must be at most 0.9"),
        ("swing: {front left: [0]}", 1, "swing.front left must have 2 items, not 1"),
        ('swing: {"": [0, 0.4]}', 1, "a key of swing must not be empty"),
        ("period: 0\n" + SWING, 1, "at least 0.1"),
        (SWING + "forward: .nan\n", 2, "finite"),
        (SWING + "speed: 1\n", 2, "speed"),
        (SWING + "published: [stand]\n", 2, "published"),
        ("forward: 1\n", 1, "the file needs the field 'swing'"),
    ],
)
def test_errors_name_the_line_and_what_is_wrong(text, line, words) -> None:
    with pytest.raises(SourceError) as caught:
        gait(text)
    finding = caught.value.findings[0]
    assert words in finding.message
    assert finding.span is not None
    assert finding.span.line == line


STANDS = "no leg swings, so the character only stands"


@pytest.mark.parametrize(
    ("text", "warnings"), [(SWING, []), ("swing: {}\n", []), ("forward: 1\nswing: {}\n", [STANDS])]
)
def test_a_gait_that_is_to_move_without_swings_has_a_warning(tmp_path, text, warnings) -> None:
    (tmp_path / "trot.yaml").write_text(text)
    found = check_controller_file(ControllerFile(tmp_path / "trot.yaml", "gait"), CHARACTER, ScriptLibrary([]))
    assert [each.message for each in found] == warnings
    assert all(each.severity == "warning" for each in found)


@pytest.mark.parametrize(("cycles", "timeout", "warns"), [(10, 4.9, True), (10, 5.1, False), (1, 4.9, False)])
def test_a_node_with_more_cycles_than_its_timeout_has_a_warning(tmp_path, cycles, timeout, warns) -> None:
    (tmp_path / "trot.yaml").write_text("period: 0.5\n" + SWING)
    node = f"nodes: {{trot: {{gait: trot.yaml, cycles: [1, {cycles}], timeout: {timeout}}}}}\n"
    (file,) = named_controllers(parse_yaml(node, "graph.yaml", "graph"), tmp_path)
    found = [each.message for each in check_controller_file(file, CHARACTER, ScriptLibrary([]))]
    assert found == (["10 cycles of 'trot' take 5 s, but its timeout is 4.9 s"] if warns else [])


def test_a_planar_character_cannot_have_a_gait() -> None:
    from ctrlgraph.control.kinds import read_controller
    from ctrlgraph.errors import CtrlGraphError

    project = Project(ROOT)
    with pytest.raises(CtrlGraphError, match="'gait' drive spatial characters"):
        read_controller("gait", ROOT / "trot.yaml", (), project.character, project.library)


def test_a_plan_makes_another_digest() -> None:
    swing = "swing: {front left: [0, 0.4], hind right: [0, 0.4], front right: [0.5, 0.4], hind left: [0.5, 0.4]}\n"
    assert len({gait(swing + each).digest for each in ("", "plan: measured\n", "plan: commanded\n")}) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SWING, "a plan of footsteps needs swings of all legs with the same duration"),
        (
            "swing: {front left: [0, 0], hind right: [0, 0], front right: [0, 0], hind left: [0, 0]}\n",
            "a plan of footsteps needs swings of at least 0.05 of the period",
        ),
        (
            "published: [swing]\n"
            "swing: {front left: [0, 0.4], hind right: [0, 0.4], front right: [0.5, 0.4], hind left: [0.5, 0.4]}\n",
            "a plan of footsteps replaces laws of the published controller: remove 'published' or 'plan'",
        ),
    ],
)
def test_a_plan_needs_swings_of_all_legs_with_one_duration_and_no_published_laws(text, message) -> None:
    with pytest.raises(SourceError) as caught:
        gait("plan: measured\n" + text)
    assert [each.message for each in caught.value.findings] == [message]
