"""Entry point of the program `ctrlgraph`. It imports few modules, so that Ctrl-C is handled from the start."""

from __future__ import annotations

import contextlib
import gc
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
"""Maximum time between Ctrl-C and its handling by Python, s. Python cannot handle Ctrl-C while compiled code such as
LLVM runs. After this time the process is ended.
"""

GARBAGE_THRESHOLD = 50_000
"""Number of new objects after which Python collects garbage. With Python's default of 700, collections would take a
sixth of the start-up time, because imports create many objects and hardly any garbage.
"""


def main() -> int:
    """Run the command line of this process and return its exit code. Ctrl-C ends the process at once."""
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 20)
    streams.settle()  # otherwise the sockets that are opened next get the file numbers of closed standard streams
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # unless a shell makes the process ignore Ctrl-C
        _watch_interrupts()
    try:
        from ctrlgraph.cli.main import main as run

        code = run()
    except KeyboardInterrupt:
        _print_interrupted()
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        leave(code)
    return code


def leave(code: int) -> NoReturn:
    """End this process and its child processes at once, with the exit code `code`.

    Memory is not freed, which would take up to a second.
    """
    with contextlib.suppress(Exception):  # an import of multiprocessing may have been interrupted
        _end_children()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # the stream may be missing or closed
            stream.flush()
    os._exit(code)


def _end_children() -> None:
    if "multiprocessing.process" in sys.modules:
        for child in sys.modules["multiprocessing.process"].active_children():
            child.kill()
    if "multiprocessing.util" in sys.modules and threading.current_thread() is threading.main_thread():
        sys.modules["multiprocessing.util"]._exit_function()  # otherwise its helper warns of leaked semaphores


def _watch_interrupts() -> None:
    """Install a handler of Ctrl-C, and a thread that ends the process if the handler is not called in `HANDLED_S` s.

    The thread does nothing while another handler of Ctrl-C is installed, such as that of a server.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    handled = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        handled.set()
        signal.default_int_handler(number, frame)

    def watch() -> None:
        while reader.recv(1) == bytes([signal.SIGINT]):
            if signal.getsignal(signal.SIGINT) is handle and not handled.wait(HANDLED_S):
                _print_interrupted()
                leave(ExitCode.INTERRUPTED)
            handled.clear()

    signal.signal(signal.SIGINT, handle)
    threading.Thread(target=watch, name="interrupts", daemon=True).start()


def _print_interrupted() -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):  # stderr may be missing
        cursor = "\x1b[?25h" if sys.stderr.isatty() else ""  # a progress bar hides the cursor
        sys.stderr.write(f"{cursor}interrupted\n")  # noqa: TID251  # possibly before the console is loaded
