"""A body on one foot: its reduced dynamics against those of the whole tree, and against conservation of energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tree_dynamics import GRAVITY, Dynamics, characters, runge_kutta

from ctrlgraph.control.regulator.stance import Stance, model_of, rates, stand, touch_downs


def stance_on(tree: Dynamics, link: str, flat: bool = False) -> Stance:
    index = tree.character.link_index(link)
    assert index is not None
    circle = tree.character.links[index].contacts[0]
    return Stance(index, circle.x, circle.y, circle.radius, int(flat))


CASES = [("from-a-shank", "rShank", "lShank", False), ("from-a-shank", "lShank", "rShank", False)]
CASES += [("biped", "rFoot", "lFoot", False), ("biped", "lFoot", "rFoot", True)]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[1]}{' flat' if case[3] else ''}")
def standing(request) -> tuple[Dynamics, Any, Stance, Stance, np.ndarray]:
    """A tree with its model, the foot that stands and the other one, and a random state."""
    name, foot, other, flat = request.param
    tree = Dynamics(next(character for character in characters() if character.name == name))
    state = np.random.default_rng(3).normal(0.0, 1.0, 2 * (tree.n - 2)) * np.repeat([0.3, 2.0], tree.n - 2)
    if flat:
        state[tree.n - 2] = 0.0
    model = model_of(tree.character, GRAVITY)
    return tree, model, stance_on(tree, foot, flat), stance_on(tree, other, flat), state


def whole(tree: Dynamics, model: Any, stance: Stance, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place the tree in the state; return its velocities, the rows of the contact (2 or 3, N), and their bias."""
    n = tree.n - 2
    velocity = stand(model, stance, state[:n], state[n:]) @ state[n:]
    q = np.zeros(tree.n)
    q[2], q[3:] = model.kin.link[tree.character.root, 2], state[1:n]
    tree.at(q, velocity)
    pose, (cosine, sine) = tree.kin.link[stance.link], tree.kin.turn[stance.link]
    x, y = pose[0] + stance.x * cosine + stance.y * sine, pose[1] + stance.y * cosine - stance.x * sine
    # the centre of a circle that rolls on level ground goes forward as it turns, and never up
    rows = tree.point(stance.link, x, y) - np.outer([stance.radius, 0.0], tree.turn(stance.link))
    bias = tree.point_bias(stance.link, x, y)
    if stance.flat:
        rows, bias = np.vstack([rows, tree.turn(stance.link)]), np.append(bias, 0.0)
    return velocity, rows, bias


@pytest.mark.slow
def test_the_foot_that_stands_rolls_and_does_not_slip(standing) -> None:
    tree, model, stance, _, state = standing
    velocity, rows, _ = whole(tree, model, stance, state)
    np.testing.assert_allclose(rows @ velocity, 0.0, atol=1e-12)
    assert tree.turn(stance.link) @ velocity == pytest.approx(state[tree.n - 2], abs=1e-12)


@pytest.mark.slow
def test_it_moves_as_the_whole_tree_with_the_constraint_force_on_the_foot(standing) -> None:
    """The whole tree with Lagrange's multipliers: M a + h = torques + J^T f, J a = -J' v."""
    tree, model, stance, _, state = standing
    torque = np.random.default_rng(4).normal(0.0, 30.0, tree.n - 3)
    _, rows, bias = whole(tree, model, stance, state)
    k = len(rows)
    matrix = np.block([[tree.mass(), -rows.T], [rows, np.zeros((k, k))]])
    right = np.concatenate([-tree.bias(), -bias])
    right[3 : tree.n] += torque
    expected = np.linalg.solve(matrix, right)[: tree.n]
    found = rates(model, stance, state[None], torque[None])[0]
    np.testing.assert_allclose(found[: tree.n - 2], state[tree.n - 2 :])
    np.testing.assert_allclose(found[tree.n - 1 :], expected[3:], rtol=1e-9, atol=1e-8)
    assert found[tree.n - 2] == pytest.approx(tree.turn(stance.link) @ expected, rel=1e-9, abs=1e-8)


@pytest.mark.slow
def test_without_torques_energy_is_conserved(standing) -> None:
    tree, model, stance, _, state = standing
    still = np.zeros((1, tree.n - 3))

    def energy(state: np.ndarray) -> float:
        whole(tree, model, stance, state)
        pose, (cosine, sine) = tree.kin.link[stance.link], tree.kin.turn[stance.link]
        ground = pose[1] + stance.y * cosine - stance.x * sine
        return tree.energy() - GRAVITY * tree.body.total_mass * ground

    def rate(state: np.ndarray) -> np.ndarray:
        return rates(model, stance, state[None], still)[0]

    begun, later = energy(state), state
    for _ in range(100):
        later = runge_kutta(rate, later, 5e-4)
    assert np.abs(later - state).max() > 0.05, "it has moved"
    assert energy(later) == pytest.approx(begun, rel=1e-9)


@pytest.mark.slow
def test_a_touch_down_stops_the_other_foot_dissipates_energy_and_keeps_the_pose(standing) -> None:
    tree, model, stance, other, state = standing
    velocity, _, _ = whole(tree, model, stance, state)
    mass = tree.mass()
    (landed,), _ = touch_downs(model, stance, other, state[None])
    n = tree.n - 2
    np.testing.assert_array_equal(landed[1:n], state[1:n])
    after, rows, _ = whole(tree, model, other, landed)
    np.testing.assert_allclose(rows @ after, 0.0, atol=1e-9)
    assert 0.0 < after @ mass @ after < velocity @ mass @ velocity


@pytest.mark.slow
def test_heights_are_those_of_the_swinging_foot_above_the_standing_one(standing) -> None:
    """On the other foot the sign changes."""
    _, model, stance, other, state = standing
    landed, height = touch_downs(model, stance, other, state[None])
    _, back = touch_downs(model, other, stance, landed)
    assert height[0] == pytest.approx(-back[0], abs=1e-12)
