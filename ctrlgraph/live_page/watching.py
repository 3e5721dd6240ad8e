"""Notification of scripts that other programs save."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import watchfiles

MAX_DIRECTORIES = 500
"""Maximum number of watched directories. The operating system limits them for all programs together."""

_EXTENSIONS = (".t", ".s")


def watched_directories(roots: Sequence[Path]) -> list[Path]:
    """Return the directories to watch: `roots` and all directories below them, at most `MAX_DIRECTORIES`.

    Hidden directories and links are skipped. A missing root is replaced by its parent.
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
    """Yield the paths of scripts that were changed, created or deleted, and of new directories.

    Args:
        roots: Directories with scripts.
        stop: Event that ends the iteration.

    Yields:
        The paths that have changed since the last set.

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
                        break  # watch it as well
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
