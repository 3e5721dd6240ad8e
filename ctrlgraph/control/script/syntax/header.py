"""Facts about a script that its text tells without being parsed: reading a graph asks for them of every script."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"#[^\n]*")
_CALL = re.compile(r">\s*([A-Za-z_]\w*)", re.ASCII)
_HEADER = re.compile(r"\bBEGINSCRIPT\s+\w+\s*\(\s*(?:([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*)?\)", re.ASCII)


def header_parameters(text: str) -> tuple[str, ...] | None:
    """Return the names of a script's parameters; None where only the parser can tell."""
    header = _HEADER.search(_COMMENT.sub("", text))
    if header is None:
        return None
    names = tuple(name.strip() for name in header[1].split(",")) if header[1] else ()
    return () if names == ("void",) else names


def possible_calls(text: str) -> set[str]:
    """Return the stems of all scripts that a script calls, and other names that stand after a `>`."""
    return set(_CALL.findall(_COMMENT.sub("", text)))
