"""Reading a script's file: a regular file of bounded size, in UTF-8, or one sentence that says what is wrong."""

from __future__ import annotations

import errno
from codecs import BOM_UTF8
from pathlib import Path

from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import Finding, SourceError
from ctrlgraph.files import NotRegular, TooLarge, read_bytes


def read_script(path: Path, shown: str) -> str:
    """Return the text of a script's file, without a byte order mark.

    Args:
        path: path of the script.
        shown: how findings name the file.

    Raises:
        SourceError: it cannot be read, is no regular file (a pipe could keep its reader waiting for ever), is longer
            than `MAX_BYTES`, or is not UTF-8.
    """
    try:
        data = read_bytes(path, MAX_BYTES + len(BOM_UTF8)).removeprefix(BOM_UTF8)
        if len(data) > MAX_BYTES:
            raise TooLarge(errno.EFBIG, "it is too long")
    except TooLarge:
        message = f"the script is longer than {MAX_BYTES:,} bytes"
        hint = "this may be another kind of file; a script calls others"
        raise SourceError([unreadable(shown, message, hint)]) from None
    except NotRegular as error:
        what = "a directory" if error.is_directory else "a pipe, a socket or a device"
        message = f"the script cannot be read: it is {what}, not a file"
        raise SourceError([unreadable(shown, message)]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError([unreadable(shown, f"the script cannot be read: {reason}")]) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SourceError([unreadable(shown, "the script is not UTF-8 text")]) from None


def unreadable(shown: str, message: str, hint: str | None = None) -> Finding:
    """Return the finding about a script's file of which nothing can be read."""
    return Finding("error", "unreadable", message, shown, hint=hint)
