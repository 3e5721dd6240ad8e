"""The pendulum on a cart: exact in time, and its base moves as commanded."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ctrlgraph.footsteps.model import PlanSettings, lqr_gain, pendulum_matrices, pendulum_model
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.kernels.footsteps.footstep_arrays import GRAVITY
from ctrlgraph.kernels.footsteps.pendulum import ground_factor


def test_a_tick_is_the_exact_solution_for_a_constant_force() -> None:
    length, r, tick, force = 0.9, 0.05, 0.02, 1.7
    transition, drive = pendulum_matrices(length, r, tick)
    start = np.array([0.1, -0.3, 0.02, 0.4])

    def rate(_: float, s: np.ndarray) -> list[float]:
        p2 = GRAVITY / r * s[2] + (1 + 1 / r) * force
        return [s[1], p2, s[3], (GRAVITY * s[2] + force) / (r * length)]

    exact = solve_ivp(rate, (0, tick), start, rtol=1e-11, atol=1e-12).y[:, -1]
    assert np.allclose(transition @ start + drive * force, exact, atol=1e-9)


def test_the_centre_of_mass_accelerates_with_the_force() -> None:
    length, tick, force = 0.5, 0.02, 2.0
    transition, drive = pendulum_matrices(length, 0.02, tick)
    start = np.array([0.1, -0.3, 0.02, 0.4])
    end = transition @ start + drive * force
    mass = np.array([1.0, 0.0, -length, 0.0])
    velocity = np.array([0.0, 1.0, 0.0, -length])
    assert mass @ end == pytest.approx(mass @ start + tick * (velocity @ start) + 0.5 * tick**2 * force)
    assert velocity @ end == pytest.approx(velocity @ start + tick * force)


def test_the_feedback_is_stable() -> None:
    for robot in ROBOTS.values():
        model = pendulum_model(robot, PlanSettings())
        poles = np.linalg.eigvals(model.transition - np.outer(model.drive, model.gain))
        assert np.abs(poles).max() < 1
        gain = lqr_gain(model.transition, model.drive, [20.0, 2.0, 5.0, 0.5], 0.02)
        assert np.allclose(gain, model.gain)


def test_forces_are_whole_on_the_ground_and_none_in_flight() -> None:
    assert ground_factor(0.9, 0.9) > 1 - 1e-5
    assert ground_factor(1.3, 0.9) < 1e-5
    assert ground_factor(1e9, 0.9) == pytest.approx(0.0, abs=1e-300)
