"""Transitions that are tried between a new node and the nodes of a graph: what to simulate, results, and new edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.insertion.candidate_transitions import (
    FailureKind,
    Pair,
    commonest_failure,
    name_of,
    own_successes,
    progress,
    share_done,
)
from ctrlgraph.insertion.scratch_project import ScratchProject, graph_with
from ctrlgraph.learning.cases import ENTRY_CYCLES, with_cycles
from ctrlgraph.learning.validation import Validation
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment, all_targets, way_on, way_to

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


@dataclass
class CandidateReport:
    """Result of a candidate transition: a pair of nodes between which an edge may be added.

    The fields are filled during the insertion.
    """

    pair: Pair
    """Names of the source and the target."""
    naive: Validation | None = None
    """Results of the trials of the direct transition. None: it was not tried."""
    learned: Validation | None = None
    """Results of the trials of the best learned edge. None: no edge was learned."""
    edge: Edge | None = None
    """Edge that is added to the graph. None: no edge is added."""
    tries: list[str] = field(default_factory=list)
    """A text for each attempt to learn an edge: how it was learned, and the result."""
    why: str = ""
    """Reason why an edge is added or not."""
    wall_s: float = 0.0
    """Wall time of the searches for the edge, s."""

    @property
    def failure(self) -> FailureKind | None:
        """Most frequent kind of failure in the trials of the added edge. None: no trial failed.

        If no edge is added, it is that of the direct transition or, if no trial of it failed, of the best learned edge.
        """
        first, second = (self.learned, self.naive) if self.edge is not None else (self.naive, self.learned)
        return commonest_failure(first) or (None if self.edge is not None else commonest_failure(second))

    @property
    def mean_s(self) -> float | None:
        """Mean simulated duration of the successful trials, with the recovery to a static pose, s. None: no success."""
        validation = self.learned if self.learned is not None and self.learned.successes else self.naive
        return validation.mean_s if validation is not None and validation.successes else None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as data for JSON."""
        failure = self.failure
        return {
            "from": self.pair[0],
            "to": self.pair[1],
            "edge": None if self.edge is None else self.edge.kind.value,
            "why": self.why,
            "naive": None if self.naive is None else self.naive.as_dict(),
            "own_conditions": None if self.naive is None else own_successes(self.naive),
            "progress": round(progress(self.naive), 4),
            "learned": None if self.learned is None else self.learned.as_dict(),
            "tries": list(self.tries),
            "failure": None if failure is None else asdict(failure),
            "wall_s": round(self.wall_s, 2),
        }


class CandidateEdges:
    """State of an insertion: the candidate node (the node to insert), and the results of all tried transitions.

    The steps of the insertion change the attributes `node`, `like` and `reports`, from which all properties follow.
    """

    def __init__(
        self, project: Project, node: Node, known: bool, scratch_project: ScratchProject, only: Collection[str] = ()
    ) -> None:
        """
        Args:
            project: Project with the graph.
            node: The candidate node.
            known: True: the candidate is a node of the graph already, and only edges are to be found.
            scratch_project: Copy of the project in which the candidate is tried.
            only: Names of the nodes with which the candidate may be connected. Empty: all nodes.
        """
        self._only = frozenset(only)
        self.project, self.node, self.known = project, node, known
        self.like: str | None = None
        """Name of the static pose that the states at the end of the candidate resemble. None: they resemble none."""
        self.reports: dict[Pair, CandidateReport] = {}
        """Result of each candidate transition, by (name of the source, name of the target)."""
        self._staging = scratch_project

    @property
    def sources(self) -> list[str]:
        """Names of the nodes that may precede the candidate: allowed by the user, and reached by planned edges."""
        return [name for name in all_targets(self.project.graph) if name != self.node.name and self.may_join(name)]

    def may_join(self, name: str) -> bool:
        """Return True if the user allows edges between the candidate and the node `name`."""
        return not self._only or name in self._only

    @property
    def graph(self) -> ControllerGraph:
        """Graph of the project with the candidate and the edges found so far.

        The candidate may still lack an edge that leads to it, or one that leads out of it.
        """
        graph = self.project.graph
        nodes = [*(node for node in graph if node.name != self.node.name), self.node]
        edges = [*graph.edges, *(r.edge for r in self.reports.values() if r.edge is not None)]
        return graph_with(self.project, nodes, edges)

    def staged(self) -> Project:
        """Write the current `graph` to the scratch project, and return this project.

        In a graph file, edges must lead to each node and out of it. If the candidate lacks such an edge, a provisional
        edge is added: that of the most successful candidate transition. Before any trial, it is an edge from the start
        node to the candidate, or from the candidate to the static pose `like` or the start node.
        """
        graph, name = self.graph, self.node.name
        edges = list(graph.edges)
        lacks = self.lacking()
        if "into" in lacks:
            nearest = self._nearest(report for report in self.reports.values() if report.pair[1] == name)
            edges.append(Edge(nearest.pair[0] if nearest is not None else graph.start, name))
        if "out of" in lacks:
            nearest = self._nearest(report for report in self.reports.values() if report.pair[0] == name)
            edges.append(Edge(name, nearest.pair[1] if nearest is not None else self.like or graph.start))
        return self._staging.put(list(graph), edges)

    def collect(self, paths: Iterable[str]) -> dict[str, str]:
        """Read files of the scratch project, and return the text of each file by its path.

        Args:
            paths: Paths relative to the directory of the project.
        """
        return {path: (self._staging.directory / path).read_text(encoding="utf-8") for path in paths}

    def lacking(self) -> list[str]:
        """Return in which directions the candidate lacks a planned edge: "into" it, "out of" it, both or none.

        If the candidate is the start node, it needs no edge into it.
        """
        graph, name = self.graph, self.node.name
        ways_in = any(edge.planned and edge.target == name != edge.source for edge in graph.edges)
        ways_out = any(edge.target != name for edge in graph.planned_edges(name))
        needed = {"into": ways_in or name == graph.start, "out of": ways_out}
        return [what for what, there in needed.items() if not there]

    def is_dead_end(self, pair: Pair) -> bool:
        """Return True if a node cannot be reached or left without an edge between this pair of nodes.

        This holds if the pair would get the first edge into the candidate, the first edge out of the candidate, or the
        first edge into its target.

        Args:
            pair: Names of the source and the target.
        """
        graph, (source, target) = self.graph, pair
        lacks, name = self.lacking(), self.node.name
        if ("into" in lacks and target == name) or ("out of" in lacks and source == name):
            return True
        entered = any(edge.planned and edge.target == target != edge.source for edge in graph.edges)
        return not entered and target != graph.start

    # --- plans ---

    def ways_in(self, source: str, *, recovery: bool = True) -> list[EvaluationPlan]:
        """Return plans of trials (nodes to run) for the transition from a node to the candidate.

        The plans have different numbers of cycles of the node and the candidate.

        Args:
            source: Name of the node before the candidate.
            recovery: True: after the candidate, a plan continues to a static pose if a path to a static pose is known.
        """
        graph, name = self.graph, self.node.name
        on = self._recovery(graph) if recovery else ()
        plan = EvaluationPlan(name_of((source, name)), way_to(graph, source), (_leg(graph, name),), on, False)
        return with_cycles(graph, plan, ENTRY_CYCLES)

    def ways_out(self, sources: Sequence[str], target: str) -> list[EvaluationPlan]:
        """Return plans of trials (nodes to run) for the transition from the candidate to a node.

        The plans have different numbers of cycles of the candidate and the node.

        Args:
            sources: Names of the nodes before the candidate, which successive plans use in turn. The name of the
                candidate itself stands for the path of planned edges to the candidate.
            target: Name of the node after the candidate.
        """
        graph, name = self.graph, self.node.name
        found = []
        for source in sources:
            into = () if source == name else (_leg(graph, name, source),)
            setup = (*way_to(graph, source), *into)
            plan = EvaluationPlan(name_of((name, target)), setup, (_leg(graph, target),), way_on(graph, target), False)
            found.append(with_cycles(graph, plan, ENTRY_CYCLES))
        return [ways[i] for i in range(max(map(len, found), default=0)) for ways in found if i < len(ways)]

    def _recovery(self, graph: ControllerGraph) -> tuple[Segment, ...]:
        """Return the nodes that run after the candidate, up to a static pose.

        They follow the edges of the candidate. If the candidate has no edges yet, they follow the most successful
        transition out of it. If no such transition has succeeded, the result is empty.
        """
        name = self.node.name
        if self.node.is_static or graph.planned_edges(name):
            return way_on(graph, name)
        tried = (r for r in self.reports.values() if r.pair[0] == name and r.naive is not None and r.naive.successes)
        nearest = self._nearest(tried)
        if nearest is None:
            return ()
        segment = _leg(graph, nearest.pair[1])
        return (segment,) if graph.node(segment.node).is_static else (segment, *way_on(graph, segment.node))

    @staticmethod
    def _nearest(reports: Iterable[CandidateReport]) -> CandidateReport | None:
        tried = (report for report in reports if report.naive is not None and report.naive.trials)
        return max(tried, key=lambda report: share_done(report.naive), default=None)


def _leg(graph: ControllerGraph, name: str, source: str | None = None) -> Segment:
    """Return a node with its minimum number of cycles as an element of an evaluation plan.

    Args:
        graph: Graph with the node.
        name: Name of the node.
        source: Name of the node that runs before. If a planned edge leads from `source` to the node, the node is
            entered by this edge.
    """
    edge = None if source is None else graph.planned_edge(source, name)
    return Segment(name, edge, graph.node(name).cycles[0])
