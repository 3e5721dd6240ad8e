"""Notification when another program creates, changes or deletes a script."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import watchfiles

MAX_DIRECTORIES = 500
"""Maximum number of watched directories. The operating system has a limit for all programs together."""

_EXTENSIONS = (".t", ".s")


def watched_directories(roots: Sequence[Path]) -> list[Path]:
    """Return the directories to watch: some directories with all their subdirectories, at most `MAX_DIRECTORIES`.

    Hidden directories and links are omitted.

    Args:
        roots: Directories with scripts. If one does not exist, its parent directory is watched.
    """
    found: dict[Path, None] = {}
    for root in roots:
        if not root.is_dir():
            found[root.parent] = None
            continue
        for path, names, _ in os.walk(root, followlinks=False):
            names[:] = sorted(name for name in names if not name.startswith("."))
            found[Path(path)] = None
            if len(found) >= MAX_DIRECTORIES:
                break
    return [each for each in found if each.is_dir()][:MAX_DIRECTORIES]


async def changes(roots: Sequence[Path], stop: asyncio.Event) -> AsyncGenerator[set[Path], None]:
    """Wait for changes by other programs, and yield the paths of changed, created or deleted scripts.

    Args:
        roots: Directories with scripts.
        stop: Event that ends the iteration.

    Yields:
        Paths of all scripts that have changed since the last set of paths, and of new directories.

    Raises:
        OSError: If the operating system cannot watch the directories.
        RuntimeError: If watching fails later.
    """
    while not stop.is_set():
        try:
            async with aclosing(_changes_below(watched_directories(roots), stop)) as watched:
                async for found in watched:
                    yield found
                    if any(path.is_dir() for path in found):
                        break  # begin again, so that the new directory is watched too
        except FileNotFoundError:  # a directory has been deleted meanwhile
            await asyncio.sleep(1.0)


async def _changes_below(places: Sequence[Path], stop: asyncio.Event) -> AsyncGenerator[set[Path], None]:
    if not places:
        await stop.wait()
        return
    watched = watchfiles.awatch(
        *places, stop_event=stop, debounce=60, step=10, rust_timeout=1000, recursive=False, watch_filter=_is_relevant
    )
    async with aclosing(watched):
        async for found in watched:
            yield {Path(path) for _, path in found}


def _is_relevant(change: watchfiles.Change, path: str) -> bool:
    if path.endswith(_EXTENSIONS):
        return True
    is_new = change == watchfiles.Change.added and not os.path.basename(path).startswith(".")
    return is_new and os.path.isdir(path) and not os.path.islink(path)
