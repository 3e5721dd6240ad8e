"""A small share of the mutated checkpoints; `python tests/fuzz/checkpoints.py` tries as many as one likes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import checkpoints


def test_a_mutated_checkpoint_is_gone_on_from_or_refused_in_one_sentence():
    counts, broken = checkpoints.run(150, 9)
    assert not broken, broken[0].law
    assert counts["gone on"] > 10 and counts["refused: damaged"] > 50


def test_the_cases_are_the_same_in_every_run():
    assert checkpoints.mutated(4, 17) == checkpoints.mutated(4, 17) != checkpoints.mutated(5, 17)


def test_unchanged_checkpoints_are_gone_on_from(tmp_path):
    for plan, text in checkpoints.corpus():
        assert checkpoints.tried(plan, text.encode(), tmp_path)[0].startswith("gone on")
