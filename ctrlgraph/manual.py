"""The list of documentation pages, for the site and its tests: the tables of `docs/README.md`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ctrlgraph.files import read_bytes
from ctrlgraph.project.shipped import shipped_file

MAX_BYTES = 4 * 2**20
"""Maximum size of a page."""

HOME = "README"
FOLDER = "docs"

_GROUP = re.compile(r"^## (.+)$")
_ROW = re.compile(r"^\| \[[^]]+\]\(([\w/-]+)\.md\) \| (.*) \|$")
_TITLE = re.compile(r"^# +(.*?)\s*$", flags=re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the documentation."""

    name: str
    """Path below docs/ without its suffix: `graph-file`, `decisions/0001-...`."""
    tells: str
    """Summary."""
    group: str
    """Heading of its table."""


def anchor(heading: str) -> str:
    """Return the anchor of a heading on code hosts: small letters, digits, dashes and underscores."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def pages() -> tuple[Page, ...]:
    """Return all pages but the home page, in the order of its tables; decisions in that of theirs."""
    listed = _listed(page_text(HOME))
    inside = [
        Page(f"{folder}/{page.name}", page.tells, group)
        for folder, group in ((page.name.removesuffix(f"/{HOME}"), page.group) for page in listed if "/" in page.name)
        if (folder + f"/{HOME}") in {page.name for page in listed}
        for page in _listed(page_text(f"{folder}/{HOME}"))
    ]
    return (*listed, *inside)


def _listed(text: str) -> list[Page]:
    group, found = "", []
    for line in text.splitlines():
        if heading := _GROUP.match(line):
            group = heading[1]
        elif row := _ROW.match(line):
            found.append(Page(row[1], row[2], group))
    return found


def page_text(name: str) -> str:
    """Return the Markdown of a page.

    Raises:
        CtrlGraphError: The installation lacks it.
    """
    return read_bytes(shipped_file(f"{FOLDER}/{name}.md"), MAX_BYTES).decode("utf-8")


def page_title(name: str) -> str:
    """Return the first heading of a page, without marks."""
    found = _TITLE.search(page_text(name))
    return "" if found is None else re.sub(r"[`*]", "", found[1])
