"""Cases: from which entries, in which worlds and under which perturbations candidates are tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import (
    ARROW,
    EvaluationPlan,
    evaluation_plan,
    is_cyclic,
    on_ground,
    split_target,
)
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.experiments.noise import trial_seed
from ctrlgraph.experiments.perturbation import Perturbations, axis_of
from ctrlgraph.optimization.problem import Case

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Evaluator
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.simulation.environment import Environment

NUMERICS: tuple[dict[str, float], ...] = ({}, {"step": 0.001}, {"quickstep": 50})
"""Half the time step, and the other solver: what holds only in one of them is no motion yet."""

ENTRY_NOISE = 0.02
"""Start-state noise of the entries with which `tune` and `integrate` try a script that is in no graph yet."""

ENTRY_CYCLES = 3
"""Different numbers of a gait's cycles in these entries."""

Groups = tuple[tuple[tuple[str, tuple[float, ...]], ...], ...]
"""Axes with their values, all combinations within a group."""

MASSES = ({"mass": 0.97}, {"mass": 1.03})


def entry_plans(graph: ControllerGraph, target: str, entries: int, only: Sequence[str] = ()) -> list[EvaluationPlan]:
    """Return the ways in which a node (or path) is entered, `entries` of each planned edge into it.

    They differ in how many cycles the source has done, and in how many the target is to do. A path is entered
    through the edges into its first node. `only` names the sources that count, where not all do.

    Raises:
        CtrlGraphError: there is no edge from a source that is named.
    """
    names = split_target(target)
    first = graph.node(names[0])
    # untried: its own edges need not exist yet
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
        way = evaluation_plan(graph, ARROW.join((source, *names)))
        found += with_cycles(graph, way, entries)
    return found


def with_cycles(graph: ControllerGraph, way: EvaluationPlan, entries: int) -> list[EvaluationPlan]:
    """Return the plan with other numbers of cycles, spread over their ranges."""
    source = graph.node(way.setup[-1].node)
    if not is_cyclic(source) and not any(is_cyclic(graph.node(segment.node)) for segment in way.test):
        return [way]
    found = []
    for i in range(entries):
        share = i / max(entries - 1, 1)
        last = replace(way.setup[-1], cycles=_spread(source.cycles, share))
        # long after a short start, short after a long one
        course = tuple(
            replace(segment, cycles=_spread(graph.node(segment.node).cycles, 1.0 - share)) for segment in way.test
        )
        found.append(replace(way, setup=(*way.setup[:-1], last), test=course))
    return list(dict.fromkeys(found))


def _spread(cycles: tuple[int, int], share: float) -> int:
    return round(cycles[0] + share * (cycles[1] - cycles[0]))


def noisy_entries(plans: Sequence[EvaluationPlan], base: Perturbations, trials: int, seed: int) -> list[Case]:
    """Return cases of a pair from perturbed entries, taking its plans in turn.

    Their seeds depend only on `seed`, the plans' target and the number of the case, so that `tune` and `integrate` try
    a script in the same cases.

    Args:
        plans: of one target, with different numbers of cycles.
        base: what else is perturbed; its own noise replaces `ENTRY_NOISE`.
        trials: number of cases.
        seed: of the trials.
    """
    how = base if base.noise else replace(base, noise=ENTRY_NOISE)
    return [Case(plans[i % len(plans)], how, trial_seed(seed, plans[0].target, (), i)) for i in range(trials)]


def grid(groups: Sequence[Sequence[tuple[str, Sequence[float]]]], fixed: Perturbations) -> list[Perturbations]:
    """Return all combinations of the values within each group, one after another, without doubles."""
    found = [fixed]
    for group in groups:
        names = [name for name, _ in group]
        for values in itertools.product(*(values for _, values in group)):
            found.append(fixed.with_values(zip(names, values, strict=True)))
    return list(dict.fromkeys(found))


def between(groups: Iterable[Iterable[tuple[str, Iterable[float]]]]) -> Groups:
    """Return the same axes with the middles between neighbouring values.

    Values with no neighbour on their side of the neutral one stay as they are: between a push forward and one
    backward there is none.
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
    """Return what holds in all cases, once for each engine; as it is where no engine is named."""
    return [fixed.with_value("engine", name) for name in dict.fromkeys(engines)] or [fixed]


def reachable_on_each(
    evaluator: Evaluator, bases: Iterable[Perturbations], choose: Callable[[Perturbations], Iterable[Case]]
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases that `choose` makes of each base, as `reachable`.

    Raises:
        CtrlGraphError: none is left of a base: what cannot be tried on an engine would hold on it unseen.
    """
    kept: list[Case] = []
    left_out: list[str] = []
    for base in bases:
        there, out = reachable(evaluator, choose(base))
        kept += there
        left_out += out
    return tuple(kept), tuple(left_out)


def paired(
    evaluation_plans: Sequence[EvaluationPlan], hows: Sequence[Perturbations]
) -> Iterator[tuple[EvaluationPlan, Perturbations]]:
    """Return plans and perturbations for ever, each with each other: a round takes every plan and every perturbation
    about equally often."""
    long, short = max(len(evaluation_plans), len(hows)), min(len(evaluation_plans), len(hows))
    while True:
        for shift, i in itertools.product(range(short), range(long)):
            k = (i + shift) % short
            yield (evaluation_plans[i], hows[k]) if len(evaluation_plans) == long else (evaluation_plans[k], hows[i])


def cases(
    evaluation_plans: Sequence[EvaluationPlan],
    perturbed: Sequence[Perturbations],
    *,
    numerics: bool = True,
    noise_trials: int = 1,
    everywhere: bool = False,
    seed: int,
) -> tuple[Case, ...]:
    """Return every plan unperturbed (with other numerics and masses, where asked), and every perturbation on the plans
    of the first source, in turn, or `everywhere` on all: in a perturbed world a longer setup may not hold yet.

    The seeds of what is drawn are children of `seed`.
    """
    found: list[tuple[EvaluationPlan, Perturbations]] = []
    for i, way in enumerate(evaluation_plans):
        found.append((way, perturbed[0]))
        if numerics:
            extra = [*NUMERICS[1:], *MASSES]
            chosen = extra if i == 0 else [extra[(i - 1) % len(extra)]] if i % 2 == 0 else []
            found += [(way, perturbed[0].with_values(each.items())) for each in chosen]
    near = [way for way in evaluation_plans if everywhere or way.setup[-1].node == evaluation_plans[0].setup[-1].node]
    for i, how in enumerate(perturbed[1:]):
        for k in range(noise_trials if how.drawn else 1):
            found.append((near[(i + k) % len(near)], how))
    # the same case twice is one, unless something is drawn in it
    found = [each for i, each in enumerate(found) if each[1].drawn or each not in found[:i]]
    children = np.random.SeedSequence(seed).spawn(len(found))
    return tuple(
        Case(way, how, int(child.generate_state(1)[0])) for (way, how), child in zip(found, children, strict=True)
    )


def reachable(evaluator: Evaluator, chosen: Iterable[Case]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the cases whose setup holds, each left over edges that are for its ground, and a sentence for each that is
    left out because its setup does not hold.

    Raises:
        CtrlGraphError: none is left.
    """
    kept, left_out = [], []
    broken: dict[tuple[EvaluationPlan, Environment], str] = {}
    for case in chosen:
        key = (case.evaluation_plan, case.how.environment)
        if key not in broken:
            entry = evaluator.entry(case.evaluation_plan, case.how.environment)
            broken[key] = f"{entry.node} {entry.outcome.reason}" if isinstance(entry, Failed) else ""
        if broken[key]:
            left_out.append(f"{case}: on the way, {broken[key]}")
        else:
            way = on_ground(evaluator.project.graph, case.evaluation_plan, case.how.environment.preview)
            kept.append(replace(case, evaluation_plan=way))
    if not kept:
        raise CtrlGraphError(f"no case can be entered: {left_out[0]}")
    return tuple(kept), tuple(left_out)
