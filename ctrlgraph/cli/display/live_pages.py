"""Live pages in the browser, for the commands that serve them."""

from __future__ import annotations

import contextlib
import webbrowser
from typing import TYPE_CHECKING

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from pathlib import Path

    from ctrlgraph.live_page.live_page import LivePage


def serve_in_browser(page: LivePage, directory: Path, *, opens: bool) -> bool:
    """Serve a live page until Ctrl-C or until the page has stopped.

    Args:
        page: The page.
        directory: Directory of the project, or where the command runs.
        opens: Whether the page is opened in the user's browser.

    Returns:
        True if the session's thread has ended; see `serve_live_page`.
    """
    from ctrlgraph.live_page.access import redirect_file
    from ctrlgraph.live_page.live_page import serve_live_page
    from ctrlgraph.live_page.saved_state import redirect_path

    with contextlib.ExitStack() as stack:
        if opens:
            try:
                file = stack.enter_context(redirect_file(redirect_path(directory), page.address))
                webbrowser.open(file.as_uri())
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                console.echo(f"note: no browser was opened ({reason}); open the address above", err=True)
        return serve_live_page(page)


def report_error(sentence: str) -> None:
    """Print a sentence about an error that does not end the command."""
    console.echo(f"error: {sentence}", err=True)
