"""Learning of a transition: the request, its problem and its held-out cases."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.control.kinds import SCRIPT
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.bridge import entry_targets, propose_bridge, propose_path
from ctrlgraph.learning.cases import (
    SearchRequest,
    bases,
    between,
    grid,
    paired,
    reachable_on_each,
    search_cases,
    with_cycles,
)
from ctrlgraph.learning.cost import LEARNING
from ctrlgraph.learning.evaluation import with_hashes
from ctrlgraph.learning.problem import Case, LearnedTransition, Objective, Problem
from ctrlgraph.learning.scheduling import ground_of
from ctrlgraph.learning.search_space import NothingToChange, SearchSpace, joined, search_space
from ctrlgraph.learning.tuning import check_weights
from ctrlgraph.paths import LEARNED_DIRECTORY, contained
from ctrlgraph.robustness.evaluation_plan import ARROW, EvaluationPlan, evaluation_plan, is_cyclic
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Edge, Node
    from ctrlgraph.project.learned import LearnedSource
    from ctrlgraph.project.project import Project


BY_PATH = "path"
"""Bridge that runs the motions between source and target on the shortest path of the graph."""

MOTION_S = 4.0
"""Expected duration of one of these motions, s."""


@dataclass(frozen=True)
class TransitionRequest(SearchRequest):
    """A transition to learn."""

    source: str
    target: str
    source_cycles: int = 0
    """Number of additional cycles of a gait with their own constants."""
    bridge: int | str = 0
    """Number of phases of a proposed bridging script (0: none), BY_PATH, or the path of a script."""
    target_cycles: int | None = None
    """Number of first cycles of the target with their own constants. None: all."""
    refine: bool = False
    """True: the search starts from the constants of the present learned edge (see `refined`)."""


def refined(project: Project, request: TransitionRequest) -> TransitionRequest:
    """Return a request with the parts of the present learned edge.

    Args:
        project: Project with the edge.
        request: Request to change.

    Raises:
        CtrlGraphError: There is no learned edge, or its scripts have changed.
    """
    file = _present(project, request).file
    source, target, bridge = file.source, file.target, file.bridge
    return replace(
        request,
        refine=True,
        source_cycles=0 if source is None else source.cycles or 1,
        bridge=0 if bridge is None else bridge.script,
        target_cycles=None if target is None else target.cycles,
    )


def _present(project: Project, request: TransitionRequest) -> LearnedSource:
    """Return the file of the present learned edge."""
    edge = project.graph.planned_edge(request.source, request.target)
    if edge is None or edge.parameters is None:
        raise CtrlGraphError(
            f"there is no learned edge {request.source} -> {request.target} to refine: learn one first"
        )
    project.resolver.require(edge)
    return project.resolver.learned(edge.parameters)


def usual_edge(project: Project, target: str) -> str:
    """Return the edge (`a->target`) with known success of the target: the last one of the shortest planned path.

    Args:
        project: Project with the graph.
        target: Target node.

    Raises:
        CtrlGraphError: No planned edges lead to it.
    """
    graph = project.graph
    plan = evaluation_plan(graph, target)
    if graph.node(target).is_static or not is_cyclic(graph.node(target)):
        before = plan.setup[-1].node if plan.test[0].edge is not None else target
    else:
        before = plan.setup[-2].node if len(plan.setup) > 1 else target
    if before == target:  # the path to the start node has no edge
        before = next((e.source for e in graph.edges if e.planned and e.target == target != e.source), target)
    if before == target:
        raise CtrlGraphError(f"no planned edge leads to '{target}', so there is no reference motion of it")
    return ARROW.join((before, target))


def transition_plans(project: Project, request: TransitionRequest) -> list[EvaluationPlan]:
    """Return plans that reach the end of the source with different numbers of its cycles and continue with the target.

    Args:
        project: Project with the graph.
        request: Transition to learn.
    """
    plan = evaluation_plan(project.graph, ARROW.join((request.source, request.target)), untried=True)
    # no edge: the controller is that of the transition
    plan = replace(plan, test=(replace(plan.test[0], edge=None),))
    return with_cycles(project.graph, plan, request.entries)


def transition_of(project: Project, request: TransitionRequest) -> LearnedTransition:
    """Return the parts of the learned edge. The project uses the text of a proposed bridge as a script from then on.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        CtrlGraphError: A part does not fit the graph.
    """
    graph = project.graph
    source, target = graph.node(request.source), graph.node(request.target)
    if request.source_cycles and not is_cyclic(source):
        raise CtrlGraphError(f"'{source.name}' is not a gait: it cannot have additional cycles")
    if request.target_cycles is not None and not 1 <= request.target_cycles <= target.cycles[1]:
        raise CtrlGraphError(f"'{target.name}' has at most {target.cycles[1]} cycles, not {request.target_cycles}")
    _require_joinable(source, target, request)
    bridge, draft = bridge_of(project, request)
    if bridge is not None and draft is not None:
        project.revise(project.directory / bridge, draft)
    return LearnedTransition(
        source=source.name,
        target=target.name,
        reference=usual_edge(project, target.name),
        source_cycles=request.source_cycles,
        bridge=bridge,
        target_cycles=request.target_cycles,
        before_s=MOTION_S * len(_between(project, request)) if request.bridge == BY_PATH else 2.0,
        draft=draft,
    )


def _require_joinable(source: Node, target: Node, request: TransitionRequest) -> None:
    """Raise an error if several controllers have to be joined and not all of them are scripts.

    Raises:
        CtrlGraphError: They cannot be joined.
    """
    first = request.target_cycles
    if not (request.source_cycles or request.bridge or (first is not None and first < target.cycles[1])):
        return
    for node in (target, *((source,) if request.source_cycles else ())):
        if node.controller != SCRIPT:
            raise CtrlGraphError(
                f"'{node.name}' is of the kind '{node.controller}', which cannot be joined with other controllers:"
                f" learn it with --source-cycles 0, without --bridge, and with --target-cycles {target.cycles[1]}"
            )


def bridge_of(project: Project, request: TransitionRequest) -> tuple[str | None, str | None]:
    """Return the path of the bridging script in the project, and the text of a proposed one.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        CtrlGraphError: The script lies outside the project.
    """
    name = f"{request.source}_to_{request.target}"
    draft = f"{LEARNED_DIRECTORY}/{name}.t"
    if request.bridge == BY_PATH:
        return draft, propose_path(name, _between(project, request))
    if isinstance(request.bridge, str):
        contained(project.directory, request.bridge)
        return request.bridge, None
    if request.bridge == 0:
        return None, None
    with Evaluator(project, untried=True) as evaluator:
        engine = bases(request.fixed, request.engines)[0].engine
        start = entry_targets(evaluator, transition_plans(project, request)[0], engine)
        goal = entry_targets(evaluator, evaluation_plan(project.graph, usual_edge(project, request.target)), engine)
    text = propose_bridge(name, project.character, start, goal, phases=request.bridge)
    return draft, text


def _between(project: Project, request: TransitionRequest) -> list[Node]:
    """Return the nodes between source and target on the shortest planned path.

    Raises:
        NothingToChange: There are none, or one of them does not run a script.
    """
    graph = project.graph
    path = graph.shortest_paths(request.source).get(request.target, [])
    between = [graph.node(name) for name in path[1:-1]]
    if not between or any(node.controller != SCRIPT for node in between):
        raise NothingToChange(f"no path of scripts leads from '{request.source}' to '{request.target}'")
    return between


def transition_problem(project: Project, request: TransitionRequest) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem, and a sentence for each case that is left out because its setup fails.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        CtrlGraphError: A part does not fit the graph, there is no parameter to change, or no case can be reached.
        SourceError: A script has errors.
    """
    check_weights(request.weights)
    transition = transition_of(project, request)
    wanted = transition_search_space(project, transition, request)
    kept, left_out = search_cases(project, request, transition_plans(project, request), request.fixed)
    objective = Objective({**LEARNING, **request.weights}, request.worst)
    problem = Problem(project.directory, wanted, kept, objective, transition, on=request.on)
    return with_hashes(project, problem), left_out


def transition_search_space(project: Project, transition: LearnedTransition, request: TransitionRequest) -> SearchSpace:
    """Return the parameters of the source's last cycles, of the bridge and of the target's first phases.

    Args:
        project: Project with the graph.
        transition: Parts of the learned edge.
        request: Transition to learn.
    """
    parts = []
    phases = set(request.phases)

    def inside(parameter: Parameter) -> bool:
        return not parameter.is_argument

    def in_phases(parameter: Parameter) -> bool:
        return not parameter.is_argument and (not phases or parameter.phase in phases)

    character, kinds = project.character, request.quantities
    present, ground = _present(project, request) if request.refine else None, ground_of(request.on)

    def space(part: str, plain: Controller, chosen: Callable[[Parameter], bool], tied: bool = False) -> SearchSpace:
        program = plain if present is None else present.applied(part, plain, ground)
        # changes of the present edge outside the search space would be lost
        changed = np.flatnonzero(program.constants != plain.constants)
        moved = {program.parameters[int(i)].own_id for i in changed}
        return search_space(
            program, character, chosen=chosen, quantities=kinds, tied=tied, exits=request.exits, moved=moved
        ).of_part(part)

    if transition.source_cycles:
        parts.append(space("source", project.program(transition.source), inside, tied=True))
    if transition.bridge is not None:
        bridge = project.compile(project.directory / transition.bridge)

        def of_its_text(parameter: Parameter) -> bool:  # the scripts that it calls are not rewritten
            return parameter.path == bridge.path and inside(parameter)

        with suppress(NothingToChange):
            parts.append(space("bridge", bridge, of_its_text))
    parts.append(space("target", project.program(transition.target), in_phases))
    return joined(parts)


def naive_problem(problem: Problem) -> Problem:
    """Return the problem of the direct transition in the same cases."""
    assert problem.transition is not None
    plain = replace(problem.transition, source_cycles=0, bridge=None, draft=None, target_cycles=None)
    # without bridge and learned constants
    hashes = {name: hashed for name, hashed in problem.hashes.items() if name not in ("bridge", "present edge")}
    return replace(problem, transition=plain, search_space=SearchSpace(()), on=None, hashes=hashes)


def present_problem(problem: Problem, edge: Edge) -> Problem:
    """Return the problem of an edge of the graph in the same cases.

    Args:
        problem: Problem with the cases.
        edge: Edge of the graph.
    """
    cases = []
    for case in problem.cases:
        first, *others = case.evaluation_plan.test
        cases.append(
            replace(case, evaluation_plan=replace(case.evaluation_plan, test=(replace(first, edge=edge), *others)))
        )
    return replace(problem, cases=tuple(cases), transition=None, search_space=SearchSpace(()), on=None, hashes={})


def held_out_cases(
    project: Project, request: TransitionRequest, *, trials: int, noise: float, seed: int
) -> tuple[Case, ...]:
    """Return cases for validation. They are the same on each engine.

    They use all numbers of the source's cycles in turn, values between those of the axes, and entries with noise.

    Args:
        project: Project with the graph.
        request: Transition that was learned.
        trials: Number of cases on each engine.
        noise: Minimum start-state noise.
        seed: Seed of the random perturbations.

    Raises:
        CtrlGraphError: No case can be entered.
    """
    source = project.graph.node(request.source)
    spread = replace(request, entries=max(request.entries, source.cycles[1] - source.cycles[0] + 1))
    evaluation_plans = transition_plans(project, spread)

    def chosen(base: Perturbations) -> list[Case]:
        asked = grid(between(request.groups), base)
        perturbations = dict.fromkeys(
            perturbations.with_value("noise", max(noise, perturbations.noise)) for perturbations in asked
        )
        pairs = paired(evaluation_plans, list(perturbations))
        children = np.random.SeedSequence(seed).spawn(trials)
        return [Case(*next(pairs), int(child.generate_state(1)[0])) for child in children]

    return reachable_on_each(project, bases(request.fixed, request.engines), chosen)[0]
