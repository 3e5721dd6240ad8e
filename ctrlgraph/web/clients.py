"""The pages that are connected: each has a queue of what it is still to be sent, which ends where it stops reading."""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Iterable
from typing import Any

MAX_WAITING = 400
MAX_WAITING_BYTES = 32 * 2**20
"""What may wait for a page that does not read; one for which more waits is let go, and begins anew when it wakes."""

MAX_UNANSWERED = 100
MAX_UNANSWERED_BYTES = 4 * 2**20
"""What a page may have said that nobody has seen to yet; whoever says more is not listened to until it has been."""

Item = dict[str, Any] | bytes
"""A message as JSON, or a motion."""


def as_json(message: dict[str, Any]) -> str:
    """Return a message as every browser reads it; bytes of file names that are not UTF-8 are written out, as `\\udcff`.

    Raises:
        ValueError: a number in it is not finite, for which JSON has no word.
    """
    text = json.dumps(message, ensure_ascii=False, allow_nan=False)
    return _NOT_UTF_8.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text)


_NOT_UTF_8 = re.compile("[\ud800-\udfff]")
"""What Python makes of such bytes of a file name; no socket can be sent it."""


class Client:
    """A page: what waits to be sent to it, and whether it has fallen too far behind."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.joined = False
        self.behind = False
        self.waiting_bytes = 0
        self.unanswered = self.unanswered_bytes = 0
        self._waiting: deque[str | bytes] = deque()
        self._something = asyncio.Event()
        self._answered = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, items: Iterable[str | bytes]) -> None:
        """Let these be sent, unless the page has fallen behind."""
        for item in items:
            if self.behind:
                return
            self._waiting.append(item)
            self.waiting_bytes += len(item)
            if len(self._waiting) > MAX_WAITING or self.waiting_bytes > MAX_WAITING_BYTES:
                self.let_go()
        self._something.set()

    async def room(self) -> None:
        """Wait until not too much of what the page has said is still to be seen to."""
        while self.unanswered >= MAX_UNANSWERED or self.unanswered_bytes >= MAX_UNANSWERED_BYTES:
            self._answered.clear()
            await self._answered.wait()

    def asked(self, size: int) -> None:
        """Take note of something that the page has said, of so many bytes."""
        self.unanswered += 1
        self.unanswered_bytes += size

    def answered(self, size: int) -> None:
        """Take note that it has been seen to."""
        self.unanswered -= 1
        self.unanswered_bytes -= size
        self._answered.set()

    def let_go(self) -> None:
        """Send nothing more."""
        self.behind = True
        self._waiting.clear()
        self.waiting_bytes = 0
        self._something.set()

    async def next(self) -> str | bytes | None:
        """Return what is to be sent next; None where the page has fallen behind."""
        while not self._waiting:
            if self.behind:
                return None
            self._something.clear()
            await self._something.wait()
        item = self._waiting.popleft()
        self.waiting_bytes -= len(item)
        return item


class Clients:
    """All pages. Other threads reach them through `post`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._clients: dict[int, Client] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._clients)

    def add(self) -> Client:
        """Return a new page, which is sent nothing until it has joined."""
        self._last += 1
        client = self._clients[self._last] = Client(self._last)
        return client

    def remove(self, client: Client) -> None:
        """Forget a page."""
        self._clients.pop(client.number, None)
        client.let_go()

    def post(self, items: Iterable[Item], to: int | None = None, *, joins: bool = False) -> None:
        """Send to all pages that have joined, or to one, from any thread.

        Args:
            joins: from now on it is one of these; to all: also to those that have not joined yet.
        """
        told = [item if isinstance(item, bytes) else as_json(item) for item in items]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, told, to, joins)

    def answered(self, client: Client, size: int) -> None:
        """Take note that something that a page has said has been seen to, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(client.answered, size)

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
