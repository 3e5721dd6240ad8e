"""Tests that every engine must pass; tests of one engine are in its folder."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest


@pytest.fixture(params=["ode", "mujoco"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def simulate(simulate: Any, engine: str) -> Any:
    """Makes simulations on the engine."""
    return partial(simulate, engine=engine)
