"""Worker pool: runs batches of work in this process, in several processes, or on a cluster.

Worker processes that die are replaced.
"""

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
"""Number of worker processes that may die with an item before the item is given up and its result is `crashed`."""

_POLL_S = 0.2
_LAST_BATCHES_S = 30.0


class WorkBatch(Protocol):
    """A batch of items for one worker, such as trials. Implementations must be dataclasses."""

    @property
    def items(self) -> tuple[Any, ...]:
        """Items to process, such as trials."""

    @property
    def deaths(self) -> int:
        """Number of worker processes that died while they processed this batch."""

    def crashed(self) -> list[Any]:
        """Return results that say that the batch was given up because `MAX_DEATHS` worker processes died."""
        ...


Work = Callable[[Any], list[Any]]
"""Processes a batch: returns one result for each item, in their order, fewer if the worker is stopped."""

Done = Callable[[Any, list[Any]], None]
"""Receives a batch and its results."""


class Interrupted(Exception):
    """Ctrl-C was pressed. The caller has received the results of all finished batches."""


class DeadlineExceeded(Exception):
    """Some batches of work could not be started before the deadline that the caller has set."""


class WorkerPool:
    """Processes batches of work in the processes of an executor, or in this process if there is no executor.

    Batches finish in any order. A batch whose worker died is processed again: once as it is, then divided into single
    items. After `MAX_DEATHS`, an item gets the result `crashed`.
    """

    def __init__(self, executor: Executor | None = None, n_workers: int = 1, work: Work = simulate) -> None:
        """
        Args:
            executor: Executor that processes the batches. None: this process does.
            n_workers: Number of workers of the executor.
            work: Function that processes a batch. It must be a function of a module, since it is pickled by name.
        """
        self._executor = executor
        self.n_workers = n_workers
        """Number of workers of the executor."""
        self._work = work

    def do(self, batches: Iterable[WorkBatch], done: Done, deadline: float = math.inf) -> None:
        """Process all batches and pass the results to a function.

        Args:
            batches: Batches to process.
            done: Called with each batch and its results, in this thread.
            deadline: Time on the clock of `time.monotonic`, s, after which no batch is started. The call waits for
                batches that are already running.

        Raises:
            Interrupted: Ctrl-C was pressed.
            DeadlineExceeded: Not all batches could be started before the deadline.
            CtrlGraphError: The function that processes a batch has raised this error.
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
        """Stop the workers after Ctrl-C, and pass the results of batches that they still finish to `done`."""
        _cancel(executor, running)
        begun = {future: batch for future, batch in running.items() if not future.cancelled()}
        with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C ends the wait
            for future in wait(begun, timeout=_LAST_BATCHES_S).done:
                if not future.cancelled() and future.exception() is None:
                    done(begun[future], future.result())


def _again(batch: WorkBatch, done: Done) -> list[WorkBatch]:
    """Return the batches to process instead of a batch whose worker process died.

    After the first death it is the same batch, later one batch for each item. A single item with which `MAX_DEATHS`
    processes died is given up: its result `crashed` is passed to `done`.
    """
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
    """Provide a worker pool as a context, and stop its processes at the end.

    Args:
        jobs: Number of worker processes. 1: the work is done in this process.
        cluster: Address of the scheduler of a dask cluster, whose workers are used instead of `jobs` processes.
        work: Function that processes a batch.

    Raises:
        CtrlGraphError: No scheduler answers at the address, the cluster has no workers, or dask is not installed.
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
        raise CtrlGraphError(f"no dask scheduler answers at {address} ({error}): start 'dask scheduler'") from None
    with client:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise CtrlGraphError(f"the dask scheduler at {address} has no workers: start some with 'dask worker'")
        # otherwise dask merges equal calls
        with client.get_executor(pure=False) as executor:  # type: ignore[no-untyped-call]
            yield executor, len(workers)
