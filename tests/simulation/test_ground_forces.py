"""Forces of the ground on a link are equivalent to one force at the centre of pressure, and a moment about it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.simulation.ground_forces import ground_forces

N_LINKS = 3


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 8), st.sampled_from([2, 3]))
def test_force_and_moment_about_any_point_are_those_of_the_contacts(seed: int, n: int, dimensions: int) -> None:
    rng = np.random.default_rng(seed)
    link, point = rng.integers(0, N_LINKS, n), rng.normal(size=(n, dimensions))
    force = rng.normal(size=(n, dimensions))
    force[:, -1] = np.abs(force[:, -1]) + 0.1
    found = ground_forces(link, point, force, N_LINKS)
    for i in range(N_LINKS):
        own = link == i
        assert np.allclose(found.force[i], force[own].sum(axis=0))
        if not own.any():
            assert np.isnan(found.pressure[i]).all()
            assert not found.moment[i].any()
            continue
        about_origin = sum(turning(p, f) for p, f in zip(point[own], force[own], strict=True))
        assert np.allclose(turning(found.pressure[i], found.force[i]) + found.moment[i], about_origin)
        assert (found.pressure[i] >= point[own].min(axis=0) - 1e-9).all()
        assert (found.pressure[i] <= point[own].max(axis=0) + 1e-9).all()
    if n:
        assert np.allclose(found.whole_pressure, force[:, -1] @ point / force[:, -1].sum())


def turning(point: np.ndarray, force: np.ndarray) -> np.ndarray:
    """The moment about the origin: about x, y and z, or clockwise."""
    if len(point) == 3:
        return np.cross(point, force)
    return np.array([point[1] * force[0] - point[0] * force[1]])


def test_without_upward_force_there_is_no_centre_of_pressure() -> None:
    found = ground_forces(np.array([0]), np.array([[1.0, 2.0]]), np.array([[5.0, 0.0]]), 1)
    assert np.isnan(found.pressure).all()
    assert np.isnan(found.whole_pressure).all()
    assert found.force.tolist() == [[5.0, 0.0]]
