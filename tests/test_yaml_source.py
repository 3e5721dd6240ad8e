"""YAML files are read quickly where that is safe, and the nodes and places are the same either way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph import yaml_source
from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_source import parse_yaml

ROOT = Path(__file__).parents[1]
FILES = [ROOT / "graph.yaml", ROOT / "gate.yaml", ROOT / "characters" / "humanoid.yaml"]

quick_or_not = pytest.mark.skipif(not yaml.__with_libyaml__, reason="this PyYAML comes without libyaml")


def tree(node: yaml.Node | None) -> Any:
    """Everything of a node tree that is ever asked for."""
    if node is None:
        return None
    marks = [(mark.line, mark.column, mark.index) for mark in (node.start_mark, node.end_mark)]
    if isinstance(node, yaml.ScalarNode):
        return node.tag, marks, node.value
    if isinstance(node, yaml.MappingNode):
        return node.tag, marks, bool(node.flow_style), [(tree(key), tree(value)) for key, value in node.value]
    return node.tag, marks, bool(node.flow_style), [tree(value) for value in node.value]


def by_both(text: str) -> tuple[Any, Any]:
    loader = yaml_source._Loader(text)
    return tree(yaml_source._quickly(text)), tree(loader.get_single_node())


@quick_or_not
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_shipped_files_are_the_same_either_way(path: Path) -> None:
    quick, slow = by_both(path.read_text(encoding="utf-8"))
    assert quick is not None and quick == slow


words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


@quick_or_not
@given(st.dictionaries(words, values, max_size=4), st.sampled_from([True, False, None]))
def test_any_file_that_is_written_is_the_same_either_way(data: dict[str, Any], flow: bool | None) -> None:
    quick, slow = by_both(yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True))
    assert quick == slow


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 100_000])
def test_what_is_nested_absurdly_deep_is_refused_and_not_the_end_of_the_process(text: str) -> None:
    with pytest.raises(SourceError, match="this is not YAML"):
        parse_yaml(text, "a.yaml", "graph")


def test_numbers_are_those_of_yaml_1_2() -> None:
    data = parse_yaml("{a: 1e-3, b: -.3, c: 12e3, d: 1_0}", "a.yaml", "graph").data
    assert (data["a"], data["b"], data["c"]) == (0.001, -0.3, 12000.0)
