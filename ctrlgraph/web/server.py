"""The server of the live page: it hands out the page's modules, and carries messages between pages and the session.

It listens on this machine alone. Whoever may only open addresses here (a page of somebody else's in the same browser, a
name that was made to lead to this machine) gets the page's own files and nothing of the project: all of that goes over
one socket, which is closed unless its first message is the token that the page's address had after its `#`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

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
from ctrlgraph.playback.assets import SHARED, module, stylesheet
from ctrlgraph.web import protocol, trust
from ctrlgraph.web.clients import Client, Clients, Item
from ctrlgraph.web.session import Session
from ctrlgraph.web.watching import changes
from ctrlgraph.web.workspace import Tell

HELLO_S = 10.0
"""So long may a connection take to ask for something, and a socket to say the token."""

UNREAD_S = 40.0
"""So long may what a connection is sent stay unread; a page that answers no ping in this time is gone, too."""

MAX_PAGES = 20
MAX_STRANGERS = 20
"""So many sockets may be open at once that have not said the token yet."""
MAX_CONNECTIONS = 200
"""Of all kinds: a page has one socket, and a browser a handful of connections while it loads one."""

_LONGEST_FAULT = 200  # characters of it that are told

MAX_FRAGMENTS = 1_000
"""Of a message: browsers send a long one in pieces of 100 kB or so."""

WRONG_TOKEN, FALLEN_BEHIND, TOO_MANY, STOPPING = 4401, 4408, 4429, 4410
"""How a socket is closed, for the page to tell."""

OWN = (
    *(
        "index.html",
        "edit.css",
        "icon.svg",
        "main.js",
        "parts.js",
        "motion.js",
        "place.js",
        "pushing.js",
        "waiting.js",
        "script.js",
        "course.js",
    ),
    *("connection.js", "editor.js", "sliders.js", "panels.js"),
)
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


@cache
def page_files() -> dict[str, tuple[str, str]]:
    """Return what the page loads: by name, its text and its media type."""
    found = {name: (module(name), _TYPES[".js"]) for name in SHARED} | {"theme.css": (stylesheet(), _TYPES[".css"])}
    for name in OWN:
        text = files("ctrlgraph.web").joinpath("static", name).read_text(encoding="utf-8")
        found[name] = text, _TYPES[Path(name).suffix]
    return found


class _OwnPagesOnly:
    """Answers only who names this server and, where a browser says whose page asks, its own pages."""

    def __init__(self, app: ASGIApp, port: Callable[[], int]) -> None:
        self._app, self._port = app, port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, port = Headers(scope=scope), self._port()
        is_socket = scope["type"] == "websocket"
        allowed = trust.is_own_host(headers, port)
        if is_socket or "origin" in headers:
            allowed = allowed and trust.is_own_origin(headers, port)
        if allowed:
            await self._app(scope, receive, _with_headers(send))
        elif is_socket:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse("this address is not for you\n", 403, trust.HEADERS)(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.lower().encode(), value.encode()) for name, value in trust.HEADERS.items()]
            message["headers"] = [*message.get("headers", []), *extra]
        await send(message)

    return sending


class LiveServer:
    """Serves one session.

    Args:
        make_session: makes it, of what sends to pages.
        token: what pages have to know; port: where it will listen.
        watched: directories in which scripts are saved.
        at_start: called in a thread of its own once the session works; what it returns is told the session.
        report: gets a sentence for the terminal.

    Attributes:
        is_at_rest: once it has been served, whether the session has stopped; else it compiles still.
    """

    def __init__(
        self,
        make_session: Callable[[Tell], Session],
        token: str,
        port: int,
        watched: Sequence[Path] = (),
        at_start: Callable[[], Any] | None = None,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._report = report
        self.port, self._token = port, token
        self._watched, self._at_start = tuple(watched), at_start
        self.clients: Clients | None = None
        self.is_at_rest = True
        self._strangers = 0
        self._unwatched = ""
        self.session = make_session(self._tell)
        self.app = Starlette(
            routes=[
                WebSocketRoute("/live", self._socket),
                Route("/", self._file),
                Route("/{name}", self._file),
            ],
            lifespan=self._lifespan,
        )
        self.app.add_middleware(_OwnPagesOnly, port=lambda: self.port)

    def _tell(self, items: Sequence[Item], to: int | None, joins: bool) -> None:
        if self.clients is not None:
            self.clients.post(items, to, joins=joins)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.clients = Clients(asyncio.get_running_loop())
        self.session.start()
        stop = asyncio.Event()
        tasks = [asyncio.create_task(self._watch(stop))] if self._watched else []
        if self._at_start is not None:
            threading.Thread(target=self._begin_later, name="graph", daemon=True).start()
        try:
            yield
        finally:
            stop.set()
            self.is_at_rest = await asyncio.to_thread(self.session.stop)
            for task in tasks:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    def _begin_later(self) -> None:
        assert self._at_start is not None
        try:
            self.session.post(None, self._at_start())
        except CtrlGraphError as error:
            self.session.post(None, {"failed": str(error)})

    async def _watch(self, stop: asyncio.Event) -> None:
        """Tell the session of scripts that are saved by whatever editor."""
        try:
            async for found in changes(self._watched, stop):
                for path in sorted(found):
                    self.session.post(None, path)
        except (OSError, RuntimeError) as error:
            reason = printable(str(getattr(error, "strerror", None) or error)).splitlines()[0].lower()
            self._unwatched = f"scripts that other programs save are seen no longer: {reason}; start this server again"
            self._tell([{"type": "told", "kind": "error", "told": self._unwatched}], None, False)

    async def _file(self, request: Any) -> Response:
        found = page_files().get(request.path_params.get("name", "index.html"))
        if found is None:
            return PlainTextResponse("there is no such file\n", 404)
        return Response(found[0], media_type=found[1])

    async def _socket(self, socket: WebSocket) -> None:
        if self._strangers >= MAX_STRANGERS:
            await socket.close(1013)  # before the handshake: refused
            return
        self._strangers += 1
        try:
            await socket.accept()
            knows = await self._knows_token(socket)
        finally:
            self._strangers -= 1
        if not knows:
            await socket.close(WRONG_TOKEN, "the token is wrong")
            return
        assert self.clients is not None
        if len(self.clients) >= MAX_PAGES:
            await socket.close(TOO_MANY, f"{MAX_PAGES} pages are open already")
            return
        client = self.clients.add()
        client.put([json.dumps({"type": "compiling", "now": self.session.is_compiling})])  # the session may be busy
        if self._unwatched:
            client.put([_told(self._unwatched)])
        self.session.post(client.number, "join")
        sending = asyncio.create_task(self._send(socket, client))
        try:
            await self._receive(socket, client)
        except (WebSocketDisconnect, RuntimeError):  # it has gone, or was let go
            pass
        finally:
            self.clients.remove(client)
            self.session.post(client.number, "left")
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending

    async def _knows_token(self, socket: WebSocket) -> bool:
        try:
            text = await asyncio.wait_for(socket.receive_text(), HELLO_S)
            said = protocol.read(text[:1000])
        except (TimeoutError, CtrlGraphError, WebSocketDisconnect, KeyError):
            return False
        return isinstance(said, protocol.Hello) and trust.same_token(said.token, self._token)

    async def _receive(self, socket: WebSocket, client: Client) -> None:
        assert self.clients is not None
        while True:
            await client.room()
            try:
                text = await socket.receive_text()
                message = protocol.read(text)
            except KeyError:  # Starlette's for bytes
                client.put([_told("the page said what it may not: bytes")])
                continue
            except CtrlGraphError as error:
                client.put([_told(str(error))])
                continue
            if not isinstance(message, protocol.Hello):
                client.asked(len(text))
                self.session.post(client.number, message, partial(self.clients.answered, client, len(text)))

    async def _send(self, socket: WebSocket, client: Client) -> None:
        """Send what waits for a page; one that does not read keeps this waiting, and is let go when too much waits.

        A message that cannot be sent is left out, and the page and the terminal are told.
        """
        with contextlib.suppress(WebSocketDisconnect):
            while (item := await client.next()) is not None:
                try:
                    await (socket.send_bytes(item) if isinstance(item, bytes) else socket.send_text(item))
                except WebSocketDisconnect:
                    raise
                except Exception as error:
                    if WebSocketState.DISCONNECTED in (socket.client_state, socket.application_state):
                        return  # it has gone
                    fault = printable(f"{type(error).__name__}: {error}")[:_LONGEST_FAULT]
                    sentence = f"a message could not be sent to the page: a fault in ctrlgraph itself ({fault})"
                    self._report(sentence)
                    await socket.send_text(_told(sentence))
            await socket.close(FALLEN_BEHIND, "this page has fallen behind")


def _told(sentence: str) -> str:
    return json.dumps({"type": "told", "kind": "error", "told": sentence})


def listening(port: int, *, wanted: int = 0) -> socket.socket:
    """Return a socket that listens on this machine alone.

    Args:
        port: where; 0 for any, and then `wanted` where that is free.

    Raises:
        CtrlGraphError: the port is taken.
    """
    for number in dict.fromkeys([port] if port else [wanted, 0]):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((trust.HOST, number))
            listener.listen(64)
            return listener
        except OSError as error:
            listener.close()
            reason = (error.strerror or str(error)).lower()
            if port or number == 0:
                raise CtrlGraphError(f"cannot listen on port {number}: {reason}") from None
    raise AssertionError("a port of 0 is any that is free")


class _CutOffUnlessRead(asyncio.Protocol):
    """Ends a connection whose other end leaves something unread for `UNREAD_S`: it could be kept so for ever, with what
    waits for it, since closing it means to send that first."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)  # whatever waits pauses writing

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def _forget(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class _BoundedSocket(_CutOffUnlessRead, WebSocketsSansIOProtocol):
    """Of a socket that reads no answers to its pings, no more pings are read: uvicorn would answer them all. Fragments
    of a message are counted, too: they may be empty."""

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


class _BoundedConnections(_CutOffUnlessRead, H11Protocol):
    """Connections that ask for nothing are closed, and there are so many at most: uvicorn would keep them all."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._silence = self.loop.call_later(HELLO_S, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and self in self.connections:  # a socket's is no longer among them
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if hasattr(self, "_silence"):
            self._silence.cancel()


def runner(server: LiveServer) -> uvicorn.Server:
    """Return what runs a server: `run(sockets=[...])`, until Ctrl-C or until its `should_exit` is set."""
    config = uvicorn.Config(
        server.app,
        http=_BoundedConnections,
        log_level="critical",
        access_log=False,
        lifespan="on",
        ws=_BoundedSocket,
        ws_max_size=protocol.MAX_MESSAGE,
        ws_ping_interval=UNREAD_S / 2,
        ws_ping_timeout=UNREAD_S / 2,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        date_header=False,
    )
    return uvicorn.Server(config)
