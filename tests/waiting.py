"""Waiting for events. No quick test depends on the speed of the machine: it waits until something has happened."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 600.0
"""How long (s) a test waits before it fails. This only ends tests that hang: a busy machine may compile for minutes."""


def until(condition: Callable[[], object], what: str = "it has not happened") -> None:
    """Wait until a condition is true, which then has to stay true.

    Raises:
        TimeoutError: `what`, after `PATIENCE_S`.
    """
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > ends:
            raise TimeoutError(what)
        time.sleep(0.02)
