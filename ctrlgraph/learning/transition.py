"""Transitions to learn: the request, the search problem made from it, and the held-out cases for its validation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.control.kinds import SCRIPT
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import CtrlGraphError, SourceError
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
from ctrlgraph.learning.problem import BEFORE_S, Case, LearnedTransition, Objective, Problem
from ctrlgraph.learning.scheduling import ground_of
from ctrlgraph.learning.search_space import NothingToChange, SearchSpace, joined, search_space
from ctrlgraph.learning.tuning import check_weights
from ctrlgraph.paths import LEARNED_DIRECTORY, contained
from ctrlgraph.project.learned import apply_constants
from ctrlgraph.robustness.evaluation_plan import ARROW, EvaluationPlan, evaluation_plan, is_cyclic
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Edge, Node
    from ctrlgraph.project.learned import LearnedSource
    from ctrlgraph.project.project import Project


BY_PATH = "path"
"""Value of `TransitionRequest.bridge` for a bridging script by path: it runs the motions of the nodes between source
and target on the shortest path of the graph.
"""

MOTION_S = 4.0
"""Expected duration of one motion in a bridging script by path, s."""


@dataclass(frozen=True)
class TransitionRequest(SearchRequest):
    """Request to learn a transition: source and target nodes, and what runs between them."""

    source: str
    """Name of the source node."""
    target: str
    """Name of the target node."""
    source_cycles: int = 0
    """Number of additional cycles of the source with learned constants. The source must be a gait, unless this is 0."""
    bridge: int | str = 0
    """Bridging script: the number of phases of a proposed script from pose to pose (0: no script), BY_PATH, or the path
    of a script in the project.
    """
    target_cycles: int | None = None
    """Number of first cycles of the target with learned constants. None: all."""
    refine: bool = False
    """True: the search starts from the constants of the learned edge in the graph (see `refined`)."""


def refined(project: Project, request: TransitionRequest) -> TransitionRequest:
    """Return a copy of a request whose search starts from the learned edge in the graph and has the parts of this edge.

    Args:
        project: Project with the graph.
        request: Request to copy.

    Raises:
        CtrlGraphError: The graph has no learned edge from the source to the target.
        SourceError: The file of the edge has errors, or it has constants for several grounds and its scripts have
            changed since it was learned.
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
    """Return the file of the learned edge that the graph already has between source and target of a request.

    The file can be stale, but not if it has constants for several grounds, because those for other grounds would be
    lost.

    Raises:
        CtrlGraphError: The graph has no such learned edge.
        SourceError: The file has errors, or is stale and has constants for several grounds.
    """
    edge = project.graph.planned_edge(request.source, request.target)
    if edge is None or edge.parameters is None:
        raise CtrlGraphError(
            f"there is no learned edge {request.source} -> {request.target} to refine: learn it without --refine first"
        )
    present, findings = project.resolver.learned(edge.parameters), project.resolver.findings(edge)
    if findings and (present.file.varies or any(each.code != "stale-constants" for each in findings)):
        raise SourceError(findings)
    return present


def usual_edge(project: Project, target: str) -> str:
    """Return the edge by which a node is usually entered, such as "stand->walk".

    It is the last edge of the shortest path of planned (naive or learned) edges from the start node to `target`. For
    the start node itself, it is the first planned edge into it.

    Args:
        project: Project with the graph.
        target: Name of the node.

    Raises:
        CtrlGraphError: No path of planned edges leads to the node, or no planned edge leads into the start node.
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
        raise CtrlGraphError(f"no naive or learned edge leads to '{target}': a search needs one for comparison")
    return ARROW.join((before, target))


def transition_plans(project: Project, request: TransitionRequest) -> list[EvaluationPlan]:
    """Return evaluation plans of a transition to learn: they test the target after the source.

    The plans differ in the numbers of cycles of source and target.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        CtrlGraphError: A node does not exist, or the source or a static pose after the target cannot be reached.
    """
    plan = evaluation_plan(project.graph, ARROW.join((request.source, request.target)), untried=True)
    # no edge: the controller is that of the transition
    plan = replace(plan, test=(replace(plan.test[0], edge=None),))
    return with_cycles(project.graph, plan, request.entries)


def transition_of(project: Project, request: TransitionRequest) -> LearnedTransition:
    """Return the parts of a learned edge: additional source cycles, a bridging script and the target.

    If a bridging script is proposed, its text is added to `project` in memory, as if it were a file.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        CtrlGraphError: The source is not a gait but has additional cycles, the number of target cycles is out of
            range, the controllers cannot be joined, or the bridging script cannot be made.
    """
    graph = project.graph
    source, target = graph.node(request.source), graph.node(request.target)
    if request.source_cycles and not is_cyclic(source):
        raise CtrlGraphError(f"'{source.name}' is not a gait and has no additional cycles: give --source-cycles 0")
    if request.target_cycles is not None and not 1 <= request.target_cycles <= target.cycles[1]:
        most = target.cycles[1]
        raise CtrlGraphError(f"--target-cycles of '{target.name}' must be 1 to {most}, not {request.target_cycles}")
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
        before_s=MOTION_S * len(_between(project, request)) if request.bridge == BY_PATH else BEFORE_S,
        draft=draft,
    )


def _require_joinable(source: Node, target: Node, request: TransitionRequest) -> None:
    """Check that the controllers of a transition can be joined into one: all of them must run scripts.

    Args:
        source: Source node.
        target: Target node.
        request: Transition to learn.

    Raises:
        CtrlGraphError: The transition has several parts, and one of the nodes in it does not run a script.
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
    """Return the path of a request's bridging script, relative to the project, and the text of a proposed script.

    Both are None without a bridging script. The text is None for an existing script.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        NothingToChange: The script should run the nodes of the shortest path, but there is no path of scripts.
        CtrlGraphError: The script lies outside the project, or a node fails before the start or end pose of a proposed
            script.
    """
    name = f"{request.source}_to_{request.target}"
    draft = f"{LEARNED_DIRECTORY}/{name}.t"
    contained(project.directory, draft)
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
    return draft, propose_bridge(name, project.character, start, goal, phases=request.bridge)


def _between(project: Project, request: TransitionRequest) -> list[Node]:
    """Return the nodes between source and target on the shortest path of planned edges, without the two themselves.

    Raises:
        NothingToChange: There is no such node, or a node does not run a script that can be called by name.
    """
    import networkx as nx

    graph, other_edges = project.graph, project.graph.planned_graph.copy()
    other_edges.remove_edges_from([(request.source, request.target)])  # the edge may have been learned before
    between: list[Node] = []
    with suppress(nx.NetworkXNoPath):
        path = nx.shortest_path(other_edges, request.source, request.target, weight="length")
        between = [graph.node(name) for name in path[1:-1]]
    if not between or not all(_can_call(project, node) for node in between):
        raise NothingToChange(
            f"no path of nodes can bridge '{request.source}' and '{request.target}': none exists, or a node"
            " on the path does not run a script that another script can call by name"
        )
    return between


def _can_call(project: Project, node: Node) -> bool:
    """Return True if another script can call the script of a node by its name."""
    script = project.directory / node.file
    return (
        node.controller == SCRIPT
        and script.stem.isidentifier()
        and project.library.candidates(script.stem) == (script,)
    )


def transition_problem(project: Project, request: TransitionRequest) -> tuple[Problem, tuple[str, ...]]:
    """Return the search problem for learning a transition, and a message for each case skipped because its setup fails.

    Args:
        project: Project with the graph.
        request: Transition to learn.

    Raises:
        NothingToChange: No constant of the transition may change, or the bridge by the shortest path does not exist.
        CtrlGraphError: A weight is invalid, a part of the edge does not fit the graph (see `transition_of`), or the
            setup of every case on an engine fails.
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
    """Return the parameters that may change in the parts of an edge: source cycles, bridging script, and target.

    Args:
        project: Project with the graph.
        transition: Parts of the edge that is learned.
        request: Transition to learn, with the phases of the target and the quantities that may change.

    Raises:
        NothingToChange: No parameter of the target, or of the source cycles if there are any, may change.
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
        known = None if present is None else present.file.parts.get(part)
        program = plain
        if present is not None and known is not None:
            ids = {parameter.id for parameter in plain.parameters}  # the script may have lost some since
            constants = [each for each in known.constants if each.id in ids]
            program = apply_constants(plain, constants, present.file.condition, ground)
        # changes by the learned edge in the graph that are outside the search space would be lost
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
    """Return a problem for testing the direct transition in the cases of a transition that is learned.

    The target runs directly after the source, with its original constants. The search space is empty.
    """
    assert problem.transition is not None
    plain = replace(problem.transition, source_cycles=0, bridge=None, draft=None, target_cycles=None)
    # without bridge and learned constants
    hashes = {name: hashed for name, hashed in problem.hashes.items() if name not in ("bridge", "present edge")}
    return replace(problem, transition=plain, search_space=SearchSpace(()), on=None, hashes=hashes)


def present_problem(problem: Problem, edge: Edge) -> Problem:
    """Return a problem for testing an existing edge of the graph in the cases of another problem.

    The edge runs as it is. The search space is empty.

    Args:
        problem: Search problem with the cases.
        edge: Edge of the graph with the same source and target.
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
    """Return held-out cases for the validation of a transition. They are the same on each engine.

    The cases use all cycle counts of the source in turn. Their perturbations lie between those of the search, and all
    have start-state noise. Cases whose setup fails are skipped.

    Args:
        project: Project with the graph.
        request: Transition that was learned.
        trials: Number of cases on each engine, before cases whose setup fails are skipped.
        noise: Minimum start-state noise: random torques as a share of the torque limits.
        seed: Seed of the random perturbations.

    Raises:
        CtrlGraphError: On one engine, the setup of every case fails.
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
