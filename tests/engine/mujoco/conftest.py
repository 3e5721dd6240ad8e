"""Tests that look into MuJoCo itself."""

from __future__ import annotations

import pytest


@pytest.fixture
def engine() -> str:
    return "mujoco"
