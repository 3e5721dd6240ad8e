"""Pages of the documentation, and their fenced blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("projects/*/README.md"))
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))


def anchor(heading: str) -> str:
    """Return the anchor that GitHub generates for a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


_BLOCK = re.compile(r"^( *)```(\S*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: page, line of its first line, kind, and text without indentation."""

    page: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@cache
def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def prose(page: str) -> str:
    """Return the text of a page without its blocks."""
    return _BLOCK.sub("", read(page))


@cache
def blocks(*kinds: str) -> list[Block]:
    """Return the blocks of these kinds on all pages."""
    found = []
    for page in PAGES:
        text = read(page)
        for match in _BLOCK.finditer(text):
            if match[2] in kinds:
                lines = (line.removeprefix(match[1]) for line in match[3].splitlines())
                found.append(Block(page, text.count("\n", 0, match.start(3)) + 1, match[2], "\n".join(lines) + "\n"))
    return found
