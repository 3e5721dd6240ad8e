"""Evaluation plans: the nodes that a trial runs before, during and after the test of a node, edge or path.

A target is a node ("walk"), an edge ("walk->run") or a longer path. A plan has three parts. The setup leads from the
start pose to the state in which the test begins. The test runs the tested nodes. The recovery leads on to a static
pose.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import networkx as nx

from ctrlgraph.engine.engine import default_settings_digest
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.graph.ground import EVERYWHERE
from ctrlgraph.terrain.terrain import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Edge, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.terrain import TerrainPreview

ARROW = "->"

_STEP = re.compile(r"(?P<name>.+?)\s*(\*\s*(?P<cycles>\d+))?")

SETTLING_CYCLES = 3
"""Minimum number of cycles of a gait before its test. The middle of the node's range of cycles is used if larger."""

RECOVERY_CYCLES = 3
"""Number of cycles of a gait's test after the cycle in which it is disturbed."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One node of an evaluation plan, with the edge by which it is entered."""

    node: str
    """Name of the node."""
    edge: Edge | None
    """Edge by which the node is entered. None: the node begins in the start pose, repeats the previous segment's node,
    or is tested without an edge.
    """
    cycles: int
    """Number of cycles that the node runs."""


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """The nodes to run before, during and after the test of a target."""

    target: str
    """Node ("walk"), edge ("walk->run") or path."""
    setup: tuple[Segment, ...]
    """Segments from the start pose to the state in which the test begins."""
    test: tuple[Segment, ...]
    """Segments that are tested."""
    recovery: tuple[Segment, ...]
    """Segments from the end of the test to the nearest static pose; empty for a plan without a recovery."""
    cyclic: bool
    """True if the target is a single gait. It then settles for some cycles in the setup before the test."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes of the plan, without duplicates."""
        return tuple(dict.fromkeys(segment.node for segment in (*self.setup, *self.test, *self.recovery)))

    @property
    def source(self) -> str:
        """Last node of the setup, empty if the test begins in the start pose."""
        return self.setup[-1].node if self.setup else ""


def by_source(plans: Sequence[EvaluationPlan]) -> list[list[int]]:
    """Group evaluation plans by the last node before the test. Return one list of indices of `plans` for each group."""
    groups: dict[str, list[int]] = {}
    for i, plan in enumerate(plans):
        groups.setdefault(plan.source, []).append(i)
    return list(groups.values())


def split_target(text: str) -> tuple[str, ...]:
    """Return the names of the nodes of a target: ("walk", "run") for "walk -> run".

    Args:
        text: Target without numbers of cycles.

    Raises:
        CtrlGraphError: The name of a node is missing, or a node has a number of cycles ("walk*8").
    """
    steps = target_steps(text)
    if any(cycles is not None for _, cycles in steps):
        raise CtrlGraphError(f"the target {quoted(text)} must not have a number of cycles here: remove '*N'")
    return tuple(name for name, _ in steps)


def target_steps(text: str) -> tuple[tuple[str, int | None], ...]:
    """Return the nodes of a target with their cycles: (("walk", 8), ("run", None)) for "walk*8 -> run".

    Args:
        text: Target. `*N` after a node sets its number of cycles.

    Raises:
        CtrlGraphError: The name of a node is missing, or a number of cycles is 0.
    """
    steps = []
    for part in text.split(ARROW):
        found = _STEP.fullmatch(part.strip())
        if found is None:
            raise CtrlGraphError(f"{quoted(text)} is not a target of a test: write NODE, NODE->NODE or a longer path")
        steps.append((found["name"], None if found["cycles"] is None else int(found["cycles"])))
    if any(cycles == 0 for _, cycles in steps):
        raise CtrlGraphError(f"the target {quoted(text)} has a gait with 0 cycles: write at least *1")
    return tuple(steps)


def evaluation_plan(
    graph: ControllerGraph,
    target: str,
    *,
    untried: bool = False,
    preview: TerrainPreview | None = None,
    left: bool = True,
) -> EvaluationPlan:
    """Return the evaluation plan of a target.

    The setup follows the shortest path of planned (naive or learned) edges from the start node. The test depends on the
    target:

    - A single gait first runs `SETTLING_CYCLES` or more in the setup. The test is the cycle in which it is disturbed
      and `RECOVERY_CYCLES` more.
    - Another single node is the test itself. The start node first runs once in the setup.
    - The first node of an edge or a path ends the setup; the other nodes are the test. Gaits run their minimum number
      of cycles, or the number given in the target (`walk*8->run`).

    Args:
        graph: Graph with the nodes.
        target: Node ("walk"), edge ("walk->run") or path.
        untried: True also allows "a->b" without an edge; b is then entered as by a naive edge.
        preview: Slope and obstacle ahead, which determine the edges that can be used. None: all edges.
        left: True: the plan has a recovery. False: it ends with the test.

    Raises:
        CtrlGraphError: The graph has no such node or edge; or no planned edges lead from the start to the first node,
            or from the last node to a static pose.
    """
    steps = target_steps(target)
    nodes = [graph.node(name) for name, _ in steps]
    _check_cycles(nodes, steps)
    recovery = _recovery(graph, nodes[-1], preview) if left else ()
    if len(nodes) == 1 and is_cyclic(nodes[0]):
        name = nodes[0].name
        *before, (_, edge) = _shortest_path(graph, graph.start, name, preview) or [(graph.start, None)]
        settling = Segment(name, edge, max(SETTLING_CYCLES, sum(nodes[0].cycles) // 2))
        disturbed = Segment(name, None, 1 + RECOVERY_CYCLES)
        return EvaluationPlan(name, (*_segments(graph, before), settling), (disturbed,), recovery, True)
    if len(nodes) == 1:
        path = _shortest_path(graph, graph.start, nodes[0].name, preview)
        *before, last = path if len(path) > 1 else [*path, (graph.start, None)]
        return EvaluationPlan(nodes[0].name, _segments(graph, before), _segments(graph, [last]), recovery, False)
    names = [node.name for node in nodes]
    setup = _segments(graph, _shortest_path(graph, graph.start, names[0], preview))
    test = _segments(graph, [(b, _edge(graph, a, b, preview, untried=untried)) for a, b in itertools.pairwise(names)])
    first, *others = (cycles for _, cycles in steps)
    setup = (*setup[:-1], _with_cycles(setup[-1], first))
    test = tuple(_with_cycles(segment, cycles) for segment, cycles in zip(test, others, strict=True))
    return EvaluationPlan(ARROW.join(_spelt(*step) for step in steps), setup, test, recovery, False)


def _check_cycles(nodes: Sequence[Node], steps: Sequence[tuple[str, int | None]]) -> None:
    for node, (_, cycles) in zip(nodes, steps, strict=True):
        if cycles is not None and len(nodes) == 1:
            raise CtrlGraphError(
                f"the target '{node.name}' is a single node, for which no number of cycles can be given: remove"
                f" '*{cycles}'"
            )
        if cycles is not None and not is_cyclic(node):
            raise CtrlGraphError(f"'{node.name}' is not a gait and cannot have a number of cycles: remove '*{cycles}'")


def _with_cycles(segment: Segment, cycles: int | None) -> Segment:
    return segment if cycles is None else replace(segment, cycles=cycles)


def _spelt(name: str, cycles: int | None) -> str:
    return name if cycles is None else f"{name}*{cycles}"


def on_ground(graph: ControllerGraph, plan: EvaluationPlan, preview: TerrainPreview) -> EvaluationPlan:
    """Return a plan whose recovery uses only edges that are allowed on a terrain.

    Args:
        graph: Graph with the nodes.
        plan: Evaluation plan to change. Without a recovery, it is returned unchanged.
        preview: Slope of the terrain and obstacle ahead.
    """
    if not plan.recovery:
        return plan
    return replace(plan, recovery=_recovery(graph, graph.node(plan.test[-1].node), preview))


def all_targets(graph: ControllerGraph) -> list[str]:
    """Return the names of the start node and all nodes that planned (naive or learned) edges reach from it.

    The order is that of the graph file.
    """
    reachable = nx.descendants(graph.planned_graph, graph.start) | {graph.start}
    return [name for name in graph.nodes if name in reachable]


def all_edges(graph: ControllerGraph) -> list[str]:
    """Return each planned (naive or learned) edge, as "a->b", whose source can be reached from the start node."""
    edges = (edge for name in all_targets(graph) for edge in graph.planned_edges(name))
    return list(dict.fromkeys(f"{edge.source}{ARROW}{edge.target}" for edge in edges))


def is_cyclic(node: Node) -> bool:
    """Return True if a node is a gait: a node that may run more than one cycle."""
    return node.cycles[1] > 1


@lru_cache(maxsize=256)
def evaluation_plans(graph: ControllerGraph, target: str, *, untried: bool = False) -> tuple[EvaluationPlan, ...]:
    """Return the different evaluation plans of a target on all terrains for which the graph has special edges.

    The plan on level ground is the first. Equal plans are returned once.

    Args:
        graph: Graph with the nodes.
        target: Node ("walk"), edge ("walk->run") or path.
        untried: True also allows "a->b" without an edge.

    Raises:
        CtrlGraphError: There is no plan for one of the terrains (see `evaluation_plan`).
    """
    grounds = [LEVEL, *graph.grounds]
    return tuple(dict.fromkeys(evaluation_plan(graph, target, untried=untried, preview=ground) for ground in grounds))


def target_hashes(project: Project, ways: Iterable[EvaluationPlan]) -> dict[str, str]:
    """Return hashes of everything in the project that can change the result of a trial.

    Args:
        project: Project with the nodes.
        ways: Evaluation plans of the trials.

    Returns:
        Hash, or a description that serves as one, by name of the part: "character", "node walk", "edge walk->run".
    """
    hashes = {"character": project.character.digest, "engine settings": default_settings_digest()}
    for plan in ways:
        hashes |= {f"node {name}": project.node_hash(name) for name in plan.nodes}
        for segment in (*plan.setup, *plan.test, *plan.recovery):
            if segment.edge is not None and segment.edge.parameters is not None:
                hashes[f"edge {segment.edge}"] = project.edge_hash(segment.edge, "")
            if segment.edge is not None and segment.edge.ground != EVERYWHERE:
                hashes[f"ground of {segment.edge}"] = str(segment.edge.ground.as_dict())
            obstacle = project.graph.node(segment.node).obstacle
            if obstacle is not None:  # determines the reference terrain
                hashes[f"obstacle of {segment.node}"] = str(obstacle.as_dict())
    return hashes


def way_to(graph: ControllerGraph, name: str) -> tuple[Segment, ...]:
    """Return the segments of the shortest path of planned edges from the start node to a node.

    Args:
        graph: Graph with the nodes.
        name: Name of the node.

    Raises:
        CtrlGraphError: No planned edges lead from the start node to the node.
    """
    return _segments(graph, _shortest_path(graph, graph.start, name, None))


def way_on(graph: ControllerGraph, name: str) -> tuple[Segment, ...]:
    """Return the segments from a node to the nearest static pose. From a static pose, this is the pose once more.

    Args:
        graph: Graph with the nodes.
        name: Name of the node.

    Raises:
        CtrlGraphError: No planned edges lead from the node to a static pose.
    """
    return _recovery(graph, graph.node(name), None)


def _segments(graph: ControllerGraph, steps: list[tuple[str, Edge | None]]) -> tuple[Segment, ...]:
    return tuple(Segment(name, edge, graph.node(name).cycles[0]) for name, edge in steps)


def _shortest_path(
    graph: ControllerGraph, source: str, name: str, preview: TerrainPreview | None
) -> list[tuple[str, Edge | None]]:
    """Return (node, edge into the node) along the shortest path of planned edges. The edge of the source is None."""
    path = graph.shortest_paths(source, preview).get(name)
    if path is None:
        raise CtrlGraphError(f"no naive or learned edges lead from '{source}' to '{name}': add edges or choose another")
    return [(source, None), *((b, _edge(graph, a, b, preview)) for a, b in itertools.pairwise(path))]


def _edge(
    graph: ControllerGraph, source: str, target: str, preview: TerrainPreview | None, *, untried: bool = False
) -> Edge | None:
    edge = graph.planned_edge(source, target, preview)
    if edge is not None or untried:
        return edge
    known = ", ".join(edge.target for edge in graph.planned_edges(source)) or "none"
    raise CtrlGraphError(f"no naive or learned edge leads from '{source}' to '{target}' (possible targets: {known})")


def _recovery(graph: ControllerGraph, node: Node, preview: TerrainPreview | None) -> tuple[Segment, ...]:
    """Return the segments from a node to the nearest static pose. From a static pose, this is the pose once more."""
    if node.is_static:
        return (Segment(node.name, None, node.cycles[0]),)
    # by increasing length
    static = [path for name, path in graph.shortest_paths(node.name, preview).items() if graph.node(name).is_static]
    if not static:
        raise CtrlGraphError(
            f"no naive or learned edges lead from '{node.name}' to a static pose, where a trial must end: add an edge"
        )
    return _segments(graph, [(b, _edge(graph, a, b, preview)) for a, b in itertools.pairwise(static[0])])
