"""Learning a transition: the constants with which one motion leads into another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.control.kinds import SCRIPT
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import ARROW, EvaluationPlan, evaluation_plan, is_cyclic
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.optimization.bridge import entry_hold, propose_bridge
from ctrlgraph.optimization.cases import bases, between, cases, grid, paired, reachable_on_each, with_cycles
from ctrlgraph.optimization.evaluation import problem_hashes
from ctrlgraph.optimization.objective import LEARNING
from ctrlgraph.optimization.problem import Case, LearnedTransition, Objective, Problem
from ctrlgraph.optimization.scheduling import Condition, ground_of
from ctrlgraph.optimization.search_space import PRIORS, SearchSpace, joined, search_space
from ctrlgraph.optimization.tuning import Group, check_weights
from ctrlgraph.paths import LEARNED_DIRECTORY, contained

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Edge, Node
    from ctrlgraph.project.learned import LearnedSource
    from ctrlgraph.project.project import Project

STYLES: dict[str, dict[str, float]] = {
    "smooth": {"com": 3.0, "trunk": 3.0, "joints": 0.3},
    "faster": {"time": 1.0},
    "less-energy": {"energy": 1.0, "effort": 0.1},
}
"""What `--smooth`, `--faster` and `--less-energy` weigh besides; in the units of problem.TERMS."""


@dataclass(frozen=True)
class TransitionRequest:
    """Which transition is to be learned, what of it may change, and in which situations it has to hold.

    source_cycles: of a gait, how many more cycles it goes on with constants of its own; bridge: number of phases of
    a proposed bridging script (0: none), or an existing script's path; target_cycles: how many first cycles of the
    target have constants of their own (None: all); phases: of the target's own scripts that may change (all where
    empty); fixed: where the edge is to be taken (slope=5, a box); groups: what it has to hold against; on: the
    condition that the constants are bound to: elsewhere the scripts' own hold, and what was learned before; refine:
    begin with the constants of the present learned edge (see `refined`), not with the scripts'; engines: on
    each of which every case is tried; where none is named, that of `fixed`; exits: also numbers of safety exits.
    """

    source: str
    target: str
    source_cycles: int = 0
    bridge: int | str = 0
    target_cycles: int | None = None
    phases: tuple[int, ...] = ()
    quantities: tuple[str, ...] = tuple(PRIORS)
    fixed: Perturbations = field(default_factory=Perturbations)
    groups: tuple[Group, ...] = ()
    entries: int = 3
    numerics: bool = True
    noise_trials: int = 2
    weights: Mapping[str, float] = field(default_factory=dict)
    worst: float = 1.0
    on: Condition | None = None
    seed: int = 0
    refine: bool = False
    engines: tuple[str, ...] = ()
    exits: bool = False


def refined(project: Project, request: TransitionRequest) -> TransitionRequest:
    """Return the request to go on from the present learned edge, with the same parts.

    Raises:
        CtrlGraphError: there is no learned edge, or it is unfit: its scripts have changed.
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
    """The file of the present learned edge."""
    edge = project.graph.planned_edge(request.source, request.target)
    if edge is None or edge.parameters is None:
        raise CtrlGraphError(
            f"there is no learned edge {request.source} -> {request.target} to refine: learn one first"
        )
    project.resolver.require(edge)
    return project.resolver.learned(edge.parameters)


def usual_edge(project: Project, target: str) -> str:
    """Return the edge (`a->target`) by which the target is known to do well: the last one of the shortest planned way
    to it.

    Raises:
        CtrlGraphError: no planned edges lead to it.
    """
    graph = project.graph
    way = evaluation_plan(graph, target)
    if graph.node(target).is_static or not is_cyclic(graph.node(target)):
        before = way.setup[-1].node if way.test[0].edge is not None else target
    else:
        before = way.setup[-2].node if len(way.setup) > 1 else target
    if before == target:  # the start node is not entered on the way to itself
        before = next((e.source for e in graph.edges if e.planned and e.target == target != e.source), target)
    if before == target:
        raise CtrlGraphError(f"no planned edge leads to '{target}', so there is no known good motion of it")
    return ARROW.join((before, target))


def transition_plans(project: Project, request: TransitionRequest) -> list[EvaluationPlan]:
    """Return the ways to the source's end, with different numbers of its cycles, and on from there into the target."""
    way = evaluation_plan(project.graph, ARROW.join((request.source, request.target)), untried=True)
    # entered by no edge: the transition itself says what is run
    way = replace(way, test=(replace(way.test[0], edge=None),))
    return with_cycles(project.graph, way, request.entries)


def transition_of(project: Project, request: TransitionRequest) -> LearnedTransition:
    """Return the parts of the learned edge; a proposed bridge becomes a draft of the project.

    Raises:
        CtrlGraphError: a part does not fit the graph.
    """
    graph = project.graph
    source, target = graph.node(request.source), graph.node(request.target)
    if request.source_cycles and not is_cyclic(source):
        raise CtrlGraphError(f"'{source.name}' is no gait: it cannot go on for {request.source_cycles} cycles")
    if request.target_cycles is not None and not 1 <= request.target_cycles <= target.cycles[1]:
        raise CtrlGraphError(f"'{target.name}' has at most {target.cycles[1]} cycles, not {request.target_cycles}")
    _require_joinable(source, target, request)
    bridge, draft = bridge_of(project, request)
    if bridge is not None and draft is not None:
        project.draft(project.directory / bridge, draft)
    return LearnedTransition(
        source=source.name,
        target=target.name,
        reference=usual_edge(project, target.name),
        source_cycles=request.source_cycles,
        bridge=bridge,
        target_cycles=request.target_cycles,
        draft=draft,
    )


def _require_joinable(source: Node, target: Node, request: TransitionRequest) -> None:
    """
    Raises:
        CtrlGraphError: several controllers would run as one, and not all of them are scripts.
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
    """Return the bridging script's path in the project, and the text of a proposed one.

    Raises:
        CtrlGraphError: the script lies outside the project, which the learned file that names it is read in.
    """
    if isinstance(request.bridge, str):
        contained(project.directory, request.bridge)
        return request.bridge, None
    if request.bridge == 0:
        return None, None
    name = f"{request.source}_to_{request.target}"
    with Evaluator(project, untried=True) as evaluator:
        engine = bases(request.fixed, request.engines)[0].engine
        start = entry_hold(evaluator, transition_plans(project, request)[0], engine)
        goal = entry_hold(evaluator, evaluation_plan(project.graph, usual_edge(project, request.target)), engine)
    text = propose_bridge(name, project.character, start, goal, phases=request.bridge)
    return f"{LEARNED_DIRECTORY}/{name}.t", text


def transition_problem(project: Project, request: TransitionRequest) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem, and a sentence for each case that is left out because its setup fails.

    Raises:
        CtrlGraphError: a part does not fit the graph, there is nothing to change, or no case can be entered.
        SourceError: a script has errors.
    """
    check_weights(request.weights)
    transition = transition_of(project, request)
    wanted = transition_search_space(project, transition, request)
    ways = transition_plans(project, request)

    def chosen(base: Perturbations) -> tuple[Case, ...]:
        return cases(
            ways,
            grid(request.groups, base),
            numerics=request.numerics,
            noise_trials=request.noise_trials,
            seed=request.seed,
        )

    with Evaluator(project, untried=True) as evaluator:
        kept, left_out = reachable_on_each(evaluator, bases(request.fixed, request.engines), chosen)
    objective = Objective({**LEARNING, **request.weights}, request.worst)
    problem = Problem(project.directory, wanted, kept, objective, transition, on=request.on)
    return replace(problem, hashes=problem_hashes(project, problem)), left_out


def transition_search_space(project: Project, transition: LearnedTransition, request: TransitionRequest) -> SearchSpace:
    """Return the constants of the source's last cycles, of the bridge and of the target's first phases."""
    parts = []
    phases = set(request.phases)

    def inside(parameter: Parameter) -> bool:
        return not parameter.is_argument

    def in_phases(parameter: Parameter) -> bool:
        return not parameter.is_argument and (not phases or parameter.phase in phases)

    character, kinds = project.character, request.quantities
    present, ground = _present(project, request) if request.refine else None, ground_of(request.on)

    def beginning(part: str, plain: Controller) -> Controller:
        return plain if present is None else present.applied(part, plain, ground)

    def space(part: str, plain: Controller, chosen: Callable[[Parameter], bool], tied: bool = False) -> SearchSpace:
        program = beginning(part, plain)
        # what the present edge has changed would be lost where it is not searched
        changed = np.flatnonzero(program.constants != plain.constants)
        moved = {program.parameters[int(i)].own_id for i in changed}
        exits = request.exits
        found = search_space(program, character, chosen=chosen, quantities=kinds, tied=tied, exits=exits, moved=moved)
        return found.of_part(part)

    if transition.source_cycles:
        parts.append(space("source", project.program(transition.source), inside, tied=True))
    if transition.bridge is not None:
        parts.append(space("bridge", project.compile(project.directory / transition.bridge), inside))
    parts.append(space("target", project.program(transition.target), in_phases))
    return joined(parts)


def naive_problem(problem: Problem) -> Problem:
    """Return the same cases when the target is simply switched to: nothing changed, nothing before it."""
    assert problem.transition is not None
    plain = replace(problem.transition, source_cycles=0, bridge=None, draft=None, target_cycles=None)
    # neither bridge nor learned constants are run
    hashes = {name: hashed for name, hashed in problem.hashes.items() if name not in ("bridge", "present edge")}
    return replace(problem, transition=plain, search_space=SearchSpace(()), on=None, hashes=hashes)


def present_problem(problem: Problem, edge: Edge) -> Problem:
    """Return the same cases over an edge of the graph, as it stands there."""
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
    """Return cases for verification, so many on each engine: all numbers of the source's cycles in turn, values between
    those of the axes, entries perturbed by `noise` or by the more that is asked for, seeds of their own, which are the
    same on each engine.

    Raises:
        CtrlGraphError: none can be entered.
    """
    source = project.graph.node(request.source)
    spread = replace(request, entries=max(request.entries, source.cycles[1] - source.cycles[0] + 1))
    evaluation_plans = transition_plans(project, spread)

    def chosen(base: Perturbations) -> list[Case]:
        asked = grid(between(request.groups), base)
        hows = dict.fromkeys(how.with_value("noise", max(noise, how.noise)) for how in asked)
        pairs = paired(evaluation_plans, list(hows))
        children = np.random.SeedSequence(seed).spawn(trials)
        return [Case(*next(pairs), int(child.generate_state(1)[0])) for child in children]

    with Evaluator(project, untried=True) as evaluator:
        return reachable_on_each(evaluator, bases(request.fixed, request.engines), chosen)[0]
