"""The site: it builds without a warning, opens from disk, asks nobody else for anything, and finds words offline."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from waiting import PATIENCE_S

import ctrlgraph
from tests.docs.pages import PAGES, ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow
WIDTHS = (390, 1280, 1920)
WIDE = ("index", "results/pairs", "results/gallery", "reference/commands", "api/ctrlgraph")
"""Pages with the widest tables and blocks."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    target = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(target)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return target


class Links(HTMLParser):
    """What a page loads, what it leads to, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name == "href" and tag == "a" and value:
                self.leads.append(value)
            elif value and ((name == "src") or (name == "href" and tag == "link")):
                self.loads.append(value)


def test_every_page_is_in_it(site: Path) -> None:
    for page in PAGES:
        name = page.removeprefix("docs/").removesuffix(".md")
        if page.startswith("docs/"):
            assert (
                site / f"{name.removesuffix('README')}index.html" if name.endswith("README") else site / f"{name}.html"
            ).is_file(), page


def test_every_name_of_the_public_face_is_told(site: Path) -> None:
    places = Links(site / "api" / "ctrlgraph.html").places
    assert {f"ctrlgraph.{name}" for name in ctrlgraph.__all__} <= places


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        assert [each for each in Links(path).loads if re.match(r"(\w+:)?//", each)] == [], path.name
    for path in site.rglob("*.css"):
        found = re.findall(r"url\(['\"]?((?:\w+:)?//[^)]*)", path.read_text(encoding="utf-8"))
        assert found == [], path.name


def test_every_link_within_it_leads_to_a_place_that_is_there(site: Path) -> None:
    found = {path: Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    for path, links in found.items():
        for link in links.leads:
            if re.match(r"\w+:", link):
                continue
            file, _, mark = unquote(link).partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), f"{path.relative_to(site)}: {link}"
            if mark and target in found:
                assert mark in found[target].places, f"{path.relative_to(site)}: {link}"


@pytest.mark.parametrize("page", ["index.html", "guides/make-a-film.html"])
def test_words_are_found_in_it_from_disk_without_a_network(site: Path, page: str, browser: Browser) -> None:
    asked: list[str] = []
    with browser.new_page() as view:
        view.on("request", lambda request: asked.append(request.url))
        view.goto((site / page).as_uri())
        box = view.locator(".md-search__input")
        box.click()
        box.press_sequentially("friction cone")
        first = view.locator(".md-search-result__link").first
        first.wait_for(state="attached", timeout=1000 * PATIENCE_S)
        assert "0012-friction-cone.html" in (first.get_attribute("href") or "")
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(site: Path, width: int, browser: Browser) -> None:
    with browser.new_page(viewport={"width": width, "height": 900}) as view:
        paths = sorted(site.rglob("*.html")) if width == min(WIDTHS) else [site / f"{name}.html" for name in WIDE]
        for path in paths:
            view.goto(path.as_uri(), wait_until="domcontentloaded")
            wide = view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, path.relative_to(site)
