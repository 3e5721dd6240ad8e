"""Errors of controller files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.errors import SourceError


def errors_of(parse: Callable[[str, Character, str], object], text: str, character: Character, path: str) -> list[str]:
    """Return the first line of each error of a text that is refused."""
    with pytest.raises(SourceError) as error:
        parse(text, character, path)
    return [finding.render().split("\n")[0] for finding in error.value.findings]
