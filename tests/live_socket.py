"""A socket to a live page, as the page itself opens one."""

from __future__ import annotations

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
