"""A pool of workers: this process, several processes, or a cluster. Workers that die are replaced."""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import replace
from typing import Any, Protocol

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied
from ctrlgraph.robustness.batch import simulate

MAX_DEATHS = 3
"""Number of dead processes after which a trial is stored as crashed."""

_POLL_S = 0.2
_LAST_BATCHES_S = 30.0


class WorkBatch(Protocol):
    """A batch of items. It is a dataclass."""

    @property
    def items(self) -> tuple[Any, ...]:
        """Items of the batch."""

    @property
    def deaths(self) -> int:
        """Number of worker processes that died while they processed it."""

    def crashed(self) -> list[Any]:
        """Return the results of a batch that killed too many processes."""
        ...


Work = Callable[[Any], list[Any]]
"""Processes a batch: one result for each item, in their order, fewer when the worker is stopped."""

Done = Callable[[Any, list[Any]], None]


class Interrupted(Exception):
    """Ctrl-C was pressed. All results so far have been handed over."""


class DeadlineExceeded(Exception):
    """Batches were left at the deadline."""


class WorkerPool:
    """Processes batches with an executor, or in this process without one.

    Batches return in any order, each once, crashed ones with results that say so.
    """

    def __init__(self, executor: Executor | None = None, n_workers: int = 1, work: Work = simulate) -> None:
        """
        Args:
            executor: Executor of the batches. None: this process.
            n_workers: Number of workers.
            work: Processes a batch. It is pickled by name.
        """
        self._executor = executor
        self.n_workers = n_workers
        """Number of workers."""
        self._work = work

    def do(self, batches: Iterable[WorkBatch], done: Done, deadline: float = math.inf) -> None:
        """Process all batches.

        Args:
            batches: Batches to process.
            done: Called with each batch and its results, in this thread.
            deadline: Time of `time.monotonic` after which no batch is started. Running ones are completed.

        Raises:
            Interrupted: Ctrl-C was pressed.
            DeadlineExceeded: Batches were left at the deadline.
            CtrlGraphError: A batch cannot be processed.
        """
        if self._executor is None:
            self._do_here(batches, done, deadline)
        else:
            self._do_there(self._executor, deque(batches), done, deadline)

    def _do_here(self, batches: Iterable[WorkBatch], done: Done, deadline: float) -> None:
        try:
            for batch in batches:
                if time.monotonic() > deadline:
                    raise DeadlineExceeded
                done(batch, self._work(batch))
        except KeyboardInterrupt:
            raise Interrupted from None

    def _do_there(self, executor: Executor, waiting: deque[WorkBatch], done: Done, deadline: float) -> None:
        running: dict[Future[list[Any]], WorkBatch] = {}
        try:
            while waiting or running:
                if time.monotonic() > deadline:
                    wait([future for future in running if not future.cancel()])
                    raise DeadlineExceeded
                # a few more batches than workers, so that no worker waits
                while waiting and len(running) < self.n_workers + 2:
                    batch = waiting.popleft()
                    running[executor.submit(self._work, batch)] = batch
                for future in wait(running, timeout=_POLL_S, return_when=FIRST_COMPLETED).done:
                    batch = running.pop(future)
                    try:
                        trials = future.result()
                    except Exception as error:
                        if not _is_death(error):
                            raise
                        waiting.extendleft(reversed(_again(batch, done)))
                    else:
                        done(batch, trials)
        except KeyboardInterrupt:
            self._gather(executor, running, done)
            raise Interrupted from None
        except DeadlineExceeded:
            raise  # the workers process the next batches
        except BaseException:
            _cancel(executor, running)
            raise

    def _gather(self, executor: Executor, running: dict[Future[list[Any]], WorkBatch], done: Done) -> None:
        """Hand over what the workers have finished when they are stopped."""
        _cancel(executor, running)
        begun = {future: batch for future, batch in running.items() if not future.cancelled()}
        with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C ends the wait
            for future in wait(begun, timeout=_LAST_BATCHES_S).done:
                if not future.cancelled() and future.exception() is None:
                    done(begun[future], future.result())


def _again(batch: WorkBatch, done: Done) -> list[WorkBatch]:
    """Return the batches that replace one whose process died: the same one, then single items, then none."""
    batch = replace(batch, deaths=batch.deaths + 1)  # type: ignore[type-var]  # batches are dataclasses
    if batch.deaths >= MAX_DEATHS and len(batch.items) == 1:
        done(batch, batch.crashed())
        return []
    if batch.deaths == 1:
        return [batch]
    return [replace(batch, items=(item,)) for item in batch.items]  # type: ignore[type-var]


def _is_death(error: BaseException) -> bool:
    # dask's own error is recognised without importing dask
    return isinstance(error, WorkerDied | BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _cancel(executor: Executor, running: Iterable[Future[Any]]) -> None:
    if isinstance(executor, IsolatedProcesses):
        executor.stop()
    for future in running:
        future.cancel()


@contextlib.contextmanager
def open_pool(jobs: int = 1, cluster: str | None = None, work: Work = simulate) -> Iterator[WorkerPool]:
    """Provide a worker pool: this process for one job, several processes, or the workers of a dask cluster.

    Args:
        jobs: Number of processes.
        cluster: Address of the cluster's scheduler.
        work: Processes a batch.

    Raises:
        CtrlGraphError: There is no such cluster, or dask is not installed.
    """
    if cluster is not None:
        with _cluster(cluster) as (executor, n_workers):
            yield WorkerPool(executor, n_workers, work)
    elif jobs == 1:
        yield WorkerPool(work=work)
    else:
        with IsolatedProcesses(jobs) as executor:
            yield WorkerPool(executor, jobs, work)


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    require("cluster")
    from distributed import Client

    try:
        client = Client(address, timeout="10s", set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise CtrlGraphError(f"there is no dask scheduler at {address} ({error})") from None
    with client:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise CtrlGraphError(f"the dask scheduler at {address} has no workers")
        # otherwise dask merges equal calls
        with client.get_executor(pure=False) as executor:  # type: ignore[no-untyped-call]
            yield executor, len(workers)
