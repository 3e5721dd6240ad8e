"""Worker processes: one that dies costs its own work, and none outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from waiting import PATIENCE_S, until

from ctrlgraph import parallel
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied, most_workers, stop_requested, until_stopped


def test_a_worker_that_dies_costs_its_own_work_and_is_replaced():
    with IsolatedProcesses(1) as pool:
        before, death, after = pool.submit(abs, -1), pool.submit(os._exit, 3), pool.submit(abs, -2)
        assert before.result(timeout=PATIENCE_S) == 1
        with pytest.raises(WorkerDied, match=r"^a worker process died, perhaps for lack of memory: use fewer jobs$"):
            death.result(timeout=PATIENCE_S)
        assert after.result(timeout=PATIENCE_S) == 2


def test_errors_of_the_work_come_back_as_they_are():
    with IsolatedProcesses(1) as pool, pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result(timeout=PATIENCE_S)


def asked_to_stop(marker: Path) -> str:
    """Work until the worker is asked to stop."""
    marker.touch()
    with until_stopped():
        while True:
            if stop_requested():
                time.sleep(2 * parallel.NOTICE_S)  # what is done after that takes as long as it takes
                raise KeyboardInterrupt
            time.sleep(0.001)
    return "asked"


def deaf(marker: Path) -> None:
    """Work without ever looking whether to stop, as compiled code does."""
    marker.touch()
    time.sleep(600)


@pytest.mark.parametrize("work", [asked_to_stop, deaf])
def test_work_ends_when_it_is_asked_to_and_its_worker_is_killed_where_it_does_not_notice(work, tmp_path: Path):
    with IsolatedProcesses(1) as pool:
        assert pool.submit(stop_requested).result(timeout=PATIENCE_S) is False
        busy, waiting = pool.submit(work, tmp_path / "begun"), pool.submit(stop_requested)
        until((tmp_path / "begun").exists)
        pool.stop()
        assert waiting.cancelled()
        if work is asked_to_stop:
            assert busy.result(timeout=PATIENCE_S) == "asked"
        else:
            with pytest.raises(WorkerDied):
                busy.result(timeout=PATIENCE_S)
    assert not stop_requested()  # the parent itself is asked by Ctrl-C


def test_ctrl_c_outside_a_worker_is_not_caught():
    with pytest.raises(KeyboardInterrupt), until_stopped():
        raise KeyboardInterrupt


def test_an_error_does_not_wait_for_work_under_way(tmp_path: Path):
    with pytest.raises(ZeroDivisionError), IsolatedProcesses(1) as pool:
        busy = pool.submit(deaf, tmp_path / "begun")
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        raise ZeroDivisionError
    assert isinstance(busy.exception(timeout=PATIENCE_S), WorkerDied)


def test_no_more_workers_are_started_than_the_machine_has_use_for(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert [most_workers(asked) for asked in (1, 8, 9, 10_000)] == [1, 8, 8, 8]
    with IsolatedProcesses(10_000) as pool:
        assert pool._threads._max_workers == 8


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="looks at what signals are blocked")
def test_a_worker_leaves_interrupts_to_its_parent_from_its_first_moment():
    with IsolatedProcesses(1) as pool:
        assert signal.SIGINT in pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result(timeout=PATIENCE_S)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


PARENT = """
import sys
import time
sys.path[:0] = sys.argv[1:]
import time
from os import getpid
from ctrlgraph.parallel import IsolatedProcesses
if __name__ == "__main__":
    pool = IsolatedProcesses(1)
    print(pool.submit(getpid).result(), flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for the process in /proc")
def test_a_worker_ends_with_its_parent():
    with subprocess.Popen([sys.executable, "-c", PARENT, *sys.path], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = Path("/proc") / parent.stdout.readline().strip()
        assert worker.is_dir()
        parent.kill()
    until(lambda: not worker.is_dir() or "Z" in _state(worker), "the worker goes on")


def _state(process: Path) -> str:
    try:
        return next(line for line in (process / "status").read_text().splitlines() if line.startswith("State"))
    except OSError:
        return "Z"
