"""Compiled kernels are never older than their sources, and say the same as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctrlgraph.control.script import interpreter
from ctrlgraph.control.script.kind import KIND
from ctrlgraph.engine.loop import compiled_loop
from ctrlgraph.engine.ode.stepper import KERNELS
from ctrlgraph.kernels import jit

TESTS = Path(__file__).resolve().parents[1]

SCRIPT_TESTS = sorted((TESTS / "control" / "script").glob("test_*.py"))
KERNELS_TESTS = [TESTS / "kernels", *(path for path in SCRIPT_TESTS if "machine" in path.read_text(encoding="utf-8"))]
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
def test_all_laws_of_kernels_and_control_hold_in_plain_python_too() -> None:
    """The kernels' tests run again with compilation switched off."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-x",
        "--no-header",
        *map(str, KERNELS_TESTS),
    ]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "CTRLGRAPH_FEWER_EXAMPLES": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=TESTS.parent, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


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


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_cache_that_names_types_of_another_version_is_begun_anew(tmp_path) -> None:
    module = tmp_path / "others.py"
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{TESTS.parent}"}

    def said() -> list[str]:
        command = [sys.executable, "-c", "import others"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    module.write_text(WITH_A_KERNEL.format(name="Before"))
    assert (said(), said()) == (["compiled", "1.0"], ["1.0"])
    module.write_text(WITH_A_KERNEL.format(name="Afterwards"))
    assert (said(), said()) == (["compiled", "1.0"], ["1.0"])
