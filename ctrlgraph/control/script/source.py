"""Reading a script's file: a regular file of bounded size, in UTF-8, or one sentence that says what is wrong."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import Finding, SourceError


def read_script(path: Path, shown: str) -> str:
    """Return the text of a script's file, without a byte order mark.

    Args:
        shown: how findings name the file.

    Raises:
        SourceError: it cannot be read, is no regular file (a pipe could keep its reader waiting for ever), is longer
            than `MAX_BYTES`, or is not UTF-8.
    """
    try:
        data = _read(path, shown)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError([unreadable(shown, f"the script cannot be read: {reason}")]) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError([unreadable(shown, "the script is not UTF-8 text")]) from None


def unreadable(shown: str, message: str, hint: str | None = None) -> Finding:
    """The finding about a script's file of which nothing can be read."""
    return Finding("error", "unreadable", message, shown, hint=hint)


def _read(path: Path, shown: str) -> bytes:
    _require_regular(os.stat(path), shown)  # to open a device may already do something
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        _require_regular(os.fstat(handle), shown)
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        message = f"the script is longer than {MAX_BYTES:,} bytes"
        raise SourceError([unreadable(shown, message, "this may be another kind of file; a script calls others")])
    return data


def _require_regular(status: os.stat_result, shown: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        what = "a directory" if stat.S_ISDIR(status.st_mode) else "a pipe, a socket or a device"
        raise SourceError([unreadable(shown, f"the script cannot be read: it is {what}, not a file")])
