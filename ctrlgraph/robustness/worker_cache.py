"""Resources that a worker keeps between batches: created once, used by one thread at a time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from ctrlgraph.parallel import until_stopped

R = TypeVar("R")
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

# A cluster's worker may have several threads, but the engine has one random state for all simulations of a process.
_LOCK = threading.Lock()


class WorkerCache(Generic[R]):
    """A resource that a process keeps for the next batches, until another one is needed.

    >>> cache = WorkerCache[list[str]]()
    >>> with cache.using("key", lambda: ["created"]) as first:
    ...     first.append("kept")
    >>> with cache.using("key", lambda: ["created again"]) as second:
    ...     print(second)
    ['created', 'kept']
    """

    def __init__(self, free: Callable[[R], None] = lambda _: None) -> None:
        """
        Args:
            free: Called with a resource that is replaced.
        """
        self._free = free
        self._kept: tuple[Hashable, R] | None = None

    @contextlib.contextmanager
    def using(self, key: Hashable, make: Callable[[], R]) -> Iterator[R]:
        """Provide the resource of a key to this thread alone.

        Args:
            key: Identifier of the resource.
            make: Creates the resource if another one, or none, is kept.
        """
        with _LOCK:
            if self._kept is None or self._kept[0] != key:
                made = make()
                before, self._kept = self._kept, (key, made)
                if before is not None:
                    self._free(before[1])
            yield self._kept[1]

    def map(
        self,
        key: Hashable,
        make: Callable[[], R],
        function: Callable[[R, ItemT], ResultT],
        items: Iterable[ItemT],
        enough: Callable[[list[ResultT]], bool] = lambda _: False,
    ) -> list[ResultT]:
        """Return the results of a function of the resource and each item, fewer when the worker is stopped.

        Args:
            key: Identifier of the resource.
            make: Creates the resource if another one, or none, is kept.
            function: Function of the resource and an item.
            items: Items, in their order.
            enough: Called with the results after each item. True leaves out the remaining items.
        """
        results: list[ResultT] = []
        with self.using(key, make) as resource, until_stopped():
            for item in items:
                results.append(function(resource, item))
                if enough(results):
                    break
        return results
