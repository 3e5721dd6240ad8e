"""Euler angles describe the rotation, and change no more than it does."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from ctrlgraph.export.euler_angles import zxy_angles


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_angles_describe_the_rotation(seed: int) -> None:
    turned = Rotation.random(20, rng=np.random.default_rng(seed))
    again = Rotation.from_euler("ZXY", zxy_angles(turned.as_matrix()))
    assert (again * turned.inv()).magnitude().max() < 1e-9


def matrices(angles: np.ndarray) -> np.ndarray:
    """Rotations about z, then x, then y, by angles (n, 3)."""
    about_z, about_x, about_y = (
        Rotation.from_rotvec(np.outer(angles[:, k], np.eye(3)[axis])) for k, axis in ((0, 2), (1, 0), (2, 1))
    )
    return (about_z * about_x * about_y).as_matrix()


def test_whole_turns_about_one_axis_are_one_rising_angle() -> None:
    for k in range(3):
        angles = np.zeros((721, 3))
        angles[:, k] = np.linspace(0.0, 4.0 * np.pi, 721)  # through the right angles, where two axes are parallel
        assert np.allclose(zxy_angles(matrices(angles)), angles, atol=1e-9)


def test_at_a_right_angle_the_rotation_is_still_described() -> None:
    turned = matrices(np.array([[0.3, np.pi / 2, 0.0], [0.5, np.pi / 2, 0.2], [0.1, -np.pi / 2, 0.4]]))
    assert np.allclose(matrices(zxy_angles(turned)), turned, atol=1e-6)
