"""How a browser is told the address of the live page: by a file of the user's own, since whatever stands in a command
line can be read by everybody on the machine."""

from __future__ import annotations

import html
import os
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>ctrlgraph edit</title>
<p><a href="{address}">Go on to the page of ctrlgraph edit</a></p>
"""


@contextmanager
def opening_file(path: Path, address: str) -> Iterator[Path]:
    """Yield a file that leads a browser on to an address, readable by the user alone; it is gone afterwards.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)  # one that others may have opened, or a link
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(address=html.escape(address)))
        yield path
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def show(path: Path) -> bool:
    """Let the user's browser open a file; returns whether there is a browser that says it will."""
    return webbrowser.open(path.as_uri())
