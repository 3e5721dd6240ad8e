"""Edges added to a graph file as lines of text: comments and layout stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import yaml

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import replacing
from ctrlgraph.graph.ground import GroundRange
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.graph.schema import node_kinds
from ctrlgraph.paths import display_path
from ctrlgraph.yaml_source import YamlSource, parse_yaml


def add_naive_edges(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    """Add a naive edge for each pair after the last planned edge of the file, or leave the file as it is.

    Raises:
        SourceError: the file has faults.
        CtrlGraphError: its edges are not one to a line, or it cannot be written.
    """
    _put(path, lambda text, shown: with_naive_edges(text, pairs, shown))


def with_naive_edges(text: str, pairs: Sequence[tuple[str, str]], path: str = "graph.yaml") -> str:
    """Return the text of a graph file with an edge for each pair.

    Raises:
        SourceError: the text has faults.
        CtrlGraphError: its edges are not one to a line.
    """
    before = parse_graph(text, path)
    return _grown(text, [Edge(source, target) for source, target in pairs], before, path)


def with_new_edges(text: str, edges: Sequence[Edge], node: Node | None = None, path: str = "graph.yaml") -> str:
    """Return the text of a graph file with naive and learned edges, and with a node to which they may lead.

    Raises:
        SourceError: the text has faults, or would have with them.
        CtrlGraphError: its nodes or its edges are not laid out so that more can be added.
    """
    before = parse_graph(text, path)
    if node is not None:
        text = _with_node(_without_draft(text, node.name, before, path), node, path)
    return _grown(text, edges, before, path)


def with_draft(text: str, node: Node, path: str = "graph.yaml") -> str:
    """Return the text of a graph file with a draft, in place of an older one of its name.

    Raises:
        SourceError: the text has faults, or would have with it.
        CtrlGraphError: its nodes are not laid out so that one can be added.
    """
    before = parse_graph(text, path)
    changed = _with_node(_without_draft(text, node.name, before, path), node, path)
    graph = parse_graph(changed, path)
    if graph.digest != before.digest or node.name not in graph.drafts:
        raise CtrlGraphError(f"the nodes of {path} are not laid out so that a draft can be added; add it by hand")
    return changed


def _without_draft(text: str, name: str, graph: ControllerGraph, path: str) -> str:
    """The text without the lines of a draft's entry, if it has one."""
    if name not in graph.drafts:
        return text
    nodes = next((value for key, value in _items(parse_yaml(text, path, "graph").root) if key.value == "nodes"), None)
    key, value = next((key, value) for key, value in _items(nodes) if key.value == name)
    lines = text.splitlines(keepends=True)
    row = value.end_mark.line + 1 if _one_line(value) else _last_line(lines, value)
    return "".join([*lines[: key.start_mark.line], *lines[row:]])


def _grown(text: str, added: Sequence[Edge], before: ControllerGraph, path: str) -> str:
    """The text with edges, each on a line, after the last planned one; `before` is the graph without them."""
    source = parse_yaml(text, path, "graph")
    block = _edges(source)
    if block is None or block.flow_style or not block.value:
        raise CtrlGraphError(f"{path} has no list of edges, one to a line, that could be added to")
    entries = source.data["edges"]
    planned = [node for node, entry in zip(block.value, entries, strict=True) if entry.get("kind") != "corrective"]
    after = (planned or block.value)[-1]
    indent = " " * block.start_mark.column
    changed = _inserted(text, after, [f"{indent}- {_line(edge)}" for edge in added])
    graph = parse_graph(changed, path)
    kept = all(graph.nodes.get(node.name) == node for node in before)
    if not kept or not {*before.edges, *added} <= set(graph.edges):
        raise CtrlGraphError(f"the edges of {path} are not laid out so that more can be added; add them by hand")
    return changed


def _with_node(text: str, node: Node, path: str) -> str:
    """The text with a node after the last one; it need not be whole yet."""
    source = parse_yaml(text, path, "graph")
    block = next((value for key, value in _items(source.root) if key.value == "nodes"), None)
    if not isinstance(block, yaml.MappingNode) or block.flow_style or not block.value:
        raise CtrlGraphError(f"{path} has no nodes, one below the other, that '{node.name}' could be added to")
    indent = " " * block.start_mark.column
    lines = [f"{indent}{_name(node.name)}:"]
    for field, value in node.as_dict().items():
        lines.append(f"{indent}  {field}: {_value(value)}")
    return _inserted(text, block.value[-1][1], lines)


def _inserted(text: str, after: yaml.Node, added: Sequence[str]) -> str:
    """The text with lines below an entry of a block."""
    lines = text.splitlines(keepends=True)
    # an entry in block style ends where the next one begins: its last line is the last one with text
    row = after.end_mark.line + 1 if _one_line(after) else _last_line(lines, after)
    if row and not lines[row - 1].endswith("\n"):
        lines[row - 1] += "\n"
    return "".join([*lines[:row], *(f"{line}\n" for line in added), *lines[row:]])


def _one_line(node: yaml.Node) -> bool:
    return not isinstance(node, yaml.CollectionNode) or bool(node.flow_style)


def put_learned_edge(path: Path, source: str, target: str, parameters: str) -> bool:
    """Make the edge between two nodes a learned one, in place of a naive or older learned one, or add it.

    Returns whether the file had to be changed.

    Raises:
        SourceError: the file has faults.
        CtrlGraphError: its edges are not one to a line, or it cannot be written.
    """
    return _put(path, lambda text, shown: with_learned_edge(text, source, target, parameters, shown))


def _put(path: Path, change: Callable[[str, str], str]) -> bool:
    """Write a changed graph file, whole or not at all; `change` is given the text and the path as it is shown."""
    text = path.read_text(encoding="utf-8")
    changed = change(text, display_path(path))
    if changed == text:
        return False
    with replacing(path) as temporary:
        temporary.write_text(changed, encoding="utf-8")
    return True


def with_learned_edge(text: str, source: str, target: str, parameters: str, path: str = "graph.yaml") -> str:
    """Return the text of a graph file with a learned edge between two nodes.

    Raises:
        SourceError: the text has faults.
        CtrlGraphError: its edges are not one to a line.
    """
    parsed = parse_yaml(text, path, "graph")
    block = _edges(parsed)
    entries = parsed.data.get("edges") or [] if isinstance(parsed.data, dict) else []
    for node, entry in zip(block.value if block is not None else [], entries, strict=False):
        if entry.get("from") == source and entry.get("to") == target and entry.get("kind") != "corrective":
            kept = {key: value for key, value in entry.items() if key not in ("kind", "parameters")}
            line = _entry({**kept, "kind": "learned", "parameters": parameters})
            if node.flow_style:
                changed = text[: node.start_mark.index] + line + text[node.end_mark.index :]
            else:
                changed = _with_fields(text, node, {"kind": "learned", "parameters": parameters})
            parse_graph(changed, path)
            return changed
    return with_new_edges(text, [Edge(source, target, EdgeKind.LEARNED, parameters=parameters)], path=path)


def put_ground(path: Path, found: Mapping[tuple[str, str], GroundRange]) -> bool:
    """Let planned edges, by their ends, be planned on these grounds only; returns whether the file had to be changed.

    Raises:
        SourceError: the file has faults.
        CtrlGraphError: an edge does not stand by itself in the file, or it cannot be written.
    """

    def change(text: str, shown: str) -> str:
        for (source, target), ground in found.items():
            text = with_ground(text, source, target, ground, shown)
        return text

    return _put(path, change)


def with_ground(text: str, source: str, target: str, ground: GroundRange, path: str = "graph.yaml") -> str:
    """Return the text of a graph file in which the planned edge between two nodes is for some ground only.

    Of a naive and a learned edge it is the learned one.

    Raises:
        SourceError: the text has faults.
        CtrlGraphError: the edge does not stand by itself, one to a line.
    """
    edge = parse_graph(text, path).planned_edge(source, target)
    parsed = parse_yaml(text, path, "graph")
    block = _edges(parsed)
    wanted = ground.as_dict()
    for node, entry in zip(block.value if block is not None else [], parsed.data.get("edges") or [], strict=False):
        same = entry.get("from") == source and entry.get("to") == target
        if edge is None or not same or entry.get("kind", "naive") != edge.kind.value:
            continue
        kept = {key: value for key, value in entry.items() if key != "ground"}
        line = _entry(kept | ({"ground": _tidy(wanted)} if wanted else {}))
        if node.flow_style:
            return text[: node.start_mark.index] + line + text[node.end_mark.index :]
        break
    raise CtrlGraphError(f"{path} has no edge {source} -> {target} on a line of its own whose ground could be written")


def put_adapted_file(path: Path, node: str, adapted: str) -> bool:
    """Let a node be adapted by a learned file; returns whether the graph file had to be changed.

    Raises:
        SourceError: the file has faults.
        CtrlGraphError: the node is not laid out so that a line can be added, or the file cannot be written.
    """
    return _put(path, lambda text, shown: with_adapted_file(text, node, adapted, shown))


def with_adapted_file(text: str, node: str, adapted: str, path: str = "graph.yaml") -> str:
    """Return the text of a graph file in which a node is adapted by a learned file.

    Raises:
        SourceError: the text has faults.
        CtrlGraphError: the node is not laid out so that a line can be added.
    """
    fields = _node_fields(parse_yaml(text, path, "graph"), node)
    script = next((value for key, value in fields if key.value in node_kinds()), None)
    present = next((value for key, value in fields if key.value == "adapted"), None)
    if script is None:
        raise CtrlGraphError(f"{path} has no node '{node}' that could be adapted")
    if present is not None:
        changed = text[: present.start_mark.index] + adapted + text[present.end_mark.index :]
    elif not _in_flow(text, fields):
        indent = " " * fields[0][0].start_mark.column
        end = text.find("\n", script.end_mark.index)
        end = len(text) if end < 0 else end
        changed = f"{text[:end]}\n{indent}adapted: {adapted}{text[end:]}"
    else:
        end = script.end_mark.index
        changed = f"{text[:end]}, adapted: {adapted}{text[end:]}"
    if parse_graph(changed, path).node(node).adapted != adapted:
        raise CtrlGraphError(f"the node '{node}' of {path} is not laid out so that it can be adapted; do it by hand")
    return changed


def _node_fields(parsed: YamlSource, node: str) -> list[tuple[yaml.Node, yaml.Node]]:
    """Keys and values of a node's entry."""
    nodes = next((value for key, value in _items(parsed.root) if key.value == "nodes"), None)
    return _items(next((value for key, value in _items(nodes) if key.value == node), None))


def _in_flow(text: str, fields: Sequence[tuple[yaml.Node, yaml.Node]]) -> bool:
    """Whether an entry is written in braces."""
    return text[: fields[0][0].start_mark.index].rstrip().endswith("{")


def _edges(parsed: YamlSource) -> yaml.SequenceNode | None:
    block = next((value for key, value in _items(parsed.root) if key.value == "edges"), None)
    return block if isinstance(block, yaml.SequenceNode) else None


def _items(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return list(node.value) if isinstance(node, yaml.MappingNode) else []


def _line(edge: Edge) -> str:
    """A planned edge as it stands in a graph file."""
    if edge.parameters is None and edge.weight == 1.0:
        return f"{{from: {_name(edge.source)}, to: {_name(edge.target)}}}"
    return _entry({name: value for name, value in edge.as_dict().items() if value != EdgeKind.NAIVE.value})


def _value(value: object) -> str:
    """A field of a node on one line; whole numbers without a point."""
    text = yaml.safe_dump(_tidy(value), default_flow_style=True, sort_keys=False, width=10**6, allow_unicode=True)
    return text.removesuffix("...\n").strip()


def _tidy(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _tidy(item) for key, item in value.items()}
    return [_tidy(item) for item in value] if isinstance(value, list) else value


def _entry(fields: dict[str, object]) -> str:
    """An edge as a flow mapping on one line."""
    return yaml.safe_dump(fields, default_flow_style=True, sort_keys=False, width=10_000).strip()


def _with_fields(text: str, node: yaml.MappingNode, fields: dict[str, str]) -> str:
    """The text with fields of an entry in block style, each on a line of its own, set or added."""
    lines = text.splitlines(keepends=True)
    last = _last_line(lines, node) - 1
    indent = " " * node.start_mark.column
    if not lines[last].endswith("\n"):
        lines[last] += "\n"
    present = {key.value: value for key, value in node.value}
    for name, value in fields.items():
        if name in present:
            row, start, end = present[name].start_mark.line, present[name].start_mark, present[name].end_mark
            lines[row] = lines[row][: start.column] + _name(value) + lines[row][end.column :]
        else:
            lines[last] += f"{indent}{name}: {_name(value)}\n"
    return "".join(lines)


def _last_line(lines: Sequence[str], node: yaml.Node) -> int:
    row = node.end_mark.line
    while row > node.start_mark.line + 1 and lines[row - 1].strip().partition("#")[0] == "":
        row -= 1
    return row


def _name(name: str) -> str:
    """A node's name as YAML in a flow mapping."""
    return yaml.safe_dump(name, default_flow_style=True).removesuffix("\n...\n").strip()
