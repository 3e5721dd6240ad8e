"""A socket to a live page, as the page itself opens one."""

from __future__ import annotations

import json
from collections.abc import Callable
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
