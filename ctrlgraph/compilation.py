"""Notification of progress displays when numba begins and ends to compile.

The first command after an installation compiles for up to a minute.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watcher = Callable[[bool], None]
"""Function that is called with True when a compilation begins, and with False when the compilation ends."""

_watchers: list[Watcher] = []
_lock = threading.RLock()
_depth = 0
_since = 0.0
_spent = 0.0


def watch(watcher: Watcher) -> None:
    """Call `watcher` at the beginning and the end of each later compilation, until this process ends."""
    with _lock:
        _watchers.append(watcher)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Call `watcher` at the beginning and the end of each compilation during a `with` block.

    This includes compilations of worker processes. `watcher` can be called from any thread.

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
    """Return the wall time during which this process or its workers have compiled, since this process started, s."""
    with _lock:
        return _spent + (time.perf_counter() - _since if _depth > 0 else 0.0)


def began() -> None:
    """Record the beginning of a compilation. Watchers are called unless another compilation is already in progress."""
    _change(+1)


def ended() -> None:
    """Record the end of a compilation. Watchers are called unless another compilation is still in progress."""
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
