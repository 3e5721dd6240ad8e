"""Learning of one edge: search, validation on held-out cases, and the files that are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.script.rewrite import with_constants
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_text
from ctrlgraph.learning.evaluation import with_cases
from ctrlgraph.learning.learned_edges import edge_path, source_part, target_part
from ctrlgraph.learning.problem import Problem
from ctrlgraph.learning.relearning import kept_command
from ctrlgraph.learning.search import Budget, CandidateSearch, SearchPlan, SearchResult
from ctrlgraph.learning.search_space import NothingToChange
from ctrlgraph.learning.transition import (
    BY_PATH,
    TransitionRequest,
    held_out_cases,
    naive_problem,
    present_problem,
    transition_problem,
)
from ctrlgraph.learning.tuning import HELD_OUT
from ctrlgraph.learning.validation import Validation, verify, worse_engine
from ctrlgraph.paths import contained
from ctrlgraph.project.learned import LearnedBridge, LearnedFile

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.worker_pool import WorkerPool

FloatArray = NDArray[np.float64]

RELIABLE = 0.9
"""Share of held-out cases that must succeed after a stage for the later stages to be skipped."""

NOISE = 0.02
"""Start-state noise of held-out entries."""

FASTER_S = 0.1
"""Minimum decrease in duration, s, for an edge that succeeds only as often as the direct transition."""

BETTER = 0.9
"""Maximum ratio of a requested term to that of the direct transition, for an edge that succeeds only as often."""


@dataclass(frozen=True)
class Learned:
    """Result of learning an edge."""

    request: TransitionRequest
    problem: Problem
    result: SearchResult
    naive: Validation
    """Validation of the direct transition."""
    learned: Validation
    """Validation of the learned edge."""
    improves: bool
    """True if it beats the direct transition, and the present learned edge if there is one."""
    why: str
    """Explanation of `improves`."""
    left_out: tuple[str, ...]
    """A sentence for each case that was left out."""
    noise: float = NOISE
    """Start-state noise of the held-out entries."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "edge": f"{self.request.source} -> {self.request.target}",
            "bridge": self.request.bridge,
            "held_out": {"naive": self.naive.as_dict(), "learned": self.learned.as_dict()},
            "improves": self.improves,
            "why": self.why,
        }


FEW = ("angle", "time")
"""Kinds of constants of the first stages."""


def stages(request: TransitionRequest) -> list[TransitionRequest]:
    """Return the requests that `learn` tries one after another.

    At first only angles and times of the target change, then also those of the source's last cycles, then all
    constants. Then a bridging script is added: from pose to pose, or the motions of the shortest path. With few
    parameters a search makes progress in fewer evaluations.

    Args:
        request: Request with all constants, without a bridging script.
    """
    few = replace(request, quantities=FEW)
    found = [replace(few, source_cycles=0)]
    if request.source_cycles:
        found.append(few)
    return [*found, request, replace(few, bridge=2), replace(few, source_cycles=0, bridge=BY_PATH)]


def learn(
    project: Project,
    requests: Sequence[TransitionRequest],
    plan: SearchPlan,
    budget: Budget,
    pool: WorkerPool,
    *,
    trials: int = 40,
    noise: float = NOISE,
    checkpoint: Path | None = None,
    begun: Callable[[Problem, tuple[str, ...]], None] = lambda *_: None,
    observe: Callable[[SearchResult], None] = lambda _: None,
    verifying: Callable[[int], None] = lambda _: None,
) -> Learned:
    """Search the constants of a transition, then compare it with the direct transition on held-out entries.

    Args:
        project: Project with the nodes.
        requests: Transition to learn. Several requests are stages (`stages`): the search ends with the first one whose
            learned edge is better than the direct transition and reliable. Without such a stage, the best one is used.
        plan: Search plan.
        budget: Budget of the search. Time that a stage does not need is left to the next one.
        pool: Worker pool.
        trials: Number of held-out cases.
        noise: Minimum start-state noise of held-out entries.
        checkpoint: File of the search; stages after the first append their number to its name.
        begun: Called with the problem of each stage and the sentences of cases that are left out.
        observe: Called after each generation.
        verifying: Called with the number of trials before the validation.

    Raises:
        Interrupted: Ctrl-C was pressed.
        CtrlGraphError: There are no trials, or see `transition_problem`.
    """
    if trials < 1:
        raise CtrlGraphError("a learned edge is validated in held-out cases: give at least 1 trial")
    contained(project.directory, edge_path(requests[0].source, requests[0].target))  # fails before the search
    searched: list[_Searched] = []
    found: list[Learned] = []
    for number, request in enumerate(requests):
        last = number == len(requests) - 1
        try:
            problem, left_out = transition_problem(project, request)
        except NothingToChange:
            if last and not searched:
                raise
            continue
        begun(problem, left_out)
        spent = sum(each.result.wall_s for each in searched)
        seconds = None if budget.seconds is None else budget.seconds * (number + 1) / len(requests) - spent
        own = (
            checkpoint if checkpoint is None or number == 0 else checkpoint.with_name(f"{checkpoint.name}-{number + 1}")
        )
        result = CandidateSearch(problem, plan, pool, own).run(replace(budget, seconds=seconds), observe)
        searched.append(_Searched(request, problem, result, left_out))
        if result.best.succeeded == len(problem.cases) and not last:
            verifying(trials)
            found.append(_validated(project, searched[-1], pool, trials, noise))
            good = found[-1].improves and found[-1].learned.successes >= RELIABLE * found[-1].learned.trials
            if good or found[-1].naive.successes == found[-1].naive.trials:
                return found[-1]
    best = max(reversed(searched), key=lambda each: each.result.best.succeeded / each.result.best.cases)
    if all(each.problem is not best.problem for each in found):
        verifying(trials)
        found.append(_validated(project, best, pool, trials, noise))
    return max(found, key=lambda each: (each.improves, each.learned.successes))


@dataclass(frozen=True)
class _Searched:
    """Result of a stage, not yet validated."""

    request: TransitionRequest
    problem: Problem
    result: SearchResult
    left_out: tuple[str, ...]


def _validated(project: Project, searched: _Searched, pool: WorkerPool, trials: int, noise: float) -> Learned:
    """Return the comparison of a result with the direct transition and the present learned edge."""
    request, problem, result = searched.request, searched.problem, searched.result
    noise = max(noise, request.fixed.noise)
    cases = held_out_cases(project, request, trials=trials, noise=noise, seed=request.seed + HELD_OUT)
    unseen = with_cases(project, problem, cases)
    learned = verify(unseen, result.x, pool)
    naive = verify(naive_problem(unseen), [], pool)
    improves, why = _improves(naive, "the direct transition", learned, request)
    edge = project.graph.planned_edge(request.source, request.target)
    if improves and edge is not None and edge.parameters is not None and not project.resolver.findings(edge):
        present = verify(present_problem(unseen, edge), [], pool)
        improves, why = _improves(present, "the present learned edge", learned, request)
    return Learned(request, problem, result, naive, learned, improves, why, searched.left_out, noise)


def _improves(before: Validation, what: str, learned: Validation, request: TransitionRequest) -> tuple[bool, str]:
    """Return whether the learned edge beats another one, and an explanation."""
    if learned.successes == 0:
        return False, "it never succeeds on held-out entries"
    loses = worse_engine(before, learned)
    if loses is not None:
        return False, f"on {loses}, {what} succeeds more often: {before.sentence()}, against {learned.sentence()}"
    if learned.successes > before.successes:
        return True, f"it succeeds {learned.sentence()}, {what} {before.sentence()}"
    if learned.successes < before.successes:
        return False, f"{what} succeeds more often: {before.sentence()}, against {learned.sentence()}"
    saved = before.mean_s - learned.mean_s
    if saved >= FASTER_S:
        return True, f"both succeed {learned.sentence()}, and it is {saved:.2f} s shorter than {what}"
    for term in (name for name, weight in request.weights.items() if weight > 0):
        old, new = _mean(before, term), _mean(learned, term)
        if new < BETTER * old:
            return True, f"both succeed {learned.sentence()}, and its {term} is {new:.3g} instead of {old:.3g}"
    return False, f"{what} succeeds as often ({before.sentence()}), and nothing else is better"


def _mean(verdict: Validation, term: str) -> float:
    values = [result.terms.get(term, 0.0) for result in verdict.results if result.succeeded]
    return float(np.mean(values)) if values else float("inf")


def write_edge(project: Project, found: Learned, plan: SearchPlan, command: str) -> list[Path]:
    """Write the file of a learned edge, its bridging script and its line in the graph, and return the files written.

    Args:
        project: Project to write to.
        found: Result of learning.
        plan: Search plan.
        command: Command line of the search.

    Raises:
        CtrlGraphError: A file cannot be written, or would lie outside the project.
    """
    from ctrlgraph.graph.editor import put_learned_edge
    from ctrlgraph.learning.scheduling import bound, fits, with_history
    from ctrlgraph.project.learned_writer import write_learned

    transition = found.problem.transition
    assert transition is not None
    written, bridge = [], None
    text = bridge_text(project, found.problem, found.result.x)
    if text is not None and transition.bridge is not None:
        script = contained(project.directory, transition.bridge)
        write_text(script, text)
        written.append(script)
        from ctrlgraph.project.project import Project

        program = Project(project.directory).compile(script).digest  # with its new text
        bridge = LearnedBridge(script=transition.bridge, program=program)
    relative = edge_path(transition.source, transition.target)
    path = contained(project.directory, relative)
    values = found.problem.search_space.values(found.result.x)
    file = LearnedFile(
        edge=str(transition.edge),
        source=source_part(project, transition, values),
        bridge=bridge,
        target=target_part(project, transition, values),
        search=search_record(plan, found.result, found.problem, command),
        held_out={
            "seed": found.request.seed + HELD_OUT,
            "noise": found.noise,
            "naive": found.naive.as_dict(),
            "learned": found.learned.as_dict(),
        },
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


def bridge_text(project: Project, problem: Problem, x: FloatArray) -> str | None:
    """Return the bridging script with its new constants, or None without a bridge.

    Args:
        project: Project with the script.
        problem: Problem of the search.
        x: Coordinates of the candidate, (n,).
    """
    transition = problem.transition
    if transition is None or transition.bridge is None:
        return None
    before = transition.draft or (project.directory / transition.bridge).read_text(encoding="utf-8")
    values = problem.search_space.values(x).get("bridge", {})
    searched = [
        parameter for item in problem.search_space.items if item.part == "bridge" for parameter in item.parameters
    ]
    return with_constants(before, {(p.line, p.column): values[p.id] for p in searched if not p.is_argument})


def search_record(plan: SearchPlan, result: SearchResult, problem: Problem, command: str) -> dict[str, Any]:
    """Return the record of a search for a learned file.

    Args:
        plan: Search plan.
        result: Result of the search.
        problem: Problem of the search.
        command: Command line of the search.
    """
    return {
        "command": kept_command(command),
        "seed": plan.seed,
        "optimizer": plan.optimizer,
        "unknowns": len(problem.search_space),
        "cases": len(problem.cases),
        "engines": list(problem.engines),
        "generations": result.generations,
        "evaluations": result.evaluations,
        "wall_s": round(result.wall_s, 1),
        "simulated_s": round(result.simulated_s, 1),
        "stopped": result.stopped,
        "cost": {"before": round(result.first.cost, 5), "after": round(result.best.cost, 5)},
        "terms": {name: round(value, 6) for name, value in result.best.terms.items()},
    }
