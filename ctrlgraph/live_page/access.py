"""Access control of the live page: allowed hosts and origins, and the local file that redirects the browser to it."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

HOST = "127.0.0.1"
"""Address at which the server listens."""
NAMES = (HOST, "localhost")
"""Host names under which the server accepts requests."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""HTTP headers of every response. Pages load nothing from other servers, and no other page can embed or read them."""


def is_own_host(headers: Mapping[str, str], port: int) -> bool:
    """Return whether the `Host` header of a request names this server. Another name can be a DNS rebinding attack.

    Args:
        headers: HTTP headers of the request, by name.
        port: Port of the server.
    """
    return headers.get("host", "") in {f"{name}:{port}" for name in NAMES}


def is_own_origin(headers: Mapping[str, str], port: int) -> bool:
    """Return whether a page of this server has sent a request, according to the `Origin` header of the request.

    Browsers send this header with every request for a web socket.

    Args:
        headers: HTTP headers of the request, by name.
        port: Port of the server.
    """
    return headers.get("origin", "") in {f"http://{name}:{port}" for name in NAMES}


_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>ctrlgraph edit</title>
<p><a href="{address}">Open the page of ctrlgraph edit</a></p>
"""


@contextmanager
def redirect_file(path: Path, address: str) -> Iterator[Path]:
    """Create an HTML file that only the user can read, and that redirects the browser to the live page.

    The browser is started with the path of this file and not with the address, because all users of the machine can see
    the command lines of programs.

    Args:
        path: Path of the file.
        address: Address of the live page, with its token.

    Yields:
        The path. The file is deleted at the end of the block.

    Raises:
        OSError: If the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)  # an existing file can be open in another program, or be a link
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(address=html.escape(address)))
        yield path
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)
