"""The connected pages, each with a queue of the items to send to it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Iterable
from typing import Any

MAX_WAITING = 400
"""Maximum number of items in the queue of a page."""
MAX_WAITING_BYTES = 32 * 2**20
"""Maximum size of these items, bytes. A page that exceeds a limit is disconnected, and reconnects when it responds."""

MAX_UNANSWERED = 100
"""Maximum number of messages from a page that the session has not processed."""
MAX_UNANSWERED_BYTES = 4 * 2**20
"""Maximum size of these messages, bytes. At a limit, the server stops reading from the page."""

Item = dict[str, Any] | bytes
"""What is sent to a page: a JSON message, or the samples of a motion as bytes."""


def as_json(message: dict[str, Any]) -> str:
    r"""Return a message as JSON. Bytes of file names that are not UTF-8 are escaped as `\\udcff`.

    Raises:
        ValueError: If a number is not finite.
    """
    text = json.dumps(message, ensure_ascii=False, allow_nan=False)
    return _NOT_UTF_8.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text)


_NOT_UTF_8 = re.compile("[\ud800-\udfff]")
"""Surrogates with which Python represents bytes that are not UTF-8. Sockets cannot send surrogates."""


class Client:
    """A connected page with the queue of items to send to it.

    Attributes:
        number: number of the page.
        joined: whether the page receives broadcasts.
        behind: whether the page is disconnected, for example because its queue was too long.
        waiting_bytes: size of the queue, bytes.
        unanswered: number of messages from the page that the session has not processed.
        unanswered_bytes: size of these messages, bytes.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.joined = False
        self.behind = False
        self.waiting_bytes = 0
        self.unanswered = self.unanswered_bytes = 0
        self._waiting: deque[str | bytes] = deque()
        self._available = asyncio.Event()
        self._done = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, items: Iterable[str | bytes]) -> None:
        """Add items to the queue, unless the page has fallen behind."""
        for item in items:
            if self.behind:
                return
            self._waiting.append(item)
            self.waiting_bytes += len(item)
            if len(self._waiting) > MAX_WAITING or self.waiting_bytes > MAX_WAITING_BYTES:
                self.drop()
        self._available.set()

    async def wait_for_capacity(self) -> None:
        """Wait until the session has processed enough messages of the page to receive another one."""
        while self.unanswered >= MAX_UNANSWERED or self.unanswered_bytes >= MAX_UNANSWERED_BYTES:
            self._done.clear()
            await self._done.wait()

    def request_received(self, size: int) -> None:
        """Count a message of `size` bytes that the page has sent."""
        self.unanswered += 1
        self.unanswered_bytes += size

    def request_done(self, size: int) -> None:
        """Count a message of `size` bytes as processed."""
        self.unanswered -= 1
        self.unanswered_bytes -= size
        self._done.set()

    def drop(self) -> None:
        """Discard the queue and send nothing more."""
        self.behind = True
        self._waiting.clear()
        self.waiting_bytes = 0
        self._available.set()

    async def next(self) -> str | bytes | None:
        """Wait for the next item to send and return it; None if the page has fallen behind."""
        while not self._waiting:
            if self.behind:
                return None
            self._available.clear()
            await self._available.wait()
        item = self._waiting.popleft()
        self.waiting_bytes -= len(item)
        return item


class Clients:
    """All connected pages. `post` and `request_done` can be called from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._clients: dict[int, Client] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._clients)

    def add(self) -> Client:
        """Add a page and return it. It receives no broadcasts until it has joined."""
        self._last += 1
        client = self._clients[self._last] = Client(self._last)
        return client

    def remove(self, client: Client) -> None:
        """Remove a page."""
        self._clients.pop(client.number, None)
        client.drop()

    def post(self, items: Iterable[Item], to: int | None = None, *, joins: bool = False) -> None:
        """Send items to all pages that have joined, or to one page, from any thread.

        Args:
            items: Items to send.
            to: Number of the page; None for all pages.
            joins: With `to`, let this page join. Without it, send also to pages that have not joined yet.
        """
        encoded = [item if isinstance(item, bytes) else as_json(item) for item in items]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, encoded, to, joins)

    def request_done(self, client: Client, size: int) -> None:
        """Count a message of a page as processed, from any thread.

        Args:
            client: Page that sent the message.
            size: Size of the message, bytes.
        """
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(client.request_done, size)

    def _put(self, items: list[str | bytes], to: int | None, joins: bool) -> None:
        if to is None:
            for each in self._clients.values():
                if each.joined or joins:
                    each.put(items)
            return
        client = self._clients.get(to)
        if client is not None:
            client.joined = client.joined or joins
            client.put(items)
