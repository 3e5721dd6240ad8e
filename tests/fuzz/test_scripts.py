"""A small share of the script fuzzer: the laws hold, the cases are those of their seed, and a broken law is told."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fuzz import harness, scripts


def test_the_laws_hold_for_mutated_scripts() -> None:
    figures = harness.run(scripts.attempt, range(120), seed=0)
    assert [(number, verdict.broken) for number, verdict in figures.failures] == []
    assert {"compiles", "syntax errors", "other errors"} <= figures.outcomes.keys()


def test_a_case_depends_on_nothing_but_the_seed_and_its_number() -> None:
    cases = [scripts.attempt(random.Random("7:3"), 3) for _ in range(2)]
    assert cases[0] == cases[1]
    assert cases[0] != scripts.attempt(random.Random("8:3"), 3)


def test_a_broken_law_is_kept_and_fails_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def attempt(generator: random.Random, number: int) -> harness.Verdict:
        if number == 2:
            raise ValueError("out of range")
        return harness.Verdict("fine", "two is not three" if number == 3 else None, b"text")

    assert harness.main("x", attempt, ["--count", "5", "--seed", "9", "--keep", str(tmp_path)]) == 1
    assert "x: 5 cases of seed 9 in 0 s, 2 broke a law" in capsys.readouterr().out
    assert (tmp_path / "x-9-3").read_bytes() == b"text"
    assert (tmp_path / "x-9-3.why").read_text() == "two is not three\n"
    assert "ValueError: out of range" in (tmp_path / "x-9-2.why").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "BEGINSCRIPT \nPHASE \nLIPOSE (7).e(),(7-1PHASE ",
        f"BEGINSCRIPT x(void) PHASE {'9' * 20} ENDPHASE ENDSCRIPT",
    ],
)
def test_what_once_broke_a_law_holds(text: str) -> None:
    scripts.examine(text.encode(), random.Random(0))
