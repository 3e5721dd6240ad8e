"""A small share of the extreme simulations, and that the fuzzer would see what it looks for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from fuzz import simulations
from fuzz.extremes import KINDS, case
from fuzz.simulations import Broken, check

HERE = Path(__file__).parent


@pytest.mark.slow
def test_extreme_simulations_keep_the_laws() -> None:
    asked = [sys.executable, str(HERE / "simulations.py"), "--count", "12", "--seed", "11"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("simulations: 12 cases of seed 11 in ")
    assert done.stdout.splitlines()[0].endswith(" s, 0 broke a law")


def test_a_case_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    assert [case(1, n) for n in range(3)] == [case(1, n) for n in range(3)]
    assert all(case(1, n) != case(2, n) for n in range(3))
    assert {case(1, n).kind for n in range(len(KINDS))} == set(KINDS)


def test_numbers_that_are_not_finite_break_a_law_unless_the_state_diverged() -> None:
    check(outcome())
    check(outcome(status="diverged", measures={"torso": float("nan")}))
    with pytest.raises(Broken, match=r"^torso is nan where the status is failed$"):
        check(outcome(status="failed", measures={"torso": float("nan")}))
    with pytest.raises(Broken, match=r"^energy is inf where the status is diverged$"):
        check(outcome(status="diverged", energy_j=float("inf")))
    with pytest.raises(Broken, match=r"^status odd$"):
        check(outcome(status="odd"))


def test_an_exception_that_is_none_of_ours_breaks_a_law_and_the_case_is_kept(monkeypatch) -> None:
    def fails(_: object) -> str:
        raise ValueError("no")

    monkeypatch.setattr(simulations, "simulate", fails)
    verdict = simulations.attempt(5, 1)
    assert verdict.outcome == "character: broken"
    assert verdict.broken.startswith("ValueError: no (test_simulations.py:")
    assert verdict.material["main.t"].decode() == case(5, 1).scripts["main.t"]
    assert verdict.material["character.yaml"].decode() == case(5, 1).character


def outcome(**changes: object) -> SimpleNamespace:
    plain = {"status": "timeout", "energy_j": 1.0, "effort": 1.0, "saturation": 0.0, "simulated_s": 1.0, "measures": {}}
    fields = plain | changes
    return SimpleNamespace(**(fields | {"status": SimpleNamespace(value=fields["status"])}))
