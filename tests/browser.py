"""A real Chromium without a window, for the tests of pages; they are skipped where there is none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Watched:
    """A page, with everything that it asked the network for and complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None)

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Return what a function of JavaScript returns in the page."""
        return self.page.evaluate(script, given)

    def until(self, script: str, given: Any = None, seconds: float = 20.0) -> Any:
        """Return what a function of JavaScript returns as soon as that is true; Playwright's own way to wait needs
        `eval`, which our pages forbid.

        Raises:
            TimeoutError: it never is.
        """
        ends = time.monotonic() + seconds
        while not (found := self.evaluate(script, given)):
            if time.monotonic() > ends:
                raise TimeoutError(f"{script} was not true within {seconds:g} s")
            self.page.wait_for_timeout(30)
        return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Opens an address in a browser that knows nothing of other tests; `offline` without any network."""
    contexts = []

    def opened(address: str, *, offline: bool = False, **settings: Any) -> Watched:
        context = browser.new_context(offline=offline, **settings)
        contexts.append(context)
        watched = Watched(context.new_page())
        watched.page.goto(address)
        return watched

    yield opened
    for context in contexts:
        context.close()
