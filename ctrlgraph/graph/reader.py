"""Reader of graph files: returns a `ControllerGraph`, or all errors with their locations in the file."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from ctrlgraph.bounds import MAX_EDGES, MAX_FINDINGS
from ctrlgraph.errors import Finding, SourceError
from ctrlgraph.graph.checks import (
    check_also,
    check_controllers,
    check_corrections,
    check_drafts,
    check_edges,
    check_grounds,
    check_names,
    check_plausible,
    check_play,
    check_structure,
    never_taken,
)
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.files import (
    check_character_file,
    check_falls,
    check_measures,
    check_parameter_files,
    check_scripts,
)
from ctrlgraph.graph.ground import ANY, EVERYWHERE, GroundRange, NodeObstacle
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node, NodeKind, PlayNodes
from ctrlgraph.graph.schema import EdgeEntry, NodeEntry, ObstacleEntry, field_of, graph_model, node_kinds
from ctrlgraph.simulation.measures import Conditions
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.yaml_source import YamlSource, first_findings, parse_yaml, read_yaml, validate

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary

EVERY_NODE = "*"
"""Value of the field `from` in an entry of edges from every node except the target."""


def check_graph(path: Path | str, library: ScriptLibrary | None = None) -> list[Finding]:
    """Return all errors and warnings of a graph file, in the order of the text.

    Args:
        path: graph file.
        library: library of parsed scripts; by default a new one for the project.
    """
    return _read(Path(path), library)[1]


def load_graph(
    path: Path | str, library: ScriptLibrary | None = None, read_character: Callable[[Path], Character] | None = None
) -> ControllerGraph:
    """Return the graph of a file.

    Args:
        path: graph file.
        library: library of parsed scripts; by default a new one for the project.
        read_character: function that loads the character from a path, for example from a cache; `load_character` by
            default.

    Raises:
        SourceError: the file has errors.

    >>> from ctrlgraph.graph.reader import load_graph
    >>> "walk" in load_graph("graph.yaml")
    True
    """
    graph, findings = _read(Path(path), library, read_character)
    errors = [finding for finding in findings if finding.severity == "error"]
    if graph is None or errors:
        raise SourceError(errors)
    return graph


def parse_graph(text: str, path: str = "graph.yaml") -> ControllerGraph:
    """Return the graph in the text of a graph file. Other files that the text names are not read.

    Args:
        text: text of the graph file.
        path: name of the file in error messages.

    Raises:
        SourceError: the text has errors.
    """
    graph, findings = _graph_of(parse_yaml(text, path, "graph"))
    errors = [finding for finding in findings if finding.severity == "error"]
    if graph is None or errors:
        raise SourceError(first_findings(errors))
    return graph


def _read(
    path: Path, library: ScriptLibrary | None, read_character: Callable[[Path], Character] | None = None
) -> tuple[ControllerGraph | None, list[Finding]]:
    try:
        source = read_yaml(path, "graph")
    except SourceError as error:
        return None, list(error.findings)
    graph, findings = _graph_of(source, path)
    findings += check_character_file(source, path.parent)
    findings += check_parameter_files(source, path.parent)
    findings += check_measures(source, path.parent, _node_data(source.data), read_character)
    findings += check_falls(source, path.parent, read_character)
    findings += check_scripts(source, path.parent, _node_data(source.data), library)
    return graph, first_findings(_in_text_order(findings))


def _graph_of(source: YamlSource, path: Path | None = None) -> tuple[ControllerGraph | None, list[Finding]]:
    entry, findings = validate(source, graph_model(node_kinds()))
    nodes = _node_data(source.data)
    findings += check_controllers(source, nodes)
    names = [name for name, data in nodes.items() if data.get("draft") is None]
    if _is_too_large(findings):
        return None, findings
    edge_entries = _valid_edges(source.data)
    for check in (check_names, check_play, check_plausible, check_also):
        findings += check(source, nodes)
    findings += itertools.islice(check_drafts(source, nodes, edge_entries), MAX_FINDINGS + 1)
    findings += itertools.islice(check_edges(source, list(nodes), edge_entries), MAX_FINDINGS + 1)
    findings += _count_edges(source, names, edge_entries)
    if entry is None or any(finding.severity == "error" for finding in findings):
        return None, _in_text_order(findings)
    edges, places, clashes = _expand(source, names, edge_entries)
    findings += [*clashes, *check_grounds(source, edges)]
    nodes_of = [_node(name, node, entry.plausible) for name, node in entry.nodes.items()]
    made = functools.partial(
        ControllerGraph,
        character=entry.character,
        start=entry.start,
        engine=entry.engine,
        plausible=entry.plausible,
        play=PlayNodes(tuple(entry.play.speeds), tuple(entry.play.jump), tuple(entry.play.down)),
        nodes=[node for node in nodes_of if not node.draft],
        drafts=[node for node in nodes_of if node.draft],
        path=path,
    )
    graph = made(edges=edges)
    findings += check_corrections(source, graph, places)
    # an entry for every node gives no edge from nodes where the edge would never be taken
    everywhere = {i for i, entry in edge_entries.items() if EVERY_NODE in entry.sources}
    idle = never_taken(graph).keys()
    kept = (edge.identity not in idle or i not in everywhere for edge, i in zip(edges, places, strict=True))
    graph = made(edges=itertools.compress(edges, kept))
    findings += check_structure(source, graph)
    return graph, _in_text_order(findings)


def _is_too_large(findings: list[Finding]) -> bool:
    """Return whether a graph file has too many nodes, edges or errors for the checks that take long."""
    return len(findings) >= MAX_FINDINGS or any(finding.code == "too-large" for finding in findings)


def _count_edges(source: YamlSource, names: list[str], entries: dict[int, EdgeEntry]) -> list[Finding]:
    """Return an error if a graph file has too many edges.

    Args:
        source: graph file.
        names: names of the nodes. An entry of edges from every node (`*`) counts once for each node.
        entries: valid entries of edges, by their index in the file.
    """
    total = 0
    for i, entry in entries.items():
        total += len(names) - 1 if EVERY_NODE in entry.sources else len(entry.sources)
        if total > MAX_EDGES:
            message = (
                f"up to here the graph has more than {MAX_EDGES} edges ('*' counts as one edge per node): remove some"
            )
            return [source.finding("too-large", message, ["edges", i])]
    return []


def _in_text_order(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda f: (f.span.line, f.span.column) if f.span else (0, 0))


def _node_data(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the unvalidated fields of each node, by name of the node. A node whose entry is not a mapping has none."""
    nodes = data.get("nodes")
    entries = nodes.items() if isinstance(nodes, dict) else ()
    return {str(name): value if isinstance(value, dict) else {} for name, value in entries}


def _valid_edges(data: dict[str, Any]) -> dict[int, EdgeEntry]:
    """Return the valid entries of edges, by their index in the file.

    Invalid entries are left out, so that the valid ones can be checked further.
    """
    edges = data.get("edges")
    if not isinstance(edges, list):
        return {}
    entries = {}
    for i, value in enumerate(edges):
        with contextlib.suppress(ValidationError):
            entries[i] = EdgeEntry.model_validate(value)
    return entries


def _node(name: str, entry: NodeEntry, plausible: Conditions) -> Node:
    kind = next(kind for kind in node_kinds() if field_of(kind) in entry.model_fields_set)
    return Node(
        name=name,
        controller=kind,
        file=getattr(entry, field_of(kind)),
        args=tuple(entry.args),
        kind=NodeKind(entry.kind),
        cycles=entry.cycles,
        timeout=entry.timeout,
        success=dict(entry.success),
        bounds=dict(entry.bounds),
        description=" ".join(entry.description.split()),
        adapted=entry.adapted,
        plausible=plausible | {measure: wider.range for measure, wider in entry.plausible.items()},
        widened={measure: " ".join(wider.because.split()) for measure, wider in entry.plausible.items()},
        also={other: " ".join(reason.split()) for other, reason in entry.also.items()},
        mirrored=entry.mirrored,
        obstacle=None if entry.obstacle is None else _obstacle(entry.obstacle),
        draft=" ".join((entry.draft or "").split()),
    )


def node_of(name: str, fields: Mapping[str, Any], graph: ControllerGraph) -> Node:
    """Return the node that an entry under `nodes` of a graph file describes.

    Args:
        name: name of the node.
        fields: the fields of the entry.
        graph: graph whose `plausible` ranges the node gets.

    Raises:
        ValueError: a field of the entry is unknown or invalid.
    """
    model: Any = graph_model(node_kinds()).model_fields["nodes"].annotation
    entry = TypeAdapter(model).validate_python({name: dict(fields)})[name]
    return _node(name, entry, graph.plausible)


def edge_of(fields: Mapping[str, Any]) -> Edge:
    """Return the edge that an entry under `edges` of a graph file describes.

    If the entry has several source nodes, the edge from the first one is returned.

    Raises:
        ValueError: a field of the entry is unknown or invalid.
    """
    entry = EdgeEntry.model_validate(dict(fields))
    return _edge(entry.sources[0], entry)


def _obstacle(entry: ObstacleEntry) -> NodeObstacle:
    return NodeObstacle(ObstacleKind(entry.kind), entry.size or ANY, entry.distance or ANY)


def _expand(
    source: YamlSource, names: list[str], entries: dict[int, EdgeEntry]
) -> tuple[list[Edge], list[int], list[Finding]]:
    """Return the edges that the entries of a graph file describe.

    Args:
        source: graph file.
        names: names of the nodes, for entries of edges from every node (`*`).
        entries: valid entries of edges, by their index in the file.

    Returns:
        The edges, the index of the entry for each edge, and errors about repeated edges.
    """
    edges: list[Edge] = []
    places: list[int] = []
    findings: list[Finding] = []
    written: set[tuple[str, str, str]] = set()
    for i, entry in entries.items():
        for edge in (_edge(name, entry) for name in entry.sources if name != EVERY_NODE):
            if edge.identity in written:
                message = f"the {edge.key} edge {edge} is given twice: remove one"
                findings.append(source.finding("duplicate-edge", message, ["edges", i]))
                continue
            written.add(edge.identity)
            edges.append(edge)
            places.append(i)
    for i, entry in entries.items():
        if EVERY_NODE in entry.sources:
            # an entry that names its source has priority over an entry from every node
            wanted = [_edge(name, entry) for name in names if name != entry.target]
            new = [edge for edge in wanted if edge.identity not in written]
            if not new:
                message = (
                    f"each of these {entry.kind} edges to '{entry.target}' is also given by another entry: remove"
                    " this entry"
                )
                findings.append(source.finding("duplicate-edge", message, ["edges", i]))
            written |= {edge.identity for edge in new}
            edges += new
            places += [i] * len(new)
    order = sorted(range(len(edges)), key=lambda k: places[k])
    return [edges[k] for k in order], [places[k] for k in order], findings


def _edge(name: str, entry: EdgeEntry) -> Edge:
    return Edge(
        source=name,
        target=entry.target,
        kind=EdgeKind(entry.kind),
        weight=1.0 if entry.weight is None else entry.weight,
        parameters=entry.parameters,
        when=None if entry.when is None else FailureCondition(entry.when),
        order=1 if entry.order is None else entry.order,
        ground=EVERYWHERE if entry.ground is None else GroundRange.of(entry.ground.model_dump(exclude_none=True)),
    )
