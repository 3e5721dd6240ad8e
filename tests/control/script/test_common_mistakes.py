"""Mistakes that newcomers make: each is reported in a sentence that says what to write, with all others of the file.

`tests/data/script_mistakes.txt` has the cases. Each begins with `===` and its name. Texts after `-` are replaced in the
first script by those after `+`. The rest is everything that `check` then shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest

_FILE = Path(__file__).parents[2] / "data" / "script_mistakes.txt"
_CASES = dict(re.findall(r"=== (.*)\n((?:(?!===).*\n)*)", _FILE.read_text(encoding="utf-8")))
SCRIPT, CALLED = (_CASES.pop(f"the script {name}.t").rstrip("\n") + "\n" for name in ("bow", "sit"))


def edits_and_output(case: str) -> tuple[list[str], str]:
    """Return the old and the new texts of a case in turn, and what is shown."""
    groups = [(sign, list(lines)) for sign, lines in groupby(case.rstrip("\n").split("\n"), lambda line: line[:2])]
    edits = ["\n".join(line[2:] for line in lines) for sign, lines in groups if sign in ("- ", "+ ")]
    return edits, "\n".join(line for sign, lines in groups if sign not in ("- ", "+ ") for line in lines)


def test_the_script_has_no_findings(rendered: Callable[..., str]) -> None:
    assert rendered(SCRIPT, sit=CALLED) == ""


@pytest.mark.parametrize("name", _CASES)
def test_a_mistake_is_shown_with_what_to_write(name: str, rendered: Callable[..., str]) -> None:
    (text, (edits, shown)) = SCRIPT, edits_and_output(_CASES[name])
    for old, new in zip(edits[::2], edits[1::2], strict=True):
        assert old in text
        text = text.replace(old, new, 1)
    assert shown
    assert rendered(text, sit=CALLED) == shown
