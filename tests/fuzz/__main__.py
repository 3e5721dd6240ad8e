"""Run the fuzzers: `python tests/fuzz [KIND]... [--count N] [--seed S] [--first N] [--jobs N] [--keep DIR]`."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:1] = [str(TESTS.parent), str(TESTS)]  # as pytest does

from fuzz.harness import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
