"""Tests of spatial characters that every engine must pass."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["ode", "mujoco"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)
