"""The controller graph: nodes are controllers with success conditions, edges are transitions from node to node."""

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
    """The motion reaches a pose and holds it at rest."""
    DYNAMIC = "dynamic"
    """The motion is repeated for a number of cycles."""


class EdgeKind(enum.StrEnum):
    """Kind of an edge: how the target node is run when the edge is taken."""

    NAIVE = "naive"
    """The target node runs unchanged."""
    LEARNED = "learned"
    """The target node runs with learned constants, possibly after a changed end of the source node."""
    CORRECTIVE = "corrective"
    """The target node runs after a failure of the source node."""


LEARNED_LENGTH = 2.5
"""Length of a learned edge in a shortest path; a naive edge has the length 1.

Two naive edges are preferred to one learned edge, because the constants of a learned edge were found for one ground and
one body.
"""


NOTHING = "nothing"
"""Key of `Node.also` that means no motion: the body keeps the pose in which the node begins."""

_DESCRIPTIVE = ("description", "also", "obstacle", "draft")
"""Fields of a node that do not affect its outcome."""


@checked
@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph: a controller, its number of cycles, time limit and success conditions.

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
    """Minimum and maximum number of cycles (runs of the controller from beginning to end)."""
    timeout: float = 20.0
    """Time limit for any number of cycles up to the maximum, simulated s."""
    success: Conditions = field(default_factory=dict)
    """Required range of each measure at the end, by name of the measure (see `ctrlgraph.simulation.measures`)."""
    bounds: Conditions = field(default_factory=dict)
    """Range of each measure that the motion must not leave at any time, by name of the measure."""
    description: str = ""
    """Description for readers."""
    adapted: str | None = None
    """Path of the learned file of gain-scheduled constants, relative to the graph file; None if there is none."""
    controller: str = SCRIPT
    """Kind of the controller (`ctrlgraph.control.kinds`)."""
    mirrored: bool = False
    """Whether the controller runs with right and left exchanged."""
    obstacle: NodeObstacle | None = None
    """Obstacle that the motion crosses; None for plain ground."""
    plausible: Conditions = field(default_factory=dict)
    """Range of each measure that every motion of the graph must have at its end; wider for measures in `widened`."""
    widened: Mapping[str, str] = field(default_factory=dict)
    """Reason why a range of `plausible` is wider than the one of the graph, by name of the measure."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Reason why another node's motion may fulfil the conditions of this node, by name of the other node.

    The confusion test (`robustness.confusion`) accepts these motions.
    """
    draft: str = ""
    """What the node lacks, if it is a draft; empty for a node that walks can enter."""

    @property
    def conditions(self) -> Conditions:
        """Return the ranges of measures required at the end, from both `success` and `plausible`."""
        return joined_conditions(self.success, self.plausible)

    @property
    def is_static(self) -> bool:
        """Return whether the node is a static pose."""
        return self.kind is NodeKind.STATIC

    def timeout_for(self, cycles: int) -> float:
        """Return the time limit for a number of cycles, simulated s.

        Above the maximum number of cycles of the node, the limit grows in proportion.
        """
        return self.timeout * max(1.0, cycles / self.cycles[1])

    def as_dict(self) -> dict[str, Any]:
        """Return the entry of the node in a graph file. Most fields that have their default are omitted."""
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
        """Return a hash of the fields that affect the outcome of the node.

        The fields `description`, `also`, `obstacle` and `draft` and the contents of the controller file do not count.
        """
        entry = {name: value for name, value in self.as_dict().items() if name not in _DESCRIPTIVE}
        if self.plausible:
            entry["plausible"] = as_lists(self.plausible)
        return _digest(entry)


@checked
@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the graph: the source node may be followed by the target node.

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
    """Relative probability that a random walk chooses this edge, among the planned edges of the source node."""
    parameters: str | None = None
    """Path of the learned file of a learned edge, relative to the graph file; None for other kinds of edges."""
    when: FailureCondition | None = None
    """Failure of the source after which a corrective edge is taken; None for other kinds of edges."""
    order: int = 1
    """Rank of a corrective edge. Of the edges of a node whose failure has occurred, that of lowest rank is taken."""
    ground: GroundRange = EVERYWHERE
    """Ground (slope, heights, obstacles) for which the edge is planned."""

    @property
    def planned(self) -> bool:
        """Return whether walks can choose the edge. Corrective edges are taken only after a failure."""
        return self.kind is not EdgeKind.CORRECTIVE

    @property
    def key(self) -> str:
        """Return text that distinguishes the edge from other edges between the same nodes: the kind and the failure."""
        return f"{self.kind} {self.when}" if self.when is not None else str(self.kind)

    @property
    def identity(self) -> tuple[str, str, str]:
        """Return (source, target, key). No other edge of a graph has the same three texts."""
        return self.source, self.target, self.key

    def as_dict(self) -> dict[str, Any]:
        """Return the entry of the edge in a graph file. Fields that have their default are omitted."""
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


@dataclass(frozen=True, slots=True)
class PlayNodes:
    """Nodes that the keys of `ctrlgraph play` choose."""

    speeds: tuple[str, ...] = ()
    """Names of gaits and of the start node, the slowest first: one key chooses the next, another the previous."""
    jump: tuple[str, ...] = ()
    """Names of jumps. The key chooses the one that the character reaches first."""
    down: tuple[str, ...] = ()
    """Names of poses, the highest first: each press of the key chooses the next."""

    def as_dict(self) -> dict[str, list[str]]:
        """Return the lists that are not empty, as data for a graph file."""
        lists = {"speeds": self.speeds, "jump": self.jump, "down": self.down}
        return {name: list(names) for name, names in lists.items() if names}


class ControllerGraph:
    """A graph of controllers: nodes (controllers with success conditions) and edges (transitions between nodes).

    Attributes:
        character: path or name of the character file.
        start: name of the node in which walks begin.
        engine: name of the physics engine.
        plausible: range of each measure that is required of every motion, by name of the measure.
        play: nodes that the keys of `ctrlgraph play` choose.
        path: graph file; None if the graph is not from a file.
        nodes: nodes that walks can enter, by name.
        drafts: unfinished nodes that walks never enter, by name. They have no edges.
        edges: all edges, in the order of the file.

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
        play: PlayNodes | None = None,
    ) -> None:
        """
        Raises:
            CtrlGraphError: the start, the source or target of an edge, or a name in `play` is not among the nodes.
        """
        self.character = character
        self.start = start
        self.engine = engine
        self.plausible = dict(plausible or {})
        self.play = play or PlayNodes()
        self.path = path
        self.nodes: dict[str, Node] = {node.name: node for node in nodes}
        self.drafts: dict[str, Node] = {node.name: node for node in drafts}
        self.edges: tuple[Edge, ...] = tuple(edges)
        self.node(start)
        for edge in self.edges:
            self.node(edge.source), self.node(edge.target)
        for name in (*self.play.speeds, *self.play.jump, *self.play.down):
            self.node(name)

    @cached_property
    def networkx_graph(self) -> nx.MultiDiGraph[str]:
        """Return the graph as a networkx MultiDiGraph, with the attributes `node` (a Node) and `edge` (an Edge)."""
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(character=self.character, start=self.start)
        for node in self.nodes.values():
            graph.add_node(node.name, node=node)
        for edge in self.edges:
            graph.add_edge(edge.source, edge.target, key=edge.key, edge=edge)
        return graph

    @checked
    def node(self, name: str) -> Node:
        """Return the node with this name.

        Raises:
            CtrlGraphError: no node has this name, or the node is a draft.
        """
        try:
            return self.nodes[name]
        except KeyError:
            if name in self.drafts:
                why, again = self.drafts[name].draft, f"run 'ctrlgraph integrate {name}' to retry"
                raise CtrlGraphError(f"'{name}' is a draft, which no walk enters ({why}): {again}") from None
            hint = near_names(name, self.nodes, "nodes")
            raise CtrlGraphError(f"the graph has no node {quoted(name)} {hint}") from None

    @checked
    def planned_edges(self, source: str) -> list[Edge]:
        """Return the naive and learned edges out of the node `source`, for any ground, in the order of the graph file.

        Raises:
            CtrlGraphError: no node has this name.
        """
        self.node(source)
        return [edge for edge in self._outgoing.get(source, ()) if edge.planned]

    @checked
    def planned_edge(self, source: str, target: str, preview: TerrainPreview | None = None) -> Edge | None:
        """Return the planned edge from one node to another; None if there is none.

        If there are a naive and a learned edge, the learned one is returned.

        Args:
            source: name of the source node.
            target: name of the target node.
            preview: ground under and ahead of the character. If given, the edge whose ground range is nearest to this
                ground is preferred.

        Raises:
            CtrlGraphError: no node has the name `source` or `target`.
        """
        self.node(target)
        edges = [edge for edge in self.planned_edges(source) if edge.target == target]

        def rank(edge: Edge) -> tuple[float, bool]:
            return 0.0 if preview is None else self.beyond(edge, preview), edge.kind is not EdgeKind.LEARNED

        return min(edges, key=rank, default=None)

    def beyond(self, edge: Edge, preview: TerrainPreview) -> float:
        """Return how far a ground is outside the ranges for which an edge is planned, as a sum of degrees and cm.

        The result is 0 if the edge can be taken, and very large if a required obstacle is missing.

        Args:
            edge: planned edge. The ranges are those of its field `ground` and of the obstacle that its target crosses.
            preview: ground under and ahead of the character.
        """
        obstacle = self.nodes[edge.target].obstacle
        off = edge.ground.beyond(preview)
        return off if obstacle is None else off + obstacle.beyond(preview.ahead)

    def take_off(self, edge: Edge) -> TakeOff | None:
        """Return the obstacle that must be ahead when an edge is taken; None if none is required."""
        return take_off(edge.ground, self.nodes[edge.target].obstacle)

    @cached_property
    def takeoffs(self) -> list[tuple[Edge, TakeOff]]:
        """Return the planned edges that require an obstacle ahead, as pairs of the edge and the required obstacle."""
        planned = ((edge, self.take_off(edge)) for edge in self.edges if edge.planned)
        return [(edge, wanted) for edge, wanted in planned if wanted is not None]

    @checked
    def corrective_edges(self, source: str) -> list[Edge]:
        """Return the corrective edges out of the node `source`, in the order in which their conditions are checked.

        Raises:
            CtrlGraphError: no node has this name.
        """
        self.node(source)
        edges = [edge for edge in self._outgoing.get(source, ()) if not edge.planned]
        return sorted(edges, key=lambda edge: edge.order)

    def corrections(self, source: str, outcome: Outcome) -> list[Edge]:
        """Return the corrective edges that may be taken after a node has failed, in their order.

        Args:
            source: name of the node that has failed.
            outcome: outcome of this node.
        """
        return [edge for edge in self.corrective_edges(source) if edge.when is not None and edge.when.holds(outcome)]

    def predicted_falls(self, source: str) -> tuple[str, ...]:
        """Return the directions of predicted falls for which the node `source` has a corrective edge."""
        whens = {edge.when.predicted for edge in self.corrective_edges(source) if edge.when is not None}
        return tuple(sorted(whens - {""}))

    @cached_property
    def _outgoing(self) -> dict[str, list[Edge]]:
        outgoing: dict[str, list[Edge]] = {}
        for edge in self.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        return outgoing

    @cached_property
    def planned_graph(self) -> nx.DiGraph[str]:
        """Return the naive and learned edges as a networkx graph with at most one edge from one node to another.

        The attribute `length` of an edge is 1 if there is a naive edge, and `LEARNED_LENGTH` if there is only a learned
        edge.
        """
        return self._planned_on(None)

    def _planned_on(self, preview: TerrainPreview | None) -> nx.DiGraph[str]:
        """Return the graph of `planned_graph` for a ground.

        Args:
            preview: ground under and ahead of the character. Edges for other ground get lengths that exceed any path
                without such edges. None to change no length.
        """
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
        """Return examples of ground without an obstacle ahead, one for each set of edges that can be taken.

        On two grounds that differ only in details, the same edges can be taken. Of these grounds, one is returned.
        """
        ranges = {edge.ground for edge in self.edges}
        slopes = _between({end for each in ranges for end in each.slope})
        obstacles = _between({end for each in ranges for end in each.obstacle})
        every = [TerrainPreview(slope, obstacle) for slope in slopes for obstacle in obstacles]
        return tuple({frozenset(each for each in ranges if preview in each): preview for preview in every}.values())

    @checked
    def shortest_paths(self, source: str, preview: TerrainPreview | None = None) -> dict[str, list[str]]:
        """Return the shortest path of planned edges to each node that can be reached.

        Args:
            source: name of the node where the paths begin.
            preview: ground under and ahead of the character. If given, edges for other ground are used only if there is
                no other path to a node. Of such edges, those whose ground ranges are nearest to the ground are used.

        Returns:
            The names of the nodes along the path, by name of the node to which the path leads, the shortest path first
            (see `planned_graph` for the lengths). The path to the source consists of the source.
        """
        import networkx as nx

        self.node(source)
        graph = self.planned_graph if preview is None else self._planned_on(preview)
        lengths = nx.single_source_dijkstra_path_length(graph, source, weight="length")
        paths: dict[str, list[str]] = nx.single_source_dijkstra_path(graph, source, weight="length")
        return {name: paths[name] for name in sorted(paths, key=lambda name: float(lengths[name]))}

    def to_dict(self) -> dict[str, Any]:
        """Return the contents of a graph file with this graph, as data for YAML."""
        return {
            "character": self.character,
            "start": self.start,
            **({} if self.engine == DEFAULT_ENGINE else {"engine": self.engine}),
            **({"plausible": as_lists(self.plausible)} if self.plausible else {}),
            **({"play": self.play.as_dict()} if self.play != PlayNodes() else {}),
            "nodes": {node.name: node.as_dict() for node in (*self.nodes.values(), *self.drafts.values())},
            "edges": [edge.as_dict() for edge in self.edges],
        }

    @cached_property
    def digest(self) -> str:
        """Return a hash of the graph. Drafts, and fields that do not affect outcomes, do not count."""
        data = self.to_dict()
        data.pop("play", None)
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
    """Return conditions as data for a graph file: [lower, upper] by name of the measure."""
    return {name: list(limits) for name, limits in conditions.items()}


def _between(ends: set[float]) -> list[float]:
    """Return sorted examples of numbers: one for each interval between given limits, and the limits themselves.

    Args:
        ends: the limits. Infinite ones are ignored. Without finite limits, the result is [0].
    """
    cuts = sorted(end for end in ends if math.isfinite(end))
    if not cuts:
        return [0.0]
    middles = [(low + high) / 2.0 for low, high in itertools.pairwise(cuts)]
    return sorted([cuts[0] - 1.0, *cuts, *middles, cuts[-1] + 1.0])


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
