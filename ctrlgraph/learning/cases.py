"""Cases: the evaluation plans and perturbations in which the candidates of a search are evaluated.

An *entry* is the initial state of a test. It depends on the node before the test and on its number of cycles.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.problem import Case
from ctrlgraph.learning.scheduling import Condition
from ctrlgraph.learning.search_space import PRIORS
from ctrlgraph.robustness.evaluation_plan import (
    ARROW,
    EvaluationPlan,
    evaluation_plan,
    is_cyclic,
    on_ground,
    split_target,
)
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.noise import trial_seed
from ctrlgraph.robustness.perturbation import Perturbations, axis_of

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment

VARIANTS: tuple[dict[str, float], ...] = ({"step": 0.001}, {"quickstep": 50}, {"mass": 0.97}, {"mass": 1.03})
"""Perturbations of the numerics and the masses: half the time step, the quick solver, 3 % lighter, 3 % heavier."""

ENTRY_NOISE = 0.02
"""Start-state noise of trials from perturbed initial states, in `tune` and `integrate`."""

ENTRY_CYCLES = 3
"""Number of different cycle counts of a gait in the trials of `integrate`."""

PerturbationGroup = Sequence[tuple[str, Sequence[float]]]
"""Perturbations to combine, each as (name, values). Trials use all combinations of their values."""


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """Options common to `tune` and `learn`: the constants that may change, and the cases of the candidates."""

    phases: tuple[int, ...] = ()
    """Numbers of the script phases whose constants may change. Empty: all."""
    quantities: tuple[str, ...] = tuple(PRIORS)
    """Kinds of constants that may change, keys of `search_space.PRIORS`."""
    fixed: Perturbations = field(default_factory=Perturbations)
    """Perturbations that are the same in all cases."""
    groups: tuple[PerturbationGroup, ...] = ()
    """Further perturbations under which candidates must succeed: each group is a list of (name, values), of which all
    combinations are used.
    """
    entries: int = 3
    """Number of evaluation plans for each source, which differ in the cycle counts of source and target."""
    numerics: bool = True
    """True adds the cases of `VARIANTS`: other time steps, solvers and masses."""
    noise_trials: int = 2
    """Number of cases for each combination of perturbations that contains a random one."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weights of cost terms that replace the default weights, by name (see `problem.TERMS`)."""
    worst: float = 1.0
    """Weight of the worst case relative to the mean of all cases."""
    on: Condition | None = None
    """Slope or obstacle for which gain-scheduled constants are searched. None: the constants do not depend on it."""
    seed: int = 0
    """Seed of the random perturbations."""
    engines: tuple[str, ...] = ()
    """Names of the engines. Each engine has all cases. Empty: the engine of `fixed`."""
    exits: bool = False
    """True also allows parameters of safety exits to change."""


def entry_plans(graph: ControllerGraph, target: str, entries: int, only: Sequence[str] = ()) -> list[EvaluationPlan]:
    """Return evaluation plans that test a target after each node that has a planned (naive or learned) edge to it.

    The plans of one edge differ in the number of cycles of the edge's source and of the target. If no edge leads to the
    target, the result is the plan of the target alone.

    Args:
        graph: Graph with the edges.
        target: Node or path to test, such as "walk" or "walk -> run".
        entries: Number of plans for each edge, before duplicates are removed.
        only: Names of the source nodes whose edges are used. Empty: all.

    Raises:
        CtrlGraphError: No planned edge leads from a node in `only` to the target, or a node does not exist.
    """
    names = split_target(target)
    first = graph.node(names[0])
    # the edges of the target may not exist yet
    sources = [
        edge.source for edge in graph.edges if edge.planned and edge.target == first.name and edge.source != first.name
    ]
    missing = [name for name in only if name not in sources]
    if missing:
        raise CtrlGraphError(
            f"no naive or learned edge leads from '{missing[0]}' to '{first.name}': add one, or omit '{missing[0]}'"
        )
    sources = [name for name in sources if name in only] if only else sources
    if not sources:
        return [evaluation_plan(graph, target)]
    found = []
    for source in dict.fromkeys(sources):
        found += with_cycles(graph, evaluation_plan(graph, ARROW.join((source, *names))), entries)
    return found


def with_cycles(graph: ControllerGraph, plan: EvaluationPlan, entries: int) -> list[EvaluationPlan]:
    """Return copies of an evaluation plan with other numbers of cycles in the test and of the node just before it.

    The numbers are spread evenly over the ranges of the nodes. High numbers of the node before the test are combined
    with low numbers of the tested nodes. If none of these nodes is a gait, the result is the plan unchanged.

    Args:
        graph: Graph with the range of cycles of each node.
        plan: Plan to vary.
        entries: Number of copies, before duplicates are removed.
    """
    source = graph.node(plan.setup[-1].node)
    if not is_cyclic(source) and not any(is_cyclic(graph.node(segment.node)) for segment in plan.test):
        return [plan]
    found = []
    for i in range(entries):
        share = i / max(entries - 1, 1)
        last = replace(plan.setup[-1], cycles=_spread(source.cycles, share))
        # many cycles of the target are combined with few of the source, and vice versa
        course = tuple(
            replace(segment, cycles=_spread(graph.node(segment.node).cycles, 1.0 - share)) for segment in plan.test
        )
        found.append(replace(plan, setup=(*plan.setup[:-1], last), test=course))
    return list(dict.fromkeys(found))


def _spread(cycles: tuple[int, int], share: float) -> int:
    return round(cycles[0] + share * (cycles[1] - cycles[0]))


def noisy_entries(plans: Sequence[EvaluationPlan], base: Perturbations, trials: int, seed: int) -> list[Case]:
    """Return cases in which one target is tested after random torques and pushes. They use the given plans in turn.

    The seed of a case depends only on `seed`, the target and the index of the case.

    Args:
        plans: Plans of the target, with different numbers of cycles.
        base: Perturbations of all cases. Without start-state noise (random torques and pushes), `ENTRY_NOISE` is added.
        trials: Number of cases.
        seed: Seed of all cases.
    """
    perturbations = base if base.noise else replace(base, noise=ENTRY_NOISE)
    return [Case(plans[i % len(plans)], perturbations, trial_seed(seed, plans[0].target, (), i)) for i in range(trials)]


def grid(groups: Sequence[PerturbationGroup], fixed: Perturbations) -> list[Perturbations]:
    """Combine perturbations: the fixed ones alone, then each combination of values within a group, without duplicates.

    Values of different groups are not combined.

    Args:
        groups: Groups of perturbations, each perturbation as (name, values).
        fixed: Perturbations that are the same in all combinations.
    """
    found = [fixed]
    for group in groups:
        names = [name for name, _ in group]
        for values in itertools.product(*(values for _, values in group)):
            found.append(fixed.with_values(zip(names, values, strict=True)))
    return list(dict.fromkeys(found))


def between(groups: Iterable[PerturbationGroup]) -> tuple[PerturbationGroup, ...]:
    """Replace the values of perturbations by the midpoints between neighbouring values, for held-out cases.

    The neutral value of an axis (no perturbation) separates its values: there is no useful midpoint between a push
    forward and a push backward. A value without a neighbour on its side of the neutral value is kept.

    Args:
        groups: Groups of perturbations, each as (name, values that the search used).
    """
    return tuple(tuple((name, _middles(name, values)) for name, values in group) for group in groups)


def _middles(name: str, values: Iterable[float]) -> tuple[float, ...]:
    neutral, ordered = axis_of(name).neutral, sorted(values)
    sides = [[v for v in ordered if v <= neutral], [v for v in ordered if v >= neutral]]
    found: list[float] = []
    for side in sides:
        middles = [round(0.5 * (a + b), 9) for a, b in itertools.pairwise(side)]
        found += middles or [v for v in side if v != neutral]
    return tuple(dict.fromkeys(found)) or tuple(ordered)


def bases(fixed: Perturbations, engines: Sequence[str]) -> list[Perturbations]:
    """Return a copy of the fixed perturbations for each engine. If no engine is given, return them once unchanged.

    Args:
        fixed: Perturbations that are the same in all cases.
        engines: Names of engines.
    """
    return [fixed.with_value("engine", name) for name in dict.fromkeys(engines)] or [fixed]


def reachable_on_each(
    project: Project, bases: Iterable[Perturbations], choose: Callable[[Perturbations], Iterable[Case]]
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases of all engines that can be tested, and a message for each case whose setup fails.

    Args:
        project: Project of the cases.
        bases: Perturbations that are the same in all cases of an engine, one item for each engine (see `bases`).
        choose: Called with each item of `bases`; returns the cases of that engine.

    Raises:
        CtrlGraphError: On one engine, the setup of every case fails.
    """
    kept: list[Case] = []
    left_out: list[str] = []
    with Evaluator(project, untried=True) as evaluator:
        for base in bases:
            there, out = reachable(evaluator, choose(base))
            kept += there
            left_out += out
    return tuple(kept), tuple(left_out)


def search_cases(
    project: Project,
    request: SearchRequest,
    plans: Sequence[EvaluationPlan],
    fixed: Perturbations,
    *,
    everywhere: bool = False,
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases of a search, and a message for each case that is skipped because its setup fails.

    Args:
        project: Project of the cases.
        request: Request with the perturbations, the engines and the seed.
        plans: Evaluation plans of the cases.
        fixed: Perturbations that are the same in all cases.
        everywhere: True: the request's perturbations are used with all plans. False: only with plans in which the
            test follows the same node as in the first plan.

    Raises:
        CtrlGraphError: On one engine, the setup of every case fails.
    """

    def chosen(base: Perturbations) -> tuple[Case, ...]:
        return cases(
            plans,
            grid(request.groups, base),
            numerics=request.numerics,
            noise_trials=request.noise_trials,
            everywhere=everywhere,
            seed=request.seed,
        )

    return reachable_on_each(project, bases(fixed, request.engines), chosen)


def paired(
    evaluation_plans: Sequence[EvaluationPlan], perturbations: Sequence[Perturbations]
) -> Iterator[tuple[EvaluationPlan, Perturbations]]:
    """Yield all pairs (plan, perturbations) again and again, without end.

    All plans and all perturbations occur about equally often, even among the first few pairs.

    Args:
        evaluation_plans: Evaluation plans to combine with perturbations.
        perturbations: Perturbations to combine with plans.
    """
    long, short = max(len(evaluation_plans), len(perturbations)), min(len(evaluation_plans), len(perturbations))
    while True:
        for shift, i in itertools.product(range(short), range(long)):
            k = (i + shift) % short
            plan, other = (i, k) if len(evaluation_plans) == long else (k, i)
            yield evaluation_plans[plan], perturbations[other]


def cases(
    evaluation_plans: Sequence[EvaluationPlan],
    perturbed: Sequence[Perturbations],
    *,
    numerics: bool = True,
    noise_trials: int = 1,
    everywhere: bool = False,
    seed: int,
) -> tuple[Case, ...]:
    """Combine evaluation plans and perturbations into the cases of a search.

    Every plan has a case with the first perturbations (those of all cases). Each of the other perturbations has a case
    with one plan, or `noise_trials` cases if it is random. These cases use in turn the plans in which the test follows
    the same node as in the first plan, since a longer setup may fail in a perturbed environment.

    Args:
        evaluation_plans: Plans to evaluate.
        perturbed: Combinations of perturbations, as returned by `grid`: first those of all cases.
        numerics: True adds cases of `VARIANTS`: all of them for the first plan, one for every second other plan.
        noise_trials: Number of cases for each combination of perturbations that contains a random one.
        everywhere: True: all plans are used for the perturbed cases.
        seed: Seed from which the seeds of all cases are derived.
    """
    found: list[tuple[EvaluationPlan, Perturbations]] = []
    for i, plan in enumerate(evaluation_plans):
        found.append((plan, perturbed[0]))
        if numerics:
            # all variants of the first plan, then one variant of every other plan in turn
            chosen = VARIANTS if i == 0 else (VARIANTS[(i - 1) % len(VARIANTS)],) if i % 2 == 0 else ()
            found += [(plan, perturbed[0].with_values(each.items())) for each in chosen]
    near = [
        plan for plan in evaluation_plans if everywhere or plan.setup[-1].node == evaluation_plans[0].setup[-1].node
    ]
    for i, perturbations in enumerate(perturbed[1:]):
        for k in range(noise_trials if perturbations.drawn else 1):
            found.append((near[(i + k) % len(near)], perturbations))
    # equal cases count once unless a perturbation is random
    found = [each for i, each in enumerate(found) if each[1].drawn or each not in found[:i]]
    children = np.random.SeedSequence(seed).spawn(len(found))
    return tuple(
        Case(plan, perturbations, int(child.generate_state(1)[0]))
        for (plan, perturbations), child in zip(found, children, strict=True)
    )


def reachable(evaluator: Evaluator, chosen: Iterable[Case]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases whose setup (the nodes before the test) succeeds, and a message for each skipped case.

    After the test, each returned case recovers by edges that are allowed on its terrain.

    Args:
        evaluator: Evaluator that simulates the nodes before the tests.
        chosen: Cases to try.

    Raises:
        CtrlGraphError: The setup of every case fails.
    """
    kept, left_out = [], []
    broken: dict[tuple[EvaluationPlan, Environment], str] = {}
    for case in chosen:
        key = (case.evaluation_plan, case.perturbations.environment)
        if key not in broken:
            entry = evaluator.entry(case.evaluation_plan, case.perturbations.environment)
            broken[key] = f"{entry.node}: {entry.outcome.reason}" if isinstance(entry, Failed) else ""
        if broken[key]:
            left_out.append(f"{case}: before the test, {broken[key]}")
        else:
            plan = on_ground(evaluator.project.graph, case.evaluation_plan, case.perturbations.environment.preview)
            kept.append(replace(case, evaluation_plan=plan))
    if not kept:
        raise CtrlGraphError(
            f"no case can be tested, because a node before the tested node fails: correct that node ({left_out[0]})"
        )
    return tuple(kept), tuple(left_out)
