"""Reader of the files in `tests/data/mistakes`: texts with a mistake, and everything that is shown for each.

Each case begins with `===` and its name. Texts after `-` are replaced by those after `+`; a text after `+` alone is the
whole text. The rest is shown.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import NamedTuple


class Mistake(NamedTuple):
    """A mistake: the replaced texts with their replacements, and what is shown."""

    edits: list[tuple[str, str]]
    shown: str

    def made_in(self, text: str) -> str:
        """Return a text with the mistake."""
        for old, new in self.edits:
            assert old in text
            text = text.replace(old, new, 1)
        return text


def read_mistakes(name: str) -> dict[str, Mistake]:
    """Return the mistakes of a file, by their names."""
    text = (Path(__file__).parent / "data" / "mistakes" / name).read_text(encoding="utf-8")
    cases = re.findall(r"^=== (.*)\n((?:(?!===).*\n)*)", text, re.MULTILINE)
    mistakes = {title: _mistake(case) for title, case in cases}
    assert len(mistakes) == len(cases)
    return mistakes


def _mistake(case: str) -> Mistake:
    groups = [(sign, list(lines)) for sign, lines in groupby(case.rstrip("\n").split("\n"), lambda line: line[:2])]
    parts = ["\n".join(line[2:] for line in lines) for sign, lines in groups if sign in ("- ", "+ ")]
    if case.startswith("+ "):
        parts = ["", *parts]
    shown = "\n".join(line for sign, lines in groups if sign not in ("- ", "+ ") for line in lines)
    return Mistake(list(zip(parts[::2], parts[1::2], strict=True)), shown)
