"""Dynamics of spatial trees agree with the laws of mechanics."""

from __future__ import annotations

import os

import numpy as np
import pytest
from spatial_trees import GRAVITY, SpatialState, SpatialTree, random_state, random_tree

from ctrlgraph.kernels.spatial.spatial_rotation import integrated

H = 1e-5
STATES = 2 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 10


@pytest.fixture(params=[1, 2, 4, 9, 20])
def count(request) -> int:
    return request.param


@pytest.fixture(params=[True, False], ids=["floating", "fixed"])
def tree(request, count) -> SpatialTree:
    return SpatialTree(random_tree(np.random.default_rng(count), count, floating=request.param))


@pytest.fixture
def floating(count) -> SpatialTree:
    return SpatialTree(random_tree(np.random.default_rng(count), count))


def states(tree: SpatialTree) -> list[SpatialState]:
    rng = np.random.default_rng(11)
    return [random_state(rng, tree.character) for _ in range(STATES)]


def moved(state: SpatialState, acceleration: np.ndarray, time: float) -> SpatialState:
    """Return the state after a short time, with an error of the order of its square that changes sign with it."""
    velocity = state.velocity + time * acceleration
    root, start = state.root.copy(), len(velocity) - len(state.angles)
    if start:
        root[:3] += time * state.velocity[:3]
        root[3:] = integrated(tuple(root[3:].tolist()), tuple(state.velocity[3:6].tolist()), time)
    return SpatialState(root, state.angles + time * state.velocity[start:], velocity)


def rate_of(tree: SpatialTree, state: SpatialState, acceleration: np.ndarray, quantity: str) -> np.ndarray:
    """Return the rate of change of a quantity, by central differences."""
    after, before = (getattr(tree.at(moved(state, acceleration, time)), quantity) for time in (H, -H))
    return (after - before) / (2 * H)


def assert_close(found: np.ndarray, expected: np.ndarray, digits: int = 9, scale: float = 0.0) -> None:
    size = max(scale, np.abs(expected).max(initial=1e-3))
    np.testing.assert_allclose(found, expected, rtol=0, atol=10.0**-digits * size)


def test_the_mass_matrix_is_symmetric_and_positive_definite(tree) -> None:
    for state in states(tree):
        mass = tree.at(state).mass
        np.testing.assert_array_equal(mass, mass.T)
        assert (np.linalg.eigvalsh(mass) > 0.0).all()


def test_the_mass_matrix_measures_the_kinetic_energy(tree) -> None:
    for state in states(tree):
        assert tree.at(state).energy[1] == pytest.approx(0.5 * state.velocity @ tree.mass @ state.velocity, rel=1e-11)


def test_inverse_dynamics_is_mass_times_acceleration_and_bias(tree) -> None:
    rng = np.random.default_rng(3)
    for state in states(tree):
        acceleration = rng.normal(0.0, 20.0, tree.n)
        assert_close(tree.at(state).forces(acceleration), tree.mass @ acceleration + tree.bias)


def test_velocities_of_links_are_the_rates_of_their_positions(tree) -> None:
    for state in states(tree):
        rates = rate_of(tree, state, np.zeros(tree.n), "poses")
        assert_close(rates[:, :3], tree.at(state).twists[:, :3], digits=6, scale=1.0)


def test_jacobians_of_points_give_their_velocities(tree) -> None:
    rng = np.random.default_rng(4)
    for state in states(tree):
        twists, poses = tree.at(state).twists, tree.poses
        for link, twist in enumerate(twists):
            away = rng.normal(0.0, 0.3, 3)
            linear, angular = tree.jacobians(link, poses[link, :3] + away)
            assert_close(linear @ state.velocity, twist[:3] + np.cross(twist[3:], away), scale=1.0)
            assert_close(angular @ state.velocity, twist[3:], scale=1.0)


def test_the_jacobian_of_the_centre_of_mass_gives_the_momentum(tree) -> None:
    for state in states(tree):
        found = tree.at(state).character.mass * tree.com_jacobian @ state.velocity
        assert_close(found, tree.momentum[:3])
        assert_close(found, tree.character.mass * tree.com[3:])


def test_at_rest_the_bias_forces_carry_the_weight(tree) -> None:
    """They are the weight times the derivative of the height of the centre of mass."""
    for state in states(tree):
        state.velocity[:] = 0.0
        weight = tree.character.mass * GRAVITY
        assert_close(tree.at(state).bias, weight * tree.com_jacobian[2], scale=weight)


def test_the_world_carries_the_weight_of_a_tree_at_rest(tree) -> None:
    for state in states(tree):
        state.velocity[:] = 0.0
        assert_close(tree.at(state).forces(np.zeros(tree.n)), tree.bias)
        assert_close(tree.space.wrench[tree.body.root, :3], np.array([0.0, 0.0, tree.character.mass * GRAVITY]))


def test_in_flight_gravity_alone_changes_the_momentum(floating) -> None:
    """Whatever the torques of the joints are."""
    rng = np.random.default_rng(5)
    for state in states(floating):
        forces = np.concatenate([np.zeros(6), rng.normal(0.0, 50.0, floating.n - 6)])
        acceleration = np.linalg.solve(floating.at(state).mass, forces - floating.bias)
        rates = rate_of(floating, state, acceleration, "momentum")
        weight = floating.character.mass * GRAVITY
        assert_close(rates, np.array([0.0, 0.0, -weight, 0.0, 0.0, 0.0]), digits=6, scale=np.abs(forces).max())


def test_forces_change_the_energy_by_their_power(tree) -> None:
    rng = np.random.default_rng(6)
    for state in states(tree):
        forces = rng.normal(0.0, 50.0, tree.n)
        acceleration = np.linalg.solve(tree.at(state).mass, forces - tree.bias)
        rate = rate_of(tree, state, acceleration, "energy").sum()
        scale = np.abs(forces * state.velocity).sum()
        assert rate == pytest.approx(forces @ state.velocity, abs=1e-5 * scale)
