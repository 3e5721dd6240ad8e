"""A small share of the mutated checkpoints; `python tests/fuzz/checkpoints.py` tries as many as one likes."""

from __future__ import annotations

from fuzz import checkpoints, harness


def test_a_mutated_checkpoint_is_gone_on_from_or_refused_in_one_sentence():
    figures = harness.run(checkpoints.attempt, range(50), seed=9)
    assert [(number, verdict.broken) for number, verdict in figures.failures] == []
    assert figures.outcomes["gone on"] > 2 and figures.outcomes["refused: damaged"] > 15


def test_the_cases_are_the_same_in_every_run():
    assert checkpoints.mutated(4, 17) == checkpoints.mutated(4, 17) != checkpoints.mutated(5, 17)


def test_unchanged_checkpoints_are_gone_on_from(tmp_path):
    for plan, text in checkpoints.corpus():
        assert checkpoints.tried(plan, text.encode(), tmp_path)[0].startswith("gone on")
