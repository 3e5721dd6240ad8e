"""The candidate transitions of a candidate node during its insertion: evaluation plans, results and added edges."""

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
    """Result of a candidate transition, filled step by step."""

    pair: Pair
    """Names of the source and the target."""
    naive: Validation | None = None
    """Trials of the direct transition. None: not tried."""
    learned: Validation | None = None
    """Trials of the best learned edge. None: no edge was learned."""
    edge: Edge | None = None
    """Edge that is added to the graph. None: no edge is added."""
    tries: list[str] = field(default_factory=list)
    """A text for each attempt to learn the edge: how it was learned, and the result."""
    why: str = ""
    """Reason why the edge is added or not."""
    wall_s: float = 0.0
    """Wall time of learning, s."""

    @property
    def failure(self) -> FailureKind | None:
        """Most frequent failure of the added edge. Without an added edge: of the direct transition, or else of the best
        learned edge.
        """
        first, second = (self.learned, self.naive) if self.edge is not None else (self.naive, self.learned)
        return commonest_failure(first) or (None if self.edge is not None else commonest_failure(second))

    @property
    def mean_s(self) -> float | None:
        """Mean simulated duration of the successful trials including their recovery, s. None: no trial succeeded."""
        verdict = self.learned if self.learned is not None and self.learned.successes else self.naive
        return verdict.mean_s if verdict is not None and verdict.successes else None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON data."""
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
    """A candidate node and its candidate transitions from and to the nodes of a graph.

    Callers may change the attributes `node`, `like` and `reports`. All properties follow from them.
    """

    def __init__(
        self, project: Project, node: Node, known: bool, scratch_project: ScratchProject, only: Collection[str] = ()
    ) -> None:
        """
        Args:
            project: Project with the graph.
            node: The candidate.
            known: True if the candidate is a node of the graph already.
            scratch_project: Copy of the project in which the candidate is tried.
            only: Names of the nodes to which the candidate may be connected. Empty: all.
        """
        self._only = frozenset(only)
        self.project, self.node, self.known = project, node, known
        self.like: str | None = None
        """Static pose that the terminal states of the candidate resemble, if any."""
        self.reports: dict[Pair, CandidateReport] = {}
        """Report of each candidate transition by its pair (source, target)."""
        self._staging = scratch_project

    @property
    def sources(self) -> list[str]:
        """Names of the other nodes that may precede the candidate and that planned edges lead to."""
        return [name for name in all_targets(self.project.graph) if name != self.node.name and self.may_join(name)]

    def may_join(self, name: str) -> bool:
        """Return True if transitions between the candidate and a node are tried."""
        return not self._only or name in self._only

    @property
    def graph(self) -> ControllerGraph:
        """Graph of the project with the candidate and the edges added so far. It may still lack an edge in or out."""
        graph = self.project.graph
        nodes = [*(node for node in graph if node.name != self.node.name), self.node]
        edges = [*graph.edges, *(r.edge for r in self.reports.values() if r.edge is not None)]
        return graph_with(self.project, nodes, edges)

    def staged(self) -> Project:
        """Return the scratch project with the current `graph`.

        If the candidate has no edge in or out, a provisional one is added, since a graph file must be complete. It is
        the most successful candidate transition. Before any trial, it is an edge from the start node, or an edge to the
        static pose `like` or the start node.
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
        """Return the texts of files of the scratch project, by path.

        Args:
            paths: Paths relative to the project.
        """
        return {path: (self._staging.directory / path).read_text(encoding="utf-8") for path in paths}

    def lacking(self) -> list[str]:
        """Return the directions in which the candidate has no planned edge: "into" and "out of".

        The start node needs no edge into it.
        """
        graph, name = self.graph, self.node.name
        ways_in = any(edge.planned and edge.target == name != edge.source for edge in graph.edges)
        ways_out = any(edge.target != name for edge in graph.planned_edges(name))
        needed = {"into": ways_in or name == graph.start, "out of": ways_out}
        return [what for what, there in needed.items() if not there]

    def is_dead_end(self, pair: Pair) -> bool:
        """Return True if a node lacks an edge that this pair would add.

        This is the first edge into or out of the candidate, or the first edge into the target of the pair.

        Args:
            pair: Names of the source and the target.
        """
        graph, (source, target) = self.graph, pair
        if "into" in (lacks := self.lacking()) and target == self.node.name:
            return True
        if "out of" in lacks and source == self.node.name:
            return True
        entered = any(edge.planned and edge.target == target != edge.source for edge in graph.edges)
        return not entered and target != graph.start

    # --- plans ---

    def ways_in(self, source: str, *, recovery: bool = True) -> list[EvaluationPlan]:
        """Return evaluation plans of the transition from a node to the candidate, with different numbers of cycles.

        Args:
            source: Name of the node before the candidate.
            recovery: True: after the candidate, the plans continue to a static pose if a way to one is known.
        """
        graph, name = self.graph, self.node.name
        on = self._recovery(graph) if recovery else ()
        plan = EvaluationPlan(name_of((source, name)), way_to(graph, source), (_leg(graph, name),), on, False)
        return with_cycles(graph, plan, ENTRY_CYCLES)

    def ways_out(self, sources: Sequence[str], target: str) -> list[EvaluationPlan]:
        """Return evaluation plans of the transition from the candidate to a node, with different numbers of cycles.

        Args:
            sources: Names of the nodes before the candidate. Successive plans use them in turn. The name of the
                candidate itself means that planned edges lead to it.
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
        """Return the recovery after the candidate.

        It follows the edges of the candidate. Without any, it follows the most successful candidate transition out of
        it, or is empty.
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
    """Return a segment of a node with its minimum number of cycles.

    Args:
        graph: Graph with the node.
        name: Name of the node.
        source: Name of the node before it. The segment is entered by the edge from it, if there is one.
    """
    edge = None if source is None else graph.planned_edge(source, name)
    return Segment(name, edge, graph.node(name).cycles[0])
