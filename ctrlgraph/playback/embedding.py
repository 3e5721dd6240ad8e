"""Data inside a page: nothing that a stranger has named ends an element or begins one."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

_ESCAPED = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def embedded_bytes(data: bytes, name: str) -> str:
    """Return an element that holds bytes, packed; `embeddedBytes` of playback.js has them again.

    Args:
        data: of any kind.
        name: the element's id; letters, digits, - and _.
    """
    packed = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
    return f'<script type="application/octet-stream" id="{_identifier(name)}" data-packed="gzip">{packed}</script>'


def embedded_json(value: Any, name: str) -> str:
    """Return an element that holds a value as JSON.

    Args:
        value: of what JSON knows.
        name: the element's id; letters, digits, - and _.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPED)
    return f'<script type="application/json" id="{_identifier(name)}">{text}</script>'


def _identifier(name: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) is None:
        raise ValueError(f"{name!r} is no identifier")
    return name
