"""Checks of a graph file beyond the types of its fields: names, edges, and the graph as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from ctrlgraph.bounds import MAX_FINDINGS, MAX_GROUNDS
from ctrlgraph.control.alteration import ALTERATIONS
from ctrlgraph.control.kinds import SCRIPT, has_mirror
from ctrlgraph.errors import CtrlGraphError, Finding, suggestion
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.model import NOTHING, ControllerGraph, Edge, EdgeKind
from ctrlgraph.graph.schema import EdgeEntry, node_kinds
from ctrlgraph.simulation.measures import BOUNDS, MEASURES, range_text
from ctrlgraph.yaml_source import YamlSource

CONDITIONS = tuple(condition.value for condition in FailureCondition)


def check_names(source: YamlSource, nodes: Mapping[str, dict[str, Any]]) -> Iterator[Finding]:
    """Yield a finding for an unknown start node, and for each unknown measure in a node's `success` or `bounds`.

    Args:
        source: graph file.
        nodes: unvalidated data of the nodes, by name.
    """
    start = source.data.get("start")
    if isinstance(start, str) and start not in nodes:
        yield source.finding("unknown-node", f"unknown start node '{start}'", ["start"], hint=_hint(start, nodes))
    for name, data in nodes.items():
        for field, known, what in (("success", MEASURES, "measure"), ("bounds", BOUNDS, "bound")):
            for measure in _mapping(data.get(field)):
                if measure not in known:
                    message = f"unknown {what} '{measure}' in '{field}' of node '{name}'"
                    place, hint = ["nodes", name, field, measure], _hint(str(measure), known)
                    yield source.finding(f"unknown-{what}", message, place, key=True, hint=hint)


def check_play(source: YamlSource, nodes: Mapping[str, dict[str, Any]]) -> Iterator[Finding]:
    """Yield a finding for each name in `play` that is not a node, or that is a draft.

    Args:
        source: graph file.
        nodes: unvalidated data of the nodes, by name.
    """
    known = [name for name, data in nodes.items() if data.get("draft") is None]
    for key, names in _mapping(source.data.get("play")).items():
        for k, name in enumerate(names if isinstance(names, list) else ()):
            if isinstance(name, str) and name not in known:
                message, hint = f"unknown node '{name}' in '{key}' of 'play'", _hint(name, known)
                yield source.finding("unknown-node", message, ["play", key, k], hint=hint)


def check_plausible(source: YamlSource, nodes: Mapping[str, dict[str, Any]]) -> Iterator[Finding]:
    """Yield errors about `plausible`: the ranges of measures that are required of every motion of the graph.

    A node can replace a range of the graph by a wider one. It is an error if its range is not wider.

    Args:
        source: graph file.
        nodes: unvalidated data of the nodes, by name.
    """
    known = _mapping(source.data.get("plausible"))
    for measure in known:
        if measure not in MEASURES:
            message, hint = f"unknown measure '{measure}' in 'plausible'", _hint(str(measure), MEASURES)
            yield source.finding("unknown-measure", message, ["plausible", measure], key=True, hint=hint)
    for name, data in nodes.items():
        for measure, entry in _mapping(data.get("plausible")).items():
            place = ["nodes", name, "plausible", measure]
            usual, wider = known.get(measure), _mapping(entry).get("range")
            if measure not in known:
                message = (
                    f"'plausible' of node '{name}' widens the range of '{measure}', but the graph has no such range"
                )
                hint = (
                    _hint(str(measure), known)
                    if known
                    else "give the range under 'plausible' at the top level of the file first"
                )
                yield source.finding("nothing-to-widen", message, place, key=True, hint=hint)
            elif _is_range(usual) and _is_range(wider) and not wider[0] <= usual[0] <= usual[1] <= wider[1]:
                ranges = f"{range_text(wider[0], wider[1])} does not contain {range_text(usual[0], usual[1])}"
                message = f"'plausible' of node '{name}' must widen the range of '{measure}', but {ranges}"
                hint = "if the range is meant to be narrower, write it under 'success' of the node"
                yield source.finding("narrower", message, place, hint=hint)


def _mapping(value: Any) -> dict[str, Any]:
    """Return an unvalidated value if it is a mapping, else an empty mapping."""
    return value if isinstance(value, dict) else {}


def _is_range(value: Any) -> TypeGuard[list[float]]:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, int | float) for end in value)


def check_also(source: YamlSource, nodes: Mapping[str, dict[str, Any]]) -> Iterator[Finding]:
    """Yield an error for each unknown name in a node's `also`: motions that may fulfil the conditions of the node.

    A name is known if it is another node, `nothing`, or an alteration (a change of arms, head, trunk or knees, such as
    `arms_up`).

    Args:
        source: graph file.
        nodes: unvalidated data of the nodes, by name.
    """
    for name, data in nodes.items():
        for other in _mapping(data.get("also")):
            place = ["nodes", name, "also", other]
            if other == name:
                message = f"'also' of node '{name}' names the node itself: remove this entry"
                yield source.finding("unknown-node", message, place, key=True)
            elif other not in nodes and other not in (NOTHING, *ALTERATIONS):
                message = f"unknown node '{other}' in 'also' of node '{name}'"
                hint = _hint(str(other), [*nodes, NOTHING, *ALTERATIONS])
                yield source.finding("unknown-node", message, place, key=True, hint=hint)


def check_controllers(source: YamlSource, nodes: Mapping[str, dict[str, Any]]) -> Iterator[Finding]:
    """Yield an error for each node that has no controller, several controllers, or one that cannot be mirrored but is.

    Args:
        source: graph file.
        nodes: unvalidated data of the nodes, by name.
    """
    kinds = node_kinds()
    for name, data in nodes.items():
        given = [kind for kind in kinds if kind in data]
        if not given:
            message = f"nodes.{name} needs the field 'script'"
            others = ", ".join(f"'{kind}'" for kind in kinds if kind != SCRIPT)
            hint = f"or {others}, or a kind of controller from a package that is not installed"
            yield source.finding("missing-field", message, ["nodes", name], key=True, hint=hint)
        for kind in given[1:]:
            message = f"node '{name}' can have only one controller, but has '{given[0]}' and '{kind}': remove one"
            yield source.finding("two-controllers", message, ["nodes", name, kind], key=True)
        if data.get("mirrored") is True and given and not _has_mirror(given[0]):
            message = f"node '{name}': a controller of the kind '{given[0]}' cannot be mirrored: remove 'mirrored'"
            yield source.finding("not-mirrored", message, ["nodes", name, "mirrored"])


def _has_mirror(kind: str) -> bool:
    try:
        return has_mirror(kind)
    except CtrlGraphError:
        return True  # a package that cannot be loaded is reported when the controller is read


def check_drafts(
    source: YamlSource, nodes: Mapping[str, dict[str, Any]], edges: Mapping[int, EdgeEntry]
) -> Iterator[Finding]:
    """Yield an error if the start node is a draft (a node that no walk enters), and for each edge from or to a draft.

    Args:
        source: graph file.
        nodes: unvalidated data of the nodes, by name.
        edges: valid entries of edges, by their index in the file.
    """
    drafts = {name for name, data in nodes.items() if data.get("draft") is not None}
    if source.data.get("start") in drafts:
        message = (
            f"'{source.data['start']}' is a draft and cannot be the start: remove its 'draft', or choose another start"
        )
        yield source.finding("draft", message, ["start"])
    for i, entry in edges.items():
        named = [name for name in (*entry.sources, entry.target) if name in drafts]
        if named:
            message = f"the edge leads from or to '{named[0]}', which is a draft: drafts cannot have edges"
            yield source.finding(
                "draft", message, ["edges", i], hint="remove 'draft' from the node, or remove the edge"
            )


def check_edges(source: YamlSource, names: Collection[str], edges: Mapping[int, EdgeEntry]) -> Iterator[Finding]:
    """Yield an error for each unknown node in an edge, and for each missing or forbidden field of its kind of edge.

    Args:
        source: graph file.
        names: names of all nodes.
        edges: valid entries of edges, by their index in the file.
    """
    for i, entry in edges.items():
        place: list[str | int] = ["edges", i]
        for k, name in enumerate(entry.sources):
            if name == "*" and len(entry.sources) > 1:
                message = "'*' means every node: write it alone, not in a list"
                yield source.finding("unknown-node", message, [*place, "from", k])
            elif name != "*" and name not in names:
                where = [*place, "from"] if isinstance(source.data["edges"][i]["from"], str) else [*place, "from", k]
                yield _unknown_node(source, name, where, names)
        if entry.target not in names:
            yield _unknown_node(source, entry.target, [*place, "to"], names)
        yield from _check_kind(source, place, entry)


def _unknown_node(source: YamlSource, name: str, place: list[str | int], names: Collection[str]) -> Finding:
    return source.finding(
        "unknown-node",
        f"the edge names the unknown node '{name}': correct the name, or add the node",
        place,
        hint=_hint(name, names),
    )


_OWNERS = {
    "when": ("corrective",),
    "order": ("corrective",),
    "parameters": ("learned",),
    "weight": ("naive", "learned"),
    "ground": ("naive", "learned"),
}
"""Kinds of edges in which a field is allowed, by field."""


def _check_kind(source: YamlSource, place: list[str | int], entry: EdgeEntry) -> Iterator[Finding]:
    kind = entry.kind
    if kind == "corrective" and entry.when is None:
        message = "a corrective edge needs 'when', the failure after which it is taken"
        yield source.finding("missing-field", message, place, hint=f"the failures are {', '.join(CONDITIONS)}")
    if entry.when is not None and entry.when not in CONDITIONS:
        message, hint = f"unknown condition '{entry.when}'", f"the failures are {', '.join(CONDITIONS)}"
        yield source.finding("unknown-condition", message, [*place, "when"], hint=hint)
    if kind == "learned" and entry.parameters is None:
        yield source.finding("missing-field", "a learned edge needs 'parameters', the file of its constants", place)
    for field, kinds in _OWNERS.items():
        if getattr(entry, field) is not None and kind not in kinds:
            message = f"only a {' or '.join(kinds)} edge can have '{field}', but this edge is {kind}: remove '{field}'"
            yield source.finding("misplaced-field", message, [*place, field], key=True)


def check_structure(source: YamlSource, graph: ControllerGraph) -> Iterator[Finding]:
    """Yield errors about nodes that cannot be reached or left, and a warning if no path leads back to the start."""
    reachable = _reached(graph.start, ((edge.source, edge.target) for edge in graph.edges))
    homeward = _reached(graph.start, ((edge.target, edge.source) for edge in graph.edges if edge.planned))
    if not graph.node(graph.start).is_static:  # it begins in the start pose, in which no other motion ends
        homeward |= set(graph.nodes)
    for name in graph.nodes:
        where = ["nodes", name]
        ways_out = [edge for edge in graph.planned_edges(name) if edge.target != name and edge.weight > 0.0]
        if name not in reachable:
            message = f"node '{name}' cannot be reached from '{graph.start}'"
            hint = "add an edge that leads to this node"
            yield source.finding("unreachable-node", message, where, key=True, hint=hint)
        if not ways_out and len(graph.nodes) > 1 and not _is_end(graph, name):
            message = f"no edge leads out of node '{name}'"
            hint = "add a naive or learned edge to another node, with a weight above 0"
            yield source.finding("no-way-out", message, where, key=True, hint=hint)
        elif ways_out and name not in homeward:
            message = f"no naive or learned edges lead from node '{name}' back to '{graph.start}'"
            yield source.finding("no-way-back", message, where, key=True, severity="warning")


def _reached(start: str, arrows: Iterable[tuple[str, str]]) -> set[str]:
    """Return the names of the nodes that can be reached from the node `start`, including `start` itself.

    Args:
        start: name of the node from which the search begins.
        arrows: (from, to) names of the nodes of each connection.
    """
    following: dict[str, list[str]] = {}
    for source, target in arrows:
        following.setdefault(source, []).append(target)
    reached, waiting = {start}, [start]
    while waiting:
        new = set(following.get(waiting.pop(), ())) - reached
        reached |= new
        waiting += new
    return reached


def _is_end(graph: ControllerGraph, name: str) -> bool:
    """Return whether no walk continues from a node, so that the node needs no edge to another node.

    No walk continues from a node that random walks never choose, unless it is a static pose to which a corrective edge
    leads. After a corrective edge to a dynamic motion without a way out, the simulation is reset.
    """
    entering = [edge for edge in graph.edges if edge.target == name and edge.source != name]
    corrected = any(edge.kind is EdgeKind.CORRECTIVE for edge in entering)
    drawn = any(edge.kind is not EdgeKind.CORRECTIVE and edge.weight > 0.0 for edge in entering)
    return name != graph.start and not drawn and not (corrected and graph.node(name).is_static)


def check_grounds(source: YamlSource, edges: Sequence[Edge]) -> Iterator[Finding]:
    """Yield an error if the edges have too many ground ranges to check all combinations.

    A ground range is the slope, heights and obstacles for which an edge is planned.
    """
    grounds = {edge.ground for edge in edges}
    slopes, obstacles = ({end for each in grounds for end in getattr(each, axis)} for axis in ("slope", "obstacle"))
    if 4 * len(slopes) * len(obstacles) * len(grounds) > MAX_GROUNDS:
        message = f"the edges have {len(grounds)} ground ranges, with {len(slopes)} slopes and {len(obstacles)} heights"
        yield source.finding(
            "too-large",
            f"{message}: too many to check",
            ["edges"],
            key=True,
            hint="round the ends of the ranges, so that more of them are equal",
        )


def never_taken(graph: ControllerGraph) -> dict[tuple[str, str, str], str]:
    """Return the corrective edges that can never be taken: the reason as text, by `Edge.identity`."""
    reasons: dict[tuple[str, str, str], str] = {}
    for name in graph.nodes:
        earlier: dict[FailureCondition, Edge] = {}
        for edge in graph.corrective_edges(name):
            if edge.when is None:
                continue
            reason = _why_never(edge.when, earlier, graph.node(name).bounds)
            if reason:
                reasons[edge.identity] = reason
            earlier.setdefault(edge.when, edge)
    return reasons


def check_corrections(source: YamlSource, graph: ControllerGraph, places: list[int]) -> Iterator[Finding]:
    """Yield an error for each corrective edge in the graph file that can never be taken.

    An edge in the file whose source is `*` stands for edges from all nodes. It is an error only if none of them can be
    taken.

    Args:
        source: graph file.
        graph: controller graph.
        places: for each edge of the graph, its index in the list `edges` of the file.
    """
    entry_of = {edge.identity: place for edge, place in zip(graph.edges, places, strict=True)}
    reasons: dict[int, dict[str, str]] = {}
    for identity, reason in never_taken(graph).items():
        reasons.setdefault(entry_of[identity], {})[identity[0]] = reason
    sources = Counter(places)
    for entry, by_source in reasons.items():
        given = source.data["edges"][entry]
        if given["from"] == "*" and len(by_source) < sources[entry]:
            continue  # an edge from every node can include nodes from which it is never taken
        name, reason = next(iter(by_source.items()))
        message = f"the corrective edge {name} -> {given['to']} is never taken: {reason}"
        yield source.finding("impossible-condition", message, ["edges", entry, "when"])


def _why_never(
    when: FailureCondition, earlier: Mapping[FailureCondition, Edge], bounds: dict[str, tuple[float, float]]
) -> str | None:
    if when.excluded_by(bounds):
        return f"the 'bounds' of the node end the motion before the failure '{when}' can occur"
    if not when.covered_by(set(earlier)):
        return None
    single = next((condition for condition in earlier if when.covered_by({condition})), None)
    first = earlier[single] if single is not None else list(earlier.values())[-1]
    return f"the edge to '{first.target}' (when: {first.when}) comes first and handles the same failures"


def _hint(word: str, known: Iterable[str]) -> str:
    names = list(known)
    return suggestion(word, names) or f"known names: {', '.join(names[:MAX_FINDINGS])}"
