"""Watching the directories of a project's scripts for files that whatever editor saves."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import watchfiles

MAX_DIRECTORIES = 500
"""So many are watched at most: what a system can watch is counted, and shared by all of its programs."""

_EXTENSIONS = (".t", ".s")


def directories(roots: Sequence[Path]) -> list[Path]:
    """Return the directories to watch for scripts below some roots, without hidden ones and without links, which may
    lead anywhere; of a root that is none yet, the one in which it will be. `MAX_DIRECTORIES` at most."""
    found: dict[Path, None] = {}
    for root in roots:
        if not root.is_dir():
            found[root.parent] = None
            continue
        for place, below, _ in os.walk(root, followlinks=False):
            below[:] = sorted(name for name in below if not name.startswith("."))
            found[Path(place)] = None
            if len(found) >= MAX_DIRECTORIES:
                break
    return [each for each in found if each.is_dir()][:MAX_DIRECTORIES]


async def changes(roots: Sequence[Path], stop: asyncio.Event) -> AsyncGenerator[set[Path], None]:
    """Yield the scripts that have changed, appeared or gone, and the directories that have appeared, until `stop`.

    Raises:
        OSError, RuntimeError: the system does not watch, or no longer.
    """
    while not stop.is_set():
        try:
            async with aclosing(_changes_below(directories(roots), stop)) as watched:
                async for found in watched:
                    yield found
                    if any(path.is_dir() for path in found):
                        break  # to be watched as well
        except FileNotFoundError:  # a directory has gone meanwhile
            await asyncio.sleep(1.0)


async def _changes_below(places: Sequence[Path], stop: asyncio.Event) -> AsyncGenerator[set[Path], None]:
    if not places:
        await stop.wait()
        return
    watched = watchfiles.awatch(
        *places, stop_event=stop, debounce=60, step=10, rust_timeout=1000, recursive=False, watch_filter=_matters
    )
    async with aclosing(watched):
        async for found in watched:
            yield {Path(path) for _, path in found}


def _matters(change: watchfiles.Change, path: str) -> bool:
    if path.endswith(_EXTENSIONS):
        return True
    is_new = change == watchfiles.Change.added and not os.path.basename(path).startswith(".")
    return is_new and os.path.isdir(path) and not os.path.islink(path)
