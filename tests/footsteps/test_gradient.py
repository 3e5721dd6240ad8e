"""The derivative of the energy agrees with finite differences on random plans."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED, FREE, TIME
from ctrlgraph.kernels.footsteps.receding import prepare
from ctrlgraph.kernels.footsteps.support import energy

STEP = 1e-6


def random_plan(name: str, rng: np.random.Generator) -> FootstepPlanner:
    """Return a planner in the middle of a walk, with random variables, a disturbed state and unsafe places."""
    robot = ROBOTS[name]
    x, y = rng.uniform(-3, 3, 2)
    bumps = [(x + rng.uniform(-1, 1), y + rng.uniform(-1, 1), 0.3, 1.0) for _ in range(3)]
    planner = FootstepPlanner(robot, start=(x, y, rng.uniform(-3, 3)), unsafe=bumps)
    scale = np.array([robot.speed_mps, 0.3 * robot.speed_mps, robot.turning_radps])
    for _ in range(int(rng.integers(20, 60))):
        planner.update((0.6 * robot.speed_mps, 0.0, 0.3))
    planner.target[:] = rng.uniform(-1, 1, 3) * scale
    prepare(planner.pendulum, planner.feet, planner.state, planner.target, planner.work)
    state = planner.state
    state.pendulum[:] += rng.normal(scale=0.05, size=state.pendulum.shape)
    state.height[:] += (rng.uniform(-0.05, 0.2) * robot.height_m, rng.normal(scale=0.2))  # also near flight
    state.force[:] = rng.normal(scale=0.5, size=state.force.shape)
    state.share[:] = rng.uniform(0.05, 1.0, state.share.shape)
    state.offset[state.status != FIXED] = rng.uniform(-0.05, 0.05, state.offset[state.status != FIXED].shape)
    return planner


def energy_of(planner: FootstepPlanner, derive: bool, **changed: np.ndarray) -> float:
    state = planner.state
    values = {"force": state.force, "share": state.share, "offset": state.offset} | changed
    return energy(
        planner.pendulum,
        planner.feet,
        planner.unsafe,
        state,
        values["force"],
        values["share"],
        values["offset"],
        planner.work,
        derive,
    )


def worst_difference(planner: FootstepPlanner, rng: np.random.Generator, directions: int = 3) -> float:
    """Return the largest difference of the derivative from central differences along random directions.

    Differences are relative to the length of the derivative.
    """
    energy_of(planner, True)
    work, worst = planner.work, 0.0
    slopes = {"force": work.slope_force, "share": work.slope_share, "offset": work.slope_offset}
    slopes = {name: slope.copy() for name, slope in slopes.items()}
    free = np.repeat((planner.state.status != FIXED)[:, :, None], 5, axis=2)
    free[:, :, TIME:] &= (planner.state.status == FREE)[:, :, None]
    for name, slope in slopes.items():
        now = getattr(planner.state, name)
        for _ in range(directions):
            way = rng.normal(size=now.shape) * (free if name == "offset" else 1.0)
            way /= np.linalg.norm(way)
            ahead = energy_of(planner, False, **{name: now + STEP * way})
            back = energy_of(planner, False, **{name: now - STEP * way})
            difference = abs((ahead - back) / (2 * STEP) - np.sum(slope * way))
            worst = max(worst, difference / max(1.0, float(np.linalg.norm(slope))))
    return worst


@pytest.mark.parametrize("name", ROBOTS)
def test_the_derivative_agrees_with_finite_differences(name: str) -> None:
    rng = np.random.default_rng(31)
    assert max(worst_difference(random_plan(name, rng), rng) for _ in range(10)) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_the_derivative_agrees_with_finite_differences_on_many_plans(name: str) -> None:
    rng = np.random.default_rng(32)
    assert max(worst_difference(random_plan(name, rng), rng) for _ in range(250)) < 1e-6
