"""Gait files: what they say, defaults by the size of the character, and errors with their places."""

from __future__ import annotations

import math

import pytest

from ctrlgraph import Project
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_source import parse_yaml
from tests.controllers.conftest import ROOT

CHARACTER = Project(ROOT / "projects" / "quadruped").character
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
    assert len({each.id for each in found.parameters}) == found.constants.size == 27 + 8
    height = next(each for each in found.parameters if each.id == "trot.yaml/height")
    assert (height.line, height.column, height.unit) == (1, 9, "m")
    at = [each.id for each in found.parameters].index("trot.yaml/swing/hind right/start")
    assert found.constants[at] == 0.5
    assert found.parameters[at].line == 2


def test_other_constants_make_another_gait_with_another_digest() -> None:
    found = gait(SWING)
    constants = found.constants.copy()
    constants[0] = 0.6
    assert found.with_constants(constants).values.period == 0.6
    assert found.with_constants(constants).digest != found.digest


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("swing: {front: [0, 0.4]}", 1, "the character quadruped has no leg 'front'"),
        ("swing: {front left: [0, 1.2]}", 1, "less than 1"),
        ("swing: {front left: [0]}", 1, "swing.front left"),
        ("period: 0\n" + SWING, 1, "at least 0.1"),
        (SWING + "forward: .nan\n", 2, "finite"),
        (SWING + "speed: 1\n", 2, "speed"),
        ("forward: 1\n", 1, "swing"),
    ],
)
def test_errors_name_the_line_and_what_is_wrong(text, line, words) -> None:
    with pytest.raises(SourceError) as caught:
        gait(text)
    finding = caught.value.findings[0]
    assert words in finding.message
    assert finding.span is not None
    assert finding.span.line == line


def test_a_planar_character_cannot_have_a_gait() -> None:
    from ctrlgraph.control.kinds import read_controller
    from ctrlgraph.errors import CtrlGraphError

    project = Project(ROOT)
    with pytest.raises(CtrlGraphError, match="'gait' drive spatial characters"):
        read_controller("gait", ROOT / "trot.yaml", (), project.character, project.library)
