"""Authentication: the token is in no command line, and clients without it cannot use up the server's resources."""

from __future__ import annotations

import json
import socket
import stat
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser import Watched
from live_socket import dial, next_message
from waiting import PATIENCE_S, until

from ctrlgraph.live_page import server
from ctrlgraph.live_page.access import redirect_file
from ctrlgraph.live_page.saved_state import redirect_path
from ctrlgraph.project.project import Project


@pytest.mark.slow
def test_a_page_without_the_token_shows_only_instructions(live: str, open_page: Callable[..., Watched]) -> None:
    at = urlsplit(live)
    for address in (f"http://{at.netloc}/#guessed", f"http://{at.netloc}/"):
        page = open_page(address)
        page.page.wait_for_selector("#locked", state="visible")
        found = page.page.locator("body").inner_text()
        assert "Open the address that ctrlgraph edit has printed in its terminal" in found
        assert at.fragment not in page.page.content() and "humanoid" not in found
        assert not page.page.locator("main").is_visible() and not page.page.locator("#names").is_visible()
    again = open_page(live)
    again.until("() => document.documentElement.dataset.connected === 'yes'")
    assert not again.page.locator("#locked").is_visible() and again.page.locator("main").is_visible()


@pytest.mark.slow
def test_the_browser_gets_the_address_from_a_private_file(
    serve: Callable[..., Any], small: Project, tmp_path: Path, open_page: Callable[..., Watched]
) -> None:
    said, browser = tmp_path / "said", tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{said}.part' && mv '{said}.part' '{said}'\n")
    browser.chmod(0o700)
    served = serve("stand", browser=f"{browser} %s")
    until(said.exists, "the browser was not started")
    file, token = redirect_path(small.directory), urlsplit(served.address).fragment
    assert said.read_text().strip() == file.as_uri() and token not in said.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and token in file.read_text()
    page = open_page(file.as_uri())
    page.page.wait_for_url("http://127.0.0.1:*/**")
    page.until("() => document.documentElement.dataset.connected === 'yes'")
    assert served.interrupt() == 0
    assert not file.exists()


def test_the_redirect_file_replaces_a_link_without_following_it(tmp_path: Path) -> None:
    other, path = tmp_path / "other", tmp_path / "a.html"
    other.write_text("theirs")
    path.symlink_to(other)
    with redirect_file(path, "http://127.0.0.1:1/#t") as made:
        assert not made.is_symlink() and other.read_text() == "theirs"


def test_the_number_of_unauthenticated_sockets_is_limited(live: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from websockets.exceptions import InvalidStatus

    monkeypatch.setattr(server, "MAX_UNAUTHENTICATED", 3)
    with ExitStack() as stack:

        def dialled() -> Any:
            return stack.enter_context(dial(live))

        strangers = [dialled() for _ in range(3)]
        with pytest.raises(InvalidStatus):
            dialled()
        strangers.pop().close()
        page = None
        while page is None:  # until the server has noticed the closed socket
            try:
                page = dialled()
            except InvalidStatus:
                time.sleep(0.05)
        page.send(json.dumps({"type": "hello", "token": urlsplit(live).fragment}))
        assert json.loads(page.recv(timeout=PATIENCE_S))["type"] == "compiling"
        dialled()  # a socket that has sent the token does not count


def is_refused(live: str) -> bool:
    at = urlsplit(live)
    with socket.create_connection((at.hostname, at.port)) as connection:
        return is_closed(connection)


def is_closed(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return connection.recv(100) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_idle_connections_are_closed_and_their_number_is_limited(live: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = urlsplit(live)
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 5)
    monkeypatch.setattr(server, "HELLO_TIMEOUT_S", 600.0)
    silent = [socket.create_connection((at.hostname, at.port)) for _ in range(5)]
    until(lambda: is_refused(live), "the sixth is kept")
    assert not any(map(is_closed, silent))
    silent.pop().close()
    monkeypatch.setattr(server, "HELLO_TIMEOUT_S", 0.2)
    slow = socket.create_connection((at.hostname, at.port))
    slow.sendall(b"GET / HTTP/1.1\r\nHost: ")  # an incomplete request
    until(lambda: is_closed(slow), "a connection that asks for nothing stays")
    for each in (*silent, slow):
        each.close()


PING = bytes([0x89, 0x80 | 125]) + bytes(4 + 125)  # masked with zeros
HANDSHAKE = (
    "GET /live HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def sends(connection: socket.socket, data: bytes, at_most: int) -> int:
    """Send data repeatedly until the other end reads nothing for a second; return the number of bytes sent."""
    connection.settimeout(1.0)
    sent = 0
    while sent < at_most:
        try:
            sent += connection.send(data[sent % len(data) :])
        except (TimeoutError, ConnectionError):
            break
    return sent


@pytest.mark.slow
def test_a_client_that_pings_without_reading_is_disconnected(live: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This attack needs no token; the answers would fill the server's memory, and closing would wait for them."""
    at = urlsplit(live)
    monkeypatch.setattr(server, "UNREAD_TIMEOUT_S", 5.0)
    with socket.create_connection((at.hostname, at.port)) as client:
        client.sendall(HANDSHAKE.format(at.netloc).encode())
        assert client.recv(2000).startswith(b"HTTP/1.1 101 ")
        pings = PING * 500  # about 64 kB
        assert sends(client, pings, 100 * 2**20) < 50 * 2**20  # the system buffers a few MB
        until(lambda: is_broken(client), "it is kept")


def test_a_message_of_endless_fragments_is_disconnected(live: str) -> None:
    """The fragments are empty, so that limits on bytes do not apply."""
    at = urlsplit(live)
    first, more = bytes([0x01, 0x80]) + bytes(4), bytes([0x00, 0x80]) + bytes(4)
    with socket.create_connection((at.hostname, at.port)) as client:
        client.sendall(HANDSHAKE.format(at.netloc).encode())
        assert client.recv(2000).startswith(b"HTTP/1.1 101 ")
        client.sendall(first + more * (server.MAX_FRAGMENTS - 10))
        time.sleep(0.2)
        assert not is_closed(client)
        client.sendall(more * 20)
        until(lambda: is_closed(client), "it is listened to")


def test_binary_messages_are_rejected_without_disconnecting(live: str) -> None:
    with dial(live) as page:
        page.send(json.dumps({"type": "hello", "token": urlsplit(live).fragment}))
        page.send(b"\0" * 1000)
        found = next_message(page, lambda message: message["type"] == "notice")
        assert found == {"type": "notice", "kind": "error", "message": "invalid message from the page: bytes"}
        page.send(json.dumps({"type": "open", "path": "controllers/squat.t"}))
        next_message(page, lambda message: message["type"] == "script")


@pytest.mark.slow
def test_a_client_that_requests_files_without_reading_is_disconnected(
    live: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = urlsplit(live)
    monkeypatch.setattr(server, "UNREAD_TIMEOUT_S", 1.0)
    with socket.create_connection((at.hostname, at.port)) as client:
        sends(client, f"GET /figure.js HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode() * 100, 10 * 2**20)
        until(lambda: is_broken(client), "it is kept")


def is_broken(connection: socket.socket) -> bool:
    """Tell whether the other end has closed a connection, without reading from it."""
    connection.settimeout(0.05)
    try:
        connection.send(b"x")
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return False
