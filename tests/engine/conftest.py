"""What every engine has to pass: each test here runs on each of ours. Tests of one engine alone stand in its folder."""

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
