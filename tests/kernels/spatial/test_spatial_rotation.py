"""Rotations by quaternions obey the laws of rotations, and equal those of scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from ctrlgraph.kernels.spatial import spatial_rotation as rotation

numbers = st.floats(-10.0, 10.0)
vectors = st.tuples(numbers, numbers, numbers)
directions = vectors.map(np.array).filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: v / np.linalg.norm(v))
axes = directions.map(lambda v: tuple(v.tolist()))
angles = st.floats(-20.0, 20.0)
rotations = st.builds(rotation.about_axis, axes, angles)


def scipys(q: tuple[float, ...]) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


def close(expected) -> object:
    return pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)


@given(axes, angles)
def test_a_rotation_about_an_axis_equals_scipys(axis, angle) -> None:
    assert scipys(rotation.about_axis(axis, angle)).approx_equal(
        Rotation.from_rotvec(angle * np.array(axis)), atol=1e-12
    )


def test_a_quarter_turn_about_z_takes_forward_to_the_left() -> None:
    assert rotation.rotate(rotation.about_axis((0.0, 0.0, 1.0), math.pi / 2), (1.0, 0.0, 0.0)) == close([0.0, 1.0, 0.0])


@given(rotations, rotations, vectors)
def test_a_product_rotates_by_the_second_factor_first(p, q, v) -> None:
    assert rotation.rotate(rotation.product(p, q), v) == close(rotation.rotate(p, rotation.rotate(q, v)))


@given(rotations, vectors)
def test_the_inverse_rotation_takes_a_vector_back(q, v) -> None:
    assert rotation.rotate_back(q, rotation.rotate(q, v)) == close(v)


@given(rotations, vectors)
def test_the_matrix_of_a_rotation_rotates_vectors(q, v) -> None:
    matrix = np.full((3, 3), np.nan)
    rotation.matrix_of(q, matrix)
    assert matrix == close(scipys(q).as_matrix())
    assert rotation.rotate(q, v) == close(matrix @ v)


@given(rotations)
def test_the_rotation_vector_equals_scipys(q) -> None:
    vector = rotation.rotation_vector(q)
    assert np.linalg.norm(vector) <= math.pi + 1e-12
    assert scipys(rotation.from_rotation_vector(vector)).approx_equal(scipys(q), atol=1e-12)


@given(axes, st.sampled_from([0.0, 1e-100, 1e-20, 1e-9, 1e-8, 1.1e-8, 1e-4, 1.0, 3.1]))
def test_a_rotation_vector_survives_its_quaternion_at_any_angle(axis, angle) -> None:
    vector = angle * np.array(axis)
    found = rotation.rotation_vector(rotation.from_rotation_vector(tuple(vector.tolist())))
    assert np.linalg.norm(found - vector) <= 1e-12 * angle


@given(rotations, vectors, st.floats(0.0, 0.1))
def test_a_constant_angular_velocity_turns_a_body_about_an_axis_of_the_world(q, velocity, dt) -> None:
    turned = Rotation.from_rotvec(dt * np.array(velocity)) * scipys(q)
    assert scipys(rotation.integrated(q, velocity, dt)).approx_equal(turned, atol=1e-12)


def test_the_norm_of_an_orientation_does_not_drift() -> None:
    q = (1.0, 0.0, 0.0, 0.0)
    for _ in range(10_000):
        q = rotation.integrated(q, (3.0, -5.0, 2.0), 0.001)
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
