"""A small share of the script fuzzer: the laws hold, and the cases are those of their seed."""

from __future__ import annotations

import random

import pytest
from fuzz import harness, scripts


@pytest.mark.slow
def test_the_laws_hold_for_mutated_scripts() -> None:
    figures = harness.run(scripts.attempt, range(120), seed=0)
    assert [(number, verdict.broken) for number, verdict in figures.failures] == []
    assert {"compiles", "syntax errors", "other errors"} <= figures.outcomes.keys()


def test_a_case_depends_on_nothing_but_the_seed_and_its_number() -> None:
    cases = [scripts.attempt(7, 3) for _ in range(2)]
    assert cases[0] == cases[1]
    assert cases[0] != scripts.attempt(8, 3)


@pytest.mark.parametrize(
    "text",
    [
        "BEGINSCRIPT \nPHASE \nLIPOSE (7).e(),(7-1PHASE ",
        f"BEGINSCRIPT x(void) PHASE {'9' * 20} ENDPHASE ENDSCRIPT",
    ],
)
def test_what_once_broke_a_law_holds(text: str) -> None:
    assert scripts.examine(
        text.encode(), random.Random(0)
    )  # it raises where a law is broken, and names what came of it
