"""The controller graph: nodes are controllers with their success, edges are ways from one to the next."""

from __future__ import annotations

import enum
import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.arguments import checked
from ctrlgraph.control.kinds import SCRIPT
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError, near_names, quoted
from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.ground import EVERYWHERE, GroundRange, NodeObstacle, TakeOff, take_off
from ctrlgraph.simulation.measures import Conditions, joined_conditions
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.profile import TerrainPreview

if TYPE_CHECKING:
    import networkx as nx


class NodeKind(enum.StrEnum):
    """A static pose is held at rest; a dynamic motion is repeated for its cycles."""

    STATIC = "static"
    DYNAMIC = "dynamic"


class EdgeKind(enum.StrEnum):
    """NAIVE runs the target as it is; LEARNED with changed constants; CORRECTIVE after a failure."""

    NAIVE = "naive"
    LEARNED = "learned"
    CORRECTIVE = "corrective"


LEARNED_LENGTH = 2.5
"""A learned edge counts as so many naive ones where a shortest way is looked for: it was learned for one ground and
one body, and where two plain steps lead to the same place, they take more."""


NOTHING = "nothing"
"""In a node's `also`, who does nothing: holds the pose in which the node begins."""

_TOLD = ("description", "also", "obstacle", "draft")
"""Fields of a node that decide nothing of its outcome."""


@checked
@dataclass(frozen=True, slots=True)
class Node:
    """A controller of the graph.

    file: of its controller, relative to the graph file; controller: its kind (`ctrlgraph.control.kinds`); cycles: least
    and greatest number of repetitions; timeout: simulated s; success and bounds: ranges of
    `ctrlgraph.simulation.measures`, in its units; adapted: path of a file of constants for the ground that it runs on;
    mirrored: it runs with right and left exchanged. obstacle: what it goes over, None for one that is for plain ground.
    plausible: ranges that the graph has for every node, with those that `widened` gives reasons for made wider; also:
    why other nodes' motions are this one, too (see `experiments.confusion`). draft: what it lacks to be walked;
    empty for one that is.

    >>> from ctrlgraph import Node
    >>> Node("walk", "controllers/gaits/walk.t", cycles=(2, 8), timeout=30).timeout_for(16)
    60.0
    """

    name: str
    file: str
    args: tuple[float, ...] = ()
    kind: NodeKind = NodeKind.DYNAMIC
    cycles: tuple[int, int] = (1, 1)
    timeout: float = 20.0
    success: Conditions = field(default_factory=dict)
    bounds: Conditions = field(default_factory=dict)
    description: str = ""
    adapted: str | None = None
    controller: str = SCRIPT
    mirrored: bool = False
    obstacle: NodeObstacle | None = None
    plausible: Conditions = field(default_factory=dict)
    widened: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    draft: str = ""

    @property
    def conditions(self) -> Conditions:
        """Return what must hold at its end: its success, and what is plausible."""
        return joined_conditions(self.success, self.plausible)

    @property
    def is_static(self) -> bool:
        return self.kind is NodeKind.STATIC

    def timeout_for(self, cycles: int) -> float:
        """Return the simulated time (s) after which so many cycles are given up: more of them than the node's greatest
        number have more time, in proportion."""
        return self.timeout * max(1.0, cycles / self.cycles[1])

    def as_dict(self) -> dict[str, Any]:
        """Return the node as it stands in a graph file, defaults left out."""
        entry: dict[str, Any] = {self.controller: self.file}
        if self.args:
            entry["args"] = list(self.args)
        if self.mirrored:
            entry["mirrored"] = True
        entry["kind"] = self.kind.value
        if self.cycles != (1, 1):
            entry["cycles"] = list(self.cycles)
        entry["timeout"] = self.timeout
        for name, conditions in (("success", self.success), ("bounds", self.bounds)):
            if conditions:
                entry[name] = {measure: list(limits) for measure, limits in conditions.items()}
        if self.widened:
            entry["plausible"] = {
                name: {"range": list(self.plausible[name]), "because": because}
                for name, because in self.widened.items()
            }
        if self.also:
            entry["also"] = dict(self.also)
        if self.adapted is not None:
            entry["adapted"] = self.adapted
        if self.obstacle is not None:
            entry["obstacle"] = self.obstacle.as_dict()
        if self.draft:
            entry["draft"] = self.draft
        if self.description:
            entry["description"] = self.description
        return entry

    @property
    def digest(self) -> str:
        """Return the hash of what decides its outcome besides the script's text: where it is entered does not."""
        entry = {name: value for name, value in self.as_dict().items() if name not in _TOLD}
        if self.plausible:
            entry["plausible"] = {name: list(limits) for name, limits in self.plausible.items()}
        return _digest(entry)


@checked
@dataclass(frozen=True, slots=True)
class Edge:
    """A way from one node to another.

    weight: share among the planned edges of its source in random walks; when: the failure that a
    corrective edge answers; order: corrective edges with a lower one are tried first; parameters:
    path of a learned edge's constants, relative to the graph file; ground: where it is planned.

    >>> from ctrlgraph import Edge
    >>> str(Edge("stand", "walk"))
    'stand -> walk'
    """

    source: str
    target: str
    kind: EdgeKind = EdgeKind.NAIVE
    weight: float = 1.0
    parameters: str | None = None
    when: FailureCondition | None = None
    order: int = 1
    ground: GroundRange = EVERYWHERE

    @property
    def planned(self) -> bool:
        """Tell whether walks may choose it; corrective edges are only taken after a failure."""
        return self.kind is not EdgeKind.CORRECTIVE

    @property
    def key(self) -> str:
        """Return what tells it from other edges between the same nodes."""
        return f"{self.kind} {self.when}" if self.when is not None else str(self.kind)

    @property
    def identity(self) -> tuple[str, str, str]:
        """Source, target and key: of no two edges of a graph the same."""
        return self.source, self.target, self.key

    def as_dict(self) -> dict[str, Any]:
        """Return the edge as it stands in a graph file, defaults left out."""
        entry: dict[str, Any] = {"from": self.source, "to": self.target, "kind": self.kind.value}
        if self.planned and self.weight != 1.0:
            entry["weight"] = self.weight
        if self.parameters is not None:
            entry["parameters"] = self.parameters
        if self.when is not None:
            entry["when"] = self.when.value
        if self.order != 1:
            entry["order"] = self.order
        if self.ground != EVERYWHERE:
            entry["ground"] = self.ground.as_dict()
        return entry

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


class ControllerGraph:
    """Nodes and edges; edges keep the order of the file.

    `networkx_graph` may be given to any networkx algorithm. `drafts` are nodes that the file keeps and no walk enters:
    they have no edges, and are none of `nodes`.

    >>> from ctrlgraph import Project
    >>> graph = Project.find().graph
    >>> graph.planned_edge("stand", "squat").kind.value
    'naive'
    """

    @checked
    def __init__(
        self,
        *,
        character: str,
        start: str,
        nodes: Iterable[Node],
        edges: Iterable[Edge],
        path: Path | None = None,
        engine: str = DEFAULT_ENGINE,
        plausible: Conditions | None = None,
        drafts: Iterable[Node] = (),
    ) -> None:
        """
        Raises:
            CtrlGraphError: the start or an end of an edge is not among the nodes.
        """
        self.character = character
        self.start = start
        self.engine = engine
        self.plausible = dict(plausible or {})
        self.path = path
        self.nodes: dict[str, Node] = {node.name: node for node in nodes}
        self.drafts: dict[str, Node] = {node.name: node for node in drafts}
        self.edges: tuple[Edge, ...] = tuple(edges)
        self.node(start)
        for edge in self.edges:
            self.node(edge.source), self.node(edge.target)

    @cached_property
    def networkx_graph(self) -> nx.MultiDiGraph[str]:
        """Return the graph for any algorithm of networkx: names with the data `node` (a Node) and `edge` (an Edge)."""
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(character=self.character, start=self.start)
        for node in self.nodes.values():
            graph.add_node(node.name, node=node)
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, key=edge.key, edge=edge)
        return graph

    @checked
    def node(self, name: str) -> Node:
        """Return the node of this name.

        Raises:
            CtrlGraphError: there is none, or it is a draft; the message suggests what to do.
        """
        try:
            return self.nodes[name]
        except KeyError:
            if name in self.drafts:
                why = self.drafts[name].draft
                again = f"`ctrlgraph integrate {name}` tries it again"
                raise CtrlGraphError(f"'{name}' is a draft, which no walk enters ({why}): {again}") from None
            hint = near_names(name, self.nodes, "nodes")
            raise CtrlGraphError(f"the graph has no node {quoted(name)} {hint}") from None

    @checked
    def planned_edges(self, source: str) -> list[Edge]:
        """Return the naive and learned edges out of a node, in file order, whatever the ground that they are for.

        Raises:
            CtrlGraphError: there is no such node.
        """
        self.node(source)
        return [edge for edge in self._outgoing.get(source, ()) if edge.planned]

    @checked
    def planned_edge(self, source: str, target: str, preview: TerrainPreview | None = None) -> Edge | None:
        """Return the planned edge from one node to another, with `preview` preferably one for this ground; then the
        learned one where there is a naive one, too, since it was kept for being better. None where there is neither.

        Raises:
            CtrlGraphError: there is no such node.
        """
        self.node(target)
        edges = [edge for edge in self.planned_edges(source) if edge.target == target]

        def rank(edge: Edge) -> tuple[float, bool]:
            return 0.0 if preview is None else self.beyond(edge, preview), edge.kind is not EdgeKind.LEARNED

        return min(edges, key=rank, default=None)

    def beyond(self, edge: Edge, preview: TerrainPreview) -> float:
        """Return how far the ground is from what a planned edge and its target are for, in degrees and in cm; 0 where
        it may be taken here."""
        obstacle = self.nodes[edge.target].obstacle
        off = edge.ground.beyond(preview)
        return off if obstacle is None else off + obstacle.beyond(preview.ahead)

    def takes(self, edge: Edge) -> frozenset[ObstacleKind]:
        """Return the kinds of obstacles that an edge is for; none for one of plain ground."""
        obstacle = self.nodes[edge.target].obstacle
        return frozenset(edge.ground.takes) | (frozenset() if obstacle is None else {obstacle.kind})

    def take_off(self, edge: Edge) -> TakeOff | None:
        """Return what has to lie ahead where an edge is taken; None for one of plain ground."""
        return take_off(edge.ground, self.nodes[edge.target].obstacle)

    @cached_property
    def takeoffs(self) -> list[tuple[Edge, TakeOff]]:
        """Return the planned edges over obstacles, and what has to lie ahead where they are taken."""
        planned = ((edge, self.take_off(edge)) for edge in self.edges if edge.planned)
        return [(edge, wanted) for edge, wanted in planned if wanted is not None]

    @checked
    def corrective_edges(self, source: str) -> list[Edge]:
        """Return the corrective edges of a node in the order in which they are tried."""
        self.node(source)
        edges = [edge for edge in self._outgoing.get(source, ()) if not edge.planned]
        return sorted(edges, key=lambda edge: edge.order)

    def correction(self, source: str, outcome: Outcome) -> Edge | None:
        """Return the first corrective edge of `source` whose condition holds for its failed outcome."""
        edges = self.corrective_edges(source)
        return next((edge for edge in edges if edge.when is not None and edge.when.holds(outcome)), None)

    @cached_property
    def _outgoing(self) -> dict[str, list[Edge]]:
        outgoing: dict[str, list[Edge]] = {}
        for edge in self.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        return outgoing

    @cached_property
    def planned_graph(self) -> nx.DiGraph[str]:
        """Only the naive and learned edges, one arrow for each pair of nodes; their `length` is LEARNED_LENGTH or 1."""
        return self._planned_on(None)

    def _planned_on(self, preview: TerrainPreview | None) -> nx.DiGraph[str]:
        """The planned graph; with `preview`, edges that are not for this ground are longer than any way over others."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        for edge in self.edges:
            if edge.planned:
                length = LEARNED_LENGTH if edge.kind is EdgeKind.LEARNED else 1.0
                off = 0.0 if preview is None else self.beyond(edge, preview)
                if off > 0.0:
                    length += LEARNED_LENGTH * len(self.nodes) * (1.0 + off)
                known = graph.get_edge_data(edge.source, edge.target, {"length": length})["length"]
                graph.add_edge(edge.source, edge.target, length=min(length, known))
        return graph

    @cached_property
    def grounds(self) -> tuple[TerrainPreview, ...]:
        """Grounds that stand for all others without an obstacle in sight: on any of those the same edges are planned as
        on one of these."""
        ranges = {edge.ground for edge in self.edges}
        slopes = _between({end for each in ranges for end in each.slope})
        obstacles = _between({end for each in ranges for end in each.obstacle})
        every = [TerrainPreview(slope, obstacle) for slope in slopes for obstacle in obstacles]
        return tuple({frozenset(each for each in ranges if preview in each): preview for preview in every}.values())

    @checked
    def shortest_paths(self, source: str, preview: TerrainPreview | None = None) -> dict[str, list[str]]:
        """Return the shortest planned way from a node to each that can be reached, itself first, by rising `length`.

        With `preview`, ways over edges that are for this ground come first; where no such way leads to a node, one over
        edges that are nearly for it.
        """
        import networkx as nx

        self.node(source)
        graph = self.planned_graph if preview is None else self._planned_on(preview)
        lengths = nx.single_source_dijkstra_path_length(graph, source, weight="length")
        paths: dict[str, list[str]] = nx.single_source_dijkstra_path(graph, source, weight="length")
        return {name: paths[name] for name in sorted(paths, key=lambda name: float(lengths[name]))}

    def to_dict(self) -> dict[str, Any]:
        """Return the graph as the data of a graph file (`load_graph` reads it back)."""
        return {
            "character": self.character,
            "start": self.start,
            **({} if self.engine == DEFAULT_ENGINE else {"engine": self.engine}),
            **({"plausible": {n: list(limits) for n, limits in self.plausible.items()}} if self.plausible else {}),
            "nodes": {node.name: node.as_dict() for node in (*self.nodes.values(), *self.drafts.values())},
            "edges": [edge.as_dict() for edge in self.edges],
        }

    @cached_property
    def digest(self) -> str:
        """Return the hash of the graph without its descriptions and drafts."""
        data = self.to_dict()
        data["nodes"] = {name: entry for name, entry in data["nodes"].items() if name not in self.drafts}
        for entry in data["nodes"].values():
            for name in _TOLD:
                entry.pop(name, None)
        return _digest(data)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes.values())

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, name: object) -> bool:
        return name in self.nodes


def _between(ends: set[float]) -> list[float]:
    """One value of each stretch into which a line is cut: the finite ends, and between and beyond them."""
    cuts = sorted(end for end in ends if math.isfinite(end))
    if not cuts:
        return [0.0]
    middles = [(low + high) / 2.0 for low, high in itertools.pairwise(cuts)]
    return sorted([cuts[0] - 1.0, *cuts, *middles, cuts[-1] + 1.0])


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
