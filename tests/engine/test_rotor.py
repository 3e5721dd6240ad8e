"""Two bodies and one joint in free space: the engine's motor against the analytic step response."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.control.script.program import Program

ROTOR = """
name: rotor
gains: {kp: 40, kd: 1.5}
links:
  base: {mass: 5, size: [.6, .6], at: [0, 0], contacts: [[0, 0, .1]]}
  disc: {mass: 2, size: [.5, .5], at: [0, 0]}
joints:
  axle: {parent: base, child: disc, at: [0, 0], limits: [-3, 3], torque: [500, 500]}
"""


@pytest.fixture
def rotor():
    """Two discs on one axle, and the inertia of their turning against each other."""
    character = parse_character(ROTOR, "rotor.yaml")
    first, second = (link.inertia for link in character.links)
    return character, first * second / (first + second)


def empty_program(handmade) -> Program:
    return handmade.program(handmade.phase())


def follow(simulation, program, target: float, steps: int) -> np.ndarray:
    """Angles of the axle after each step from rest at 0 with its PD target set."""
    simulation.reset(height=50.0)
    simulation._take(program)
    simulation._state.targets[0, 1] = target
    dt, angles = simulation.settings.dt, []
    for _ in range(steps):
        simulation.run(program, timeout=dt)
        angles.append(simulation._kin.joint[0, 0])
    return np.array(angles)


@pytest.mark.parametrize("dt", [0.0005, 0.002, 0.004])
def test_the_motor_takes_the_implicit_step_of_the_pd_law_exactly(dt, rotor, simulate, handmade, engine) -> None:
    character, inertia = rotor
    kp, kd, target = 40.0, 1.5, 0.8
    angles = follow(simulate(character, dt=dt, gravity=0.0), empty_program(handmade), target, 40)
    q = v = 0.0
    for angle in angles:
        v = (v + dt / inertia * kp * (target - q)) / (1 + dt / inertia * (dt * kp + kd))
        q += dt * v
        # ODE turns a body by atan(w dt / 2), not by w dt / 2
        assert angle == pytest.approx(q, abs=1e-4 if engine == "ode" else 1e-9)


@pytest.mark.slow
def test_with_small_steps_it_is_the_analytic_step_response(rotor, simulate, handmade) -> None:
    character, inertia = rotor
    kp, kd, target, dt = 40.0, 1.5, 0.8, 5e-5
    angles = follow(simulate(character, dt=dt, gravity=0.0), empty_program(handmade), target, 4000)
    t = dt * np.arange(1, 4001)
    decay = kd / (2 * inertia)
    ringing = math.sqrt(kp / inertia - decay**2)
    expected = target * (1 - np.exp(-decay * t) * (np.cos(ringing * t) + decay / ringing * np.sin(ringing * t)))
    np.testing.assert_allclose(angles, expected, atol=2e-3)
    assert angles.max() > target  # it rings
