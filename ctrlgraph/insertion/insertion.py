"""Insertion of a new controller into the graph.

1. The script runs once after every node and from the start pose, without perturbations (`probe`). The terminal states
   show how it ends. Success conditions are proposed from them (`proposed_fields`).
2. Direct transitions are tried from perturbed initial states (`candidate_transitions`): a few trials into the candidate
   by its own conditions, then out of it after the best of these predecessors, then into it with the recovery to a
   static pose. A pair that succeeds often enough becomes a naive edge.
3. Pairs that nearly succeed are learned (`transition_optimizer`), first those without which a node would have no edge
   in or out.
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
"""Maximum number of predecessors of the candidate in trials of transitions out of it."""


class IntegrationObserver(SearchWatcher, Protocol):
    """Observer of an insertion, for displays of its progress."""

    def begun(self, what: str, total: int) -> None:
        """Receive the start of a step.

        Args:
            what: Name of the step.
            total: Number of rollouts of the step.
        """

    def advanced(self, done: int) -> None:
        """Receive the number of rollouts of the step that are finished so far."""


@dataclass
class Integration:
    """Result of an insertion, filled step by step."""

    node: Node
    """The candidate as a node for the graph. It is a draft if it lacks success conditions or edges."""
    known: bool
    """True if the candidate was a node of the graph before."""
    seed: int
    """Seed of the trials and searches."""
    trials: int
    """Number of trials of each pair."""
    proposed: tuple[str, ...] = ()
    """Names of the fields of the node that were proposed: "kind", "timeout", "success"."""
    looks: tuple[TerminalState, ...] = ()
    """Terminal states of the probe rollouts, evaluated by the success conditions of the node."""
    groups: tuple[Cluster, ...] = ()
    """Clusters of these terminal states. The fields are proposed from the first one."""
    reports: tuple[CandidateReport, ...] = ()
    """Result of each candidate transition."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts of the learned files to write, by path in the project."""
    graph: ControllerGraph | None = None
    """Graph with the new edges. None: the node is new and has no edges."""
    wall_s: float = 0.0
    """Wall time of the insertion, s."""
    interrupted: bool = False
    """True if Ctrl-C was pressed during the searches."""
    confused: tuple[str, ...] = ()
    """Names of other nodes whose motions the success conditions of the candidate accept."""
    fulfilled: tuple[str, ...] = ()
    """Names of other nodes whose success conditions accept all completed probe rollouts of the candidate."""
    examples: Examples = field(default_factory=dict)
    """Measures of one unperturbed motion of each node, by name."""

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
        """Kinds of failures of the node that no corrective edge handles. Empty if the node is not in the graph."""
        if self.graph is None:
            return ()
        answered = {edge.when for edge in self.graph.corrective_edges(self.node.name) if edge.when is not None}
        asked = (FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD, FailureCondition.FAILED)
        return tuple(condition for condition in asked if not condition.covered_by(answered))


def integrate(project: Project, request: IntegrationRequest, observer: IntegrationObserver) -> Integration:
    """Find the edges between a candidate and the nodes of a graph. Nothing is written to the project.

    If the time suffices for all searches, the result depends only on the project and the request. The number of worker
    processes does not influence it.

    Args:
        project: Project with the graph.
        request: What to insert.
        observer: Observer of the steps.

    Raises:
        Interrupted: Ctrl-C was pressed before the searches. An interruption during the searches is in the result.
        CtrlGraphError: The script cannot become a node (see `find_candidate`), or a node in `request.only` does not
            exist.
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
    """Process a batch in a worker, and return the results.

    Args:
        work: A `ProbeRollout`, or an `Evaluation` (trials of pairs, or candidates of a search).
    """
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
        """Open a worker pool that can process probe rollouts, trials and searches."""
        return open_pool(self.request.jobs, work=work_of)

    def probe(self) -> None:
        """Run the probe rollouts, and propose the fields of the node that the user has not given.

        If no success conditions are given and no probe rollout completes, the candidate becomes a draft.
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
        """Test a motion of each other node by the conditions of the candidate, and its own motions by theirs."""
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
        """Try direct transitions into and out of the candidate where the graph has no edge."""
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
        """Try direct transitions out of the candidate.

        Args:
            ways: Names of the nodes before the candidate. Successive trials use them in turn. Empty: nothing is tried.
        """
        name, reports = self.candidate_edges.node.name, self.candidate_edges.reports
        if ways:
            evaluation_plans = {
                pair: self.candidate_edges.ways_out(ways, pair[1]) for pair in reports if pair[0] == name
            }
            self._try(evaluation_plans, self.request.trials, f"out of {name}")

    def _known_ways(self) -> list[str]:
        """Return at most `WAYS_IN` predecessors of a candidate that is a node of the graph.

        For the start node, it is the node itself.
        """
        graph, name = self.candidate_edges.project.graph, self.candidate_edges.node.name
        before = (edge.source for edge in graph.edges if edge.planned and edge.target == name != edge.source)
        found = [source for source in dict.fromkeys(before) if source in self.candidate_edges.sources]
        return [name] if name == graph.start else found[:WAYS_IN]

    def _screened(self, sources: Sequence[str]) -> list[str]:
        """Return at most `WAYS_IN` predecessors after which a new candidate succeeds most often, without recovery.

        Each predecessor gets `STAGE` trials with start-state noise. Static poses have priority over motions with the
        same number of successes.

        Args:
            sources: Names of all possible predecessors.
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
        """Run trials of pairs, and store the results in their reports.

        Args:
            evaluation_plans: Evaluation plans of each pair.
            trials: Number of trials of each pair.
            what: Name of the step for the observer.
            screening: True: these are preliminary trials, so no edge is added.
        """
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
        """Learn pairs that nearly succeed while there is time, and return True if Ctrl-C was pressed."""
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
    """Set the reason `why` of each report. If the candidate lacks an edge in or out, remove all its new edges.

    Args:
        candidate_edges: The candidate with its reports.
        lacks: Directions in which it lacks an edge (see `CandidateEdges.lacking`).
    """
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
    """Return the reason why a candidate that lacks an edge in or out is a draft.

    Args:
        candidate_edges: The candidate with its reports.
        lacks: Directions in which it lacks an edge (see `CandidateEdges.lacking`).
        looks: Terminal states of the probe rollouts.
    """
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
    """Return a description of a failure in the recovery, after the candidate has succeeded.

    The recovery of a static pose is the pose itself, repeated. The failed node may therefore be the candidate.

    Args:
        failure: The failure.
        name: Name of the candidate.
    """
    if failure.node == name:
        return f"run again from its own end, it fails: {failure.reason}"
    return f"{failure.node} after it fails: {failure.reason}"


def fall_text(looks: Sequence[TerminalState]) -> str:
    """Return a sentence about the most frequent fall exit: condition, place, and after which nodes it was taken.

    It is empty if no probe rollout ended through a fall exit.

    Args:
        looks: Terminal states of the probe rollouts.
    """
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
