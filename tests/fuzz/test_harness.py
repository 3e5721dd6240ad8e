"""The harness of all fuzzers: broken laws are reported and kept; attempts that abort, hang or never end are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import harness

STAND_IN = """\
import os, sys, time
sys.path.insert(0, sys.argv.pop(1))
from fuzz.harness import Limits, Verdict, main

def attempt(seed, number):
    if number == 1:
        os.abort()
    if number == 3:
        time.sleep(600)
    if number == 4:
        while True: pass
    if number == 5:
        raise ValueError("out of range")
    broken = {6: "six is not seven", 7: "seven is not six"}.get(number)
    return Verdict("fine", broken, {"a/b.t": b"b"} if number == 7 else b"text", {"numbers": number})

sys.exit(main("x", attempt, limits=Limits(computing_s=0.5, waiting_s=20.0)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_whatever_an_attempt_does_the_others_are_made(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "x.py").write_text(STAND_IN)
    tests = str(Path(__file__).parents[1])
    command = [sys.executable, str(tmp_path / "x.py"), tests, "--count", "9", "--seed", "4", "--jobs", jobs]
    done = subprocess.run([*command, "--keep", str(tmp_path / "kept")], capture_output=True, text=True)
    assert done.returncode == 1
    shown = done.stdout.splitlines()
    assert shown[0].startswith("x: 9 cases of seed 4 in ") and shown[0].endswith(" s, 6 broke a law")
    assert shown[1:6] == [
        "        1  abort",
        "        1  crash",
        "        5  fine",
        "        1  hang",
        "        1  too long",
    ]
    assert shown[6] == "  sums: 23 numbers"
    said = sorted(line for line in done.stderr.splitlines() if line.startswith("x: case"))
    assert said == [
        "x: case 1 of seed 4: its process ended with -6",
        "x: case 3 of seed 4: no end after 20 s",
        "x: case 4 of seed 4: more than 0.5 s of computing",
        "x: case 5 of seed 4: Traceback (most recent call last):",
        "x: case 6 of seed 4: six is not seven",
        "x: case 7 of seed 4: seven is not six",
    ]
    assert (tmp_path / "kept" / "x-4-6").read_bytes() == b"text"
    assert (tmp_path / "kept" / "x-4-6.why").read_text() == "six is not seven\n"
    assert (tmp_path / "kept" / "x-4-7" / "a" / "b.t").read_bytes() == b"b"
    assert "ValueError: out of range" in (tmp_path / "kept" / "x-4-5.why").read_text()


def test_a_case_is_the_same_whatever_comes_before_it() -> None:
    def attempt(seed: int, number: int) -> harness.Verdict:
        return harness.Verdict(f"{seed} {number}", sums={"numbers": number})

    whole, part = (harness.run(attempt, range(first, 5), seed=9) for first in (0, 3))
    assert part.outcomes == {"9 3": 1, "9 4": 1} and part.outcomes.items() <= whole.outcomes.items()
    assert (whole.sums["numbers"], part.sums["numbers"]) == (10, 7)
