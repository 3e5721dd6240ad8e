"""Gains by the Riccati recursion, and the linear dynamics of small deviations through touch-downs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are
from scipy.optimize import brentq
from tree_dynamics import GRAVITY, Dynamics, characters, runge_kutta

from ctrlgraph.control.regulator.riccati import LinearDynamics, ReferenceStep, Weights, gains, linear_dynamics
from ctrlgraph.control.regulator.stance import Stance, model_of, rates, touch_downs
from ctrlgraph.errors import SimulationError

WEIGHTS = Weights(position=40.0, velocity=3.0, end_position=70.0, end_velocity=5.0, torque=0.2)


def random_course(seed: int, lengths: tuple[int, ...], n: int = 2, inputs: int = 1) -> LinearDynamics:
    rng = np.random.default_rng(seed)
    ways = tuple(
        (np.eye(2 * n) + 0.2 * rng.normal(size=(k, 2 * n, 2 * n)), 0.3 * rng.normal(size=(k, 2 * n, inputs)))
        for k in lengths
    )
    spans = tuple(rng.uniform(0.01, 0.02, k) for k in lengths)
    jumps = tuple(rng.normal(size=(2 * n, 2 * n)) for _ in lengths[1:])
    return LinearDynamics(ways, spans, jumps)


def cost(course: LinearDynamics, deviation: np.ndarray, torques: list[np.ndarray], weights: Weights) -> float:
    """Return the cost of a deviation and torques, summed step by step."""
    n, total, torques = len(deviation) // 2, 0.0, list(torques)
    per_second = np.repeat([weights.position, weights.velocity], n)
    for k, (a, b) in enumerate(course.transitions):
        for i in range(len(a)):
            torque = torques.pop(0)
            span = course.spans[k][i]
            total += span * (per_second @ deviation**2 + weights.torque * torque @ torque)
            deviation = a[i] @ deviation + b[i] @ torque
        if k < len(course.jumps):
            deviation = course.jumps[k] @ deviation
    return float(total + np.repeat([weights.end_position, weights.end_velocity], n) @ deviation**2)


def closed_loop(course: LinearDynamics, table: Any, deviation: np.ndarray) -> list[np.ndarray]:
    torques = []
    for k, (a, b) in enumerate(course.transitions):
        for i in range(len(a)):
            torques.append(-table[k][i] @ deviation)
            deviation = a[i] @ deviation + b[i] @ torques[-1]
        if k < len(course.jumps):
            deviation = course.jumps[k] @ deviation
    return torques


def test_no_other_torques_cost_less_over_several_steps() -> None:
    """The cost is a convex quadratic: it is least where no single torque can lower it."""
    course = random_course(1, (5, 4, 6))
    table = gains(course, WEIGHTS)
    start = np.array([0.3, -0.2, 0.5, 0.1])
    torques = closed_loop(course, table, start)
    least = cost(course, start, torques, WEIGHTS)
    for i in range(len(torques)):
        for change in (-1e-3, 1e-3):
            changed = [torque + change * (i == k) for k, torque in enumerate(torques)]
            assert cost(course, start, changed, WEIGHTS) > least
    sampled = cost(course, start, [0.0 * torque for torque in torques], WEIGHTS)
    assert sampled > 1.1 * least


def test_far_from_the_end_gains_equal_those_of_an_infinite_horizon() -> None:
    one = random_course(2, (1,))
    (a, b), span = one.transitions[0], one.spans[0]
    course = LinearDynamics(((np.repeat(a, 4000, 0), np.repeat(b, 4000, 0)),), (np.repeat(span, 4000),), ())
    n = a.shape[-1] // 2
    effort = span[0] * WEIGHTS.torque * np.eye(1)
    endless = solve_discrete_are(a[0], b[0], span[0] * np.diag(np.repeat([40.0, 3.0], n)), effort)
    expected = np.linalg.solve(effort + b[0].T @ endless @ b[0], b[0].T @ endless @ a[0])
    np.testing.assert_allclose(gains(course, WEIGHTS)[0][0], expected, rtol=1e-6)


def test_weights_that_overflow_are_refused() -> None:
    with pytest.raises(SimulationError, match="the gains overflow with these weights"):
        gains(random_course(3, (300,)), Weights(1e308, 1e308, 1e308, 1e308, 1e-300))


@pytest.fixture(scope="module")
def two_steps() -> tuple[Any, list[ReferenceStep]]:
    """Five links that fall forward over one foot until the other one comes down, and on over that one."""
    tree = Dynamics(characters()[2])
    model = model_of(tree.character, GRAVITY)
    feet = []
    for name in ("rShank", "lShank"):
        link = tree.character.link_index(name)
        circle = tree.character.links[link].contacts[0]
        feet.append(Stance(link, circle.x, circle.y, circle.radius, 0))
    # shank, then lKnee, lHip, rKnee, rHip: the left leg ahead and bent
    state = np.array([0.05, 0.35, -0.5, -0.1, 0.1, 1.2, 0.0, 0.6, 0.1, -1.2])
    times = np.arange(0.0, 0.6, 1e-3)
    torque = np.array([3.0, 8.0, -5.0, 6.0])
    flown, height = flow(model, feet[0], state, torque, times), None
    _, height = touch_downs(model, feet[0], feet[1], flown)
    end = int(np.argmax(height < 0.0))
    assert 50 < end < 600, "the other foot comes down"
    (landed,), _ = touch_downs(model, feet[0], feet[1], flown[end - 1 : end])
    n = 5
    after = flow(model, feet[1], landed, torque, times[:100])

    def step(foot: Stance, states: np.ndarray, begun: float) -> ReferenceStep:
        count = len(states)
        return ReferenceStep(foot, begun + times[:count], states[:, :n], states[:, n:], np.tile(torque, (count, 1)))

    return model, [step(feet[0], flown[:end], 0.0), step(feet[1], after, times[end - 1])]


def flow(model: Any, stance: Stance, state: np.ndarray, torque: np.ndarray, times: np.ndarray) -> np.ndarray:
    """States (S, 2 n) at times, by Runge and Kutta."""
    states = [state]
    for h in np.diff(times):
        states.append(advanced(model, stance, states[-1], torque, h))
    return np.array(states)


def advanced(model: Any, stance: Stance, state: np.ndarray, torque: np.ndarray, h: float) -> np.ndarray:
    def rate(state: np.ndarray) -> np.ndarray:
        return rates(model, stance, state[None], torque[None])[0]

    return runge_kutta(rate, state, h)


@pytest.mark.slow
def test_a_small_deviation_passes_a_touch_down_as_the_linear_dynamics_predict(two_steps) -> None:
    """The deviated motion touches down at another time; both are compared after both touch-downs. The reference is
    simulated again, because it touches down between two of its samples."""
    model, steps = two_steps
    torque = steps[0].torque[0]
    course = linear_dynamics(model, steps)
    deviation = 1e-5 * np.random.default_rng(1).normal(size=10)
    start = np.concatenate([steps[0].z[0], steps[0].w[0]])
    expected = deviation
    for k, (a, _) in enumerate(course.transitions):
        for one in a:
            expected = one @ expected
        expected = course.jumps[0] @ expected if k == 0 else expected
    total = steps[1].times[-1]
    found = (
        ended(model, steps, start + deviation, torque, total) - ended(model, steps, start - deviation, torque, total)
    ) / 2
    np.testing.assert_allclose(found, expected, atol=0.02 * np.abs(expected).max())
    assert np.abs(found).max() > 1e-5


def ended(model: Any, steps: list[ReferenceStep], state: np.ndarray, torque: np.ndarray, total: float) -> np.ndarray:
    """The state at a time after the touch-down, whose moment is found."""
    one, two = steps[0].stance, steps[1].stance

    def height(h: float, state: np.ndarray) -> float:
        return float(touch_downs(model, one, two, advanced(model, one, state, torque, h)[None])[1][0])

    time, h = 0.0, 1e-3
    while height(h, state) > 0.0:
        state, time = advanced(model, one, state, torque, h), time + h
    touched = brentq(height, 0.0, h, args=(state,), xtol=1e-13)
    state = touch_downs(model, one, two, advanced(model, one, state, torque, touched)[None])[0][0]
    rest = np.linspace(0.0, total - time - touched, 101)
    return flow(model, two, state, torque, rest)[-1]
