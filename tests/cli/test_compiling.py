"""That kernels are being compiled is said on stderr, where it takes a while; a library user gets told, too."""

from __future__ import annotations

import time

import numba
import pytest

from ctrlgraph import compilation
from ctrlgraph.cli import console
from ctrlgraph.kernels import jit
from ctrlgraph.parallel import IsolatedProcesses


def test_one_line_is_said_where_a_compilation_takes_more_than_a_moment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "COMPILING_AFTER_S", 0.01)
    with console.compiling():
        for _ in range(2):
            compilation.began()
            time.sleep(0.1)
            compilation.ended()
    assert capsys.readouterr() == ("", console.COMPILING + "\n")


def test_nothing_is_said_of_a_short_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(console, "COMPILING_AFTER_S", 0.2)
    with console.compiling():
        compilation.began()
        compilation.ended()
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_a_bar_that_is_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "COMPILING_AFTER_S", 0.0)
    monkeypatch.setattr(type(console.stderr()), "is_terminal", True)
    display = console._CompilationDisplay()
    display.changed(True)
    for _ in range(100):
        if display._bar is not None:
            break
        time.sleep(0.02)
    assert display._bar is not None
    assert display._bar.tasks[0].description == "compiling"
    display.changed(False)
    assert display._bar is None


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


def compile_something(seconds: float) -> None:
    compilation.began()
    time.sleep(seconds)
    compilation.ended()


def test_workers_tell_their_parent() -> None:
    told: list[bool] = []
    with compilation.watched(told.append), IsolatedProcesses(2) as pool:
        for future in [pool.submit(time.sleep, 0.0), *(pool.submit(_compile, 0.8) for _ in range(2))]:
            future.result()
        for _ in range(50):
            if told and not told[-1]:
                break
            time.sleep(0.05)
    assert told[0] is True
    assert told[-1] is False


_compile = compile_something


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


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_broken_files_of_compiled_code_cost_a_compilation(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def kernel() -> object:
        def triple(x: float) -> float:
            return 3.0 * x

        return jit.kept(triple)

    assert kernel()(1.5) == 4.5
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2
    for file in files:
        file.write_bytes(b"\x80\x04broken")
    assert kernel()(1.5) == 4.5
