"""Tracking files: accepted fields, errors, and parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mistakes import read_mistakes

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.arrays import tracking_data
from ctrlgraph.control.tracking.tracking_file import parse_tracking, read_tracking
from ctrlgraph.errors import SimulationError, SourceError
from ctrlgraph.policies import Grid, GridAxis, TabulatedPolicy
from tests.control.findings import errors_of

MISTAKES = read_mistakes("tracking.txt")
PROJECTS = Path(__file__).parents[3] / "projects"


WALK = """\
phase: {angle: {from: rAnkle, to: rHip}}
swaps: true
policy: {constant: {at: 0.04}}
stages:
  - name: single
    theta: [-0.2, 0.3]
    contacts: {rFoot: flat}
    track: {rHip: [-0.5, 0.0], rKnee: [0.2], lHip: [0.0, -0.5], lKnee: [0.3], lFoot: [0]}
    ends: {contact: lFoot}
"""


def test_the_shipped_walks_are_read(walker: Character, five_link: Character) -> None:
    for project, character in (("tracking", walker), ("five-link", five_link)):
        text = (PROJECTS / project / "tracking" / "walk.yaml").read_text()
        walk = parse_tracking(text, character, "walk.yaml")
        assert walk.kind == "tracking"
        assert len(walk.parameters) == len(walk.constants) == len({p.id for p in walk.parameters})


@pytest.mark.parametrize("name", MISTAKES)
def test_an_error_is_reported_at_its_place(walker: Character, name: str) -> None:
    found = errors_of(parse_tracking, MISTAKES[name].made_in(WALK), walker, "walk.yaml")
    assert f"walk.yaml:{MISTAKES[name].shown}" in found


def test_a_row_may_be_named_by_a_joint_or_an_alias_once(walker: Character) -> None:
    text = WALK.replace("lFoot: [0]}", "lFoot: [0], torso: [0], rFoot: [0]}")
    assert len(errors_of(parse_tracking, text, walker, "walk.yaml")) == 1  # two rows too many


def test_numbers_have_ids_units_and_ranges(walker: Character) -> None:
    walk = parse_tracking(WALK, walker, "walk.yaml")
    by_id = {p.id: (p, value) for p, value in zip(walk.parameters, walk.constants.tolist(), strict=True)}
    eps, value = by_id["walk.yaml/gains/eps"]
    assert (eps.unit, eps.low, eps.high, value) == ("s", 1e-3, 0.5, 0.1)
    assert by_id["walk.yaml/policy/at"][0].unit == "m"
    hip, value = by_id["walk.yaml/single/rHip/0"]
    assert (hip.unit, hip.phase, value) == ("rad", 0, -0.5)
    assert "walk.yaml/single/theta/from" in by_id


def test_other_constants_give_a_controller_of_the_same_shape(walker: Character) -> None:
    walk = parse_tracking(WALK, walker, "walk.yaml")
    names = [p.id for p in walk.parameters]
    constants = walk.constants.copy()
    constants[names.index("walk.yaml/single/rKnee/0")] = 0.7
    constants[names.index("walk.yaml/gains/eps")] = 0.05
    changed = walk.with_constants(constants)
    assert changed.digest != walk.digest
    assert changed.resolved().stages[0].track["rKnee"] == [0.7]
    assert tracking_data(changed).gains == pytest.approx(tracking_data(walk).gains * [4, 2])
    with pytest.raises(ValueError, match="constants"):
        walk.with_constants(constants[1:])


def test_invalid_constants_are_refused(walker: Character) -> None:
    walk = parse_tracking(WALK, walker, "walk.yaml")
    names = [p.id for p in walk.parameters]
    for name, value, message in (
        ("walk.yaml/single/theta/to", -0.5, "theta must rise in the stage 'single'"),
        ("walk.yaml/gains/eps", -1.0, "cannot run with this value of the constant gains/eps"),
        ("walk.yaml/single/rHip/1", np.nan, "must be a finite number"),
    ):
        constants = walk.constants.copy()
        constants[names.index(name)] = value
        with pytest.raises(SimulationError, match=message):
            tracking_data(walk.with_constants(constants))


def test_equation_3_is_critically_damped(walker: Character) -> None:
    """The position's gain is k_s / eps^2, the velocity's k_d / eps: the source's equation has them exchanged."""
    stiffness, damping = tracking_data(parse_tracking(WALK, walker)).gains
    assert (stiffness, damping) == pytest.approx((10 / 0.1**2, 2 * 10**0.5 / 0.1))
    assert damping**2 == pytest.approx(4 * stiffness)


def test_the_other_side_has_right_and_left_exchanged(walker: Character) -> None:
    data = tracking_data(parse_tracking(WALK, walker))
    opposite = walker.opposite_joints
    joints = data.row_kind[0] == 0
    assert [opposite[i] for i in data.row_index[0, 0][joints]] == list(data.row_index[1, 0][joints])
    assert data.contact_link[1, 0, 0] == walker.link_index("lFoot")
    assert data.end_link[1, 0] == walker.link_index("rFoot")


def test_a_policy_file_linked_from_elsewhere_is_not_opened(walker: Character, tmp_path: Path) -> None:
    shipped, file = PROJECTS / "tracking" / "tracking", tmp_path / "jump.yaml"
    file.write_text((shipped / "jump.yaml").read_text())
    (tmp_path / "jump.policy.npz").symlink_to(shipped / "jump.policy.npz")
    with pytest.raises(SourceError) as error:
        read_tracking(file, walker)
    assert {finding.message for finding in error.value.findings} == {
        "the file of a policy must be in the same directory as the tracking file"
    }
    (tmp_path / "jump.policy.npz").unlink()
    (tmp_path / "jump.policy.npz").write_bytes((shipped / "jump.policy.npz").read_bytes())
    assert read_tracking(file, walker).digest


@pytest.mark.parametrize(("high", "count"), [(0.0, 1), (1e308, 2)])
def test_a_policy_beyond_the_limits_of_a_tracking_file_is_refused(
    walker: Character, tmp_path: Path, high: float, count: int
) -> None:
    file = tmp_path / "jump.yaml"
    file.write_text((PROJECTS / "tracking" / "tracking" / "jump.yaml").read_text())
    grid = Grid([GridAxis("theta", 0.0, high, count, "m"), GridAxis("rate", 0.3, 2.1, 2, "m/s")])
    choice = np.zeros(grid.size, np.int64)
    TabulatedPolicy(grid, np.zeros((1, 1)), ("at",), choice, np.zeros(grid.size)).save(tmp_path / "jump.policy.npz")
    with pytest.raises(SourceError, match="must have 2 to 400 values of theta and of its rate"):
        read_tracking(file, walker)
