"""Cases: the evaluation plans and perturbations in which the candidates of a search are evaluated.

An *entry* is the initial state of a test. It depends on the node before the test and on the number of its cycles.
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
"""Axes of perturbations (names of `perturbation.AXES`), each with its values. All combinations are used."""


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """Options common to `tune` and `learn`: the constants that may change, and the cases of the candidates."""

    phases: tuple[int, ...] = ()
    """Numbers of the script phases whose constants may change. Empty: all."""
    quantities: tuple[str, ...] = tuple(PRIORS)
    """Kinds of constants that may change, keys of `search_space.PRIORS`."""
    fixed: Perturbations = field(default_factory=Perturbations)
    """Perturbations common to all cases."""
    groups: tuple[PerturbationGroup, ...] = ()
    """Further perturbations in which candidates must succeed. Within a group, all combinations are used."""
    entries: int = 3
    """Number of evaluation plans for each source, which differ in the cycle counts of source and target."""
    numerics: bool = True
    """True adds the cases of `VARIANTS`: other time steps, solvers and masses."""
    noise_trials: int = 2
    """Number of cases for each combination with a random perturbation."""
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
    """Return evaluation plans that enter a node or path by the planned (naive or learned) edges into its first node.

    The plans of one edge differ in the number of cycles of its source and of the target. Without any such edge, the
    result is the usual plan of the target.

    Args:
        graph: Graph with the edges.
        target: Node or path to test, such as "walk" or "walk -> run".
        entries: Number of plans for each edge, before duplicates are removed.
        only: Source nodes of the edges to use. Empty: all.

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
        raise CtrlGraphError(f"no naive or learned edge leads from '{missing[0]}' to '{first.name}'")
    sources = [name for name in sources if name in only] if only else sources
    if not sources:
        return [evaluation_plan(graph, target)]
    found = []
    for source in dict.fromkeys(sources):
        plan = evaluation_plan(graph, ARROW.join((source, *names)))
        found += with_cycles(graph, plan, entries)
    return found


def with_cycles(graph: ControllerGraph, plan: EvaluationPlan, entries: int) -> list[EvaluationPlan]:
    """Return copies of a plan with other numbers of cycles of its last setup node and of its tested nodes.

    The numbers are spread evenly over the ranges of the nodes. High numbers of the setup node come with low numbers of
    the tested nodes. A plan without a gait is returned unchanged.

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
    """Return cases of one target with start-state noise, which use the given plans in turn.

    The seed of a case depends only on `seed`, the target and the index of the case.

    Args:
        plans: Plans of the target, with different numbers of cycles.
        base: Perturbations of all cases. If they have no start-state noise, it is set to `ENTRY_NOISE`.
        trials: Number of cases.
        seed: Seed of all cases.
    """
    perturbations = base if base.noise else replace(base, noise=ENTRY_NOISE)
    return [Case(plans[i % len(plans)], perturbations, trial_seed(seed, plans[0].target, (), i)) for i in range(trials)]


def grid(groups: Sequence[PerturbationGroup], fixed: Perturbations) -> list[Perturbations]:
    """Return the fixed perturbations, then all combinations of the values within each group, without duplicates.

    Values of different groups are not combined.

    Args:
        groups: Groups of axes with their values.
        fixed: Perturbations common to all combinations.
    """
    found = [fixed]
    for group in groups:
        names = [name for name, _ in group]
        for values in itertools.product(*(values for _, values in group)):
            found.append(fixed.with_values(zip(names, values, strict=True)))
    return list(dict.fromkeys(found))


def between(groups: Iterable[PerturbationGroup]) -> tuple[PerturbationGroup, ...]:
    """Return the groups with the midpoints between neighbouring values in place of the values, for held-out cases.

    The neutral value of an axis (no perturbation) separates its values: there is no useful midpoint between a push
    forward and a push backward. A value without a neighbour on its side of the neutral value is kept.

    Args:
        groups: Groups of axes with the values that the search used.
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
    """Return the fixed perturbations once for each engine, or once unchanged if no engine is given.

    Args:
        fixed: Perturbations common to all cases.
        engines: Names of engines.
    """
    return [fixed.with_value("engine", name) for name in dict.fromkeys(engines)] or [fixed]


def reachable_on_each(
    project: Project, bases: Iterable[Perturbations], choose: Callable[[Perturbations], Iterable[Case]]
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases of all engines whose setup succeeds, and a message for each skipped case.

    Args:
        project: Project of the cases.
        bases: Perturbations common to all cases, one item for each engine (see `bases`).
        choose: Returns the cases for one of `bases`.

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
        fixed: Perturbations common to all cases.
        everywhere: True applies the request's perturbations to all plans, False only to the plans whose setup ends
            with the same node as that of the first plan.

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
    """Yield pairs of a plan and perturbations in an endless loop over all pairs.

    All plans and all perturbations occur about equally often, even in a short beginning of the loop.

    Args:
        evaluation_plans: Plans to combine.
        perturbations: Perturbations to combine.
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
    """Return the cases of a search for some plans and perturbations.

    Every plan has a case with the first perturbations (those common to all cases). Each of the other perturbations has
    a case with one plan, or `noise_trials` cases if it is random. These cases use in turn the plans whose setup ends
    with the same node as that of the first plan, since a longer setup may fail in a perturbed environment.

    Args:
        evaluation_plans: Plans to evaluate.
        perturbed: Perturbations, as returned by `grid`: first those common to all cases.
        numerics: True adds cases of `VARIANTS`: all of them for the first plan, one for every second other plan.
        noise_trials: Number of cases for each combination with a random perturbation.
        everywhere: True uses all plans for the perturbed cases.
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
    """Return the cases whose setup succeeds, and a message for each skipped case.

    The recovery of each returned case follows the edges that fit the terrain of the case.

    Args:
        evaluator: Evaluator that simulates the setups.
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
            left_out.append(f"{case}: on the way, {broken[key]}")
        else:
            plan = on_ground(evaluator.project.graph, case.evaluation_plan, case.perturbations.environment.preview)
            kept.append(replace(case, evaluation_plan=plan))
    if not kept:
        raise CtrlGraphError(f"no case can be reached, because every setup fails: {left_out[0]}")
    return tuple(kept), tuple(left_out)
