"""The entry point of the command `ctrlgraph`: it imports little, so that Ctrl-C is handled from the beginning."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from types import FrameType
from typing import NoReturn

from ctrlgraph.cli import streams
from ctrlgraph.cli.exit_codes import ExitCode

HANDLED_S = 0.5
"""Python handles Ctrl-C between two of its instructions. A call of compiled code that takes longer (s) is not awaited:
a compilation by LLVM may take ten seconds."""


def main() -> int:
    """Run the command line and return its exit code; Ctrl-C ends the process at once, whatever it does."""
    streams.settle()  # else the sockets below get the numbers of closed standard streams
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where a shell has it ignored
        _watch_interrupts()
    try:
        from ctrlgraph.cli.main import main as run

        code = run()
    except KeyboardInterrupt:
        _say_interrupted()
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        leave(code)
    return code


def leave(code: int) -> NoReturn:
    """End the process and those that it started, without freeing its memory, which takes up to a second."""
    if "multiprocessing" in sys.modules:
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
        if threading.current_thread() is threading.main_thread():
            sys.modules["multiprocessing.util"]._exit_function()  # else its helper warns of semaphores that are left
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # it may be missing or closed
            stream.flush()
    os._exit(code)


def _watch_interrupts() -> None:
    """End the process where Ctrl-C is not handled within `HANDLED_S`."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    handled = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        handled.set()
        signal.default_int_handler(number, frame)

    def watch() -> None:
        while reader.recv(1) == bytes([signal.SIGINT]):
            if not handled.wait(HANDLED_S):
                _say_interrupted()
                leave(ExitCode.INTERRUPTED)
            handled.clear()

    signal.signal(signal.SIGINT, handle)
    threading.Thread(target=watch, name="interrupts", daemon=True).start()


def _say_interrupted() -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):  # there may be no stderr
        cursor = "\x1b[?25h" if sys.stderr.isatty() else ""  # a progress bar hides it
        sys.stderr.write(f"{cursor}interrupted\n")  # noqa: TID251  # possibly before the console is loaded
