"""Evaluation plans of a node, an edge or a path: setup, test and recovery."""

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
"""Minimum number of cycles after which a gait counts as settled. The middle of its node's range may be more."""

RECOVERY_CYCLES = 3
"""Number of cycles that must succeed after the one in which a gait is disturbed."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A node of a plan."""

    node: str
    edge: Edge | None
    """Edge by which it is entered. None: from the start pose, or from a node without an edge."""
    cycles: int
    """Number of cycles."""


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """The segments that are run to test a target."""

    target: str
    setup: tuple[Segment, ...]
    """Segments from the start pose to the entry, undisturbed."""
    test: tuple[Segment, ...]
    """Segments that are tested."""
    recovery: tuple[Segment, ...]
    """Segments to the nearest static pose."""
    cyclic: bool
    """True if the test is a gait."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """Every node of the plan, once."""
        return tuple(dict.fromkeys(segment.node for segment in (*self.setup, *self.test, *self.recovery)))

    @property
    def source(self) -> str:
        """Last node of the setup, empty if the test begins in the start pose."""
        return self.setup[-1].node if self.setup else ""


def by_source(plans: Sequence[EvaluationPlan]) -> list[list[int]]:
    """Return the indices of plans, grouped by their sources."""
    groups: dict[str, list[int]] = {}
    for i, plan in enumerate(plans):
        groups.setdefault(plan.source, []).append(i)
    return list(groups.values())


def split_target(text: str) -> tuple[str, ...]:
    """Parse a target such as "walk -> run" without cycles: ("walk", "run").

    Raises:
        CtrlGraphError: A name is missing, or cycles are given.
    """
    steps = target_steps(text)
    if any(cycles is not None for _, cycles in steps):
        raise CtrlGraphError(f"{quoted(text)} has cycles, which only an edge or path that is tested can have")
    return tuple(name for name, _ in steps)


def target_steps(text: str) -> tuple[tuple[str, int | None], ...]:
    """Parse a target such as "walk*8 -> run" into nodes and cycles: (("walk", 8), ("run", None)).

    Raises:
        CtrlGraphError: A name is missing, or cycles are 0.
    """
    steps = []
    for part in text.split(ARROW):
        found = _STEP.fullmatch(part.strip())
        if found is None:
            raise CtrlGraphError(f"{quoted(text)} is neither NODE nor NODE->NODE")
        steps.append((found["name"], None if found["cycles"] is None else int(found["cycles"])))
    if any(cycles == 0 for _, cycles in steps):
        raise CtrlGraphError(f"{quoted(text)} has 0 cycles: a gait has at least 1")
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

    A node is entered over the path of the fewest planned edges from the start. A gait is settled first; its test is the
    cycle in which it is disturbed and some in which it has to recover. The first node of an edge or a path is the setup
    and the rest is the test; gaits do the least number of cycles, or the number in the target (`walk*8->run`). The
    start node is tested in the start pose.

    Args:
        graph: Graph with the nodes.
        target: Node, edge or path.
        untried: True allows pairs without an edge, which are entered as by a naive edge.
        preview: Terrain, which determines the edges of setup and recovery.
        left: False leaves out the recovery.

    Raises:
        CtrlGraphError: A node or an edge does not exist, or planned edges lead neither there nor on to a static pose.
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
                f"only an edge or a path can have cycles: '{node.name}' alone runs until it has settled"
            )
        if cycles is not None and not is_cyclic(node):
            raise CtrlGraphError(f"'{node.name}' is not a gait: it has no number of cycles")


def _with_cycles(segment: Segment, cycles: int | None) -> Segment:
    return segment if cycles is None else replace(segment, cycles=cycles)


def _spelt(name: str, cycles: int | None) -> str:
    return name if cycles is None else f"{name}*{cycles}"


def on_ground(graph: ControllerGraph, plan: EvaluationPlan, preview: TerrainPreview) -> EvaluationPlan:
    """Return a plan with the recovery for a terrain, if it has one.

    Args:
        graph: Graph with the nodes.
        plan: Plan to change.
        preview: Terrain.
    """
    if not plan.recovery:
        return plan
    return replace(plan, recovery=_recovery(graph, graph.node(plan.test[-1].node), preview))


def all_targets(graph: ControllerGraph) -> list[str]:
    """Return every node that planned edges lead to, in the order of the file."""
    reachable = nx.descendants(graph.planned_graph, graph.start) | {graph.start}
    return [name for name in graph.nodes if name in reachable]


def all_edges(graph: ControllerGraph) -> list[str]:
    """Return every planned edge out of a node that planned edges lead to, as targets."""
    edges = (edge for name in all_targets(graph) for edge in graph.planned_edges(name))
    return list(dict.fromkeys(f"{edge.source}{ARROW}{edge.target}" for edge in edges))


def is_cyclic(node: Node) -> bool:
    """Return True if the node is a gait, which may be repeated."""
    return node.cycles[1] > 1


@lru_cache(maxsize=256)
def evaluation_plans(graph: ControllerGraph, target: str, *, untried: bool = False) -> tuple[EvaluationPlan, ...]:
    """Return the different plans of a target on all terrains that the graph distinguishes, level ground first.

    Args:
        graph: Graph with the nodes.
        target: Node, edge or path.
        untried: True allows pairs without an edge.

    Raises:
        CtrlGraphError: See `evaluation_plan`.
    """
    grounds = [LEVEL, *graph.grounds]
    return tuple(dict.fromkeys(evaluation_plan(graph, target, untried=untried, preview=ground) for ground in grounds))


def target_hashes(project: Project, ways: Iterable[EvaluationPlan]) -> dict[str, str]:
    """Return the hashes of everything in the project that determines a trial of some plans.

    Args:
        project: Project with the nodes.
        ways: Plans.
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
    """Return the segments of the shortest planned path from the start to a node.

    Args:
        graph: Graph with the nodes.
        name: Name of the node.

    Raises:
        CtrlGraphError: No planned edges lead there.
    """
    return _segments(graph, _shortest_path(graph, graph.start, name, None))


def way_on(graph: ControllerGraph, name: str) -> tuple[Segment, ...]:
    """Return the segments from a node to the nearest static pose. A static pose is repeated once.

    Args:
        graph: Graph with the nodes.
        name: Name of the node.

    Raises:
        CtrlGraphError: No planned edges lead to one.
    """
    return _recovery(graph, graph.node(name), None)


def _segments(graph: ControllerGraph, steps: list[tuple[str, Edge | None]]) -> tuple[Segment, ...]:
    return tuple(Segment(name, edge, graph.node(name).cycles[0]) for name, edge in steps)


def _shortest_path(
    graph: ControllerGraph, source: str, name: str, preview: TerrainPreview | None
) -> list[tuple[str, Edge | None]]:
    """Return the nodes of the shortest planned path with the edges that lead to them, including the source."""
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
    """Return the segments to the nearest static pose. A static pose is repeated once."""
    if node.is_static:
        return (Segment(node.name, None, node.cycles[0]),)
    # by increasing length
    static = [path for name, path in graph.shortest_paths(node.name, preview).items() if graph.node(name).is_static]
    if not static:
        raise CtrlGraphError(f"no naive or learned edges lead from '{node.name}' to a static pose")
    nearest = static[0]
    return _segments(graph, [(b, _edge(graph, a, b, preview)) for a, b in itertools.pairwise(nearest)])
