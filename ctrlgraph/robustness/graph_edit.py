"""Edges added to a graph file as lines of text: comments and layout stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.paths import display_path
from ctrlgraph.view.files import replacing
from ctrlgraph.yaml_source import parse_yaml


def add_naive_edges(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    """Add a naive edge for each pair after the last planned edge of the file, or leave the file as it is.

    Raises:
        SourceError: the file has faults.
        CtrlGraphError: its edges are not one to a line, or it cannot be written.
    """
    text = path.read_text(encoding="utf-8")
    changed = with_naive_edges(text, pairs, display_path(path))
    with replacing(path) as temporary:
        temporary.write_text(changed, encoding="utf-8")


def with_naive_edges(text: str, pairs: Sequence[tuple[str, str]], path: str = "graph.yaml") -> str:
    """The text of a graph file with an edge for each pair.

    Raises:
        SourceError: the text has faults.
        CtrlGraphError: its edges are not one to a line.
    """
    before = parse_graph(text, path)
    source = parse_yaml(text, path, "graph")
    mapping = source.root.value if isinstance(source.root, yaml.MappingNode) else []
    block = next((value for key, value in mapping if key.value == "edges"), None)
    if not isinstance(block, yaml.SequenceNode) or block.flow_style or not block.value:
        raise CtrlGraphError(f"{path} has no list of edges, one to a line, that could be added to")
    entries = source.data["edges"]
    planned = [node for node, entry in zip(block.value, entries, strict=True) if entry.get("kind") != "corrective"]
    after = (planned or block.value)[-1]
    lines = text.splitlines(keepends=True)
    # an entry in block style ends where the next one begins: its last line is the last one with text
    row = after.end_mark.line + 1 if after.flow_style else _last_line(lines, after)
    indent = " " * block.start_mark.column
    added = [f"{indent}- {{from: {_name(a)}, to: {_name(b)}}}\n" for a, b in pairs]
    if row and not lines[row - 1].endswith("\n"):
        lines[row - 1] += "\n"
    changed = "".join([*lines[:row], *added, *lines[row:]])
    edges = parse_graph(changed, path).edges
    if len(edges) != len(before.edges) + len(pairs):
        raise CtrlGraphError(f"the edges of {path} are not laid out so that more can be added; add them by hand")
    return changed


def _last_line(lines: Sequence[str], node: yaml.Node) -> int:
    row = node.end_mark.line
    while row > node.start_mark.line + 1 and lines[row - 1].strip().partition("#")[0] == "":
        row -= 1
    return row


def _name(name: str) -> str:
    """A node's name as YAML in a flow mapping."""
    return yaml.safe_dump(name, default_flow_style=True).removesuffix("\n...\n").strip()
