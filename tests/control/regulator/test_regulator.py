"""Regulators: reading files, ticks, and recording of references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mistakes import read_mistakes

from ctrlgraph.control.regulator.regulator import WEIGHTS, Regulator
from ctrlgraph.control.regulator.regulator_file import parse_regulator
from ctrlgraph.control.regulator.regulator_kind import KIND
from ctrlgraph.control.regulator.regulator_recording import regulator_text, samples, stretches
from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.kernels.arrays import new_motors
from ctrlgraph.kernels.planar.arrays import body_arrays, new_kinematics
from tests.control.findings import errors_of

MISTAKES = read_mistakes("regulator.txt")
STEPS = """\
joints: [rHip, rKnee, lHip, lKnee]
weights: {position: 1e+6, velocity: 100, end_position: 1e+8, end_velocity: 1e+8, torque: 10}
steps:
  - stance: rShin
    samples:
      - [0.00, 0.1, -0.4, 0.2, 0.1, 0.3,  0.0, 0.5, 0.1, -0.5, 0.2,  10, 5, -8, 2]
      - [0.02, 0.1, -0.4, 0.2, 0.1, 0.3,  0.0, 0.5, 0.1, -0.5, 0.2,  12, 5, -8, 2]
  - stance: lShin
    samples:
      - [0.02, 0.1, -0.4, 0.2, 0.1, 0.3,  0.0, 0.5, 0.1, -0.5, 0.2,  10, 5, -8, 2]
      - [0.04, 0.1, -0.4, 0.2, 0.1, 0.3,  0.0, 0.5, 0.1, -0.5, 0.2,  10, 5, -8, 2]
"""


@pytest.fixture(scope="module")
def steps(five_link) -> Regulator:
    return parse_regulator(STEPS, five_link, "steps.yaml")


# --- files ---


def test_angles_are_reordered_and_relative_to_the_standing_foot(steps) -> None:
    """The character lists its hips first; a shin's angle is the sum of those of root, hip and knee."""
    np.testing.assert_allclose(steps.steps[0].z[0], [0.1 - 0.4 + 0.2, -0.4, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(steps.steps[0].w[0], [0.0 + 0.5 + 0.1, 0.5, -0.5, 0.1, 0.2])
    np.testing.assert_allclose(steps.steps[0].torque[1], [12, -8, 5, 2])
    np.testing.assert_allclose(steps.steps[1].z[0], [0.1 + 0.1 + 0.3, -0.4, 0.1, 0.2, 0.3])


def test_parameters_are_the_weights_with_units_and_places(steps) -> None:
    assert [parameter.id for parameter in steps.parameters] == [f"steps.yaml/weights/{name}" for name in WEIGHTS]
    np.testing.assert_array_equal(steps.constants, [1e6, 100, 1e8, 1e8, 10])
    units = [parameter.unit for parameter in steps.parameters]
    assert units == ["1/(rad^2 s)", "s/rad^2", "1/rad^2", "s^2/rad^2", "1/(N^2 m^2 s)"]
    lines = STEPS.splitlines()
    texts = [lines[p.line - 1][p.column - 1 : p.end_column - 1] for p in steps.parameters]
    assert texts == ["1e+6", "100", "1e+8", "1e+8", "10"]
    assert all(p.low <= value <= p.high for p, value in zip(steps.parameters, steps.constants, strict=True))


@pytest.mark.parametrize("name", MISTAKES)
def test_invalid_references_are_refused_at_their_place(five_link, name: str) -> None:
    found = errors_of(parse_regulator, MISTAKES[name].made_in(STEPS), five_link, "steps.yaml")
    assert "\n".join(found) == MISTAKES[name].shown


def test_the_digest_depends_on_the_content_and_not_on_the_text(five_link, steps) -> None:
    assert (
        parse_regulator(f"# steps\n{STEPS}".replace("1e+6", "1000000"), five_link, "steps.yaml").digest == steps.digest
    )
    for old, new in (("0.5", "0.51"), ("velocity: 100", "velocity: 99"), ("steps:", "switch: time\nsteps:")):
        assert parse_regulator(STEPS.replace(old, new), five_link, "steps.yaml").digest != steps.digest
    assert steps.with_constants(2.0 * steps.constants).digest != steps.digest


@pytest.mark.slow
def test_a_common_factor_of_all_weights_changes_nothing(steps) -> None:
    for table, same in zip(steps.gains, steps.with_constants(3.0 * steps.constants).gains, strict=True):
        np.testing.assert_allclose(same, table, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("value", [-1.0, np.nan])
def test_invalid_weights_are_refused(steps, value: float) -> None:
    constants = steps.constants.copy()
    constants[1] = value
    with pytest.raises(SimulationError, match="steps cannot run: its weights must be finite"):
        KIND.new_data(steps.with_constants(constants))


# --- ticks ---


class Ticks:
    """A regulator that is ticked on kinematics that the test sets."""

    def __init__(self, regulator: Regulator, five_link: Any) -> None:
        joints = len(five_link.joints)
        self.regulator, self.body, self.data = regulator, body_arrays(five_link), KIND.new_data(regulator)
        self.kin, self.motors = new_kinematics(len(five_link.links), joints), new_motors(joints)
        self.state = KIND.new_state(joints)
        KIND.kernels.start(self.kin, self.data, self.state, 1, 0.0)

    def on_reference(self, step: int, sample: int) -> Ticks:
        """Be where the reference is."""
        there = self.regulator.steps[step]
        self.kin.joint[:, 0], self.kin.joint[:, 1] = there.z[sample, 1:], there.w[sample, 1:]
        self.kin.link[there.stance.link, [2, 5]] = there.z[sample, 0], there.w[sample, 0]
        return self

    def torque(self, time: float) -> np.ndarray:
        KIND.kernels.tick(self.body, self.kin, self.data, self.state, self.motors, time)
        return self.motors.torque.copy()

    @property
    def step(self) -> int:
        return int(KIND.kernels.phase_of(self.state))


@pytest.fixture
def ticks(steps, five_link) -> Ticks:
    return Ticks(steps, five_link)


@pytest.mark.slow
def test_on_the_reference_the_torques_are_those_of_the_reference(ticks) -> None:
    np.testing.assert_allclose(ticks.on_reference(0, 0).torque(0.0), [10, -8, 5, 2], atol=1e-9)
    np.testing.assert_allclose(ticks.torque(0.01), [11, -8, 5, 2], atol=1e-9)


@pytest.mark.slow
def test_beside_the_reference_the_gains_are_added_to_them(ticks, steps) -> None:
    ticks.on_reference(0, 0)
    ticks.kin.joint[2, 0] += 0.01
    ticks.kin.joint[1, 1] += 0.02
    expected = steps.steps[0].torque[0] - steps.gains[0][0] @ [0, 0, 0, 0.01, 0, 0, 0, 0.02, 0, 0]
    np.testing.assert_allclose(ticks.torque(0.0), expected, atol=1e-9)


@pytest.mark.slow
def test_a_full_rotation_of_the_body_is_not_a_deviation(ticks) -> None:
    ticks.on_reference(0, 0).kin.link[3:, 2] += 2 * np.pi
    np.testing.assert_allclose(ticks.torque(0.0), [10, -8, 5, 2], atol=1e-6)


@pytest.mark.slow
def test_a_step_ends_when_the_other_foot_lands_and_not_when_it_scuffs(ticks, five_link) -> None:
    ticks.on_reference(0, 0)
    other = five_link.link_index("lShin")
    ticks.kin.contact[other] = 1
    ticks.torque(0.004)
    assert ticks.step == 0
    ticks.kin.contact[other] = 0
    ticks.torque(0.03)
    assert ticks.step == 0
    ticks.kin.contact[other] = 1
    ticks.torque(0.032)
    assert ticks.step == 1


@pytest.mark.slow
def test_by_the_clock_a_step_ends_with_the_step_of_the_reference(five_link) -> None:
    ticks = Ticks(parse_regulator(STEPS.replace("steps:", "switch: time\nsteps:"), five_link), five_link).on_reference(
        0, 0
    )
    ticks.torque(0.018)
    assert ticks.step == 0
    ticks.torque(0.02)
    assert ticks.step == 1


@pytest.mark.slow
def test_limits_are_those_of_the_joints_and_pd_gains_are_zero(ticks, five_link) -> None:
    ticks.on_reference(0, 0).torque(0.0)
    np.testing.assert_array_equal(ticks.motors.limit, [[-300, 300]] * 4)
    assert not ticks.motors.kp.any() and not ticks.motors.kd.any()


# --- recording ---


def walked(five_link, feet: list[str], times: np.ndarray) -> dict[str, np.ndarray]:
    """Signals of a motion that is at rest, of whose feet "r", "l", "b" (both) or "-" are on the ground."""
    zero = np.zeros(len(times))
    columns = {"time": times, "root_spin": zero}
    for joint in five_link.joints:
        columns |= {f"{name}.{joint.name}": zero for name in ("angle", "velocity")}
        columns[f"torque.{joint.name}"] = np.arange(len(times), dtype=float)
    for link in five_link.links:
        columns[f"rotation.{link.name}"] = zero
    for name, side in (("rShin", "r"), ("lShin", "l")):
        columns[f"contact.{name}"] = np.array([int(foot in (side, "b")) for foot in feet])
    return columns


def test_steps_begin_with_lasting_contacts_of_the_other_foot(five_link) -> None:
    """Right, a scuff of the left, both for 20 ms, left; contacts flicker for 10 ms."""
    times = np.arange(300) * 0.002
    feet = list("r" * 60 + "b" * 5 + "r" * 55 + "b" * 10 + "l" * 70 + "-" * 5 + "l" * 95)
    found = stretches(walked(five_link, feet, times), five_link)
    assert [(five_link.links[each.foot].name, each.first, each.end) for each in found] == [
        ("rShin", 0, 120),
        ("lShin", 120, 300),
    ]


def test_flights_and_double_support_are_refused(five_link) -> None:
    times = np.arange(100) * 0.002
    with pytest.raises(CtrlGraphError, match=r"a foot on the ground at all times, but none is at 0\.04 s"):
        stretches(walked(five_link, list("r" * 20 + "-" * 80), times), five_link)
    with pytest.raises(
        CtrlGraphError, match=r"only one foot stands at a time, but from 0\.00 s to 0\.20 s both feet stand"
    ):
        stretches(walked(five_link, list("b" * 100), times), five_link)


def test_torques_of_a_sample_are_means_and_the_file_reproduces_the_recording(five_link) -> None:
    times = np.arange(21) * 0.002
    columns = walked(five_link, list("r" * 21), times)
    [stretch] = stretches(columns, five_link)
    rows = samples(columns, five_link, stretch, rate=100.0)
    np.testing.assert_allclose(rows[:, 0], [0, 0.01, 0.02, 0.03, 0.04])
    np.testing.assert_allclose(rows[:, -1], [2, 7, 12, 17, 20])
    read = parse_regulator(regulator_text(five_link, [(stretch, rows)], comment="At rest."), five_link)
    np.testing.assert_allclose(read.steps[0].torque[:, 0], rows[:, -1])
    np.testing.assert_allclose(read.steps[0].times, rows[:, 0])
    np.testing.assert_array_equal(read.constants, [1e6, 100, 1e8, 1e8, 10])
