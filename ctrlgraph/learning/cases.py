"""Cases: the entries, environments and perturbations in which candidates are evaluated."""

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
"""Half the time step, the other solver, and other masses. A motion must succeed with all of them."""

ENTRY_NOISE = 0.02
"""Start-state noise of the entries of a script that is not in the graph, for `tune` and `integrate`."""

ENTRY_CYCLES = 3
"""Number of different cycle counts of a gait in these entries."""

PerturbationGroup = Sequence[tuple[str, Sequence[float]]]
"""Axes of perturbations with their values. All combinations are cases."""


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """The constants that may change, and the cases in which candidates must succeed."""

    phases: tuple[int, ...] = ()
    """Phases of the scripts that may change. Empty: all."""
    quantities: tuple[str, ...] = tuple(PRIORS)
    fixed: Perturbations = field(default_factory=Perturbations)
    """Perturbations common to all cases."""
    groups: tuple[PerturbationGroup, ...] = ()
    """Perturbations under which candidates must succeed."""
    entries: int = 3
    """Number of different cycle counts of each entry."""
    numerics: bool = True
    """True adds cases with other time steps, solvers and masses."""
    noise_trials: int = 2
    """Number of cases of each random perturbation."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Additional weights of `problem.TERMS`."""
    worst: float = 1.0
    """Weight of the worst case relative to the mean of all cases."""
    on: Condition | None = None
    """Condition of the constants."""
    seed: int = 0
    engines: tuple[str, ...] = ()
    """Engines of all cases. Empty: that of `fixed`."""
    exits: bool = False
    """True allows parameters of safety exits."""


def entry_plans(graph: ControllerGraph, target: str, entries: int, only: Sequence[str] = ()) -> list[EvaluationPlan]:
    """Return the plans by which a node or path is entered.

    They differ in the number of cycles of the source and of the target. A path is entered through the edges into its
    first node.

    Args:
        graph: Graph with the edges.
        target: Node or path.
        entries: Number of plans for each planned edge into the target.
        only: Sources to use. Empty: all.

    Raises:
        CtrlGraphError: A named source has no edge into the target.
    """
    names = split_target(target)
    first = graph.node(names[0])
    # the edges of the target may not exist yet
    sources = [
        edge.source for edge in graph.edges if edge.planned and edge.target == first.name and edge.source != first.name
    ]
    missing = [name for name in only if name not in sources]
    if missing:
        raise CtrlGraphError(f"no planned edge leads from '{missing[0]}' to '{first.name}'")
    sources = [name for name in sources if name in only] if only else sources
    if not sources:
        return [evaluation_plan(graph, target)]
    found = []
    for source in dict.fromkeys(sources):
        plan = evaluation_plan(graph, ARROW.join((source, *names)))
        found += with_cycles(graph, plan, entries)
    return found


def with_cycles(graph: ControllerGraph, plan: EvaluationPlan, entries: int) -> list[EvaluationPlan]:
    """Return copies of a plan with other numbers of cycles, spread over their ranges.

    Args:
        graph: Graph with the ranges of cycles.
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
    """Return cases of a pair with perturbed entries. They use its plans in turn.

    Their seeds depend only on `seed`, the target and the index of the case, so `tune` and `integrate` use the same
    cases.

    Args:
        plans: Plans of one target with different numbers of cycles.
        base: Other perturbations. A noise in them replaces `ENTRY_NOISE`.
        trials: Number of cases.
        seed: Seed of the trials.
    """
    perturbations = base if base.noise else replace(base, noise=ENTRY_NOISE)
    return [Case(plans[i % len(plans)], perturbations, trial_seed(seed, plans[0].target, (), i)) for i in range(trials)]


def grid(groups: Sequence[PerturbationGroup], fixed: Perturbations) -> list[Perturbations]:
    """Return all combinations of the values within each group, without duplicates.

    Args:
        groups: Groups of perturbations.
        fixed: Perturbations common to all combinations. They are also returned as a combination without others.
    """
    found = [fixed]
    for group in groups:
        names = [name for name, _ in group]
        for values in itertools.product(*(values for _, values in group)):
            found.append(fixed.with_values(zip(names, values, strict=True)))
    return list(dict.fromkeys(found))


def between(groups: Iterable[PerturbationGroup]) -> tuple[PerturbationGroup, ...]:
    """Return the groups with the midpoints between neighbouring values.

    A value without a neighbour on the same side of the neutral value is kept: there is no useful midpoint between a
    push forward and one backward.
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
    """Return the fixed perturbations once for each engine, or unchanged if no engine is named.

    Args:
        fixed: Perturbations of all cases.
        engines: Names of engines.
    """
    return [fixed.with_value("engine", name) for name in dict.fromkeys(engines)] or [fixed]


def reachable_on_each(
    project: Project, bases: Iterable[Perturbations], choose: Callable[[Perturbations], Iterable[Case]]
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the reachable cases on each base, and a sentence for each case that is left out.

    Args:
        project: Project of the cases.
        bases: Perturbations of all cases, one entry for each engine.
        choose: Returns the cases of a base.

    Raises:
        CtrlGraphError: No case of a base is reachable.
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
    """Return the cases of a search, and a sentence for each case that is left out because its setup fails.

    Args:
        project: Project of the cases.
        request: Request of the search.
        plans: Plans of the cases.
        fixed: Perturbations of all cases.
        everywhere: True applies the perturbations to all plans, False only to those of the first source.

    Raises:
        CtrlGraphError: No case can be entered.
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
    """Yield pairs of a plan and perturbations without end. All plans and all perturbations occur about equally often.

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
    """Return the cases of plans and perturbations.

    Every plan is evaluated unperturbed. Perturbed cases cycle through the plans that share the first plan's source,
    since a longer setup may fail in a perturbed environment. Seeds of random perturbations are children of `seed`.

    Args:
        evaluation_plans: Plans. Those with the source of the first plan are also perturbed.
        perturbed: Perturbations. The first ones are common to all cases.
        numerics: True adds other time steps, solvers and masses.
        noise_trials: Number of cases of each random perturbation.
        everywhere: True applies the perturbations to all plans.
        seed: Seed of the random perturbations.
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
    """Return the cases with a successful setup, with edges that fit the terrain, and a sentence for each other case.

    Args:
        evaluator: Evaluator of the project.
        chosen: Cases to try.

    Raises:
        CtrlGraphError: No case has a successful setup.
    """
    kept, left_out = [], []
    broken: dict[tuple[EvaluationPlan, Environment], str] = {}
    for case in chosen:
        key = (case.evaluation_plan, case.perturbations.environment)
        if key not in broken:
            entry = evaluator.entry(case.evaluation_plan, case.perturbations.environment)
            broken[key] = f"{entry.node} {entry.outcome.reason}" if isinstance(entry, Failed) else ""
        if broken[key]:
            left_out.append(f"{case}: on the way, {broken[key]}")
        else:
            plan = on_ground(evaluator.project.graph, case.evaluation_plan, case.perturbations.environment.preview)
            kept.append(replace(case, evaluation_plan=plan))
    if not kept:
        raise CtrlGraphError(f"no case can be reached: {left_out[0]}")
    return tuple(kept), tuple(left_out)
