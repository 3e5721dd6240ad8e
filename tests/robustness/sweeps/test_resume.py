"""Sweeps that are interrupted, politely and not, and go on: no trial lost, none counted twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import stand_ins

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes
from ctrlgraph.robustness.sweeps.sweep import run_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
from ctrlgraph.robustness.worker_pool import WorkerPool

# A sweep of 96 slow trials by two workers, in a process that can be killed.
CHILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
sys.path[:0] = sys.argv[2:]
import stand_ins
from pathlib import Path
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.worker_pool import open_pool
from ctrlgraph.robustness.sweeps.sweep import run_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
if __name__ == "__main__":
    directory = Path(sys.argv[1])
    with SweepStore.open(directory) as store, open_pool(2, work=stand_ins.slow) as pool:
        (result,) = run_sweeps(Project(stand_ins_root), store, store.sweeps(), pool)
        print("interrupted" if result.interrupted else "done", len(result.trials))
"""
ROOT = Path(__file__).parents[3]


def big_sweep(project):
    return stand_ins.sweep(trials=16, hashes=target_hashes(project, evaluation_plans(project.graph, "stand")))


@pytest.fixture
def whole(project, tmp_path: Path):
    """The sweep without any interruption."""
    with SweepStore.open(tmp_path / "whole") as store:
        store.begin(big_sweep(project))
        return run_sweeps(project, store, store.sweeps(), WorkerPool(work=stand_ins.formula))[0].trials


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_sweep_goes_on_where_it_stopped(project, store, tmp_path: Path, whole, how) -> None:
    store.begin(big_sweep(project))
    script = CHILD.replace("stand_ins_root", repr(str(ROOT)))
    arguments = [sys.executable, "-c", script, str(tmp_path / "runs"), str(Path(stand_ins.__file__).parent), *sys.path]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, start_new_session=True) as child:
        deadline = time.monotonic() + 60
        while not store.trials("s1"):
            assert child.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        child.send_signal(how)
        said = child.stdout.read() if child.stdout else ""
    before = store.trials("s1")
    assert 0 < len(before) < len(whole)
    if how == signal.SIGINT:
        assert said == f"interrupted {len(before)}\n"
    (result,) = run_sweeps(project, store, store.sweeps(), WorkerPool(work=stand_ins.formula))
    assert result.simulated == len(whole) - len(before)
    assert result.trials == whole


def test_a_finished_sweep_has_nothing_left_to_do(project, store) -> None:
    store.begin(big_sweep(project))
    run_sweeps(project, store, store.sweeps(), WorkerPool(work=stand_ins.formula))
    (again,) = run_sweeps(project, store, store.sweeps(), WorkerPool(work=stand_ins.formula))
    assert (again.simulated, again.complete) == (0, True)


def test_a_sweep_cannot_go_on_in_a_project_that_has_changed(project, store) -> None:
    sweep = stand_ins.sweep(
        hashes=target_hashes(project, evaluation_plans(project.graph, "stand")) | {"character": "another"}
    )
    store.begin(sweep)
    with pytest.raises(CtrlGraphError) as error:
        run_sweeps(project, store, [sweep], WorkerPool(work=stand_ins.formula))
    assert str(error.value) == "sweep s1 cannot be resumed, because character changed: start a new sweep"
