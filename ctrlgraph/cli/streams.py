"""Preparation of stdin, stdout and stderr, so that all three are open and can write every character."""

from __future__ import annotations

import io
import os
import sys


def settle() -> None:
    """Connect closed standard streams to /dev/null, and let open ones write unencodable characters as escapes.

    Without this function, if stdout is closed, the next file that is opened would get the file number of stdout, and
    printed text would be written into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            _open_on_nothing(number)
    for name, mode, number in (("stdin", "r", 0), ("stdout", "w", 1), ("stderr", "w", 2)):
        if getattr(sys, name) is None:
            opened = open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
            setattr(sys, name, opened)  # stays open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
            stream.reconfigure(errors="backslashreplace")


def discard_stdout() -> None:
    """Redirect stdout to /dev/null after its reader has closed the pipe. Python's last flush then raises no error."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, sys.stdout.fileno())
    finally:
        os.close(nothing)


def _open_on_nothing(number: int) -> None:
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    os.set_inheritable(number, True)
