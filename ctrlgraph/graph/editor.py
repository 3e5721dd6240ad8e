"""Edits of graph files as text, so that comments and layout are preserved.

The library ruamel.yaml is no alternative: it loses the comments above an entry in braces if the entry has a comment.
"""

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
from ctrlgraph.yaml_source import parse_yaml

# --- files ---


def put_learned_edge(path: Path, source: str, target: str, parameters: str) -> bool:
    """Turn the edge between two nodes into a learned edge, or add a learned edge. Return whether the file changed.

    Args:
        path: graph file, written whole or not at all.
        source: name of the source node.
        target: name of the target node.
        parameters: learned file, relative to the project directory.

    Raises:
        SourceError: the file has errors.
        CtrlGraphError: the edit would change other entries, or the file cannot be written.
    """
    return _edit_file(path, lambda text, shown: with_learned_edge(text, source, target, parameters, shown))


def put_ground(path: Path, found: Mapping[tuple[str, str], GroundRange]) -> bool:
    """Write for which ground edges are planned (their ground ranges) to a graph file. Return whether the file changed.

    Args:
        path: graph file, written whole or not at all.
        found: ground range of each edge, by the names of its source and target.

    Raises:
        SourceError: the file has errors.
        CtrlGraphError: an edge has no entry or shares it with other edges, or the file cannot be written.
    """

    def change(text: str, shown: str) -> str:
        for (source, target), ground in found.items():
            text = with_ground(text, source, target, ground, shown)
        return text

    return _edit_file(path, change)


def put_adapted_file(path: Path, node: str, adapted: str) -> bool:
    """Set the learned file of a gain-scheduled node (field `adapted`) in a graph file. Return whether the file changed.

    The constants of a gain-scheduled node are functions of the slope or an obstacle.

    Args:
        path: graph file, written whole or not at all.
        node: name of the node.
        adapted: path of the learned file, relative to the project directory.

    Raises:
        SourceError: the file has errors.
        CtrlGraphError: the graph has no node of this name, or the file cannot be written.
    """
    return _edit_file(path, lambda text, shown: with_adapted_file(text, node, adapted, shown))


def _edit_file(path: Path, change: Callable[[str, str], str]) -> bool:
    text = path.read_text(encoding="utf-8")
    changed = change(text, display_path(path))
    if changed == text:
        return False
    with replacing(path) as temporary:
        temporary.write_text(changed, encoding="utf-8")
    return True


# --- texts ---


def with_new_edges(text: str, edges: Sequence[Edge], node: Node | None = None, path: str = "graph.yaml") -> str:
    """Return the text of a graph file with more planned edges and, optionally, a new node.

    Args:
        text: text of the graph file.
        edges: new edges, added after the last planned edge.
        node: new node, added after the last node. It can be a draft (a node that no walk enters), and it replaces a
            draft of the same name.
        path: name of the file in error messages.

    Raises:
        SourceError: the text has errors before or after the edit.
        CtrlGraphError: nodes or edges are not written one per line, or the edit would change other entries.
    """
    before = parse_graph(text, path)
    if node is not None:
        text = _with_node(text, node, before, path)
    if edges:
        text = _with_edges(text, edges, path)
    after = _checked(text, before, path)
    is_added = node is None or node.name in after or node.name in after.drafts
    if not is_added or not set(edges) <= set(after.edges):
        raise _not_editable(path)
    return text


def with_learned_edge(text: str, source: str, target: str, parameters: str, path: str = "graph.yaml") -> str:
    """Return the text of a graph file in which the planned edge between two nodes is a learned edge.

    The edge is added if there is none.

    Args:
        text: text of the graph file.
        source: name of the source node.
        target: name of the target node.
        parameters: learned file, relative to the project directory.
        path: name of the file in error messages.

    Raises:
        SourceError: the text has errors before or after the edit.
        CtrlGraphError: the edit would change other entries, or edges are not written one per line.
    """
    before = parse_graph(text, path)
    entry = _edge_entry(text, source, target, (EdgeKind.NAIVE, EdgeKind.LEARNED), path)
    if entry is None:
        return with_new_edges(text, [Edge(source, target, EdgeKind.LEARNED, parameters=parameters)], path=path)
    changed = _with_fields(text, entry, {"kind": EdgeKind.LEARNED.value, "parameters": parameters})
    _checked(changed, before, path, edge=(source, target))
    return changed


def with_ground(text: str, source: str, target: str, ground: GroundRange, path: str = "graph.yaml") -> str:
    """Return the text of a graph file in which a planned edge is limited to a range of ground.

    If there are a naive and a learned edge, the learned one gets the range.

    Args:
        text: text of the graph file.
        source: name of the source node.
        target: name of the target node.
        ground: ground for which the edge is planned; a range without limits removes the field `ground`.
        path: name of the file in error messages.

    Raises:
        SourceError: the text has errors.
        CtrlGraphError: the edge has no entry or shares it with other edges, or the edit would change other entries.
    """
    before = parse_graph(text, path)
    edge = before.planned_edge(source, target)
    entry = None if edge is None else _edge_entry(text, source, target, (edge.kind,), path)
    if entry is None:
        what = f"{path} has no separate entry for the edge {source} -> {target}"
        raise CtrlGraphError(f"{what}: write the field 'ground' of this edge by hand")
    changed = _with_fields(text, entry, {"ground": ground.as_dict() or None})
    _checked(changed, before, path, edge=(source, target))
    return changed


def with_adapted_file(text: str, node: str, adapted: str, path: str = "graph.yaml") -> str:
    """Return the text of a graph file in which a node has gain-scheduled constants (field `adapted`).

    Args:
        text: text of the graph file.
        node: name of the node.
        adapted: learned file, relative to the project directory.
        path: name of the file in error messages.

    Raises:
        SourceError: the text has errors before or after the edit.
        CtrlGraphError: the graph has no node of this name, or the edit would change other entries.
    """
    before = parse_graph(text, path)
    entry = _value(_value(parse_yaml(text, path, "graph").root, "nodes"), node)
    if not isinstance(entry, yaml.MappingNode) or not any(_value(entry, kind) for kind in node_kinds()):
        raise CtrlGraphError(f"{path} has no node '{node}': add it first")
    changed = _with_fields(text, entry, {"adapted": adapted})
    if _checked(changed, before, path, node=node).node(node).adapted != adapted:
        raise _not_editable(path)
    return changed


def _checked(
    text: str, before: ControllerGraph, path: str, node: str | None = None, edge: tuple[str, str] | None = None
) -> ControllerGraph:
    """Return the graph of an edited text, after a check that the edit has changed nothing else.

    Args:
        text: edited text.
        before: graph before the edit.
        path: name of the file in error messages.
        node: the only node that the edit was allowed to change, if any.
        edge: source and target of the only edge that the edit was allowed to change, if any.

    Raises:
        SourceError: the edited text has errors.
        CtrlGraphError: the edit changed other nodes or edges.
    """
    after = parse_graph(text, path)
    is_kept = all(after.nodes.get(each.name) == each for each in before if each.name != node)
    edges = {each for each in before.edges if (each.source, each.target) != edge}
    if not is_kept or not edges <= set(after.edges):
        raise _not_editable(path)
    return after


def _not_editable(path: str) -> CtrlGraphError:
    return CtrlGraphError(f"the change cannot be made without changing other entries of {path}: edit this file by hand")


# --- entries ---


def _edge_entry(text: str, source: str, target: str, kinds: Sequence[EdgeKind], path: str) -> yaml.MappingNode | None:
    """Return the entry of an edge in a graph file; None if the edge has no entry or shares it with other edges.

    Args:
        text: text of the graph file.
        source: name of the source node.
        target: name of the target node.
        kinds: kinds of edges; an edge of another kind is ignored.
        path: name of the file in error messages.
    """
    parsed = parse_yaml(text, path, "graph")
    nodes, entries = getattr(_value(parsed.root, "edges"), "value", []), parsed.data.get("edges") or []
    for node, entry in zip(nodes, entries, strict=False):
        if (entry.get("from"), entry.get("to")) == (source, target) and entry.get("kind", "naive") in kinds:
            return node if isinstance(node, yaml.MappingNode) else None
    return None


def _with_edges(text: str, edges: Sequence[Edge], path: str) -> str:
    parsed = parse_yaml(text, path, "graph")
    block = _value(parsed.root, "edges")
    if not isinstance(block, yaml.SequenceNode) or block.flow_style or not block.value:
        raise CtrlGraphError(f"cannot add edges to {path}: first write 'edges' as a list with one edge per line")
    is_planned = [entry.get("kind") != EdgeKind.CORRECTIVE.value for entry in parsed.data["edges"]]
    planned = [node for node, planned in zip(block.value, is_planned, strict=True) if planned]
    indent = " " * block.start_mark.column
    fields = [{k: v for k, v in edge.as_dict().items() if v != EdgeKind.NAIVE.value} for edge in edges]
    return _with_lines(text, (planned or block.value)[-1], [f"{indent}- {_dumped(each)}" for each in fields])


def _with_node(text: str, node: Node, before: ControllerGraph, path: str) -> str:
    nodes = _value(parse_yaml(text, path, "graph").root, "nodes")
    if not isinstance(nodes, yaml.MappingNode) or nodes.flow_style:
        raise CtrlGraphError(f"cannot add '{node.name}' to {path}: first write 'nodes' with each node on its own line")
    if node.name in before.drafts:
        key, value = next(item for item in nodes.value if item[0].value == node.name)
        start = text.rfind("\n", 0, key.start_mark.index)
        text = text[:start] + text[_line_end(text, value) :]
        nodes = _value(parse_yaml(text, path, "graph").root, "nodes")
        assert isinstance(nodes, yaml.MappingNode)
    indent = " " * nodes.start_mark.column
    lines = [f"{indent}  {field}: {_dumped(value)}" for field, value in node.as_dict().items()]
    return _with_lines(text, nodes.value[-1][1], [f"{indent}{_dumped(node.name)}:", *lines])


def _with_fields(text: str, entry: yaml.MappingNode, fields: Mapping[str, object]) -> str:
    """Return the text of a graph file with new values in the fields of an entry.

    Args:
        text: text of the graph file.
        entry: entry of a node or edge, as a YAML node of this text.
        fields: new values by name of the field. A missing field is added. The value None removes a field.
    """
    edits: list[tuple[int, int, str]] = []
    ends = [_end(text, value) if entry.flow_style else _line_end(text, value) for _, value in entry.value]
    for name, value in fields.items():
        index = next((i for i, (key, _) in enumerate(entry.value) if key.value == name), None)
        if index is not None and value is None:
            keys = [key.start_mark.index for key, _ in entry.value]
            edits.append((ends[index - 1], ends[index], "") if index else (keys[0], keys[1], ""))
        elif index is not None:
            present = entry.value[index][1]
            edits.append((present.start_mark.index, _end(text, present), _dumped(value)))
        elif value is not None:
            separator = ", " if entry.flow_style else "\n" + " " * entry.start_mark.column
            edits.append((ends[-1], ends[-1], f"{separator}{name}: {_dumped(value)}"))
    for start, end, written in reversed(sorted(edits, key=lambda edit: edit[:2])):
        text = text[:start] + written + text[end:]
    return text


def _with_lines(text: str, after: yaml.Node, lines: Sequence[str]) -> str:
    """Return the text with new lines below the line in which the YAML node `after` ends."""
    end = _line_end(text, after)
    return text[:end] + "".join(f"\n{line}" for line in lines) + text[end:]


def _value(node: yaml.Node | None, name: str) -> yaml.Node | None:
    """Return the value of a key in a YAML mapping; None if `node` is not a mapping or lacks the key."""
    items = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in items if key.value == name), None)


def _end(text: str, node: yaml.Node) -> int:
    """Return the index in the text after the last character of a YAML value.

    The end mark of a block is not used, because PyYAML sets it to the beginning of the next value.
    """
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return len(text[: node.end_mark.index].rstrip())


def _line_end(text: str, node: yaml.Node) -> int:
    """Return the index in the text of the line break after a YAML value and a comment behind it."""
    end = text.find("\n", _end(text, node))
    return end if end >= 0 else len(text)


def _dumped(value: object) -> str:
    """Return a value as YAML on one line. Whole numbers are written without a decimal point."""
    text: str = yaml.safe_dump(_tidy(value), default_flow_style=True, sort_keys=False, width=10**6, allow_unicode=True)
    return text.removesuffix("...\n").strip()


def _tidy(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _tidy(item) for key, item in value.items()}
    return [_tidy(item) for item in value] if isinstance(value, list) else value
