"""What is put to the test: a node, an edge or a longer path, and the way that leads there and on from there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import networkx as nx

from ctrlgraph.engine.engine import usual_settings_digest
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.graph.ground import EVERYWHERE
from ctrlgraph.terrain.profile import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Edge, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview

ARROW = "->"

_STEP = re.compile(r"(?P<name>.+?)\s*(\*\s*(?P<cycles>\d+))?")

SETTLING_CYCLES = 3
"""A gait is taken for settled after so many cycles, or the middle of its node's range if that is more."""

RECOVERY_CYCLES = 3
"""After the cycle in which a gait is disturbed, so many more have to hold."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A node on the way and how it is entered; None: from the start pose, or from a node without an edge."""

    node: str
    edge: Edge | None
    cycles: int


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """Three stretches: `setup` is run undisturbed from the start pose, `test` is what is tested, and
    `recovery` leads to the nearest static pose afterwards."""

    target: str
    setup: tuple[Segment, ...]
    test: tuple[Segment, ...]
    recovery: tuple[Segment, ...]
    cyclic: bool

    @property
    def nodes(self) -> tuple[str, ...]:
        """Return every node of the plan, once."""
        return tuple(dict.fromkeys(segment.node for segment in (*self.setup, *self.test, *self.recovery)))


def split_target(text: str) -> tuple[str, ...]:
    """ "walk -> run" as ("walk", "run").

    Raises:
        CtrlGraphError: a name is missing, or cycles are given where they mean nothing.
    """
    steps = target_steps(text)
    if any(cycles is not None for _, cycles in steps):
        raise CtrlGraphError(f"{quoted(text)} tells cycles, which only an edge or path that is tested can have")
    return tuple(name for name, _ in steps)


def target_steps(text: str) -> tuple[tuple[str, int | None], ...]:
    """ "walk*8 -> run" as (("walk", 8), ("run", None)): nodes, and the cycles that a gait is to do.

    Raises:
        CtrlGraphError: a name is missing, or a gait is to do no cycle.
    """
    steps = []
    for part in text.split(ARROW):
        found = _STEP.fullmatch(part.strip())
        if found is None:
            raise CtrlGraphError(f"{quoted(text)} is neither NODE nor NODE->NODE")
        steps.append((found["name"], None if found["cycles"] is None else int(found["cycles"])))
    if any(cycles == 0 for _, cycles in steps):
        raise CtrlGraphError(f"{quoted(text)} asks for no cycle at all: a gait does one at least")
    return tuple(steps)


def evaluation_plan(
    graph: ControllerGraph,
    target: str,
    *,
    untried: bool = False,
    preview: TerrainPreview | None = None,
    left: bool = True,
) -> EvaluationPlan:
    """Return the plan of a target.

    A node is entered over the path of the fewest planned edges from the start; a gait is then settled
    for some cycles, and its test are the cycle in which it is disturbed and some in which it has to
    recover. Of an edge or a path, the first node is run undisturbed and the rest is the test; gaits do
    the least number of cycles, or as many as the target tells (`walk*8->run`). The start node is tested
    where it stands already.

    Args:
        untried: pairs without an edge are allowed, and entered as a naive edge would.
        preview: the ground, which decides over which edges it is entered and left.
        left: whether the plan goes on to a static pose after the test; without, it ends with the test.

    Raises:
        CtrlGraphError: a node or an edge does not exist, or no planned edges lead there, or on to a static pose.
    """
    steps = target_steps(target)
    nodes = [graph.node(name) for name, _ in steps]
    _check_cycles(nodes, steps)
    recovery = _recovery(graph, nodes[-1], preview) if left else ()
    if len(nodes) == 1 and is_cyclic(nodes[0]):
        name = nodes[0].name
        *before, (_, edge) = _way(graph, graph.start, name, preview) or [(graph.start, None)]
        settling = Segment(name, edge, max(SETTLING_CYCLES, sum(nodes[0].cycles) // 2))
        disturbed = Segment(name, None, 1 + RECOVERY_CYCLES)
        return EvaluationPlan(name, (*_segments(graph, before), settling), (disturbed,), recovery, True)
    if len(nodes) == 1:
        way = _way(graph, graph.start, nodes[0].name, preview)
        *before, last = way if len(way) > 1 else [*way, (graph.start, None)]
        return EvaluationPlan(nodes[0].name, _segments(graph, before), _segments(graph, [last]), recovery, False)
    names = [node.name for node in nodes]
    setup = _segments(graph, _way(graph, graph.start, names[0], preview))
    test = _segments(graph, [(b, _edge(graph, a, b, preview, untried=untried)) for a, b in itertools.pairwise(names)])
    first, *others = (cycles for _, cycles in steps)
    setup = (*setup[:-1], _with_cycles(setup[-1], first))
    test = tuple(_with_cycles(segment, cycles) for segment, cycles in zip(test, others, strict=True))
    return EvaluationPlan(ARROW.join(_spelt(*step) for step in steps), setup, test, recovery, False)


def _check_cycles(nodes: Sequence[Node], steps: Sequence[tuple[str, int | None]]) -> None:
    for node, (_, cycles) in zip(nodes, steps, strict=True):
        if cycles is not None and len(nodes) == 1:
            raise CtrlGraphError(f"cycles belong to an edge or a path: '{node.name}' alone is settled as it has to be")
        if cycles is not None and not is_cyclic(node):
            raise CtrlGraphError(f"'{node.name}' is no gait: it has no cycles to be counted")


def _with_cycles(segment: Segment, cycles: int | None) -> Segment:
    return segment if cycles is None else replace(segment, cycles=cycles)


def _spelt(name: str, cycles: int | None) -> str:
    return name if cycles is None else f"{name}*{cycles}"


def on_ground(graph: ControllerGraph, way: EvaluationPlan, preview: TerrainPreview) -> EvaluationPlan:
    """Return the same plan, left over edges that are for this ground; one that ends with its test stays so."""
    if not way.recovery:
        return way
    return replace(way, recovery=_recovery(graph, graph.node(way.test[-1].node), preview))


def all_targets(graph: ControllerGraph) -> list[str]:
    """Return every node that planned edges lead to, in the order of the file."""
    reachable = nx.descendants(graph.planned_graph, graph.start) | {graph.start}
    return [name for name in graph.nodes if name in reachable]


def all_edges(graph: ControllerGraph) -> list[str]:
    """Return every planned edge out of a node that planned edges lead to, once, as a target."""
    edges = (edge for name in all_targets(graph) for edge in graph.planned_edges(name))
    return list(dict.fromkeys(f"{edge.source}{ARROW}{edge.target}" for edge in edges))


def is_cyclic(node: Node) -> bool:
    """Tell whether the node is a gait: it may be repeated."""
    return node.cycles[1] > 1


@lru_cache(maxsize=256)
def evaluation_plans(graph: ControllerGraph, target: str, *, untried: bool = False) -> tuple[EvaluationPlan, ...]:
    """Return the plans of a target on all grounds that the graph tells apart, each once; that of level ground first.

    Raises:
        CtrlGraphError: as `evaluation_plan`.
    """
    grounds = [LEVEL, *graph.grounds]
    return tuple(dict.fromkeys(evaluation_plan(graph, target, untried=untried, preview=ground) for ground in grounds))


def target_hashes(project: Project, ways: Iterable[EvaluationPlan]) -> dict[str, str]:
    """Return the hashes of everything in the project that decides a trial of these plans."""
    hashes = {"character": project.character.digest, "engine settings": usual_settings_digest()}
    for way in ways:
        hashes |= {f"node {name}": project.node_hash(name) for name in way.nodes}
        for segment in (*way.setup, *way.test, *way.recovery):
            if segment.edge is not None and segment.edge.parameters is not None:
                hashes[f"edge {segment.edge}"] = project.edge_hash(segment.edge, "")
            if segment.edge is not None and segment.edge.ground != EVERYWHERE:
                hashes[f"ground of {segment.edge}"] = str(segment.edge.ground.as_dict())
            obstacle = project.graph.node(segment.node).obstacle
            if obstacle is not None:  # decides the ground on which it is tried
                hashes[f"obstacle of {segment.node}"] = str(obstacle.as_dict())
    return hashes


def way_to(graph: ControllerGraph, name: str) -> tuple[Segment, ...]:
    """Return the nodes of the shortest planned way from the start to a node, which is the last of them.

    Raises:
        CtrlGraphError: no planned edges lead there.
    """
    return _segments(graph, _way(graph, graph.start, name, None))


def way_on(graph: ControllerGraph, name: str) -> tuple[Segment, ...]:
    """Return the way from a node to the nearest static pose; a static pose is held once more.

    Raises:
        CtrlGraphError: no planned edges lead to one.
    """
    return _recovery(graph, graph.node(name), None)


def _segments(graph: ControllerGraph, steps: list[tuple[str, Edge | None]]) -> tuple[Segment, ...]:
    return tuple(Segment(name, edge, graph.node(name).cycles[0]) for name, edge in steps)


def _way(
    graph: ControllerGraph, source: str, name: str, preview: TerrainPreview | None
) -> list[tuple[str, Edge | None]]:
    """The nodes of the shortest planned path with the edges that lead to them; begins with the source itself."""
    path = graph.shortest_paths(source, preview).get(name)
    if path is None:
        raise CtrlGraphError(f"no naive or learned edges lead from '{source}' to '{name}'")
    return [(source, None), *((b, _edge(graph, a, b, preview)) for a, b in itertools.pairwise(path))]


def _edge(
    graph: ControllerGraph, source: str, target: str, preview: TerrainPreview | None, *, untried: bool = False
) -> Edge | None:
    edge = graph.planned_edge(source, target, preview)
    if edge is not None or untried:
        return edge
    known = ", ".join(edge.target for edge in graph.planned_edges(source)) or "nothing"
    raise CtrlGraphError(f"no naive or learned edge leads from '{source}' to '{target}' (from there: {known})")


def _recovery(graph: ControllerGraph, node: Node, preview: TerrainPreview | None) -> tuple[Segment, ...]:
    """The way to the nearest static pose; a static pose has to hold itself once more."""
    if node.is_static:
        return (Segment(node.name, None, node.cycles[0]),)
    # in the order of their lengths
    static = [path for name, path in graph.shortest_paths(node.name, preview).items() if graph.node(name).is_static]
    if not static:
        raise CtrlGraphError(f"no naive or learned edges lead from '{node.name}' to a static pose")
    nearest = static[0]
    return _segments(graph, [(b, _edge(graph, a, b, preview)) for a, b in itertools.pairwise(nearest)])
