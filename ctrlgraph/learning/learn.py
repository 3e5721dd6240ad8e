"""Learning of one edge: search for constants, validation on held-out cases, and writing of the resulting files.

A *stage* is one of several searches for the same edge, each with more constants to change than the one before.
"""

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
"""Default start-state noise of the held-out cases."""

FASTER_S = 0.1
"""If a learned edge succeeds just as often as the transition it replaces, it must be shorter by at least this time, s,
or better in a cost term (see `BETTER`).
"""

BETTER = 0.9
"""If both succeed equally often, a cost term of the learned edge counts as better below this share of the same term of
the transition it replaces. Only terms whose weights the user has given are compared.
"""


@dataclass(frozen=True)
class Learned:
    """Result of learning an edge: the constants found, and a comparison with the direct transition."""

    request: TransitionRequest
    """Request of the search that found the constants (there may be several searches, called stages)."""
    problem: Problem
    """Search problem of this search."""
    result: SearchResult
    """Result of this search."""
    naive: Validation
    """Results of the direct transition (target without any change) in held-out cases."""
    learned: Validation
    """Results of the learned edge in the same held-out cases."""
    improves: bool
    """True if the learned edge is better than the direct transition, and better than the learned edge that the graph
    has already, if any.
    """
    why: str
    """Why the learned edge is better or not, in words."""
    left_out: tuple[str, ...]
    """A message for each case of the search that was skipped because its setup fails."""
    noise: float = NOISE
    """Minimum start-state noise of the held-out cases."""

    def as_dict(self) -> dict[str, Any]:
        """Return the edge and its comparison with the direct transition as data for JSON."""
        return {
            "edge": f"{self.request.source} -> {self.request.target}",
            "bridge": self.request.bridge,
            "held_out": {"naive": self.naive.as_dict(), "learned": self.learned.as_dict()},
            "improves": self.improves,
            "why": self.why,
        }


FEW = ("angle", "time")
"""Kinds of constants that may change in the first stages."""


def stages(request: TransitionRequest) -> list[TransitionRequest]:
    """Return the requests of the searches (stages) that `learn` tries one after another for an edge.

    1. Angles and times of the target may change.
    2. Angles and times of the target and of the additional source cycles, if the request has any.
    3. All constants of these parts.
    4. As in 2, with a bridging script of two phases that moves from pose to pose.
    5. As in 1, with a bridging script that runs the motions on the shortest path from source to target.

    The first stages have few parameters, because such a search needs fewer evaluations.

    Args:
        request: Request in which all kinds of constants may change, without a bridging script.
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
    """Search the constants of a transition, then compare it with the direct transition in held-out cases.

    With several requests, each is one stage. A stage whose search succeeds in all its cases is validated. The stages
    end when a validated edge is better than the direct transition and succeeds in the share `RELIABLE` of the held-out
    cases, or when the direct transition succeeds in all held-out cases. Without such a stage, the result is the best
    validated edge.

    Args:
        project: Project with the nodes.
        requests: Requests for the same edge, one for each stage (see `stages`). One request: a single search.
        plan: Settings of each search.
        budget: Limits of the search. Each stage has the same share of the time, plus the time that earlier stages left.
        pool: Worker pool.
        trials: Number of held-out cases on each engine, at least 1.
        noise: Minimum start-state noise of the held-out cases.
        checkpoint: Checkpoint file. The second stage appends "-2" to its name, the third "-3", and so on. None: no
            checkpoint.
        begun: Called at the start of each stage with the search problem and a message for each skipped case.
        observe: Called after each generation with the progress of the search.
        verifying: Called before each validation with the number of held-out cases on each engine.

    Raises:
        Interrupted: Ctrl-C was pressed.
        CtrlGraphError: `trials` is below 1, the file of the edge would lie outside the project, or the request does
            not fit the graph (see `transition_problem`).
    """
    if trials < 1:
        raise CtrlGraphError(f"--trials, the number of held-out cases, must be at least 1, not {trials}")
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
    """Result of one search (stage) for an edge, before it is validated in held-out cases."""

    request: TransitionRequest
    """Request of the search."""
    problem: Problem
    """Search problem made from the request."""
    result: SearchResult
    """Result of the search."""
    left_out: tuple[str, ...]
    """A message for each case that was skipped because its setup fails."""


def _validated(project: Project, searched: _Searched, pool: WorkerPool, trials: int, noise: float) -> Learned:
    """Compare the result of a search with the direct transition, and with the learned edge that the graph has already.

    Args:
        project: Project with the graph.
        searched: Result of the search.
        pool: Worker pool.
        trials: Number of held-out cases on each engine.
        noise: Minimum start-state noise of the held-out cases.
    """
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
        improves, why = _improves(present, "the learned edge in the graph", learned, request)
    return Learned(request, problem, result, naive, learned, improves, why, searched.left_out, noise)


def _improves(before: Validation, what: str, learned: Validation, request: TransitionRequest) -> tuple[bool, str]:
    """Decide if a learned edge is better than the transition that it would replace, and explain why.

    Args:
        before: Results of the transition that would be replaced, in held-out cases.
        what: Name of this transition in the explanation.
        learned: Results of the learned edge in the same cases.
        request: Request with the weights of cost terms that the user has given.

    Returns:
        True if the learned edge is better; and an explanation.
    """
    if learned.successes == 0:
        return False, "the learned edge never succeeds in held-out cases"
    loses = worse_engine(before, learned)
    if loses is not None:
        return (
            False,
            f"on {loses}, {what} succeeds more often than the learned edge: {before.sentence()} instead of"
            f" {learned.sentence()}",
        )
    if learned.successes > before.successes:
        return True, f"the learned edge succeeds {learned.sentence()}, {what} {before.sentence()}"
    if learned.successes < before.successes:
        return (
            False,
            f"{what} succeeds more often than the learned edge: {before.sentence()} instead of {learned.sentence()}",
        )
    saved = before.mean_s - learned.mean_s
    if saved >= FASTER_S:
        return True, f"both succeed {learned.sentence()}, and the learned edge is {saved:.2f} s shorter than {what}"
    for term in (name for name, weight in request.weights.items() if weight > 0):
        old, new = _mean(before, term), _mean(learned, term)
        if new < BETTER * old:
            return (
                True,
                f"both succeed {learned.sentence()}, and the {term} of the learned edge is {new:.3g} instead of"
                f" {old:.3g}",
            )
    return False, f"{what} succeeds as often ({before.sentence()}), and the learned edge is not better otherwise"


def _mean(validation: Validation, term: str) -> float:
    values = [result.terms.get(term, 0.0) for result in validation.results if result.succeeded]
    return float(np.mean(values)) if values else float("inf")


def write_edge(project: Project, found: Learned, plan: SearchPlan, command: str) -> list[Path]:
    """Write the file of a learned edge, its bridging script and its line in the graph, and return the files written.

    Args:
        project: Project to write to.
        found: Result of learning.
        plan: Settings of the search.
        command: Command line of the search, which is recorded in the file.

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
    """Return the text of the bridging script with the constants of a candidate, or None without a bridging script.

    Args:
        project: Project with the script.
        problem: Search problem with the transition.
        x: Coordinates of the candidate in the search space, (n,).
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
    """Return the record of a search that is stored in a learned file.

    Args:
        plan: Settings of the search.
        result: Result of the search.
        problem: Search problem.
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
