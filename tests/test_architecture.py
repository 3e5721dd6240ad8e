"""The architecture page tells the house as it is: its floors are the contract's, and what it names exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def floors() -> list[set[str]]:
    """The rows of the contract, from the roof down."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "floors")
    return [set(layer.split(" | ")) for layer in layers]


def test_the_page_has_the_floors_of_the_contract_in_their_order() -> None:
    table = PAGE.split("## The house")[1].split("## Where")[0]
    rows = re.findall(r"^\| [^|]*\| ([^|]+) \|", table, re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows if "`" in row] == floors()


def test_every_floor_is_a_package_or_a_module() -> None:
    package = ROOT / "ctrlgraph"
    for name in set().union(*floors()):
        assert (package / name / "__init__.py").is_file() or (package / f"{name}.py").is_file(), name


def test_every_place_that_the_page_names_exists() -> None:
    places = re.findall(r"`((?:ctrlgraph/)?[a-z_]+(?:/[a-z_]+)+\.py|ctrlgraph/\w+\.py)`", PAGE)
    assert len(places) > 30
    for place in places:
        assert (ROOT / place).is_file() or (ROOT / "ctrlgraph" / place).is_file(), place


def test_every_question_of_the_page_is_answered_by_a_place() -> None:
    table = PAGE.split("## Where is")[1].split("## Three")[0]
    rows = [row for row in table.splitlines() if row.startswith("| is ") or row.startswith("| does ")]
    assert len(rows) >= 20
    assert all(re.search(r"`ctrlgraph/[\w/]+\.py`", row) for row in rows)
