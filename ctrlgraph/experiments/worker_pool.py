"""Batches done by an executor: a process of one's own, several, or a cluster; who dies is replaced."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import replace
from typing import Any, Protocol

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.batch import simulate
from ctrlgraph.extras import require
from ctrlgraph.parallel import IsolatedProcesses, WorkerDied

MAX_DEATHS = 3
"""A trial over which so many processes have died is stored as crashed."""

_POLL_S = 0.2
_LAST_BATCHES_S = 30.0


class WorkBatch(Protocol):
    """A piece of work: `items` that can also be done one by one; `deaths` counts the processes that died over it."""

    @property
    def items(self) -> tuple[Any, ...]: ...

    @property
    def deaths(self) -> int: ...

    def singly(self) -> list[Any]:
        """Return each item as a batch of its own."""
        ...

    def crashed(self) -> list[Any]:
        """Return the results of a batch that is given up."""
        ...


Work = Callable[[Any], list[Any]]
"""Does a batch: one result for each item, in their order; fewer where the worker was asked to end early."""

Done = Callable[[Any, list[Any]], None]


class Interrupted(Exception):
    """Ctrl-C: what had ended by then has been handed over."""


class WorkerPool:
    """Does batches through an executor, or in this process where it has none.

    Batches come back in whatever order; each comes back once, or its trials as crashed.
    """

    def __init__(self, executor: Executor | None = None, width: int = 1, work: Work = simulate) -> None:
        """`width` is how many batches are worth sending at once; `work` does one (it is pickled by name)."""
        self._executor = executor
        self._width = width
        self._work = work

    @property
    def width(self) -> int:
        """Return how many batches are done at once."""
        return self._width

    def do(self, batches: Iterable[WorkBatch], done: Done) -> None:
        """Do all batches; `done` gets each with its trials, in this thread.

        Raises:
            Interrupted: at Ctrl-C.
            CtrlGraphError: of a batch that cannot be done at all.
        """
        if self._executor is None:
            self._do_here(batches, done)
        else:
            self._do_there(self._executor, deque(batches), done)

    def _do_here(self, batches: Iterable[WorkBatch], done: Done) -> None:
        try:
            for batch in batches:
                done(batch, self._work(batch))
        except KeyboardInterrupt:
            raise Interrupted from None

    def _do_there(self, executor: Executor, waiting: deque[WorkBatch], done: Done) -> None:
        running: dict[Future[list[Any]], WorkBatch] = {}
        try:
            while waiting or running:
                # a few more than there are workers, so that none waits for the next
                while waiting and len(running) < self._width + 2:
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
        except BaseException:
            _cancel(executor, running)
            raise

    def _gather(self, executor: Executor, running: dict[Future[list[Any]], WorkBatch], done: Done) -> None:
        """What the workers have of the batches under way when they are asked to stop."""
        _cancel(executor, running)
        begun = {future: batch for future, batch in running.items() if not future.cancelled()}
        with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C does not wait for them
            for future in wait(begun, timeout=_LAST_BATCHES_S).done:
                if not future.cancelled() and future.exception() is None:
                    done(begun[future], future.result())


def _again(batch: WorkBatch, done: Done) -> list[WorkBatch]:
    """What to do about a batch whose process died: as it is once more, then trial by trial, then give up."""
    batch = replace(batch, deaths=batch.deaths + 1)  # type: ignore[type-var]  # batches are dataclasses
    if batch.deaths >= MAX_DEATHS and len(batch.items) == 1:
        done(batch, batch.crashed())
        return []
    return [batch] if batch.deaths == 1 else batch.singly()


def _is_death(error: BaseException) -> bool:
    # dask has an error of its own, which must not be imported to be known
    return isinstance(error, WorkerDied | BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _cancel(executor: Executor, running: Iterable[Future[Any]]) -> None:
    if isinstance(executor, IsolatedProcesses):
        executor.stop()
    for future in running:
        future.cancel()


@contextlib.contextmanager
def open_pool(jobs: int = 1, cluster: str | None = None, work: Work = simulate) -> Iterator[WorkerPool]:
    """Return a pool: this process for one job, else so many processes, or the workers of a dask cluster at an address.

    Raises:
        CtrlGraphError: there is no such cluster, or dask is not installed.
    """
    if cluster is not None:
        with _cluster(cluster) as (executor, width):
            yield WorkerPool(executor, width, work)
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
        # a batch is no pure function to dask: without this it would take equal calls for one
        with client.get_executor(pure=False) as executor:  # type: ignore[no-untyped-call]
            yield executor, len(workers)
