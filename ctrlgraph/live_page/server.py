"""The web server of the live page: it serves the page's files, and passes messages between pages and the session.

The server listens on this machine only. It refuses requests from pages of other servers. It also refuses requests for
other host names, since an attacker could let a name refer to this machine. All data of the project goes through one web
socket per page. The first message on a web socket must be the token (secret text) in the address of the page. Otherwise
the server closes the web socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.live_page import access, protocol
from ctrlgraph.live_page.clients import Client, Clients, Item
from ctrlgraph.live_page.watching import changes
from ctrlgraph.live_page.workspace import SendItems
from ctrlgraph.playback.assets import SHARED, SPACE, module, stylesheet

HELLO_TIMEOUT_S = 10.0
"""Time within which a connection must make its first request, and a web socket must send the token, s."""

UNREAD_TIMEOUT_S = 40.0
"""Time within which a page must read the data that the server has sent, and answer a ping, s."""

MAX_PAGES = 20
"""Maximum number of connected pages."""
MAX_UNAUTHENTICATED = 20
"""Maximum number of open web sockets that have not sent the token yet."""
MAX_CONNECTIONS = 200
"""Maximum number of connections. A page has one web socket. While it loads the page, a browser has a few connections
more.
"""

_MAX_FAULT_LENGTH = 200

MAX_FRAGMENTS = 1_000
"""Maximum number of fragments (web socket frames) of a message. Browsers send long messages in fragments of 100 kB."""

WRONG_TOKEN, FALLEN_BEHIND, TOO_MANY, STOPPING = 4401, 4408, 4429, 4410
"""Codes with which the server closes web sockets. The page shows an explanation of the code."""

_STATIC = files("ctrlgraph.live_page").joinpath("static")
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


@cache
def page_files(dimensions: int, mode: str = "edit") -> dict[str, tuple[str, str]]:
    """Return (text, media type such as "text/css") of each file of the live page, by file name.

    Args:
        dimensions: Number of dimensions in which the character moves.
        mode: Name of the command that serves the page: "edit" or "play".
    """
    found = {name: (module(name), _TYPES[".js"]) for name in (*SHARED, *SPACE)}
    found["theme.css"] = stylesheet(), _TYPES[".css"]
    for file in _STATIC.iterdir():
        text = file.read_text(encoding="utf-8").replace('data-dimensions="2"', f'data-dimensions="{dimensions}"')
        if file.name.endswith(".html"):
            text = text.replace('data-mode="edit"', f'data-mode="{mode}"')
            text = text.replace("ctrlgraph edit", f"ctrlgraph {mode}")
        found[file.name] = text, _TYPES[Path(file.name).suffix]
    return found


@cache
def plan_page_files() -> dict[str, tuple[str, str]]:
    """Return (text, media type) of each file of the page on which planned robots are steered, by file name."""
    found = {"planview.js": (module("planview.js"), _TYPES[".js"]), "theme.css": (stylesheet(), _TYPES[".css"])}
    own = files("ctrlgraph.live_page").joinpath("plan_static").iterdir()
    for file in (*own, *(_STATIC.joinpath(name) for name in ("connection.js", "icon.svg"))):
        found[file.name] = file.read_text(encoding="utf-8"), _TYPES[Path(file.name).suffix]
    return found


class _SameOriginOnly:
    """Middleware that refuses requests for other host names, and requests from pages of other servers."""

    def __init__(self, app: ASGIApp, port: Callable[[], int]) -> None:
        self._app, self._port = app, port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, port = Headers(scope=scope), self._port()
        is_socket = scope["type"] == "websocket"
        allowed = access.is_own_host(headers, port)
        if is_socket or "origin" in headers:
            allowed = allowed and access.is_own_origin(headers, port)
        if allowed:
            await self._app(scope, receive, _with_headers(send))
        elif is_socket:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse("this address is reserved for the pages of this server\n", 403, access.HEADERS)(
                scope, receive, send
            )


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.lower().encode(), value.encode()) for name, value in access.HEADERS.items()]
            message["headers"] = [*message.get("headers", []), *extra]
        await send(message)

    return sending


class PageSession(Protocol):
    """What the server needs of a session, which has its own thread."""

    is_compiling: bool

    @property
    def names(self) -> list[str]:
        """Return the names of what the page shows."""

    @property
    def logged(self) -> list[tuple[float, str]]:
        """Return the duration, s, of each logged motion, and the command that replays it, without `ctrlgraph`."""

    def start(self) -> None:
        """Start the thread."""

    def post(self, page: int | None, message: Any, done: Callable[[], None] = lambda: None) -> None:
        """Add a command to the queue of the session, see `Session.post`."""

    def stop(self, timeout: float = 10.0) -> bool:
        """Stop the thread, and return whether it has stopped."""


class LiveServer:
    """Web server of one session: serves the live page, and connects the pages with the session.

    Args:
        make_session: Function that returns the session. It is called with the function by which the session sends items
            to pages.
        token: Token (secret text) that pages must send first.
        port: Port on which the server listens.
        watched: Directories with scripts. Changes of their files by other programs are passed to the session.
        at_start: Function that returns the data of the graph's picture. It is called in a thread after the session has
            started, and its result is passed to the session. None: the page shows no graph.
        report: Function that prints a message in the terminal.
        served: Text and media type of each file of the page, by name.
        parse: Function that parses and validates a message from a page, or raises a CtrlGraphError.

    Attributes:
        session: The session.
        has_stopped: True if the thread of the session has ended. The thread cannot end during a compilation.
    """

    def __init__(
        self,
        make_session: Callable[[SendItems], PageSession],
        token: str,
        port: int,
        watched: Sequence[Path] = (),
        at_start: Callable[[], Any] | None = None,
        report: Callable[[str], None] = lambda _: None,
        *,
        served: Mapping[str, tuple[str, str]],
        parse: Callable[[str], Any] = protocol.parse,
    ) -> None:
        self._report, self._served, self._parse = report, served, parse
        self.port, self._token = port, token
        self._watched, self._at_start = tuple(watched), at_start
        self.clients: Clients | None = None
        self.has_stopped = True
        self._unauthenticated = 0
        self._watch_error = ""
        self.session = make_session(self._send_items)
        self.app = Starlette(
            routes=[WebSocketRoute("/live", self._socket), Route("/", self._file), Route("/{name}", self._file)],
            lifespan=self._lifespan,
        )
        self.app.add_middleware(_SameOriginOnly, port=lambda: self.port)

    def _send_items(self, items: Sequence[Item], to: int | None, joins: bool) -> None:
        if self.clients is not None:
            self.clients.post(items, to, joins=joins)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.clients = Clients(asyncio.get_running_loop())
        self.session.start()
        stop = asyncio.Event()
        tasks = [asyncio.create_task(self._watch(stop))] if self._watched else []
        if self._at_start is not None:
            threading.Thread(target=self._run_at_start, name="graph", daemon=True).start()
        try:
            yield
        finally:
            stop.set()
            self.has_stopped = await asyncio.to_thread(self.session.stop)
            for task in tasks:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    def _run_at_start(self) -> None:
        assert self._at_start is not None
        try:
            self.session.post(None, self._at_start())
        except CtrlGraphError as error:
            self.session.post(None, {"failed": str(error)})

    async def _watch(self, stop: asyncio.Event) -> None:
        """Pass the paths of scripts that other programs save to the session."""
        try:
            async for found in changes(self._watched, stop):
                for path in sorted(found):
                    self.session.post(None, path)
        except (OSError, RuntimeError) as error:
            reason = printable(str(getattr(error, "strerror", None) or error)).splitlines()[0].lower()
            self._watch_error = f"scripts saved by other programs are no longer noticed: {reason}; restart ctrlgraph"
            self._send_items([{"type": "notice", "kind": "error", "message": self._watch_error}], None, False)

    async def _file(self, request: Any) -> Response:
        found = self._served.get(request.path_params.get("name", "index.html"))
        if found is None:
            return PlainTextResponse("no such file\n", 404)
        return Response(found[0], media_type=found[1])

    async def _socket(self, socket: WebSocket) -> None:
        if self._unauthenticated >= MAX_UNAUTHENTICATED:
            await socket.close(1013)  # rejected before the handshake
            return
        self._unauthenticated += 1
        try:
            await socket.accept()
            is_authenticated = await self._authenticate(socket)
        finally:
            self._unauthenticated -= 1
        if not is_authenticated:
            await socket.close(WRONG_TOKEN, "the token is wrong")
            return
        assert self.clients is not None
        if len(self.clients) >= MAX_PAGES:
            await socket.close(TOO_MANY, f"{MAX_PAGES} pages are open already")
            return
        client = self.clients.add()
        client.put([json.dumps({"type": "compiling", "now": self.session.is_compiling})])  # the session may be busy
        if self._watch_error:
            client.put([_error_message(self._watch_error)])
        self.session.post(client.number, "join")
        sending = asyncio.create_task(self._send(socket, client))
        try:
            await self._receive(socket, client)
        except (WebSocketDisconnect, RuntimeError):  # the page has disconnected or was dropped
            pass
        finally:
            self.clients.remove(client)
            self.session.post(client.number, "left")
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending

    async def _authenticate(self, socket: WebSocket) -> bool:
        try:
            text = await asyncio.wait_for(socket.receive_text(), HELLO_TIMEOUT_S)
            message = self._parse(text[:1000])
        except (TimeoutError, CtrlGraphError, WebSocketDisconnect, KeyError):
            return False
        # in constant time, so that answers reveal nothing about the token
        return isinstance(message, protocol.Hello) and hmac.compare_digest(message.token.encode(), self._token.encode())

    async def _receive(self, socket: WebSocket, client: Client) -> None:
        assert self.clients is not None
        while True:
            await client.wait_for_capacity()
            try:
                text = await socket.receive_text()
                message = self._parse(text)
            except KeyError:  # raised by Starlette for bytes
                client.put([_error_message("invalid message from the page: bytes")])
                continue
            except CtrlGraphError as error:
                client.put([_error_message(str(error))])
                continue
            if not isinstance(message, protocol.Hello):
                client.request_received(len(text))
                self.session.post(client.number, message, partial(self.clients.request_done, client, len(text)))

    async def _send(self, socket: WebSocket, client: Client) -> None:
        """Send the queued items of a page, one after another. If the queue has become too long, close the web socket.

        An item that cannot be sent is skipped, and the failure is reported on the page and in the terminal.
        """
        with contextlib.suppress(WebSocketDisconnect):
            while (item := await client.next()) is not None:
                try:
                    await (socket.send_bytes(item) if isinstance(item, bytes) else socket.send_text(item))
                except WebSocketDisconnect:
                    raise
                except Exception as error:
                    if WebSocketState.DISCONNECTED in (socket.client_state, socket.application_state):
                        return  # the page has disconnected
                    fault = printable(f"{type(error).__name__}: {error}")[:_MAX_FAULT_LENGTH]
                    sentence = f"a message could not be sent to the page: a fault in ctrlgraph itself ({fault})"
                    self._report(sentence)
                    await socket.send_text(_error_message(sentence))
            await socket.close(FALLEN_BEHIND, "this page has fallen behind")


def _error_message(sentence: str) -> str:
    return json.dumps({"type": "notice", "kind": "error", "message": sentence})


def open_listener(port: int, *, wanted: int = 0) -> socket.socket:
    """Return a TCP socket that listens on this machine only.

    Args:
        port: Number of the port. 0: any free port.
        wanted: Number of the port to prefer if `port` is 0.

    Raises:
        CtrlGraphError: If `port` is taken.
    """
    for number in dict.fromkeys([port] if port else [wanted, 0]):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((access.HOST, number))
            listener.listen(64)
            return listener
        except OSError as error:
            listener.close()
            reason = (error.strerror or str(error)).lower()
            if port or number == 0:
                raise CtrlGraphError(f"cannot listen on port {number}, so choose another --port: {reason}") from None
    raise AssertionError("port 0 selects any free port")


class _AbortIfUnread(asyncio.Protocol):
    """Network connection that is aborted if the page does not read sent data for `UNREAD_TIMEOUT_S`.

    The connection is aborted and not closed, because closing waits until the data is read.
    """

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)  # pause writing when unsent data is waiting

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread_timer is None:
            self._unread_timer = self.loop.call_later(UNREAD_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._cancel_timer()

    def _cancel_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None


class _BoundedSocket(_AbortIfUnread, WebSocketsSansIOProtocol):
    """Web socket with two limits against attacks that the library uvicorn does not have.

    While the page does not read the answers to its pings, no further pings are read from the page. A message has a
    maximum number of fragments, because empty fragments would not count in the size of the message.
    """

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MAX_FRAGMENTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        super().handle_ping()
        if not self.writable.is_set():
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()


class _BoundedConnections(_AbortIfUnread, H11Protocol):
    """HTTP connection that is aborted if there are too many connections, or no request within `HELLO_TIMEOUT_S`."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._idle_timer = self.loop.call_later(HELLO_TIMEOUT_S, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None and self in self.connections:  # sockets have left `connections`
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if hasattr(self, "_idle_timer"):
            self._idle_timer.cancel()


def runner(server: LiveServer) -> uvicorn.Server:
    """Return a uvicorn server. Its `run(sockets=[...])` serves until Ctrl-C or until `should_exit` is set."""
    config = uvicorn.Config(
        server.app,
        http=_BoundedConnections,
        log_level="critical",
        access_log=False,
        lifespan="on",
        ws=_BoundedSocket,
        ws_max_size=protocol.MAX_MESSAGE,
        ws_ping_interval=UNREAD_TIMEOUT_S / 2,
        ws_ping_timeout=UNREAD_TIMEOUT_S / 2,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        date_header=False,
    )
    return uvicorn.Server(config)
