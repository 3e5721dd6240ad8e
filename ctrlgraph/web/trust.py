"""Who may speak to the server: pages of its own address, in a browser of this machine, that know its token."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")

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
"""Of every answer: nothing is loaded from elsewhere, no other page frames or reads it."""


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(24)


def same_token(one: str, other: str) -> bool:
    """Tell whether two tokens are the same, in a time that tells nothing of them."""
    return hmac.compare_digest(one.encode(), other.encode())


def is_own_host(headers: Mapping[str, str], port: int) -> bool:
    """Tell whether a request names this server: under another name it comes from a page of somebody else's, whose name
    was made to lead here."""
    return headers.get("host", "") in {f"{name}:{port}" for name in NAMES}


def is_own_origin(headers: Mapping[str, str], port: int) -> bool:
    """Tell whether a page of this server asks; browsers say so of every socket, and nobody else is served."""
    return headers.get("origin", "") in {f"http://{name}:{port}" for name in NAMES}
