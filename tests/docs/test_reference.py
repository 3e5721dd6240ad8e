"""Generated tables of the pages are up to date."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from ctrlgraph.simulation.measures import MEASURES
from tests.docs.pages import ROOT, read


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["measures", "forms", "signals"])
def test_a_page_has_the_tables_as_the_code_has_them(page: str, reference: ModuleType) -> None:
    """`python scripts/reference.py` writes them anew."""
    text = read(f"docs/reference/{page}.md")
    assert text == reference.written(page, text)


def test_those_are_all_pages_with_such_tables(reference: ModuleType) -> None:
    assert {page for page, _ in reference.TABLES} == {"measures", "forms", "signals"}
    text = read("docs/reference/measures.md")
    assert all(f"| `{name}` |" in text for name in MEASURES)


def test_a_page_without_a_place_for_its_table_is_told(reference: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"docs/reference/measures\.md needs the lines"):
        reference.written("measures", "# Measures\n")
