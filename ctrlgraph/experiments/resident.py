"""What a worker keeps ready between pieces of work: made once, used by one thread at a time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

R = TypeVar("R")

# A cluster's worker may have several threads, and the engine has one random state for all simulations of a process.
_one_at_a_time = threading.Lock()


class Resident(Generic[R]):
    """One thing of a kind that a process keeps for the pieces of work to come, until another one is needed.

    >>> kept = Resident[list[str]]()
    >>> with kept.holding("key", lambda: ["made once"]) as first:
    ...     first.append("and kept")
    >>> with kept.holding("key", lambda: ["made again"]) as second:
    ...     print(second)
    ['made once', 'and kept']
    """

    def __init__(self, free: Callable[[R], None] = lambda _: None) -> None:
        """
        Args:
            free: what is done with the thing that another one takes the place of.
        """
        self._free = free
        self._kept: tuple[Hashable, R] | None = None

    @contextlib.contextmanager
    def holding(self, key: Hashable, make: Callable[[], R]) -> Iterator[R]:
        """Give the thing of this key, made where it is not the one that is kept, to this thread alone."""
        with _one_at_a_time:
            if self._kept is None or self._kept[0] != key:
                made = make()
                before, self._kept = self._kept, (key, made)
                if before is not None:
                    self._free(before[1])
            yield self._kept[1]
