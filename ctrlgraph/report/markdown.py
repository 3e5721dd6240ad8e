"""Markdown of pages that are written between two lines of a file: texts, rows of tables, and the file itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import read_bytes, write_text
from ctrlgraph.paths import display_path

BEGIN, END = "<!-- from here on written by ctrlgraph motions -->", "<!-- up to here written by ctrlgraph motions -->"
"""Between these lines of a file a page is put; what stands before and after them stays."""

MAX_PAGE_BYTES = 4 * 2**20
"""Of a file that a page is put into."""


def row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return a text of a project's files as Markdown shows it: nothing of it is obeyed, and it stays in its cell."""
    return "".join(f"\\{c}" if c in "\\`*[]<>|#!~$&" else c for c in " ".join(text.split()))


def sentence(text: str) -> str:
    """Return a description as a sentence."""
    shown = escaped(text)
    return f"{shown[:1].upper()}{shown[1:]}." if shown else "No description."


def with_page(text: str, written: str, shown: str) -> str:
    """Return a file's text with the page between its two lines (`BEGIN`, `END`).

    Raises:
        CtrlGraphError: it has not both lines, once and in this order; `shown` is what the file is called.
    """
    before, begin, rest = text.partition(BEGIN + "\n")
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in after or END in before:
        raise CtrlGraphError(f"{shown} has no place for the page: it needs the lines '{BEGIN}' and '{END}', once each")
    return f"{before}{BEGIN}\n\n{written}\n{END}{after}"


def write_page(path: Path, written: str, title: str = "The motions") -> None:
    """Write the page to a file, whole or not at all: between its two lines, where there is a file.

    Raises:
        CtrlGraphError: the file has no place for it, or cannot be written.
    """
    write_text(path, with_page(_text_around(path, title), written, display_path(path)))


def require_place(path: Path) -> None:
    """Require that a page can stand in a file, before anything is simulated for it.

    Raises:
        CtrlGraphError: the file has no place for it, or cannot be read.
    """
    with_page(_text_around(path), "", display_path(path))


def _text_around(path: Path, title: str = "") -> str:
    """What a page is put into: the file's text, or where there is none, what a new one holds."""
    try:
        return read_bytes(path, MAX_PAGE_BYTES).decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return f"# {title}\n\n{BEGIN}\n{END}\n"
    except UnicodeDecodeError:
        raise CtrlGraphError(f"{display_path(path)} cannot be read: it is not UTF-8 text") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CtrlGraphError(f"{display_path(path)} cannot be read: {reason}") from None
