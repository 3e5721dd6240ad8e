"""Insertion of a new controller into the graph: a script becomes a candidate node, and edges to and from it are found.

1. The script runs once after every node and from the start pose, without perturbations (`probe`). Success conditions
   are proposed from the states in which the script ends (`proposed_fields`).
2. Direct transitions are tried from perturbed initial states (`candidate_transitions`). A few trials find the best
   predecessors of the candidate. Then the transitions out of the candidate are tried after these predecessors, and then
   the transitions into the candidate, with the recovery to a static pose. A pair of nodes whose transition succeeds
   often enough gets a naive edge.
3. For pairs whose transition nearly succeeds, an edge is learned (`transition_optimizer`). Pairs without which a node
   could not be reached or left come first.
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
"""Maximum number of nodes after which the candidate runs in trials of transitions out of the candidate."""


class IntegrationObserver(SearchWatcher, Protocol):
    """Receiver of the progress of an insertion, for displays."""

    def begun(self, what: str, total: int) -> None:
        """Receive the start of a step.

        Args:
            what: Name of the step.
            total: Number of rollouts that the step will run.
        """

    def advanced(self, done: int) -> None:
        """Receive the number of rollouts of the step that are finished so far."""


@dataclass
class Integration:
    """Result of an insertion: the new node, the new edges, and how they were found."""

    node: Node
    """The inserted node. It is a draft (a node that no walk enters) if it lacks success conditions or edges."""
    known: bool
    """True: the node was in the graph before, and only edges are new."""
    seed: int
    """Seed of the trials and searches."""
    trials: int
    """Number of trials of each transition."""
    proposed: tuple[str, ...] = ()
    """Names of the node's fields that the insertion has proposed: some of "kind", "timeout" and "success"."""
    looks: tuple[TerminalState, ...] = ()
    """Terminal states of the probe rollouts (single runs after each node), evaluated by the node's success conditions.
    """
    groups: tuple[Cluster, ...] = ()
    """Clusters of similar terminal states. The node's fields are proposed from the first cluster."""
    reports: tuple[CandidateReport, ...] = ()
    """Result of each transition between the node and another node."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts of the learned files to write, by path in the project."""
    graph: ControllerGraph | None = None
    """Graph with the new edges. None: the node is new and has no edges."""
    wall_s: float = 0.0
    """Wall time of the insertion, s."""
    interrupted: bool = False
    """True: Ctrl-C was pressed during the searches."""
    confused: tuple[str, ...] = ()
    """Names of other nodes whose motions meet the success conditions of the inserted node."""
    fulfilled: tuple[str, ...] = ()
    """Names of other nodes whose success conditions all completed probe rollouts of the inserted node meet."""
    examples: Examples = field(default_factory=dict)
    """Measures of one unperturbed motion of each node, by name of the node."""

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
        """Kinds of failures of the node that no corrective edge handles. Empty for a node that is not in the graph."""
        if self.graph is None:
            return ()
        answered = {edge.when for edge in self.graph.corrective_edges(self.node.name) if edge.when is not None}
        asked = (FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD, FailureCondition.FAILED)
        return tuple(condition for condition in asked if not condition.covered_by(answered))


def integrate(project: Project, request: IntegrationRequest, observer: IntegrationObserver) -> Integration:
    """Find edges between a candidate node and the nodes of a graph. Nothing is written to the project.

    If the time suffices for all searches, the result depends only on the project and the request, not on the number of
    worker processes.

    Args:
        project: Project with the graph.
        request: The script or node to insert, and the effort to spend.
        observer: Receiver of the progress.

    Raises:
        Interrupted: Ctrl-C was pressed before the searches. Ctrl-C during the searches only ends the searches (see
            `Integration.interrupted`).
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
    """Run a batch of rollouts in a worker process, and return a result for each rollout.

    Args:
        work: A `ProbeRollout`, or an `Evaluation` (trials of transitions, or evaluations of a search).
    """
    return run_probe(work) if isinstance(work, ProbeRollout) else evaluate(work)


class _Steps:
    """The steps of an insertion, as methods to be called in the order in which they are defined."""

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
        """Run the candidate once after each node, and propose the fields of the node that the user has not given.

        If no success conditions are given and the script completes after no node, the candidate becomes a draft.
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
        """Find nodes that the candidate can be confused with, and store their names.

        A motion of each other node is tested by the conditions of the candidate, and the motions of the candidate are
        tested by the conditions of each other node.
        """
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
        """Try direct transitions between the candidate and all nodes to or from which the graph has no edge."""
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
        left = [source for source, validation in tried.items() if validation is None or may_succeed(validation, trials)]
        self._try({(source, name): candidate_edges.ways_in(source) for source in left}, trials, f"into {name}")

    def try_out(self, ways: Sequence[str]) -> None:
        """Try direct transitions out of the candidate.

        Args:
            ways: Names of the nodes that run before the candidate. Successive trials use them in turn. Empty: nothing
                is tried.
        """
        name, reports = self.candidate_edges.node.name, self.candidate_edges.reports
        if ways:
            evaluation_plans = {
                pair: self.candidate_edges.ways_out(ways, pair[1]) for pair in reports if pair[0] == name
            }
            self._try(evaluation_plans, self.request.trials, f"out of {name}")

    def _known_ways(self) -> list[str]:
        """Return the names of at most `WAYS_IN` predecessors of a candidate that is already in the graph.

        If the candidate is the start node, the result is only its own name.
        """
        graph, name = self.candidate_edges.project.graph, self.candidate_edges.node.name
        before = (edge.source for edge in graph.edges if edge.planned and edge.target == name != edge.source)
        found = [source for source in dict.fromkeys(before) if source in self.candidate_edges.sources]
        return [name] if name == graph.start else found[:WAYS_IN]

    def _screened(self, sources: Sequence[str]) -> list[str]:
        """Return the names of at most `WAYS_IN` nodes after which a new candidate succeeds most often.

        Each node gets `STAGE` trials with start-state noise, without a recovery. Of two nodes with the same number of
        successes, a static pose has priority over a motion.

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
        """Run trials of transitions, store the results, and add an edge for each transition that succeeds often enough.

        Args:
            evaluation_plans: Plans (nodes to run) of each transition, by (name of the source, name of the target).
            trials: Number of trials of each transition.
            what: Name of the step for displays of the progress.
            screening: True: these are preliminary trials, and no edge is added.
        """
        if not evaluation_plans:
            return
        self.observer.begun(f"direct transitions {what}", trials * len(evaluation_plans))
        project = self.candidate_edges.staged()
        found = try_pairs(project, evaluation_plans, trials, self.request.seed, self.pool, self.observer.advanced)
        for pair, validation in found.items():
            report = self.candidate_edges.reports[pair]
            report.naive = validation
            if not screening and succeeds_often(validation):
                report.edge = Edge(*pair)

    def learn(self) -> bool:
        """Learn edges for transitions that nearly succeed while there is time. Return True if Ctrl-C was pressed."""
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
    """Set in each report the reason why the transition gets an edge or none.

    If the candidate lacks an edge into it or out of it, all new edges are removed, since it becomes a draft.

    Args:
        candidate_edges: The candidate with the reports of all transitions.
        lacks: Directions in which the candidate lacks an edge (see `CandidateEdges.lacking`).
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
        return f"the direct transition fails, and so do the learned edges ({'; '.join(report.tries)})"
    if progress(report.naive) < PROMISING:
        return f"the direct transition fails after {100 * progress(report.naive):.0f} % of the way on average"
    return "the direct transition fails; there was no time to learn an edge"


def _lacks_text(candidate_edges: CandidateEdges, lacks: Sequence[str], looks: Sequence[TerminalState]) -> str:
    """Return the reason why a candidate without an edge into it or out of it is a draft, as text for the graph file.

    Args:
        candidate_edges: The candidate with the reports of all transitions.
        lacks: Directions in which the candidate lacks an edge (see `CandidateEdges.lacking`).
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
    """Describe a failure in the recovery that follows a successful run of a node.

    In the recovery of a static pose, the pose itself runs again. The node that fails can therefore be the same node.

    Args:
        failure: The failure.
        name: Name of the node that succeeded before.
    """
    if failure.node == name:
        return f"a second run from the end of the first fails: {failure.reason}"
    return f"{failure.node} then fails: {failure.reason}"


def fall_text(looks: Sequence[TerminalState]) -> str:
    """Describe the most frequent fall exit (transition out of a script because of a fall) in the probe rollouts.

    The text has the condition of the fall exit, its place in the script, and the nodes after which the script ended by
    it. It is empty if no rollout ended by a fall exit.

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
