"""YAML files are read quickly where that is safe, and the nodes and places are the same either way."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from mistakes import read_mistakes

from ctrlgraph import yaml_loader
from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_loader import keys_of
from ctrlgraph.yaml_source import parse_yaml, read_yaml, with_numbers

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
    loader = yaml_loader._Loader(text)
    return tree(yaml_loader._quickly(text)), tree(loader.get_single_node())


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


@pytest.mark.parametrize(
    ("text", "column"), [("[" * 100_000, 51), ("- " * 100_000, 101), ("{a: " * 100_000, 198), ("a: " + "[" * 3000, 53)]
)
def test_what_is_nested_absurdly_deep_is_refused_and_not_the_end_of_the_process(text: str, column: int) -> None:
    first = complaint(text).splitlines()[0]
    assert first == f"a.yaml:1:{column}: error: values may be nested at most 50 levels deep: remove a level here"


def test_numbers_are_those_of_yaml_1_2() -> None:
    data = parse_yaml("{a: 1e-3, b: -.3, c: 12e3, d: 1_0}", "a.yaml", "graph").data
    assert (data["a"], data["b"], data["c"]) == (0.001, -0.3, 12000.0)


def complaint(text: str) -> str:
    with pytest.raises(SourceError) as raised:
        parse_yaml(text, "a.yaml", "graph")
    return str(raised.value)


MISTAKES = read_mistakes("yaml.txt")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_value_that_cannot_be_is_one_fault_at_its_place(name: str) -> None:
    assert complaint(MISTAKES[name].made_in("")) == MISTAKES[name].shown


def test_a_control_character_is_shown_by_its_number() -> None:
    said = (
        "a.yaml:2:4: error: the text is not valid YAML, because it contains the character \\x1b: remove the character\n"
        "    b: \\x1b[2J\n       ^"
    )
    assert complaint("a: 1\nb: \x1b[2J") == said


def test_a_number_of_hundreds_of_digits_is_not_even_converted() -> None:
    said = "a.yaml:1:5: error: a number must have at most 100 characters, not 401"
    assert complaint(f"a: [{'9' * 401}]").splitlines()[0] == said
    sexagesimal = "1" + ":59" * 1_000_000
    said = "a.yaml:1:4: error: a number must have at most 100 characters, not 3000001"
    assert complaint(f"a: {sexagesimal}") == said


KEYS = {
    "a: {1: x}": (1, 5, "a key must be text, and 1 is a whole number: put it in quotes"),
    "a:\n  yes: x": (2, 3, "a key must be text, and yes is true or false: put it in quotes"),
    "? [1]\n: x": (1, 3, "a key must be text, and this is a list"),
    "a: !!set {1, 2}": (1, 11, "a key must be text, and 1 is a whole number: put it in quotes"),
    "a: !!binary eA==\n!!binary eA==: x": (2, 1, "a key must be text"),
}


@pytest.mark.parametrize(("text", "fault"), KEYS.items(), ids=range(len(KEYS)))
def test_a_key_that_is_not_text_is_one_fault_at_its_place(text: str, fault: tuple[int, int, str]) -> None:
    line, column, message = fault
    assert complaint(text).splitlines()[0] == f"a.yaml:{line}:{column}: error: {message}"


def test_keys_with_equal_hashes_are_refused_before_a_dict_holds_them() -> None:
    colliding = [str(k * (2**61 - 1)) for k in range(10_000)]
    assert len({hash(int(key)) for key in colliding}) == 1
    text = "a:\n" + "".join(f"  {key}: 1\n" for key in colliding)
    said = "a.yaml:2:3: error: a key must be text, and 0 is a whole number: put it in quotes"
    assert complaint(text).splitlines()[0] == said


def test_whole_numbers_end_at_64_bits() -> None:
    assert parse_yaml(f"a: [{2**64 - 1}, {1 - 2**64}]", "a.yaml", "graph").data == {"a": [2**64 - 1, 1 - 2**64]}
    for number in (str(2**64), str(-(2**64)), hex(2**64), "59" + ":59" * 20):
        said = complaint(f"a: {number}").splitlines()[0]
        assert said.startswith("a.yaml:1:4: error: a whole number must have at most 64 bits, not ")


def test_a_text_with_many_directives_is_refused_unread() -> None:
    text = "".join(f"%TAG !a{i}! b\n" for i in range(100_000)) + "--- {}"
    assert complaint(text) == "a.yaml: error: a YAML file can have at most 100 lines that begin with %"


def test_a_date_is_a_text_and_may_be_none_of_the_calendar() -> None:
    assert parse_yaml("a: 2001-02-30", "a.yaml", "graph").data == {"a": "2001-02-30"}


def bomb(levels: int, brackets: str = "[]") -> str:
    """A file in which each line stands for nine of the line before it."""
    lines = ["a0: &a0 lol"]
    for i in range(1, levels):
        nine = ", ".join([f"*a{i - 1}"] * 9)
        lines.append(f"a{i}: &a{i} {brackets[0]}{nine}{brackets[1]}")
    return "\n".join(lines) + "\n"


def test_what_aliases_repeat_counts_each_time_and_is_never_built() -> None:
    first, line, _ = complaint(bomb(30)).splitlines()
    assert first == (
        "a.yaml:7:10: error: a YAML file may contain at most 100000 values, counted again for each alias: remove some"
    )
    assert line == "    " + bomb(30).splitlines()[6]


def test_merged_mappings_count_each_time_too() -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, 30)]
    assert "a YAML file may contain at most 100000 values" in complaint("\n".join(lines))


def test_aliases_of_aliases_are_as_deep_as_what_they_stand_for() -> None:
    text = "a0: &a0 [1]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 100))
    assert (
        complaint(text).splitlines()[0]
        == "a.yaml:49:12: error: values may be nested at most 50 levels deep: remove a level here"
    )


def test_a_file_of_more_values_than_anybody_writes_is_refused() -> None:
    text = "a: [" + "1," * 200_000 + "]"
    assert complaint(text) == "a.yaml:1:199999: error: a YAML file may contain at most 100000 values: remove some"


def test_only_regular_files_of_some_size_are_read(tmp_path: Path) -> None:
    large, pipe = tmp_path / "large.yaml", tmp_path / "pipe.yaml"
    large.write_bytes(b"#" * 4_000_001)
    os.mkfifo(pipe)
    for path, reason in (
        (large, "the graph file must not be larger than 4 MB"),
        (pipe, "the graph file must be a regular file, not a directory, pipe or device"),
        (Path("/dev/zero"), "the graph file must be a regular file, not a directory, pipe or device"),
        (tmp_path, "the graph file must be a regular file, not a directory, pipe or device"),
    ):
        with pytest.raises(SourceError) as raised:
            read_yaml(path, "graph")
        assert str(raised.value) == f"{path}: error: {reason}"


def test_of_many_faults_the_first_hundred_are_told() -> None:
    lines = complaint("a: 1\n" * 1001).splitlines()
    assert len([line for line in lines if "'a' is given twice (first in line 1)" in line]) == 100
    assert lines[-1] == "a.yaml: error: there are more errors, which are not shown"


def test_a_line_of_a_megabyte_is_not_shown() -> None:
    assert complaint(f"a: !!bool {'x' * 1_000_000}") == (
        "a.yaml:1:4: error: a number must have at most 100 characters, not 1000000"
    )


def test_numbers_are_replaced_where_they_stand_and_nothing_else_is_touched() -> None:
    text = "# größer\na: {b: 1, c: [0.5, -2e-3]}  # 1\r\nd: word\n"
    source = parse_yaml(text, "file.yaml", "test")
    places = [source.number_span(location) for location in (["a", "b"], ["a", "c", 1])]
    assert source.number_span(["d"]) is source.number_span(["e"]) is source.number_span(["a"]) is None
    changes = dict(zip([(span.line, span.column) for span in places if span], (1e-5, 12.5), strict=True))
    changed = with_numbers(text, changes)
    assert changed == "# größer\na: {b: 1.0e-05, c: [0.5, 12.5]}  # 1\r\nd: word\n"
    assert parse_yaml(changed, "file.yaml", "test").data["a"] == {"b": 1e-5, "c": [0.5, 12.5]}


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        ((1, 4), 2.0, "line 1, column 4 has no number to replace: read the file again"),
        ((1, 8), float("inf"), "line 1, column 8: the value must be finite, not inf"),
    ],
)
def test_what_is_no_number_is_not_replaced_nor_written(place: tuple[int, int], value: float, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}$"):
        with_numbers("a: {b: 1, c: x}", {place: value})


def test_the_keys_of_one_field_are_told_without_building_anything() -> None:
    text = "a: {x: 1}\nnodes:\n  b: {c: [{d: 1}]}\n  ? [k: 1]\n  : 2\n  e: nodes\nf: {g: 1}\n"
    assert list(keys_of(text, "nodes", 60.0)) == ["b", "e"]
    assert list(keys_of("nodes: [{a: 1}]", "nodes", 60.0)) == list(keys_of("[nodes: 1]", "nodes", 60.0)) == []
    assert list(keys_of(text, "nodes", 0.0)) == []
