"""Executor of worker processes. If one process dies, only the call that it was running fails."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from ctrlgraph import compilation
from ctrlgraph.ambient import isolate_new_interpreters
from ctrlgraph.errors import CtrlGraphError

P = ParamSpec("P")
T = TypeVar("T")

_stop: Any = None
_noticed: Any = None
"""Flags of a worker process in shared memory. The parent process sets `_stop` to request that the worker stops. The
worker sets `_noticed` to confirm the request.
"""

COMPILATION_LOOK_S = 0.2
"""Interval at which the parent process checks whether workers compile, s."""
NOTICE_S = 0.5
"""Time within which a worker must confirm a request to stop, s. A worker that is busy importing or compiling cannot
confirm the request, and is killed.
"""
WORKERS_PER_CORE = 4
"""Maximum number of worker processes per processor core."""


class WorkerDied(CtrlGraphError):
    """A worker process died before it had finished a submitted call."""


def stop_requested() -> bool:
    """Return whether the parent process has requested this worker process to stop, and confirm the request.

    Simulations call this function, and raise KeyboardInterrupt if it returns True. In a process that is not a worker,
    it returns False.
    """
    if _stop is None or not _stop.value:
        return False
    _noticed.value = True
    return True


@contextmanager
def until_stopped() -> Iterator[None]:
    """Suppress a KeyboardInterrupt of a `with` block if a stop that the parent process requested caused it.

    A KeyboardInterrupt with another cause, such as Ctrl-C, is raised unchanged.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not stop_requested():
            raise


class IsolatedProcesses(Executor):
    """An executor (`concurrent.futures`) that continues when one of its worker processes dies.

    Python's ProcessPoolExecutor loses all its work when one process dies, and a physics engine may abort its process.
    Here each worker is a pool of one process. If the process dies, the call that it was running fails with WorkerDied,
    and a new process runs the next call. Workers ignore Ctrl-C. The parent process handles Ctrl-C and calls `stop`.

    Args:
        workers: Number of worker processes, at most that of `most_workers`.
    """

    def __init__(self, workers: int) -> None:
        isolate_new_interpreters()
        self._context = multiprocessing.get_context("spawn")
        # without a lock, which a dying worker would not release
        self._stop = self._context.RawValue("b", False)
        self._threads = ThreadPoolExecutor(most_workers(workers), "worker", initializer=_leave_interrupts)
        self._own = threading.local()
        self._pools: list[tuple[ProcessPoolExecutor, Any]] = []  # (pool of one worker, flag `_noticed` of the worker)
        self._compiling = self._context.Value("i", 0)
        self._ended = threading.Event()
        threading.Thread(target=self._report_compilation, name="compilation", daemon=True).start()

    def _report_compilation(self) -> None:
        """Report compilations of workers to the watchers in the parent process, simultaneous compilations as one."""
        is_reported = False
        while not self._ended.wait(COMPILATION_LOOK_S):
            if (self._compiling.value > 0) != is_reported:
                is_reported = not is_reported
                compilation.began() if is_reported else compilation.ended()
        if is_reported:
            compilation.ended()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a function in a worker process, and return a future of its result (see `concurrent.futures.Executor`)."""

        def call() -> T:
            pool = self._pool()
            try:
                return pool.submit(fn, *args, **kwargs).result()
            except BrokenProcessPool:
                self._own.pool = None
                raise WorkerDied("a worker process died, perhaps for lack of memory: use fewer jobs") from None

        return self._threads.submit(call)

    def stop(self) -> None:
        """Request all workers to stop, and cancel the calls that have not begun. The function does not wait.

        Workers that do not confirm the request within `NOTICE_S` are killed.
        """
        self._stop.value = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        timer = threading.Timer(NOTICE_S, self._kill)
        timer.daemon = True
        timer.start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the worker processes (see `concurrent.futures.Executor.shutdown`)."""
        self._ended.set()
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            self._kill(idle=True)  # workers would take a second to end by themselves
        for pool, _ in self._pools:
            pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is not None:
            self.stop()
        self.shutdown()

    def _kill(self, *, idle: bool = False) -> None:
        """Kill the workers that have not confirmed the request to stop.

        Args:
            idle: True kills all workers, since none of them is running a call.
        """
        for pool, noticed in list(self._pools):
            if idle or not noticed.value:
                for process in list((pool._processes or {}).values()):
                    process.kill()

    def _pool(self) -> ProcessPoolExecutor:
        pool: ProcessPoolExecutor | None = getattr(self._own, "pool", None)
        if pool is None:
            noticed = self._context.RawValue("b", False)
            shared = (self._stop, noticed, self._compiling)
            pool = ProcessPoolExecutor(1, self._context, initializer=_begin_worker, initargs=shared)
            self._own.pool = pool
            self._pools.append((pool, noticed))
        return pool


def most_workers(asked: int) -> int:
    """Return the number of worker processes to start: the requested number, at most `WORKERS_PER_CORE` per core.

    There is a maximum because each process takes 200 MB of memory.

    Args:
        asked: Requested number of processes.
    """
    return min(asked, WORKERS_PER_CORE * (os.cpu_count() or 1))


def _leave_interrupts() -> None:
    """Block Ctrl-C in this thread. Processes that the thread starts inherit the block and do not receive Ctrl-C."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _begin_worker(stop: Any, noticed: Any, compiling: Any) -> None:
    global _stop, _noticed
    _stop, _noticed = stop, noticed
    if stop_requested():
        os._exit(1)

    def count(begins: bool) -> None:
        with compiling.get_lock():
            compiling.value += 1 if begins else -1

    compilation.watch(count)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent process ends, and then end this worker process. It runs in a thread of the worker."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
