"""Compiled kernels are never older than their sources, and return the same as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python
from waiting import PATIENCE_S

from ctrlgraph.control.script.execution import interpreter
from ctrlgraph.control.script.script_kind import KIND
from ctrlgraph.engine.ode.stepper import KERNELS
from ctrlgraph.engine.planar_loop import compiled_loop
from ctrlgraph.kernels import jit
from ctrlgraph.kernels.arrays import Motors

TESTS = Path(__file__).resolve().parents[1]

SCRIPT_TESTS = sorted((TESTS / "control" / "script").glob("test_*.py"))
POLICY_TESTS = [TESTS / "policies" / "test_grid.py", TESTS / "policies" / "test_value_iteration.py"]
KERNELS_TESTS = [
    TESTS / "kernels",
    *POLICY_TESTS,
    *(path for path in SCRIPT_TESTS if "machine" in path.read_text(encoding="utf-8")),
]
"""What calls kernels: of the script language's tests those that tick a machine."""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
@pytest.mark.parametrize("function", [interpreter.tick, compiled_loop(KERNELS, KIND)])
def test_an_edit_of_any_kernel_makes_every_cached_kernel_stale(function, tmp_path) -> None:
    for folder in ("control", "engine"):
        (tmp_path / folder).mkdir()
    (tmp_path / "control" / "pd.py").write_text("GAIN = 300.0\n")
    before = jit.source_stamp.__wrapped__(tmp_path)
    (tmp_path / "control" / "pd.py").write_text("GAIN = 301.0\n")
    assert jit.source_stamp.__wrapped__(tmp_path) != before
    # and this stamp is the one that numba compares before it loads compiled code
    assert function._cache._cache_file._source_stamp == jit.source_stamp(Path(jit.__file__).parents[1])


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is the plain run")
@pytest.mark.slow
def test_all_laws_of_kernels_and_control_hold_in_plain_python_too() -> None:
    """The kernels' tests run again with compilation switched off."""
    options = ("-q", "-p", "no:cacheprovider", "-x", "--no-header")
    command = ("-m", "pytest", *options, *map(str, KERNELS_TESTS))
    output_of(TESTS.parent, *command, NUMBA_DISABLE_JIT="1")


def output_of(folder: Path, *arguments: str, **environment: str) -> str:
    """Return what Python prints in a folder."""
    command, env = [sys.executable, *arguments], {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


def sum_of_rows(values):
    total = 0.0
    for i in range(values.shape[0]):
        row = values[i]
        if row[0] > 0.0:
            total += row[1]
    return total


def twice_the_first_of_a_copy(values):
    return 2.0 * values.copy()[0]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_counts_no_references_and_makes_no_array(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))  # what comes from a cache cannot be looked into
    compiled = numba.njit(sum_of_rows), jit.kernel(sum_of_rows)
    for each in compiled:
        each.compile((numba.float64[:, ::1],))
    assert ["NRT_incref" in code for each in compiled for code in each.inspect_llvm().values()] == [True, False]
    with pytest.raises(numba.core.errors.NumbaError, match="NRT required but not enabled"):
        jit.kernel(twice_the_first_of_a_copy)(np.ones(1))


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_may_call_one_that_makes_arrays_and_frees_them() -> None:
    inner = jit.allocating_kernel(twice_the_first_of_a_copy)

    @jit.kernel
    def outer(values):
        total = 0.0
        for _ in range(1000):
            total += inner(values)
        return total

    values = np.ones(1)
    held, made = sys.getrefcount(values), _arrays_alive()
    assert outer(values) == 2000.0
    assert (sys.getrefcount(values), _arrays_alive()) == (held, made)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_number_that_a_call_spells_out_is_one_of_its_type() -> None:
    @jit.kernel
    def power(base: float, exponent: int) -> float:
        return base**exponent

    @jit.kernel
    def powers(base: float, last: int) -> float:
        return power(base, 2) + power(base, exponent=3) + power(base, last)

    assert powers(2.0, 4) == 4.0 + 8.0 + 16.0
    template, *_ = power.get_call_template((numba.float64, numba.int64), {})
    assert [str(each) for each in template.cases] == ["(float64, int64) -> float64"]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_that_only_kernels_call_has_no_machine_code_until_python_calls_it() -> None:
    @jit.kernel
    def twice(value: float) -> float:
        return 2.0 * value

    @jit.kernel
    def four_times(value: float) -> float:
        return twice(twice(value))

    assert four_times(1.0) == 4.0
    assert list(four_times.overloads) == [(numba.float64,)]
    assert list(twice.overloads) == []
    assert twice(1.0) == 2.0


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_that_kernels_call_may_print_in_this_process_and_in_the_next(tmp_path) -> None:
    # it hung: code without an address found no objects, and went back without the interpreter's lock
    script = tmp_path / "printing.py"
    script.write_text(
        "from ctrlgraph.kernels.jit import kernel\n"
        "@kernel\ndef inner(value):\n    print('at', value)\n    return value + 1.0\n"
        "@kernel\ndef middle(value):\n    return inner(value)\n"
        "@kernel\ndef outer(value):\n    return middle(value)\n"
        "print(outer(1.0))\n",
        encoding="utf-8",
    )
    for _ in range(2):
        assert output_of(TESTS.parent, str(script), NUMBA_CACHE_DIR=str(tmp_path)).splitlines() == ["at 1.0", "2.0"]


def one_more(value: float) -> float:
    return value + 1.0


def callers_of_two_processes():
    """Two kernels that call `one_more`, each by a dispatcher of its own, as two processes have it."""
    here, elsewhere = jit.kernel(one_more), jit.kernel(one_more)

    @jit.kernel
    def two_more(value: float) -> float:
        return here(here(value))

    @jit.kernel
    def three_more(value: float) -> float:
        return elsewhere(elsewhere(elsewhere(value)))

    return two_more, three_more


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_what_another_process_compiled_for_a_caller_is_there_for_the_next_one(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    two_more, three_more = callers_of_two_processes()
    compiled = []
    for each in (two_more, three_more):
        with numba.core.event.install_recorder("numba:compile") as recorder:
            assert each(1.0) in (3.0, 4.0)
        compiled.append([e.data["dispatcher"].py_func.__name__ for _, e in recorder.buffer if e.is_start])
    assert compiled == [["two_more", "one_more"], ["three_more"]]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_damaged_cached_code_is_compiled_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    two_more, three_more = callers_of_two_processes()
    assert two_more(1.0) == 3.0
    [kept] = tmp_path.rglob("callee-*.nbc")
    data = bytearray(kept.read_bytes())
    place = data.index(b"BC\xc0\xde") + 200  # within LLVM's bitcode
    data[place] ^= 0x10
    kept.write_bytes(data)
    with numba.core.event.install_recorder("numba:compile") as recorder:
        assert three_more(1.0) == 4.0
    assert [e.data["dispatcher"].py_func for _, e in recorder.buffer if e.is_start][1:] == [one_more]


def _arrays_alive() -> int:
    _nrt_python.memsys_enable_stats()
    stats = numba.core.runtime.rtsys.get_allocation_stats()
    return stats.alloc - stats.free


WITH_A_KERNEL = """
import sys, time
from typing import NamedTuple
import numba
import numpy as np
from numba.core import event
from ctrlgraph.kernels.jit import kernel

class {name}(NamedTuple):
    values: np.ndarray

@kernel
def first(group):
    return group.values[0]

class Listener(event.Listener):
    def on_start(self, event): print("compiled")
    def on_end(self, event): pass

event.register("numba:compile", Listener())
print(first({name}(np.ones(1))))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_cache_of_another_version_is_replaced(tmp_path) -> None:
    module = tmp_path / "others.py"
    folders = f"{tmp_path}{os.pathsep}{TESTS.parent}"

    def said() -> list[str]:
        return output_of(tmp_path, "-c", "import others", PYTHONPATH=folders).split()

    module.write_text(WITH_A_KERNEL.format(name="Before"))
    assert (said(), said()) == (["compiled", "1.0"], ["1.0"])
    module.write_text(WITH_A_KERNEL.format(name="Afterwards"))
    assert (said(), said()) == (["compiled", "1.0"], ["1.0"])


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_machine_code_is_that_of_a_kernel_with_one_set_of_argument_types() -> None:
    def doubled(x):
        return x + x

    twice = numba.njit(doubled)
    assert jit.machine_code(twice) is None  # never called
    assert twice(1.5) == 3.0
    assert jit.machine_code(twice)(2.5) == 5.0
    assert twice(1) == 2
    assert jit.machine_code(twice) is None  # of numbers of which type?
    assert jit.machine_code(doubled) is None  # plain Python


LAYOUTS = (
    np.zeros(3), np.zeros((3, 2)), np.zeros((2, 3)).T, np.zeros(6)[::2], np.zeros(3, np.int64), np.zeros(3, bool),
    np.broadcast_to(0.0, 3), np.zeros(1), np.zeros((1, 1)), np.zeros(0), 1, 1.0, True, (1, 2.0), (1.0, 2),
    Motors(*[np.zeros(1)] * 5), tuple([np.zeros(1)] * 5), "a", None,
)  # fmt: skip


def test_arguments_of_equal_layout_have_equal_types() -> None:
    for one in LAYOUTS:
        for other in LAYOUTS:
            if jit.layout_of(one) == jit.layout_of(other):
                assert numba.typeof(one) == numba.typeof(other)
    assert jit.layout_of(Motors(*[np.zeros(4)] * 5)) == jit.layout_of(Motors(*[np.ones(4)] * 5))
    assert jit.layout_of("a") != jit.layout_of("a")  # unknown objects are not compared


def test_without_numba_s_private_interfaces_kernels_are_compiled_in_the_public_way(monkeypatch) -> None:
    monkeypatch.setattr(jit, "internals", None)

    @jit.kernel
    def twice(value: float) -> float:
        return 2.0 * value

    @jit.allocating_kernel
    def doubled_ones(n: int):
        return twice(np.ones(n)[0])

    assert (twice(1.5), doubled_ones(2)) == (3.0, 2.0)
    assert jit.machine_code(twice) is None
