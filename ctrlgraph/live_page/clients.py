"""The pages that are connected to the server, each with a queue of the messages and motions to send to the page."""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Iterable
from typing import Any

MAX_WAITING = 400
"""Maximum number of items that wait to be sent to a page. With more, the page is disconnected."""
MAX_WAITING_BYTES = 32 * 2**20
"""Maximum size of all items that wait to be sent to a page, bytes. With more, the page is disconnected."""

MAX_UNANSWERED = 100
"""Maximum number of unprocessed messages from a page. At this number, the server stops reading from the page."""
MAX_UNANSWERED_BYTES = 4 * 2**20
"""Maximum size of all unprocessed messages from a page, bytes. At this size, the server stops reading from the page."""

Item = dict[str, Any] | bytes
"""Message to a page: JSON data, or the samples of a motion as bytes."""


def as_json(message: dict[str, Any]) -> str:
    r"""Return a message as JSON text. Bytes of file names that are not UTF-8 are escaped, for example as `\\udcff`.

    Raises:
        ValueError: If a number in the message is not finite.
    """
    text = json.dumps(message, ensure_ascii=False, allow_nan=False)
    return _NOT_UTF_8.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text)


_NOT_UTF_8 = re.compile("[\ud800-\udfff]")
"""Characters (surrogates) by which Python represents bytes that are not UTF-8. Sockets cannot send surrogates."""


class Client:
    """A connected page, with a queue of the items to send to the page.

    Attributes:
        number: number that identifies the page.
        joined: True if the page receives the items that are sent to all pages.
        behind: True if nothing more is sent to the page, for example because its queue was too long.
        waiting_bytes: size of the items in the queue, bytes.
        unanswered: number of messages from the page that the session has not processed yet.
        unanswered_bytes: size of these unprocessed messages, bytes.
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
        """Add items to the queue. If it becomes too long, discard all items, and send nothing more to the page."""
        for item in items:
            if self.behind:
                return
            self._waiting.append(item)
            self.waiting_bytes += len(item)
            if len(self._waiting) > MAX_WAITING or self.waiting_bytes > MAX_WAITING_BYTES:
                self.drop()
        self._available.set()

    async def wait_for_capacity(self) -> None:
        """Wait until the page has so few unprocessed messages that the server may read another one from the page."""
        while self.unanswered >= MAX_UNANSWERED or self.unanswered_bytes >= MAX_UNANSWERED_BYTES:
            self._done.clear()
            await self._done.wait()

    def request_received(self, size: int) -> None:
        """Count a message of `size` bytes from the page as unprocessed."""
        self.unanswered += 1
        self.unanswered_bytes += size

    def request_done(self, size: int) -> None:
        """Count an unprocessed message of `size` bytes from the page as processed."""
        self.unanswered -= 1
        self.unanswered_bytes -= size
        self._done.set()

    def drop(self) -> None:
        """Discard the queue, and send nothing more to the page."""
        self.behind = True
        self._waiting.clear()
        self.waiting_bytes = 0
        self._available.set()

    async def next(self) -> str | bytes | None:
        """Wait for the next item to send to the page, and return it. None: nothing more is to be sent."""
        while not self._waiting:
            if self.behind:
                return None
            self._available.clear()
            await self._available.wait()
        item = self._waiting.popleft()
        self.waiting_bytes -= len(item)
        return item


class Clients:
    """All connected pages. The methods `post` and `request_done` can be called from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._clients: dict[int, Client] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._clients)

    def add(self) -> Client:
        """Add a connected page, and return it. The page receives no items for all pages until it has joined."""
        self._last += 1
        client = self._clients[self._last] = Client(self._last)
        return client

    def remove(self, client: Client) -> None:
        """Remove a page."""
        self._clients.pop(client.number, None)
        client.drop()

    def post(self, items: Iterable[Item], to: int | None = None, *, joins: bool = False) -> None:
        """Send items to one page, or to all pages that have joined. Any thread can call this method.

        Args:
            items: Items to send.
            to: Number of the page. None: all pages that have joined.
            joins: True: the page `to` joins, that is, it receives later items for all pages. If `to` is None, the items
                are also sent to pages that have not joined yet.
        """
        encoded = [item if isinstance(item, bytes) else as_json(item) for item in items]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, encoded, to, joins)

    def request_done(self, client: Client, size: int) -> None:
        """Count a message from a page as processed. Any thread can call this method.

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
