"""A small share of the extreme simulations, and that the fuzzer would see what it looks for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import simulations  # noqa: E402
from extremes import KINDS, case  # noqa: E402
from simulations import Broken, Result, check, figures, keep, run_batch  # noqa: E402


def test_extreme_simulations_keep_the_laws() -> None:
    asked = [sys.executable, str(HERE / "simulations.py"), "--count", "12", "--seed", "11"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("all laws hold")


def test_a_case_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    assert [case(1, n) for n in range(12)] == [case(1, n) for n in range(12)]
    assert all(case(1, n) != case(2, n) for n in range(12))
    assert {case(1, n).kind for n in range(len(KINDS))} == set(KINDS)


def test_a_process_that_aborts_or_hangs_is_named_and_the_rest_is_done(tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(STAND_IN)
    found = run_batch(7, 0, 5, (sys.executable, str(worker)), case_s=3.0)
    assert [result.number for result in found] == [0, 1, 2, 3, 4]
    assert [result.status for result in found] == ["completed", "broken", "completed", "broken", "completed"]
    assert found[1].why == "its process ended with -6"
    assert found[3].why == "no end after 3 s"


def test_numbers_that_are_not_finite_break_a_law_unless_the_state_diverged() -> None:
    check(outcome())
    check(outcome(status="diverged", measures={"torso": float("nan")}))
    with pytest.raises(Broken, match=r"^torso is nan where the status is failed$"):
        check(outcome(status="failed", measures={"torso": float("nan")}))
    with pytest.raises(Broken, match=r"^energy is inf where the status is diverged$"):
        check(outcome(status="diverged", energy_j=float("inf")))
    with pytest.raises(Broken, match=r"^status odd$"):
        check(outcome(status="odd"))


def test_an_exception_that_is_none_of_ours_breaks_a_law(monkeypatch) -> None:
    def fails(_: object) -> str:
        raise ValueError("no")

    monkeypatch.setattr(simulations, "simulate", fails)
    result = simulations.judged(1, 4)
    assert (result.number, result.status) == (4, "broken")
    assert result.why.startswith("ValueError: no (test_simulations.py:")


def test_figures_count_each_kind_and_a_broken_case_is_kept(tmp_path: Path) -> None:
    shown = figures([Result(0, "completed"), Result(6, "broken", "x"), Result(1, "refused")])
    assert shown.splitlines()[1].split() == ["script", "2", "1", "0", "0", "0", "0", "1"]
    assert shown.splitlines()[2].split() == ["character", "1", "0", "0", "0", "0", "1", "0"]
    keep(tmp_path, 5, Result(1, "broken", "x"))
    assert (tmp_path / "5-1" / "main.t").read_text() == case(5, 1).scripts["main.t"]
    assert json.loads((tmp_path / "5-1" / "case.json").read_text())["why"] == "x"


def outcome(**changes: object) -> SimpleNamespace:
    plain = {"status": "timeout", "energy_j": 1.0, "effort": 1.0, "saturation": 0.0, "simulated_s": 1.0, "measures": {}}
    fields = plain | changes
    return SimpleNamespace(**(fields | {"status": SimpleNamespace(value=fields["status"])}))


STAND_IN = """\
import json, os, sys, time
_, first, last = map(int, sys.argv[1:])
print("ready", flush=True)
for number in range(first, last):
    print(json.dumps({"begin": number}), flush=True)
    if number == 1:
        os.abort()
    if number == 3:
        time.sleep(60)
    print(json.dumps({"number": number, "status": "completed", "why": ""}), flush=True)
"""
