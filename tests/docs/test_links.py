"""Links of the pages: each leads to an existing file and heading, and every page is reached from the README."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, anchor, prose, read

LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)")


@cache
def headings(path: Path) -> list[str]:
    text = prose(path.relative_to(ROOT).as_posix())
    return [anchor(heading) for heading in re.findall(r"^#{1,6} +(.*?)\s*$", text, flags=re.MULTILINE)]


def links(page: str) -> list[tuple[str, str]]:
    return LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page)))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_that_exist(page: str) -> None:
    assert [link for link, _ in links(page) if link and not ((ROOT / page).parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_to_sections_lead_to_headings_that_are_there_once(page: str) -> None:
    for link, mark in links(page):
        if mark:
            target = (ROOT / page).parent / link if link else ROOT / page
            assert headings(target.resolve()).count(mark) == 1, f"{link}#{mark}"


@pytest.mark.parametrize("page", PAGES)
def test_every_code_fence_is_closed(page: str) -> None:
    fences = re.findall(r"^ *```(\S*)", read(page), flags=re.MULTILINE)
    assert fences[1::2] == [""] * (len(fences) // 2)
    assert len(fences) % 2 == 0


@pytest.mark.parametrize("page", PAGES)
def test_a_list_begins_after_an_empty_line_as_the_site_needs_it(page: str) -> None:
    lines = prose(page).splitlines()
    item = re.compile(r"([-*]|\d+\.) ")
    begun = [
        line
        for before, line in itertools.pairwise(lines)
        if item.match(line) and before.strip() and not item.match(before) and not before.startswith((" ", "#"))
    ]
    assert begun == []


def reached_from_readme() -> set[str]:
    """Return the pages that links lead to from README.md."""
    found, waiting = {"README.md"}, ["README.md"]
    while waiting:
        page = waiting.pop()
        for link, _ in links(page):
            target = ((ROOT / page).parent / link).resolve() if link else None
            name = target.relative_to(ROOT).as_posix() if target and target.is_relative_to(ROOT) else ""
            if name in PAGES and name not in found:
                found.add(name)
                waiting.append(name)
    return found


def test_every_page_is_reached_from_the_readme() -> None:
    assert set(PAGES) - reached_from_readme() == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/results/")])
def test_a_results_page_has_its_command_version_engine_seeds_and_date(page: str) -> None:
    text = read(page)
    if "<!-- from here on written by ctrlgraph" in text:
        return  # `report motions` writes its own header
    rows = re.findall(r"^\| (command|version|engine|seeds|date) \| \S", text, flags=re.MULTILINE)
    assert set(rows) == {"command", "version", "engine", "seeds", "date"}
