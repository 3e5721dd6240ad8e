"""A killed walk, as `tests/fuzz/kills.py` makes many: nothing that was logged is lost. `make fuzz` runs the others."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import kills


def test_a_killed_walk_loses_nothing_that_was_logged():
    figures, broken = kills.run(1, seed=2)
    assert broken == []
    assert figures["walk"]["kills"] == figures["walk"]["SIGKILL"] == 1
    assert figures["walk"]["seen"] > 0
