"""A socket to a live page, as the page itself opens one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from waiting import PATIENCE_S


def dial(address: str, **settings: Any) -> Any:
    """Open a socket to a live page.

    Args:
        address: of the page.
        settings: for `websockets.sync.client.connect`.
    """
    from websockets.sync.client import connect

    at = urlsplit(address)
    patient = {"max_size": None, "open_timeout": PATIENCE_S, "ping_interval": None}
    return connect(f"ws://{at.netloc}/live", **(patient | {"origin": f"http://{at.netloc}"} | settings))


def next_message(socket: Any, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the next JSON message that fits a condition.

    Args:
        socket: Socket of a page.
        fits: The condition.
    """
    while True:
        text = socket.recv(timeout=PATIENCE_S)
        if isinstance(text, str) and fits(found := json.loads(text)):
            return dict(found)


class SocketPage:
    """An authenticated page over a real socket."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._socket.send(json.dumps(message))

    def until(self, type: str, **having: Any) -> dict[str, Any]:
        """Return the next message of a type that has these entries. A notice of a fault fails the test."""
        wanted = {"type": type, **having}
        message = next_message(self._socket, lambda found: found["type"] == "notice" or wanted.items() <= found.items())
        assert message["type"] == type, message
        return message


@contextmanager
def socket_page(address: str) -> Iterator[SocketPage]:
    """Open a page at an address, and send its token."""
    with dial(address, close_timeout=1) as socket:
        page = SocketPage(socket)
        page.say(type="hello", token=urlsplit(address).fragment)
        yield page
