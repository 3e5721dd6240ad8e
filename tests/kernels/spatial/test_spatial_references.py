"""Kinematics and dynamics of spatial trees equal those of MuJoCo and of Pinocchio to nine digits."""

from __future__ import annotations

import os

import numpy as np
import pytest
from spatial_references import Mujoco, Pinocchio
from spatial_trees import SpatialTree, random_state, random_tree

STATES = 1 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 10


@pytest.fixture(scope="module", params=[1, 2, 3, 5, 8, 13, 21, 31, 40])
def count(request) -> int:
    return request.param


@pytest.fixture(scope="module", params=[True, False], ids=["floating", "fixed"])
def tree(request, count) -> SpatialTree:
    return SpatialTree(random_tree(np.random.default_rng(count), count, floating=request.param))


@pytest.fixture(scope="module", params=[Mujoco, Pinocchio], ids=["mujoco", "pinocchio"])
def pairs(request, tree) -> list[tuple]:
    """Return our answers and those of a reference, at several states."""
    reference, rng = request.param(tree.character), np.random.default_rng(7)
    found = []
    for _ in range(STATES):
        state = random_state(rng, tree.character)
        acceleration, link = rng.normal(0.0, 10.0, tree.n), int(rng.integers(len(tree.character.links)))
        ours = tree.at(state)
        point = ours.poses[link, :3] + rng.normal(0.0, 0.3, 3)
        found.append([answers(each, acceleration, link, point) for each in (ours, reference.at(state))])
    return found


def answers(each, acceleration: np.ndarray, link: int, point: np.ndarray) -> dict[str, np.ndarray]:
    names = "poses twists axes places com angular_momentum energy mass bias com_jacobian"
    found = {name: getattr(each, name) for name in names.split()}
    found["poses"][:, 3:] *= np.sign(found["poses"][:, 3:4])  # a quaternion and its opposite are the same rotation
    found["forces"] = each.forces(acceleration)
    found["linear"], found["angular"] = each.jacobians(link, point)
    return found


def assert_equal_to_nine_digits(pairs: list[tuple], *names: str) -> None:
    for ours, theirs in pairs:
        for name in names:
            assert ours[name].shape == theirs[name].shape
            np.testing.assert_allclose(
                ours[name], theirs[name], rtol=0, atol=1e-9 * np.abs(theirs[name]).max(initial=1e-3), err_msg=name
            )


def test_positions_and_velocities_of_links_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "poses", "twists")


def test_axes_and_places_of_joints_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "axes", "places")


def test_the_centre_of_mass_its_velocity_and_its_jacobian_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "com", "com_jacobian")


def test_jacobians_of_points_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "linear", "angular")


def test_angular_momentum_and_energy_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "angular_momentum", "energy")


def test_mass_matrices_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "mass")


def test_bias_forces_and_inverse_dynamics_are_equal(pairs) -> None:
    assert_equal_to_nine_digits(pairs, "bias", "forces")
