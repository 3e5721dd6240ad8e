"""A character in any pose, as the kernels see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ctrlgraph.control.arrays import Body, Kinematics, body_arrays, new_kinematics
from ctrlgraph.control.kinematics import pose_links, update_joints

Posed = Callable[..., Kinematics]


@pytest.fixture(scope="session")
def body(humanoid: Any) -> Body:
    return body_arrays(humanoid)


@pytest.fixture(scope="session")
def posed(humanoid: Any, body: Body) -> Posed:
    """Kinematics of joint angles and rates (J,) and the root's pose and velocity (x, y, angle)."""

    def kinematics(angles: Any, root: Any = (0.0, 1.0, 0.0), rates: Any = None, root_rate: Any = (0, 0, 0)) -> Any:
        angles, rates = np.asarray(angles, float), np.zeros(len(angles)) if rates is None else np.asarray(rates, float)
        kin = new_kinematics(len(humanoid.links), len(humanoid.joints))
        root, root_rate = np.asarray(root, float), np.asarray(root_rate, float)
        kin.link[:, :3] = pose_links(body, angles, humanoid.root, *root)
        h = 1e-6
        ahead = pose_links(body, angles + h * rates, humanoid.root, *(root + h * root_rate))
        behind = pose_links(body, angles - h * rates, humanoid.root, *(root - h * root_rate))
        kin.link[:, 3:] = (ahead - behind) / (2 * h)
        kin.turn[:, 0], kin.turn[:, 1] = np.cos(kin.link[:, 2]), np.sin(kin.link[:, 2])
        update_joints(body, kin)
        return kin

    return kinematics


@pytest.fixture(scope="session")
def within_limits(humanoid: Any) -> Any:
    """A hypothesis strategy: joint angles (J,) inside their limits."""
    from hypothesis import strategies as st

    return st.tuples(*(st.floats(j.lower, j.upper) for j in humanoid.joints)).map(np.array)
