"""Insertion of a new controller into the graph.

The script is run after every node and from the start pose (`probe`), which shows how it ends; its conditions are
proposed from that (`proposal`). Edges into it are tried from perturbed entries by its own conditions, then edges out of
it after the best predecessors, then edges into it with the recovery to a static pose (`candidate_transitions`). What
succeeds becomes a naive edge. What comes near is learned (`transition_optimizer`), first the pairs without which the
node would be a dead end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.graph.editor import with_new_edges
from ctrlgraph.graph.model import Edge, Node, NodeKind
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.insertion.candidate_edges import CandidateEdges, CandidateReport
from ctrlgraph.insertion.candidate_node import IntegrationRequest, find_candidate
from ctrlgraph.insertion.candidate_transitions import (
    STAGE,
    FailureKind,
    Pair,
    may_succeed,
    progress,
    share_done,
    succeeds_often,
    try_pairs,
)
from ctrlgraph.insertion.clustering import Cluster, clusters, poses_of
from ctrlgraph.insertion.probe import (
    ProbeRollout,
    TerminalState,
    example_measures,
    probe_endings,
    probe_plans,
    run_probe,
)
from ctrlgraph.insertion.proposed_fields import evaluated_by, propose_conditions, propose_kind, propose_timeout
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.insertion.transition_optimizer import PROMISING, SearchWatcher, TransitionOptimizer
from ctrlgraph.learning.evaluation import evaluate
from ctrlgraph.paths import display_path
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, all_targets, is_cyclic
from ctrlgraph.robustness.example_measures import Examples, accepts, load_examples, not_told_apart
from ctrlgraph.robustness.worker_pool import Interrupted, WorkerPool, open_pool

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project

WAYS_IN = 3
"""Number of predecessors after which edges out of the candidate are tried."""


class IntegrationObserver(SearchWatcher, Protocol):
    """Observer of an insertion."""

    def begun(self, what: str, total: int) -> None:
        """Receive the name of a step and its number of rollouts."""

    def advanced(self, done: int) -> None:
        """Receive the number of finished rollouts."""


@dataclass
class Integration:
    """Result of an insertion, filled step by step."""

    node: Node
    """The node for the graph, a draft if something is missing."""
    known: bool
    """True if it was in the graph."""
    seed: int
    trials: int
    proposed: tuple[str, ...] = ()
    """Names of its proposed fields."""
    looks: tuple[TerminalState, ...] = ()
    """Unperturbed runs, evaluated by its conditions."""
    groups: tuple[Cluster, ...] = ()
    """Clusters of their terminal states, the one of the proposal first."""
    reports: tuple[CandidateReport, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts of learned files by path."""
    graph: ControllerGraph | None = None
    """Graph with the new edges, None for a new node without any."""
    wall_s: float = 0.0
    interrupted: bool = False
    """True if Ctrl-C was pressed before all pairs were tried."""
    confused: tuple[str, ...] = ()
    """Nodes whose examples its conditions accept."""
    fulfilled: tuple[str, ...] = ()
    """Nodes whose conditions accept its runs."""
    examples: Examples = field(default_factory=dict)
    """Measures of one example of each node."""

    @property
    def edges(self) -> tuple[Edge, ...]:
        """New edges."""
        return tuple(report.edge for report in self.reports if report.edge is not None)

    @property
    def is_change(self) -> bool:
        """True if there is something to write."""
        return bool(self.edges) or not self.known

    @property
    def unanswered(self) -> tuple[FailureCondition, ...]:
        """Kinds of failures without a corrective edge of the node, none if it is not in the graph."""
        if self.graph is None:
            return ()
        answered = {edge.when for edge in self.graph.corrective_edges(self.node.name) if edge.when is not None}
        asked = (FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD, FailureCondition.FAILED)
        return tuple(condition for condition in asked if not condition.covered_by(answered))


def integrate(project: Project, request: IntegrationRequest, observer: IntegrationObserver) -> Integration:
    """Probe a candidate, try it before and after every node, and learn what comes near. Nothing is written.

    The result depends on project and request alone, not on the number of jobs, if the time suffices for the searches.

    Args:
        project: Project with the graph.
        request: What to insert.
        observer: Observer of the steps.

    Raises:
        Interrupted: Ctrl-C was pressed before there was a result.
        CtrlGraphError: The script cannot become a node.
        SourceError: The script or the graph has errors.
    """
    began = time.perf_counter()
    node, known = find_candidate(project, request.candidate)
    for name in request.only:
        project.graph.node(name)
    found = Integration(node, known, request.seed, request.trials)
    with staged(project) as scratch_project:
        candidate_edges = CandidateEdges(project, node, known, scratch_project, request.only)
        steps = _Steps(candidate_edges, request, observer, found)
        with steps.new_pool() as steps.pool:
            if not known:
                steps.probe()
            if not candidate_edges.node.draft:
                if not known:
                    steps.compare()
                steps.try_naively()
        found.interrupted = not candidate_edges.node.draft and steps.learn()
    lacks = [] if known else candidate_edges.lacking()
    _conclude(candidate_edges, lacks)
    if lacks and not candidate_edges.node.draft:
        candidate_edges.node = replace(candidate_edges.node, draft=_lacks_text(candidate_edges, lacks, found.looks))
    found.node, found.reports = candidate_edges.node, tuple(candidate_edges.reports.values())
    if found.edges:
        shown, text = display_path(project.graph_path), project.graph_path.read_text(encoding="utf-8")
        added = None if known else found.node
        found.graph = parse_graph(with_new_edges(text, found.edges, added, shown), shown)
    else:
        found.graph, found.files = project.graph if known else None, {}
    found.wall_s = time.perf_counter() - began
    return found


def work_of(work: Any) -> list[Any]:
    """Process a batch of probe rollouts or trials."""
    return run_probe(work) if isinstance(work, ProbeRollout) else evaluate(work)


class _Steps:
    """The steps of an insertion in their order."""

    def __init__(
        self,
        candidate_edges: CandidateEdges,
        request: IntegrationRequest,
        observer: IntegrationObserver,
        found: Integration,
    ) -> None:
        self.candidate_edges, self.request, self.observer, self.found = candidate_edges, request, observer, found
        self.pool = WorkerPool()  # replaced by `new_pool`

    def new_pool(self) -> AbstractContextManager[WorkerPool]:
        """Open a worker pool for probe rollouts, trials and searches."""
        return open_pool(self.request.jobs, work=work_of)

    def probe(self) -> None:
        """Run the probe rollouts and propose the fields that are not given.

        Without given conditions, and if it ends from nowhere, the candidate is a draft.
        """
        candidate_edges, given = self.candidate_edges, self.request.candidate
        graph, node, sources = candidate_edges.graph, candidate_edges.node, candidate_edges.sources
        where = "the chosen nodes" if self.request.only else "every node"
        self.observer.begun(f"{node.name} after {where}", len(probe_plans(graph, node.name, sources)))
        candidate_edges.node = replace(node, success={})  # the probe shows how it ends, not whether that is a success
        found = probe_endings(candidate_edges.staged(), graph, node.name, sources, self.pool, self.observer.advanced)
        poses, by_conditions = poses_of(graph, found), [evaluated_by(ending, node.success) for ending in found]
        self.found.groups = tuple(clusters(node, by_conditions, poses) or clusters(node, found, poses))
        meant = self.found.groups[0].core if self.found.groups else ()
        if not meant and not node.success:
            candidate_edges.node, self.found.looks = replace(node, draft=_ends_nowhere(found)), tuple(found)
            return
        asked = {"kind": given.kind, "timeout": given.timeout, "success": node.success or None}
        self.found.proposed = tuple(name for name, value in asked.items() if meant and value is None)
        if "kind" in self.found.proposed:
            node = replace(node, kind=NodeKind.DYNAMIC if is_cyclic(node) else propose_kind(meant, node.success))
        if "timeout" in self.found.proposed:
            node = replace(node, timeout=propose_timeout(meant, node))
        if "success" in self.found.proposed:
            node = replace(node, success=propose_conditions(meant, node))
        candidate_edges.node, candidate_edges.like = node, self.found.groups[0].pose if self.found.groups else None
        self.found.looks = tuple(evaluated_by(ending, node.success) for ending in found)

    def compare(self) -> None:
        """Evaluate one example of every other node by the candidate's conditions, and its own runs by theirs."""
        edges, project = self.candidate_edges, self.candidate_edges.project
        node, known = edges.node, load_examples(project)
        unknown = [name for name in all_targets(project.graph) if name not in known]
        if unknown:
            self.observer.begun("examples of the other nodes", len(unknown))
            known |= example_measures(edges.staged(), project.graph, unknown, self.pool, self.observer.advanced)
        own = [ending.measures for ending in self.found.looks if ending.completed]
        self.found.confused = tuple(not_told_apart(node, known))
        self.found.fulfilled = tuple(
            other.name for other in project.graph if own and all(accepts(other, measures) for measures in own)
        )
        self.found.examples = known | ({node.name: own[0]} if own else {})

    def try_naively(self) -> None:
        """Try direct transitions into and out of the candidate."""
        candidate_edges = self.candidate_edges
        graph, name = candidate_edges.project.graph, candidate_edges.node.name
        joined = {(edge.source, edge.target) for edge in graph.edges if edge.planned}
        for source in filter(candidate_edges.may_join, graph.nodes):
            if source != name and (source, name) not in joined:
                candidate_edges.reports[source, name] = CandidateReport((source, name))
                if source not in candidate_edges.sources:
                    candidate_edges.reports[source, name].why = f"no naive or learned edges lead to {source}"
        for target in filter(candidate_edges.may_join, graph.nodes):
            if target != name and (name, target) not in joined:
                candidate_edges.reports[name, target] = CandidateReport((name, target))
        before = [source for source in candidate_edges.sources if (source, name) in candidate_edges.reports]
        self.try_out(self._known_ways() if candidate_edges.known else self._screened(before))
        tried = {source: candidate_edges.reports[source, name].naive for source in before}
        trials = self.request.trials
        left = [source for source, verdict in tried.items() if verdict is None or may_succeed(verdict, trials)]
        self._try({(source, name): candidate_edges.ways_in(source) for source in left}, trials, f"into {name}")

    def try_out(self, ways: Sequence[str]) -> None:
        """Try direct transitions out of the candidate, after several predecessors in turn."""
        name, reports = self.candidate_edges.node.name, self.candidate_edges.reports
        if ways:
            evaluation_plans = {
                pair: self.candidate_edges.ways_out(ways, pair[1]) for pair in reports if pair[0] == name
            }
            self._try(evaluation_plans, self.request.trials, f"out of {name}")

    def _known_ways(self) -> list[str]:
        """Return the predecessors of a candidate that is in the graph."""
        graph, name = self.candidate_edges.project.graph, self.candidate_edges.node.name
        before = (edge.source for edge in graph.edges if edge.planned and edge.target == name != edge.source)
        found = [source for source in dict.fromkeys(before) if source in self.candidate_edges.sources]
        return [name] if name == graph.start else found[:WAYS_IN]

    def _screened(self, sources: Sequence[str]) -> list[str]:
        """Return the predecessors after which the candidate succeeds by itself most often, over a few perturbed
        entries.
        """
        name, reports = self.candidate_edges.node.name, self.candidate_edges.reports
        evaluation_plans = {(source, name): self.candidate_edges.ways_in(source, recovery=False) for source in sources}
        self._try(evaluation_plans, STAGE, f"into {name}, a few", screening=True)
        failed = {ending.source for ending in self.found.looks if not ending.completed}
        tried = {s: v for s in sources if s not in failed and (v := reports[s, name].naive) is not None}
        # poses before motions; sorting is stable and keeps the graph's order
        graph = self.candidate_edges.graph
        best = sorted(tried, key=lambda source: (-tried[source].successes, not graph.node(source).is_static))
        sure = [source for source in best if may_succeed(tried[source], self.request.trials)]
        return (sure or best)[:WAYS_IN]

    def _try(
        self, evaluation_plans: Mapping[Pair, Sequence[EvaluationPlan]], trials: int, what: str, screening: bool = False
    ) -> None:
        """Try pairs and store their reports. Screening reports failures only."""
        if not evaluation_plans:
            return
        self.observer.begun(f"direct transitions {what}", trials * len(evaluation_plans))
        project = self.candidate_edges.staged()
        found = try_pairs(project, evaluation_plans, trials, self.request.seed, self.pool, self.observer.advanced)
        for pair, verdict in found.items():
            report = self.candidate_edges.reports[pair]
            report.naive = verdict
            if not screening and succeeds_often(verdict):
                report.edge = Edge(*pair)

    def learn(self) -> bool:
        """Learn what comes near while there is time, and return whether it was interrupted."""
        candidate_edges, name = self.candidate_edges, self.candidate_edges.node.name
        learner = TransitionOptimizer(candidate_edges, self.request, self.new_pool, self.observer)
        try:
            while (report := learner.next()) is not None:
                learner.learn(report)
                self.found.files = learner.files
                untried = [r for pair, r in candidate_edges.reports.items() if pair[0] == name and r.naive is None]
                if report.edge is not None and untried:
                    with self.new_pool() as self.pool:
                        self.try_out([report.pair[0]])
        except Interrupted:
            return True
        return False


def _conclude(candidate_edges: CandidateEdges, lacks: Sequence[str]) -> None:
    """Give each report its reason."""
    name = candidate_edges.node.name
    for report in candidate_edges.reports.values():
        if report.edge is not None and lacks:
            lacking = f"there is no edge {' and none '.join(lacks)} {name}"
            report.why = f"it succeeds ({report.edge.kind.value}), but {lacking}"
            report.edge = None
        elif report.edge is not None:
            report.why = report.why or "the direct transition succeeds"
        elif not report.why:
            report.why = _why_not(report)


def _why_not(report: CandidateReport) -> str:
    if report.naive is None:
        return "not tried: no transition into the candidate succeeds"
    if report.tries:
        return f"the direct transition fails, and so does what was learned ({'; '.join(report.tries)})"
    if progress(report.naive) < PROMISING:
        return f"the direct transition fails, and comes {100 * progress(report.naive):.0f} % of the way"
    return "the direct transition fails; there was no time to learn it"


def _lacks_text(candidate_edges: CandidateEdges, lacks: Sequence[str], looks: Sequence[TerminalState]) -> str:
    """Return a sentence about the edges that a candidate lacks."""
    sentence = f"no transition {' it or '.join(lacks)} it succeeds"
    name = candidate_edges.node.name
    into = [report for pair, report in candidate_edges.reports.items() if pair[1] == name != pair[0]]
    nearest = max(into, key=lambda report: share_done(report.naive), default=None)
    failure = None if nearest is None else nearest.failure
    if "into" in lacks and nearest is not None and failure is not None and failure.after:
        sentence = f"{sentence}: after {nearest.pair[0]} its own conditions are met, but {after_text(failure, name)}"
    fallen = fall_text(looks)
    return f"{sentence}; {fallen}" if fallen else sentence


def after_text(failure: FailureKind, name: str) -> str:
    """Return a description of the failure after a node.

    If that node is the candidate, it was repeated from its own end.

    Args:
        failure: The failure.
        name: Name of the candidate.
    """
    if failure.node == name:
        return f"run again from its own end, it fails: {failure.reason}"
    return f"{failure.node} after it fails: {failure.reason}"


def fall_text(looks: Sequence[TerminalState]) -> str:
    """Return after which nodes a script left through which fall exits, empty without any."""
    by_exit: dict[tuple[str, str], dict[str, None]] = {}
    for ending in looks:
        if ending.fall_exit:
            by_exit.setdefault((ending.fall_exit, ending.place), {})[ending.source or "the start pose"] = None
    if not by_exit:
        return ""
    (exit_, place), sources = max(by_exit.items(), key=lambda item: len(item[1]))
    first, *others = sources
    after = f"{first} and {len(others)} more" if others else first
    return f"it ends by its fall exit '{exit_}' ({place}) after {after}"


def _ends_nowhere(found: Sequence[TerminalState]) -> str:
    fallen = fall_text(found)
    first = next((ending for ending in found if ending.entry is not None), None)
    if first is None:
        return "it was not evaluated: no node can be reached"
    if fallen and all(ending.fall_exit for ending in found if ending.entry is not None):
        return f"no success conditions can be proposed: {fallen}"
    place = f"after {first.source}" if first.source else "from the start pose"
    how = f"it left through '{first.fall_exit}'" if first.fall_exit else f"{first.status}: {first.reason}"
    where = f" ({first.place})" if first.place else ""
    return f"it completes after no node, so no success conditions can be proposed: {place}, {how}{where}"
