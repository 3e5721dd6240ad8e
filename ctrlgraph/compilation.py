"""Notification of compilations, which take up to a minute in a first run, for progress displays."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watcher = Callable[[bool], None]
"""Function called with True when a compilation begins and with False when it ends."""

_watchers: list[Watcher] = []
_lock = threading.RLock()
_depth = 0
_since = 0.0
_spent = 0.0


def watch(watcher: Watcher) -> None:
    """Call `watcher` for all following compilations, as `watched` does."""
    with _lock:
        _watchers.append(watcher)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Return a context manager that calls `watcher` for compilations in this process and its workers, from any thread.

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


def compilation_s() -> float:
    """Return the wall time that this process has spent compiling or waiting for workers that compile, s."""
    with _lock:
        return _spent + (time.perf_counter() - _since if _depth > 0 else 0.0)


def began() -> None:
    """Announce the beginning of a compilation; nested ones are not reported."""
    _change(+1)


def ended() -> None:
    """Announce the end of a compilation."""
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
