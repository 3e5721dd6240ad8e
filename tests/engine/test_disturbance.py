"""Torque noise and delayed commands: what they add, when they act, and that they repeat bit for bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.engine.commands import new_commands
from ctrlgraph.engine.disturbance import add_noise, delay_commands, disturbance
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import new_motors
from ctrlgraph.simulation.simulation import Push, Simulation, TorqueNoise

DT = 0.002


def test_noise_is_a_share_of_the_limit_along_straight_lines(humanoid) -> None:
    shares = np.zeros((3, len(humanoid.joints)))
    shares[1] = 1.0
    acting = disturbance(len(humanoid.joints), DT, np.zeros((0, 5)), TorqueNoise(1.0, 0.1, shares), 0.0)
    for time, expected in ((0.99, 0.0), (1.0, 0.0), (1.05, 0.5), (1.1, 1.0), (1.175, 0.25), (1.2, 0.0), (1.3, 0.0)):
        motors = new_motors(len(humanoid.joints))
        motors.limit[:] = -200.0, 200.0
        motors.torque[:] = 10.0
        add_noise(acting, motors, time)
        assert motors.torque == pytest.approx(np.full(len(humanoid.joints), 10.0 + 200.0 * expected))


def test_noise_is_a_share_of_the_limit_in_its_own_direction(humanoid) -> None:
    for share, expected in ((0.5, 40.0), (-0.5, -100.0)):
        acting = disturbance(
            len(humanoid.joints),
            DT,
            np.zeros((0, 5)),
            TorqueNoise(0.0, 0.1, np.full((2, len(humanoid.joints)), share)),
            0.0,
        )
        motors = new_motors(len(humanoid.joints))
        motors.limit[:] = -200.0, 80.0
        add_noise(acting, motors, 0.05)
        assert (motors.torque == expected).all()


@pytest.mark.parametrize("ticks", [1, 3, 5])
def test_commands_arrive_as_many_ticks_late_as_the_delay(humanoid, ticks: int) -> None:
    line = disturbance(len(humanoid.joints), DT, np.zeros((0, 5)), None, ticks * DT)
    arrived, commands = [], new_commands(len(humanoid.joints))
    for n in range(12):
        commands.velocity[:], commands.cfm[:], commands.explicit[:] = n, n + 0.1, n + 0.4
        commands.limit[:] = n + 0.2, n + 0.3
        delay_commands(line, commands, 100 + n)
        others = (commands.cfm[0], *commands.limit[0], commands.explicit[0])
        assert others == pytest.approx(commands.velocity[0] + np.array([0.1, 0.2, 0.3, 0.4]))
        arrived.append(commands.velocity[0])
    assert arrived == [max(0.0, n - ticks) for n in range(12)]


@pytest.fixture
def squat(humanoid, handmade):
    return handmade.program(handmade.phase([handmade.act("POSE", "rKnee", 1.0), handmade.act("POSE", "lKnee", 1.0)]))


def end(simulation: Simulation, program, seconds: float) -> str:
    simulation.run(program, timeout=seconds)
    return simulation.history_digest()


def test_no_noise_and_no_delay_change_nothing(humanoid, squat) -> None:
    with Simulation(humanoid) as plain, Simulation(humanoid) as disturbed:
        disturbed.disturb(noise=TorqueNoise(0.0, 0.1, np.zeros((20, len(humanoid.joints)))), delay=0.0)
        assert end(plain, squat, 0.5) == end(disturbed, squat, 0.5)


@pytest.mark.parametrize("delay", [0.0, 0.01])
def test_a_snapshot_continues_bit_for_bit_under_noise_and_delay(humanoid, squat, delay: float) -> None:
    shares = 0.1 * np.random.default_rng(1).standard_normal((30, len(humanoid.joints)))
    with Simulation(humanoid) as simulation:
        simulation.disturb([Push(0.4, 0.1, "uTorso", 50.0)], TorqueNoise(0.0, 0.05, shares), delay)
        simulation.run(squat, timeout=0.3)
        middle = simulation.snapshot()
        first = end(simulation, squat, 0.4)
        simulation.restore(middle)
        assert end(simulation, squat, 0.4) == first
        simulation.disturb()
        simulation.restore(middle)
        assert end(simulation, squat, 0.4) != first


def test_a_stopped_run_continues_as_if_it_had_not_been_stopped(humanoid, handmade) -> None:
    program = handmade.program(
        handmade.phase([handmade.act("POSE", "rKnee", 1.0)], [handmade.to(1, "TIME", 0.3)]),
        handmade.phase([handmade.act("POSE", "rKnee", 0.2)], [handmade.to(-1, "TIME", 0.3)]),
    )
    with Simulation(humanoid) as whole, Simulation(humanoid) as halves:
        whole.run(program)
        halves.run(program, timeout=0.4)
        halves.run(program, resume=True)
        assert halves.time == whole.time
        assert halves.history_digest() == whole.history_digest()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"delay": 0.6}, "'delay' must be 0 to 0.5 s, not 0.6 s"),
        ({"delay": math.nan}, "'delay' must be 0 to 0.5 s, not nan s"),
        (
            {"noise": TorqueNoise(0.0, 0.1, np.zeros((2, 3)))},
            "'noise' needs finite 'shares' of the shape (samples, {joints}) and 'every' above 0 s",
        ),
        (
            {"noise": TorqueNoise(0.0, 0.0, np.zeros((2, 1)))},
            "'noise' needs finite 'shares' of the shape (samples, {joints}) and 'every' above 0 s",
        ),
        ({"pushes": [Push(0, 1, "rFot", 5)]}, "the character humanoid has no link 'rFot' (did you mean 'rFoot'?)"),
    ],
)
def test_disturbances_that_make_no_sense_are_refused(humanoid, changes, expected) -> None:
    with Simulation(humanoid) as simulation, pytest.raises(SimulationError) as error:
        simulation.disturb(**changes)
    assert str(error.value) == expected.format(joints=len(humanoid.joints))
