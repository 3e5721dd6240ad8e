"""Searches for learned edges where a direct transition nearly succeeds, within the time limit of an insertion."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.insertion.candidate_edges import CandidateEdges, CandidateReport
from ctrlgraph.insertion.candidate_node import IntegrationRequest
from ctrlgraph.insertion.candidate_transitions import name_of, progress, share_done, succeeds_often
from ctrlgraph.learning.cases import ENTRY_NOISE
from ctrlgraph.learning.learn import Learned, learn, write_edge
from ctrlgraph.learning.learned_edges import edge_path
from ctrlgraph.learning.relearning import words_of
from ctrlgraph.learning.search import Budget, SearchPlan
from ctrlgraph.learning.transition import TransitionRequest
from ctrlgraph.project.project import GRAPH_FILE, Project
from ctrlgraph.robustness.evaluation_plan import is_cyclic
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.worker_pool import WorkerPool

if TYPE_CHECKING:
    from ctrlgraph.learning.search import SearchResult

PROMISING = 0.75
"""Minimum progress of a direct transition (see `candidate_transitions.progress`) for which an edge is learned.

An edge without which a node could not be reached or left is always learned.
"""

SIGMA = 0.5
"""Initial step size of a search, as a factor of each parameter's prior scale."""

BRIDGES = (0, 1)
"""Number of phases of the bridging script (script between source and target) in the first and the second attempt to
learn an edge. 0: no bridging script.
"""

_LEAST_S = 1.0
"""Minimum remaining time for another attempt, s."""

NewPool = Callable[[], AbstractContextManager[WorkerPool]]


class SearchWatcher(Protocol):
    """Receiver of the progress of searches, for displays."""

    def searching(self, what: str, generations: int) -> None:
        """Receive the start of a search.

        Args:
            what: Source, target and kind of attempt, as text.
            generations: Maximum number of generations.
        """

    def generation(self, done: SearchResult) -> None:
        """Receive the best result so far after each generation of a search."""


class TransitionOptimizer:
    """Search for learned edges of an insertion, one transition after another, until the time is used up."""

    def __init__(
        self, candidate_edges: CandidateEdges, request: IntegrationRequest, new_pool: NewPool, watcher: SearchWatcher
    ) -> None:
        """
        Args:
            candidate_edges: The candidate node, with the results of its direct transitions.
            request: Request of the insertion, with the limits of the searches.
            new_pool: Function that opens new worker processes. It is called for each attempt, since worker processes
                cannot be used after an error.
            watcher: Receiver of the progress.
        """
        self.candidate_edges, self.request = candidate_edges, request
        self.files: dict[str, str] = {}
        """Texts of the files of all learned edges, by path in the project."""
        self._new_pool, self._watcher = new_pool, watcher
        self._left = 60.0 * request.minutes

    def next(self) -> CandidateReport | None:
        """Return the report of the transition for which to learn an edge next. None: there is none, or no time is left.

        Transitions without which a node cannot be reached or left come first, then those with the fewest attempts so
        far, then those whose direct transition makes the most progress.
        """
        if self._left < _LEAST_S or self.request.generations == 0:
            return None
        reports = list(self.candidate_edges.reports.values())
        ranked = [
            ((not wanted, len(report.tries), -share_done(report.naive), i), report)
            for i, report in enumerate(reports)
            if self._may_be_tried(report, wanted := self.candidate_edges.is_dead_end(report.pair))
        ]
        return min(ranked, key=lambda item: item[0])[1] if ranked else None

    def _may_be_tried(self, report: CandidateReport, wanted: bool) -> bool:
        if report.edge is not None or report.naive is None or len(report.tries) >= len(BRIDGES):
            return False
        return wanted or progress(report.naive) >= PROMISING

    def learn(self, report: CandidateReport) -> None:
        """Make one attempt to learn an edge, and store the result in the report of the transition.

        Args:
            report: Report of the transition.

        Raises:
            Interrupted: Ctrl-C was pressed.
        """
        began = time.perf_counter()
        bridge = BRIDGES[len(report.tries)]
        how = f"with a bridge of {bridge} phase{'s' * (bridge != 1)}" if bridge else "without a bridge"
        self._watcher.searching(f"{name_of(report.pair)}, {how}", self.request.generations)
        try:
            said = self._attempt(report, bridge)
        except CtrlGraphError as error:
            said = f"an error occurred: {error}"
        report.tries.append(f"{how}: {said}")
        spent = time.perf_counter() - began
        report.wall_s += spent
        self._left -= spent

    def _attempt(self, report: CandidateReport, bridge: int) -> str:
        effort, project = self.request, self.candidate_edges.staged()
        source, target = report.pair
        request = TransitionRequest(
            source=source,
            target=target,
            source_cycles=int(is_cyclic(project.graph.node(source))),
            bridge=bridge,
            target_cycles=1 if is_cyclic(project.graph.node(target)) else None,
            fixed=Perturbations.of(project),
            groups=((("noise", (ENTRY_NOISE,)),),),
            entries=2,
            seed=effort.seed,
            exits=effort.exits,
        )
        plan = SearchPlan(sigma=SIGMA, seed=effort.seed)
        with self._new_pool() as pool:
            found = learn(
                project,
                [request],
                plan,
                Budget(effort.generations, self._left),
                pool,
                trials=effort.trials,
                noise=ENTRY_NOISE,
                observe=self._watcher.generation,
            )
        if report.learned is None or found.learned.successes > report.learned.successes:
            report.learned = found.learned
        if not found.improves:
            return found.why
        if not succeeds_often(found.learned):
            return f"it succeeds {found.learned.sentence()}, which is not enough"
        self._join(project, report, found, plan)
        return found.why

    def _join(self, project: Project, report: CandidateReport, found: Learned, plan: SearchPlan) -> None:
        """Write the files of a learned edge to the scratch project, and store their texts and the edge.

        Args:
            project: Scratch project.
            report: Report of the transition.
            found: Result of the search.
            plan: Settings of the search.
        """
        original = self.candidate_edges.project
        engine = None if original.engine == original.graph.engine else original.engine
        command = learn_command(found.request, plan, self.request, engine)
        written = write_edge(project, found, plan, command)
        paths = [project.relative(str(path)) for path in written]
        self.files |= self.candidate_edges.collect(path for path in paths if path != GRAPH_FILE)
        report.learned = found.learned
        report.edge = Edge(*report.pair, kind=EdgeKind.LEARNED, parameters=edge_path(*report.pair))
        report.why = f"learned: {found.why}"


def learn_command(
    request: TransitionRequest, plan: SearchPlan, effort: IntegrationRequest, engine: str | None = None
) -> str:
    """Return the `ctrlgraph learn` command that repeats a search. The learned file records this command.

    Args:
        request: Transition for which an edge was learned.
        plan: Settings of the search.
        effort: Request of the insertion, with the limits of the search.
        engine: Name of the engine. None: the engine of the graph file.
    """
    options = {
        "source-cycles": request.source_cycles or None,
        "bridge": request.bridge or None,
        "target-cycles": request.target_cycles,
        "entries": request.entries,
        "over": f"noise={ENTRY_NOISE}",
        "engine": engine,
        "sigma": plan.sigma,
        "generations": effort.generations,
        "trials": effort.trials,
        "seed": plan.seed,
        "exits": effort.exits,
    }
    return shlex.join(["ctrlgraph", "learn", *words_of(request.source, request.target, options)])
