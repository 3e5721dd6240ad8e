"""Word of code that is being compiled, up to a minute of it on the first run, for whoever wants to show it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watcher = Callable[[bool], None]

_watchers: list[Watcher] = []
_lock = threading.RLock()
_depth = 0
_since = 0.0
_spent = 0.0


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


def compiling_s() -> float:
    """Return the wall time (s) that this process has spent compiling so far, or waiting for workers that do."""
    with _lock:
        return _spent + (time.perf_counter() - _since if _depth > 0 else 0.0)


def began() -> None:
    """Say that a compilation begins; those within it are not told of."""
    _change(+1)


def ended() -> None:
    """Say that it has ended."""
    _change(-1)


def _change(by: int) -> None:
    global _depth, _since, _spent
    with _lock:
        before, _depth = _depth, max(0, _depth + by)
        if (before > 0) != (_depth > 0):
            now = time.perf_counter()
            if _depth > 0:
                _since = now
            else:
                _spent += now - _since
            for watcher in list(_watchers):
                watcher(_depth > 0)
