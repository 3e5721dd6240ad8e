"""The architecture page has the layers of the import contracts, and the files that it names exist."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def floors() -> list[set[str]]:
    """Return the rows of the contract, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "floors")
    return [set(layer.split(" | ")) for layer in layers]


def test_the_page_has_the_floors_of_the_contract_in_their_order() -> None:
    table = PAGE.split("## Layers")[1].split("## Where")[0]
    rows = re.findall(r"^\| [^|]*\| ([^|]+) \|", table, re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows if "`" in row] == floors()


def test_every_floor_is_a_package_or_a_module() -> None:
    package = ROOT / "ctrlgraph"
    for name in set().union(*floors()):
        assert (package / name / "__init__.py").is_file() or (package / f"{name}.py").is_file(), name


def test_every_place_that_the_page_names_exists() -> None:
    places = re.findall(r"`((?:ctrlgraph/)?[a-z_]+(?:/[a-z_]+)+\.py|ctrlgraph/\w+\.py)`", PAGE)
    assert len(places) > 20
    for place in places:
        assert (ROOT / place).is_file() or (ROOT / "ctrlgraph" / place).is_file(), place


def test_no_two_modules_import_each_other_even_where_only_types_are_checked() -> None:
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in ROOT.glob("ctrlgraph/**/*.py")}
    imports: nx.DiGraph[str] = nx.DiGraph()
    for module, path in files.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in files and node.module != module:
                imports.add_edge(module, node.module)
    assert [sorted(circle) for circle in nx.strongly_connected_components(imports) if len(circle) > 1] == []


def test_no_two_public_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted(ROOT.glob("ctrlgraph/**/*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
