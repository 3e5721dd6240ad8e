"""Word of code that is being compiled, which takes a minute or two on the first run, for whoever wants to show it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watcher = Callable[[bool], None]

_watchers: list[Watcher] = []
_lock = threading.RLock()
_depth = 0


def watch(watcher: Watcher) -> None:
    """Call `watcher` from now on, as `watched` does."""
    with _lock:
        _watchers.append(watcher)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Call `watcher` with True when a compilation begins and with False when it has ended, in this process or in its
    workers, from any thread.

    >>> with watched(print):
    ...     began()
    ...     ended()
    True
    False
    """
    watch(watcher)
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(watcher)


def began() -> None:
    """Say that a compilation begins; those within it are not told of."""
    _change(+1)


def ended() -> None:
    """Say that it has ended."""
    _change(-1)


def _change(by: int) -> None:
    global _depth
    with _lock:
        before, _depth = _depth, max(0, _depth + by)
        if (before > 0) != (_depth > 0):
            for watcher in list(_watchers):
                watcher(_depth > 0)
