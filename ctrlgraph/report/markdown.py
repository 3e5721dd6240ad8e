"""Generated Markdown: formatting of text, and insertion of generated pages between two marker lines of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import read_bytes, write_text
from ctrlgraph.paths import display_path

BEGIN, END = "<!-- from here on written by ctrlgraph motions -->", "<!-- up to here written by ctrlgraph motions -->"
"""Marker lines before and after a generated page. Other text of the file is kept."""

MAX_PAGE_BYTES = 4 * 2**20
"""Maximum size of a file that contains a generated page, bytes."""


def row(cells: Sequence[str]) -> str:
    """Return a row of a Markdown table with the given cells."""
    return f"| {' | '.join(cells)} |"


def anchor(heading: str) -> str:
    """Return the anchor (target of links) that GitHub generates for a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def escaped(text: str) -> str:
    """Make untrusted text safe for Markdown: put it on one line, and escape special characters."""
    return "".join(f"\\{c}" if c in "\\`*[]<>|#!~$&" else c for c in " ".join(text.split()))


def sentence(text: str) -> str:
    """Format a description as a sentence for Markdown: escaped, with a capital letter and a full stop."""
    shown = escaped(text)
    return f"{shown[:1].upper()}{shown[1:]}." if shown else "No description."


def with_page(text: str, written: str, shown: str) -> str:
    """Insert a generated page into the text of a file, in place of the text between the marker lines.

    Args:
        text: Text of the file.
        written: Text of the generated page.
        shown: Name of the file for error messages.

    Raises:
        CtrlGraphError: The text does not contain each marker line exactly once, `BEGIN` before `END`.
    """
    before, begin, rest = text.partition(BEGIN + "\n")
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in after or END in before:
        raise CtrlGraphError(f"{shown} has no place for the page: add the lines '{BEGIN}' and '{END}', once each")
    return f"{before}{BEGIN}\n\n{written}\n{END}{after}"


def write_page(path: Path, written: str, title: str = "The motions") -> None:
    """Write a generated page to a file. If the file exists, only the text between its marker lines is replaced.

    Args:
        path: Path of the Markdown file.
        written: Text of the generated page.
        title: Heading of the file if it is new.

    Raises:
        CtrlGraphError: The file exists but lacks the marker lines, or it cannot be read or written.
    """
    write_text(path, with_page(_text_around(path, title), written, display_path(path)))


def require_place(path: Path) -> None:
    """Check that `write_page` can insert a page into a file, so that the command can fail before long simulations.

    Raises:
        CtrlGraphError: The file exists but lacks the marker lines, or it cannot be read.
    """
    with_page(_text_around(path), "", display_path(path))


def _text_around(path: Path, title: str = "") -> str:
    """Return the text of a Markdown file. If it does not exist, return a title and the marker lines of a new file."""
    try:
        return read_bytes(path, MAX_PAGE_BYTES).decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return f"# {title}\n\n{BEGIN}\n{END}\n"
    except UnicodeDecodeError:
        raise CtrlGraphError(f"{display_path(path)} cannot be read: save the file as UTF-8 text") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CtrlGraphError(f"{display_path(path)} cannot be read: {reason}") from None
