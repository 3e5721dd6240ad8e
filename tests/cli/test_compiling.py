"""That kernels are being compiled is said on stderr, where it takes a while; a library user gets told, too."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import pytest
from waiting import until

from ctrlgraph import compilation
from ctrlgraph.cli import console
from ctrlgraph.cli.main import main
from ctrlgraph.kernels import jit
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[2]


class HandTimer:
    """A timer that fires when the test says so."""

    def __init__(self, seconds: float, fire: Callable[[], None]) -> None:
        self.seconds, self.fire = seconds, fire

    def start(self) -> None:
        """It waits."""

    def cancel(self) -> None:
        """It is too late: the timer has fired, and waits for the lock."""


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[HandTimer]:
    made: list[HandTimer] = []
    monkeypatch.setattr(
        console.threading, "Timer", lambda seconds, fire: made.append(HandTimer(seconds, fire)) or made[-1]
    )
    return made


def test_one_line_is_said_where_a_compilation_takes_more_than_a_moment(
    timers: list[HandTimer], capsys: pytest.CaptureFixture[str]
) -> None:
    with console.compiling():
        for _ in range(2):
            compilation.began()
            timers[-1].fire()
            compilation.ended()
    assert timers[0].seconds == console.COMPILING_AFTER_S
    assert capsys.readouterr() == ("", console.COMPILING + "\n")


def test_nothing_is_said_of_a_short_one(timers: list[HandTimer], capsys: pytest.CaptureFixture[str]) -> None:
    with console.compiling():
        compilation.began()
        compilation.ended()
        timers[-1].fire()
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_kernel_that_is_compiled_is_told_of_once_and_one_that_is_kept_is_not() -> None:
    told: list[bool] = []

    @numba.njit
    def inner(x: float) -> float:
        return x + 1.0

    @numba.njit
    def outer(x: float) -> float:
        return inner(x) * 2.0

    with compilation.watched(told.append):
        outer(1.0)
        assert told == [True, False]
        outer(2.0)
    assert told == [True, False]


def test_the_time_that_compilations_take_is_summed_the_inner_ones_not_twice() -> None:
    before = compilation.compilation_s()
    time.sleep(0.05)
    assert compilation.compilation_s() == before
    began = time.perf_counter()
    for change in (compilation.began, compilation.began, compilation.ended, compilation.ended):
        time.sleep(0.05)
        change()
    spent, most = compilation.compilation_s() - before, time.perf_counter() - began
    assert 0.15 <= spent < most - 0.05 + 1e-9
    assert compilation.compilation_s() - before == spent


def test_the_speed_of_a_run_leaves_its_compilation_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    simulate = Simulation.run_rollout

    def slow(*given: Any, **more: Any) -> Any:
        return replace(simulate(*given, **more), wall_s=2.0, compilation_s=1.5, simulated_s=1.0)

    monkeypatch.setattr(Simulation, "run_rollout", slow)
    assert main(["--project", str(ROOT), "run", "stand"]) == 0
    assert "1.00 s simulated in 0.50 s (2.0x real time) after 1.5 s of compiling, " in capsys.readouterr().out


def compile_until(path: Path) -> None:
    compilation.began()
    until(path.exists)
    compilation.ended()


def test_workers_tell_their_parent(tmp_path: Path) -> None:
    told: list[bool] = []
    with compilation.watched(told.append), IsolatedProcesses(1) as pool:
        compiled = pool.submit(compile_until, tmp_path / "seen")
        until(lambda: told)
        (tmp_path / "seen").touch()
        compiled.result()
        until(lambda: len(told) == 2)
    assert told == [True, False]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_without_a_folder_for_compiled_code_kernels_are_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    real = numba.njit

    def njit(*given: object, **options: object) -> object:
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'f': no locator available for file 'f.py'")
        return real(*given, **options)

    monkeypatch.setattr(jit.numba, "njit", njit)

    def double(x: float) -> float:
        return 2.0 * x

    assert jit.kernel(double)(1.5) == 3.0
