"""Characters of the shipped projects, for several kinds of controllers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.character.files import load_character
from ctrlgraph.character.model import Character

PROJECTS = Path(__file__).resolve().parents[2] / "projects"


@pytest.fixture(scope="session")
def walker() -> Character:
    return load_character(PROJECTS / "tracking" / "characters" / "walker.yaml")


@pytest.fixture(scope="session")
def five_link() -> Character:
    return load_character(PROJECTS / "five-link" / "characters" / "five-link.yaml")
