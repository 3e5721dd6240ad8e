"""Learning the pairs of a candidate that come near to holding, as many as the time allows."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import is_cyclic
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.insertion.candidate_edges import CandidateEdges, CandidateReport
from ctrlgraph.insertion.candidate_transitions import holds, name_of, progress, share_done
from ctrlgraph.optimization.cases import ENTRY_NOISE
from ctrlgraph.optimization.learn import Learned, learn, write_edge
from ctrlgraph.optimization.learned_parts import edge_path
from ctrlgraph.optimization.search import Budget, SearchPlan
from ctrlgraph.optimization.transition import TransitionRequest
from ctrlgraph.project.project import GRAPH_FILE, Project

if TYPE_CHECKING:
    from ctrlgraph.optimization.search import Generation

PROMISING = 0.75
"""A pair is worth learning if its trials get so far on the average: see pairs.progress."""

SIGMA = 0.5
"""First step size of a search, in spreads of the parameters."""

BRIDGES = (0, 1)
"""Phases of the proposed bridge at the first and at the second attempt."""

_LEAST_S = 1.0

Hire = Callable[[], AbstractContextManager[WorkerPool]]


@dataclass(frozen=True)
class Effort:
    """How much may be spent: generations of each search, seconds in all, trials of each verification; exits: whether
    numbers of safety exits may change, too."""

    generations: int
    seconds: float
    trials: int
    seed: int
    exits: bool = False


class SearchWatcher(Protocol):
    """Who watches searches: told which one begins, and each generation."""

    def searching(self, what: str, generations: int) -> None: ...

    def generation(self, done: Generation) -> None: ...


class TransitionOptimizer:
    """Learns one pair after another; `files` are those of the learned edges, by path in the project."""

    def __init__(self, candidate_edges: CandidateEdges, effort: Effort, hire: Hire, watcher: SearchWatcher) -> None:
        """`hire` gives a pool for one attempt: one in which something went wrong cannot be worked with any more."""
        self.candidate_edges, self.effort = candidate_edges, effort
        self.files: dict[str, str] = {}
        self._hire, self._watcher = hire, watcher
        self._left = effort.seconds

    def next(self) -> CandidateReport | None:
        """Return the pair that is to be learned next, None where there is none or the time is over.

        First those without which a node is a dead end, then those tried least, then those that come nearest.
        """
        if self._left < _LEAST_S or self.effort.generations == 0:
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
        """Make one attempt at a pair; what it comes to stands in the report.

        Raises:
            Interrupted: at Ctrl-C.
        """
        began = time.perf_counter()
        bridge = BRIDGES[len(report.tries)]
        how = f"with a bridge of {bridge} phase{'s' * (bridge != 1)}" if bridge else "as it is"
        self._watcher.searching(f"{name_of(report.pair)}, {how}", self.effort.generations)
        try:
            said = self._attempt(report, bridge)
        except CtrlGraphError as error:
            said = f"it cannot be learned: {error}"
        report.tries.append(f"{how}: {said}")
        spent = time.perf_counter() - began
        report.wall_s += spent
        self._left -= spent

    def _attempt(self, report: CandidateReport, bridge: int) -> str:
        effort, project = self.effort, self.candidate_edges.staged()
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
        with self._hire() as pool:
            found = learn(
                project,
                request,
                plan,
                Budget(effort.generations, self._left),
                pool,
                trials=effort.trials,
                noise=ENTRY_NOISE,
                observe=self._watcher.generation,
            )
        if report.learned is None or found.learned.successes > report.learned.successes:
            report.learned = found.learned
        if not found.worth:
            return found.why
        if not holds(found.learned):
            return f"it holds {found.learned.sentence()}, which is not enough"
        self._join(project, report, found, plan)
        return found.why

    def _join(self, project: Project, report: CandidateReport, found: Learned, plan: SearchPlan) -> None:
        """Keep the files of a learned edge, which are written in the staging project."""
        original = self.candidate_edges.project
        engine = None if original.engine == original.graph.engine else original.engine
        command = learn_command(found.request, plan, self.effort, engine)
        written = write_edge(project, found, plan, command)
        paths = [project.relative(str(path)) for path in written]
        self.files |= self.candidate_edges.collect(path for path in paths if path != GRAPH_FILE)
        report.learned = found.learned
        report.edge = Edge(*report.pair, kind=EdgeKind.LEARNED, parameters=edge_path(*report.pair))
        report.why = f"learned: {found.why}"


def learn_command(request: TransitionRequest, plan: SearchPlan, effort: Effort, engine: str | None = None) -> str:
    """Return the `ctrlgraph learn` that does the same: by it a stale edge is learned anew; `engine` where it is not the
    project's own."""
    words = ["ctrlgraph", "learn", request.source, request.target]
    given = {
        "--source-cycles": request.source_cycles,
        "--bridge": request.bridge,
        "--target-cycles": request.target_cycles,
        "--entries": request.entries,
        "--over": f"noise={ENTRY_NOISE}",
        "--engine": engine,
        "--sigma": plan.sigma,
        "--generations": effort.generations,
        "--trials": effort.trials,
        "--seed": plan.seed,
    }
    for name, value in given.items():
        words += [name, str(value)] if value not in (None, 0) or name == "--seed" else []
    return shlex.join([*words, *(["--exits"] if effort.exits else [])])
