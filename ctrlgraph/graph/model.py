"""The controller graph: nodes are controllers with success conditions, edges are transitions between them."""

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
from ctrlgraph.terrain.terrain import TerrainPreview

if TYPE_CHECKING:
    import networkx as nx


class NodeKind(enum.StrEnum):
    """Kind of motion of a node."""

    STATIC = "static"
    """A pose at rest."""
    DYNAMIC = "dynamic"
    """A motion repeated for a number of cycles."""


class EdgeKind(enum.StrEnum):
    """Kind of an edge."""

    NAIVE = "naive"
    """Runs the target unchanged."""
    LEARNED = "learned"
    """Runs the target with learned constants."""
    CORRECTIVE = "corrective"
    """Runs the target after a failure of the source."""


LEARNED_LENGTH = 2.5
"""Length of a learned edge in a shortest path. A naive edge has the length 1. Two naive edges are preferred to one
learned edge, which was learned for one ground and one body."""


NOTHING = "nothing"
"""Key of `Node.also` that stands for no motion: the body keeps the pose in which the node begins."""

_DESCRIPTIVE = ("description", "also", "obstacle", "draft")
"""Fields of a node that do not affect its outcome."""


@checked
@dataclass(frozen=True, slots=True)
class Node:
    """A controller of the graph with its success conditions.

    >>> from ctrlgraph import Node
    >>> Node("walk", "controllers/gaits/walk.t", cycles=(2, 8), timeout=30).timeout_for(16)
    60.0
    """

    name: str
    """Name, unique in the graph."""
    file: str
    """Path of the controller's file, relative to the graph file."""
    args: tuple[float, ...] = ()
    """Arguments of the controller."""
    kind: NodeKind = NodeKind.DYNAMIC
    """Static pose or dynamic motion."""
    cycles: tuple[int, int] = (1, 1)
    """Minimum and maximum number of repetitions."""
    timeout: float = 20.0
    """Timeout for up to the maximum number of cycles, in simulated s."""
    success: Conditions = field(default_factory=dict)
    """Ranges of measures (`ctrlgraph.simulation.measures`, in their units) required at the end."""
    bounds: Conditions = field(default_factory=dict)
    """Ranges of measures that the run must not leave."""
    description: str = ""
    """Description for readers."""
    adapted: str | None = None
    """Path of a file of constants for the ground, or None."""
    controller: str = SCRIPT
    """Kind of the controller (`ctrlgraph.control.kinds`)."""
    mirrored: bool = False
    """Whether right and left are exchanged."""
    obstacle: NodeObstacle | None = None
    """Obstacle that the motion crosses; None for plain ground."""
    plausible: Conditions = field(default_factory=dict)
    """Ranges that every motion of the graph must keep, wider for the measures in `widened`."""
    widened: Mapping[str, str] = field(default_factory=dict)
    """Reason for each range of `plausible` that is wider than the graph's, by measure."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Other nodes that are allowed to fulfil these conditions, each with the reason (see `robustness.confusion`)."""
    draft: str = ""
    """What is missing in a draft; empty for a node that walks can enter."""

    @property
    def conditions(self) -> Conditions:
        """Return the ranges required at the end: `success` and `plausible`."""
        return joined_conditions(self.success, self.plausible)

    @property
    def is_static(self) -> bool:
        """Return whether the node is a static pose."""
        return self.kind is NodeKind.STATIC

    def timeout_for(self, cycles: int) -> float:
        """Return the timeout for a number of cycles, in simulated s.

        Above the node's maximum number of cycles, it grows in proportion.
        """
        return self.timeout * max(1.0, cycles / self.cycles[1])

    def as_dict(self) -> dict[str, Any]:
        """Return the node as data of a graph file, without defaults."""
        widened = {
            name: {"range": list(self.plausible[name]), "because": because} for name, because in self.widened.items()
        }
        fields: dict[str, Any] = {
            self.controller: self.file,
            "args": list(self.args),
            "mirrored": self.mirrored,
            "kind": self.kind.value,
            "cycles": list(self.cycles) if self.cycles != (1, 1) else None,
            "timeout": self.timeout,
            "success": as_lists(self.success),
            "bounds": as_lists(self.bounds),
            "plausible": widened,
            "also": dict(self.also),
            "adapted": self.adapted,
            "obstacle": self.obstacle and self.obstacle.as_dict(),
            "draft": self.draft,
            "description": self.description,
        }
        return {name: value for name, value in fields.items() if value or name in (self.controller, "timeout")}

    @property
    def digest(self) -> str:
        """Return the hash of the fields that affect the outcome.

        The text of the script, the obstacle and descriptions do not count.
        """
        entry = {name: value for name, value in self.as_dict().items() if name not in _DESCRIPTIVE}
        if self.plausible:
            entry["plausible"] = as_lists(self.plausible)
        return _digest(entry)


@checked
@dataclass(frozen=True, slots=True)
class Edge:
    """A transition from one node to another.

    >>> from ctrlgraph import Edge
    >>> str(Edge("stand", "walk"))
    'stand -> walk'
    """

    source: str
    """Name of the source node."""
    target: str
    """Name of the target node."""
    kind: EdgeKind = EdgeKind.NAIVE
    """Naive, learned or corrective."""
    weight: float = 1.0
    """Weight among the planned edges of the source in random walks."""
    parameters: str | None = None
    """Path of a learned edge's constants, relative to the graph file."""
    when: FailureCondition | None = None
    """Failure that triggers a corrective edge."""
    order: int = 1
    """Order of corrective edges; the lowest is tried first."""
    ground: GroundRange = EVERYWHERE
    """Ground on which the edge is planned."""

    @property
    def planned(self) -> bool:
        """Return whether walks can choose the edge. Corrective edges are taken only after a failure."""
        return self.kind is not EdgeKind.CORRECTIVE

    @property
    def key(self) -> str:
        """Return the key that distinguishes the edge from others between the same nodes."""
        return f"{self.kind} {self.when}" if self.when is not None else str(self.kind)

    @property
    def identity(self) -> tuple[str, str, str]:
        """Return source, target and key, unique in a graph."""
        return self.source, self.target, self.key

    def as_dict(self) -> dict[str, Any]:
        """Return the edge as data of a graph file, without defaults."""
        fields: dict[str, Any] = {
            "from": self.source,
            "to": self.target,
            "kind": self.kind.value,
            "weight": self.weight if self.planned and self.weight != 1.0 else None,
            "parameters": self.parameters,
            "when": self.when and self.when.value,
            "order": self.order if self.order != 1 else None,
            "ground": self.ground.as_dict() or None,
        }
        return {name: value for name, value in fields.items() if value is not None}

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


class ControllerGraph:
    """Nodes and edges; edges keep the order of the file.

    `networkx_graph` works with any networkx algorithm. `drafts` are nodes of the file that walks never enter. They have
    no edges and are not in `nodes`.

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
        """Return the graph as a networkx MultiDiGraph with the attributes `node` (a Node) and `edge` (an Edge)."""
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
            CtrlGraphError: there is no such node, or it is a draft; the message suggests a remedy.
        """
        try:
            return self.nodes[name]
        except KeyError:
            if name in self.drafts:
                why, again = self.drafts[name].draft, f"`ctrlgraph integrate {name}` tries it again"
                raise CtrlGraphError(f"'{name}' is a draft, which no walk enters ({why}): {again}") from None
            hint = near_names(name, self.nodes, "nodes")
            raise CtrlGraphError(f"the graph has no node {quoted(name)} {hint}") from None

    @checked
    def planned_edges(self, source: str) -> list[Edge]:
        """Return the naive and learned edges out of a node, for any ground, in file order.

        Raises:
            CtrlGraphError: there is no such node.
        """
        self.node(source)
        return [edge for edge in self._outgoing.get(source, ()) if edge.planned]

    @checked
    def planned_edge(self, source: str, target: str, preview: TerrainPreview | None = None) -> Edge | None:
        """Return the planned edge from one node to another, or None.

        With `preview`, edges for this ground are preferred. A learned edge is preferred to a naive one, since it was
        kept for being better.

        Raises:
            CtrlGraphError: there is no such node.
        """
        self.node(target)
        edges = [edge for edge in self.planned_edges(source) if edge.target == target]

        def rank(edge: Edge) -> tuple[float, bool]:
            return 0.0 if preview is None else self.beyond(edge, preview), edge.kind is not EdgeKind.LEARNED

        return min(edges, key=rank, default=None)

    def beyond(self, edge: Edge, preview: TerrainPreview) -> float:
        """Return the distance of the ground from the ranges of a planned edge and its target, in degrees and cm.

        It is 0 if the edge can be taken.
        """
        obstacle = self.nodes[edge.target].obstacle
        off = edge.ground.beyond(preview)
        return off if obstacle is None else off + obstacle.beyond(preview.ahead)

    def take_off(self, edge: Edge) -> TakeOff | None:
        """Return the obstacle required ahead to take an edge; None for plain ground."""
        return take_off(edge.ground, self.nodes[edge.target].obstacle)

    @cached_property
    def takeoffs(self) -> list[tuple[Edge, TakeOff]]:
        """Return the planned edges over obstacles, each with the obstacle required ahead."""
        planned = ((edge, self.take_off(edge)) for edge in self.edges if edge.planned)
        return [(edge, wanted) for edge, wanted in planned if wanted is not None]

    @checked
    def corrective_edges(self, source: str) -> list[Edge]:
        """Return the corrective edges of a node in trial order."""
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
        """Return the naive and learned edges, one for each pair of nodes; `length` is LEARNED_LENGTH or 1."""
        return self._planned_on(None)

    def _planned_on(self, preview: TerrainPreview | None) -> nx.DiGraph[str]:
        """Return the planned graph. With `preview`, edges for other ground are longer than any path without them."""
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
        """Return one example of each ground that the edges distinguish, without obstacles ahead."""
        ranges = {edge.ground for edge in self.edges}
        slopes = _between({end for each in ranges for end in each.slope})
        obstacles = _between({end for each in ranges for end in each.obstacle})
        every = [TerrainPreview(slope, obstacle) for slope in slopes for obstacle in obstacles]
        return tuple({frozenset(each for each in ranges if preview in each): preview for preview in every}.values())

    @checked
    def shortest_paths(self, source: str, preview: TerrainPreview | None = None) -> dict[str, list[str]]:
        """Return the shortest planned path to each reachable node, by increasing `length`; the source is first.

        With `preview`, paths over edges for this ground are preferred. A node without such a path gets one over the
        edges closest to it.
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
            **({"plausible": as_lists(self.plausible)} if self.plausible else {}),
            "nodes": {node.name: node.as_dict() for node in (*self.nodes.values(), *self.drafts.values())},
            "edges": [edge.as_dict() for edge in self.edges],
        }

    @cached_property
    def digest(self) -> str:
        """Return the hash of the graph without its descriptions and drafts."""
        data = self.to_dict()
        data["nodes"] = {name: entry for name, entry in data["nodes"].items() if name not in self.drafts}
        for entry in data["nodes"].values():
            for name in _DESCRIPTIVE:
                entry.pop(name, None)
        return _digest(data)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes.values())

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, name: object) -> bool:
        return name in self.nodes


def as_lists(conditions: Conditions) -> dict[str, list[float]]:
    """Return conditions as data of a graph file."""
    return {name: list(limits) for name, limits in conditions.items()}


def _between(ends: set[float]) -> list[float]:
    """Return the finite ends of the ranges, and values between and beyond these ends."""
    cuts = sorted(end for end in ends if math.isfinite(end))
    if not cuts:
        return [0.0]
    middles = [(low + high) / 2.0 for low, high in itertools.pairwise(cuts)]
    return sorted([cuts[0] - 1.0, *cuts, *middles, cuts[-1] + 1.0])


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
