"""Cache of a resource that a worker process keeps between batches of work, such as an evaluator."""

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
    """Cache of a single resource, such as an evaluator. It is freed when a resource with another key is needed.

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
            free: Called with a resource after another one has replaced it.
        """
        self._free = free
        self._kept: tuple[Hashable, R] | None = None

    @contextlib.contextmanager
    def using(self, key: Hashable, make: Callable[[], R]) -> Iterator[R]:
        """Provide the resource of a key as a context, during which no other thread can use the cache.

        Args:
            key: Identifier of the resource.
            make: Creates the resource. It is called unless the resource of this key is in the cache.
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
        """Call a function once for each item, with the resource of a key and the item.

        Args:
            key: Identifier of the resource.
            make: Creates the resource. It is called unless the resource of this key is in the cache.
            function: Called with the resource and an item.
            items: Items, in the order in which they are processed.
            enough: Called with all results so far after each item. The remaining items are skipped if it returns True.

        Returns:
            Results of the function, in the order of the items. There are fewer if the worker is stopped.
        """
        results: list[ResultT] = []
        with self.using(key, make) as resource, until_stopped():
            for item in items:
                results.append(function(resource, item))
                if enough(results):
                    break
        return results
