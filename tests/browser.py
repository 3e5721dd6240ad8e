"""A real Chromium without a window, for the tests of pages; they are skipped where there is none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
RECORDS_MESSAGES = """
  window.messagesShown = [];
  addEventListener("DOMContentLoaded", () => {
    const message = document.querySelector("#message span");
    if (message) new MutationObserver(() => window.messagesShown.push(message.textContent))
      .observe(message, { childList: true, characterData: true, subtree: true });
  });
"""
"""Keeps every text that the live page has shown as a message, however soon another one replaced it."""


class Watched:
    """A page, with everything that it asked the network for and complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self._note(said.type, said.text))

    def _note(self, kind: str, text: str) -> None:
        # without a graphics card, Chromium itself reads the pixels of a picture in space and warns that this is slow
        if kind in ("error", "warning") and "GPU stall due to ReadPixels" not in text:
            self.errors.append(text)

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Return what a function of JavaScript returns in the page."""
        return self.page.evaluate(script, given)

    def until(self, script: str, given: Any = None) -> Any:
        """Return the result of a JavaScript function as soon as it is true. The page is polled, so the state waited for
        has to last; see `until_told` for messages. Playwright's own waiting needs `eval`, which our pages forbid.

        Raises:
            TimeoutError: it is not true within `PATIENCE_S`.
        """
        ends = time.monotonic() + PATIENCE_S
        while not (found := self.evaluate(script, given)):
            if time.monotonic() > ends:
                raise TimeoutError(f"{script} was not true within {PATIENCE_S:g} s")
            self.page.wait_for_timeout(30)
        return found

    def until_told(self, text: str) -> None:
        """Wait until the live page has shown a message with this text, now or earlier."""
        self.until("(text) => messagesShown.some((each) => each.includes(text))", text)

    def next_frame(self) -> None:
        """Wait until the page has drawn what is due."""
        self.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"], timeout=1000 * PATIENCE_S
        )
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Opens an address in a browser that knows nothing of other tests; `offline` without any network."""
    contexts = []

    def opened(address: str, *, offline: bool = False, **settings: Any) -> Watched:
        context = browser.new_context(offline=offline, **settings)
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE_S)
        context.add_init_script(RECORDS_MESSAGES)
        watched = Watched(context.new_page())
        watched.page.goto(address)
        return watched

    yield opened
    for context in contexts:
        context.close()
