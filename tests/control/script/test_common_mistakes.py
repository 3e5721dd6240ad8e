"""Mistakes that newcomers make: each is reported in a sentence that says what to write, with all others of the file."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mistakes import read_mistakes

MISTAKES = read_mistakes("scripts.txt")
SCRIPT, CALLED = (MISTAKES.pop(f"the script {name}.t").shown + "\n" for name in ("bow", "sit"))


def test_the_script_has_no_findings(rendered: Callable[..., str]) -> None:
    assert rendered(SCRIPT, sit=CALLED) == ""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_shown_with_what_to_write(name: str, rendered: Callable[..., str]) -> None:
    assert rendered(MISTAKES[name].made_in(SCRIPT), sit=CALLED) == MISTAKES[name].shown != ""
