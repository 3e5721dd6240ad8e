"""The ground under a point; contacts are tested with the engine (`tests/engine/test_contacts.py`)."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ctrlgraph.kernels.planar.collision import height_at

heights = arrays.arrays(np.float64, 12, elements=st.floats(-2.0, 2.0))
# some distances are 0: walls
distances = arrays.arrays(np.float64, 12, elements=st.sampled_from([0.0, 0.1, 0.35, 2.0]))


@given(distances, heights, st.one_of(st.floats(-3.0, 27.0), st.integers(0, 11)))
def test_the_ground_is_as_high_as_linear_interpolation_says_bit_for_bit(steps, ys, where) -> None:
    xs = np.cumsum(steps)
    x = float(xs[where]) if isinstance(where, int) else where
    assert height_at(xs, ys, x) == np.interp(x, xs, ys)


def test_on_a_wall_the_last_point_counts_and_beyond_the_ends_the_ground_is_level() -> None:
    xs, ys = np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.5, 0.5, 0.8, 1.0])
    assert [height_at(xs, ys, x) for x in (-1.0, 0.5, 1.0, 1.5, 3.0)] == [0.5, 0.5, 0.8, 0.9, 1.0]
