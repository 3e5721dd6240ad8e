"""Learning one edge from beginning to end: search, held-out verification, and what is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_text
from ctrlgraph.optimization.edge_file import bridge_text, held_out_record, learned_file, search_record
from ctrlgraph.optimization.evaluation import with_cases
from ctrlgraph.optimization.learned_parts import edge_path
from ctrlgraph.optimization.problem import Problem
from ctrlgraph.optimization.search import Budget, CandidateSearch, Generation, SearchPlan, SearchResult
from ctrlgraph.optimization.transition import (
    TransitionRequest,
    held_out_cases,
    naive_problem,
    present_problem,
    transition_problem,
)
from ctrlgraph.optimization.tuning import HELD_OUT
from ctrlgraph.optimization.validation import Validation, engine_that_loses, verify
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.project.project import Project

FloatArray = NDArray[np.float64]

NOISE = 0.02
"""Start-state noise of held-out entries."""

FASTER_S = 0.1
"""An edge that succeeds no more often than the naive one must at least be so much shorter to be written."""

BETTER = 0.9
"""A term that was asked for must at least come down to this share."""


@dataclass(frozen=True)
class Learned:
    """What came of learning an edge. worth: whether it beats the naive edge, and the learned one that there is, `why`
    in words; noise: of the held-out entries."""

    request: TransitionRequest
    problem: Problem
    result: SearchResult
    naive: Validation
    learned: Validation
    worth: bool
    why: str
    left_out: tuple[str, ...]
    noise: float = NOISE

    def as_dict(self) -> dict[str, Any]:
        return {
            "edge": f"{self.request.source} -> {self.request.target}",
            "held_out": {"naive": self.naive.as_dict(), "learned": self.learned.as_dict()},
            "worth": self.worth,
            "why": self.why,
        }


def learn(
    project: Project,
    request: TransitionRequest,
    plan: SearchPlan,
    budget: Budget,
    pool: WorkerPool,
    *,
    trials: int = 40,
    noise: float = NOISE,
    checkpoint: Path | None = None,
    begun: Callable[[Problem, tuple[str, ...]], None] = lambda *_: None,
    observe: Callable[[Generation], None] = lambda _: None,
    verifying: Callable[[int], None] = lambda _: None,
) -> Learned:
    """Search the constants of a transition, then compare it with the naive switch on held-out entries.

    Raises:
        Interrupted: at Ctrl-C.
        CtrlGraphError: there are no trials; else see `transition_problem`.
    """
    if trials < 1:
        raise CtrlGraphError("whether an edge is worth learning is decided on held-out entries: give some trials")
    contained(project.directory, edge_path(request.source, request.target))  # before anything is searched
    problem, left_out = transition_problem(project, request)
    begun(problem, left_out)
    result = CandidateSearch(problem, plan, pool, checkpoint).run(budget, observe)
    verifying(trials)
    noise = max(noise, request.fixed.noise)
    cases = held_out_cases(project, request, trials=trials, noise=noise, seed=request.seed + HELD_OUT)
    unseen = with_cases(project, problem, cases)
    learned = verify(unseen, result.x, pool)
    naive = verify(naive_problem(unseen), [], pool)
    worth, why = _worth(naive, "the naive switch", learned, request)
    edge = project.graph.planned_edge(request.source, request.target)
    if worth and edge is not None and edge.parameters is not None and not project.resolver.findings(edge):
        present = verify(present_problem(unseen, edge), [], pool)
        worth, why = _worth(present, "the present learned edge", learned, request)
    return Learned(request, problem, result, naive, learned, worth, why, left_out, noise)


def _worth(before: Validation, what: str, learned: Validation, request: TransitionRequest) -> tuple[bool, str]:
    """Whether what was learned beats `what`, and in which respect."""
    if learned.successes == 0:
        return False, "it never holds on held-out entries"
    loses = engine_that_loses(before, learned)
    if loses is not None:
        return False, f"on {loses}, {what} holds more often: {before.sentence()}, against {learned.sentence()}"
    if learned.successes > before.successes:
        return True, f"it holds {learned.sentence()}, {what} {before.sentence()}"
    if learned.successes < before.successes:
        return False, f"{what} holds more often: {before.sentence()}, against {learned.sentence()}"
    saved = before.mean_s - learned.mean_s
    if saved >= FASTER_S:
        return True, f"both hold {learned.sentence()}, and it is {saved:.2f} s shorter than {what}"
    for term in (name for name, weight in request.weights.items() if weight > 0):
        old, new = _mean(before, term), _mean(learned, term)
        if new < BETTER * old:
            return True, f"both hold {learned.sentence()}, and its {term} is {new:.3g} instead of {old:.3g}"
    return False, f"{what} holds as often ({before.sentence()}), and nothing else is better"


def _mean(verdict: Validation, term: str) -> float:
    values = [result.terms.get(term, 0.0) for result in verdict.results if result.held]
    return float(np.mean(values)) if values else float("inf")


def write_edge(project: Project, found: Learned, plan: SearchPlan, command: str) -> list[Path]:
    """Write the file of the learned edge, its bridging script and its line in the graph; the files written.

    Raises:
        CtrlGraphError: a file cannot be written, or would lie outside the project.
    """
    from ctrlgraph.graph.editor import put_learned_edge
    from ctrlgraph.optimization.scheduling import bound, fits, with_history
    from ctrlgraph.project.learned import write_learned

    transition = found.problem.transition
    assert transition is not None
    written, bridge = [], None
    text = bridge_text(project, found.problem, found.result.x)
    if text is not None and transition.bridge is not None:
        script = contained(project.directory, transition.bridge)
        write_text(script, text)
        written.append(script)
        from ctrlgraph.project.project import Project

        bridge = Project(project.directory).compile(script)  # as it is on disk now
    relative = edge_path(transition.source, transition.target)
    path = contained(project.directory, relative)
    file = learned_file(
        project,
        found.problem,
        found.result.x,
        bridge=bridge,
        search=search_record(plan, found.result, found.problem, command),
        held_out=held_out_record(found.naive, found.learned, found.request.seed + HELD_OUT, found.noise),
    )
    if found.request.on is not None:
        before = project.resolver.read(relative) if path.is_file() else None
        before = before if before is not None and fits(before, file) else None
        file = with_history(bound(file, found.request.on, before), before, found.request.on)
    write_learned(path, file)
    written.append(path)
    if put_learned_edge(project.graph_path, transition.source, transition.target, relative):
        written.append(project.graph_path)
    return written
