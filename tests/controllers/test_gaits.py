"""The gaits of the shipped robot on four legs: speed, commands, disturbances and repetition, on both engines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ctrlgraph import Project, Push, Simulation
from ctrlgraph.errors import CtrlGraphError, SimulationError

from .conftest import ROOT

PROJECT = Project(ROOT / "projects" / "quadruped")


@pytest.fixture(params=["mujoco", pytest.param("ode", marks=pytest.mark.slow)])
def simulation(request: pytest.FixtureRequest) -> Iterator[Simulation]:
    with Simulation(PROJECT.character, engine=request.param) as simulation:
        simulation.run(PROJECT.controller("stand"), timeout=2.0)
        yield simulation


@pytest.mark.parametrize(("speed", "name"), [(0.0, "trot"), (1.0, "trot"), (-0.5, "trot"), (0.3, "walk")])
def test_a_gait_reaches_the_desired_speed_and_keeps_its_heading(simulation, speed, name) -> None:
    gait = PROJECT.controller(name)
    simulation.watch(lambda moment: simulation.command(forward=speed))
    simulation.run(gait, cycles=round(4 / gait.values.period))
    measures = simulation.run(gait, cycles=round(4 / gait.values.period)).measures
    assert measures["forward_speed"] == pytest.approx(speed, abs=0.05)
    assert abs(measures["lateral_speed"]) < 0.03
    assert abs(measures["heading_drift"]) < 0.05
    assert measures["max_tilt"] < 0.1


def test_a_running_gait_follows_commands(simulation) -> None:
    gait = PROJECT.controller("trot_in_place")
    speeds = []
    for command in ({"forward": 0.5}, {"sideways": 0.3}, {"turn": 1.0}):
        simulation.watch(lambda moment, command=command: simulation.command(**command))
        simulation.run(gait, cycles=10)
        measures = simulation.run(gait, cycles=10).measures
        speeds.append([measures[name] for name in ("forward_speed", "lateral_speed", "turn_rate")])
    np.testing.assert_allclose(speeds, np.diag([0.5, 0.3, 1.0]), atol=0.08)


def test_key_frames_take_no_commands(simulation) -> None:
    with pytest.raises(CtrlGraphError, match="'keyframes' cannot receive commands"):
        simulation.command(forward=1.0)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_command_must_be_finite(simulation, value) -> None:
    with pytest.raises(SimulationError, match="'turn' must be a finite number"):
        simulation.command(turn=value)


@pytest.mark.parametrize("value", [1e300, -7, 10**400])
def test_a_command_must_be_one_that_a_gait_file_can_have(simulation, value) -> None:
    simulation.run(PROJECT.controller("trot"), cycles=1)
    with pytest.raises(CtrlGraphError, match="the command 'turn' must be from -6 to 6"):
        simulation.command(turn=value)


def test_a_gait_continues_bit_for_bit_from_a_snapshot_within_a_swing(simulation) -> None:
    simulation.run(PROJECT.controller("trot"), cycles=20, timeout=1.23)
    snapshot, digests = simulation.snapshot(), []
    for _ in range(2):
        simulation.restore(snapshot)
        simulation.run(PROJECT.controller("trot"), cycles=3)
        digests.append(simulation.history_digest())
    assert digests[0] == digests[1]


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, 270.0])
def test_a_push_of_ten_newton_seconds_does_not_stop_the_trot(simulation, yaw) -> None:
    angle = np.radians(yaw)
    simulation.run(PROJECT.controller("trot"), cycles=6)
    push = Push(simulation.time + 0.1, 0.1, "trunk", x=100 * np.cos(angle), side=100 * np.sin(angle))
    simulation.disturb([push])
    simulation.run(PROJECT.controller("trot"), cycles=8)
    outcome = simulation.run(PROJECT.controller("trot"), cycles=8)
    assert outcome.measures["forward_speed"] == pytest.approx(0.8, abs=0.1)
    assert outcome.measures["max_tilt"] < 0.15


@pytest.mark.parametrize(
    ("first", "second"), [("walk", "trot"), ("trot", "pace"), ("pace", "bound"), ("canter", "walk")]
)
def test_a_gait_in_the_middle_of_a_cycle_changes_into_another_one(simulation, first, second) -> None:
    before, after = PROJECT.controller(first), PROJECT.controller(second)
    simulation.run(before, cycles=20, timeout=3.3 * before.values.period + 2.0)
    simulation.run(after, cycles=round(3 / after.values.period))
    assert simulation.run(after, cycles=5).measures["max_tilt"] < 0.4


def test_torques_of_a_gait_stay_within_the_limits_of_the_motors(simulation) -> None:
    outcome = simulation.run(PROJECT.controller("trot"), cycles=10)
    peak = simulation.last_trace.joint_peak[:, :, 1:].max(axis=(0, 2))
    limits = [joint.torque_limit.upper for joint in PROJECT.character.joints]
    assert (peak <= np.array(limits) + 1e-9).all()
    assert outcome.saturation < 0.05
