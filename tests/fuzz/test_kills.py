"""A killed walk, as `tests/fuzz/kills.py` makes many: nothing that was logged is lost. `make fuzz` runs the others."""

from __future__ import annotations

import pytest
from fuzz import kills


@pytest.mark.slow
def test_a_killed_walk_loses_nothing_that_was_logged():
    verdict = kills.attempt(2, 0)
    assert (verdict.broken, verdict.outcome) == (None, "walk: SIGKILL")
    assert verdict.sums["walk seen"] > 0
