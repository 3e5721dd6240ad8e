"""A page of a live session, without a server."""

from __future__ import annotations

import json
from typing import Any

from ctrlgraph.live_page import protocol


class SessionPage:
    """Sends messages to a session, and reads its answers."""

    def __init__(self, session: Any, messages: Any) -> None:
        self._session, self.messages = session, messages

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._session.post(1, protocol.parse(json.dumps(message)))

    def open(self, path: str) -> dict[str, Any]:
        """Open a script, and return the message with its constants."""
        self.say(type="open", path=path)
        found: dict[str, Any] = self.messages.until("constants", path=path)
        return found

    def script(self, path: str, **having: Any) -> dict[str, Any]:
        """Return the next text of a script with these entries."""
        found: dict[str, Any] = self.messages.until("script", path=path, **having)
        return found

    def change_of(self, path: str) -> dict[str, Any]:
        """Open a script, and return the request to write another value for its first constant."""
        self.say(type="open", path=path)
        digest = self.script(path)["digest"]
        item = self.messages.until("constants", path=path)["items"][0]
        return {"values": {item["id"]: item["value"] + 0.25}, "digest": digest}
