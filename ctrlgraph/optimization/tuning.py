"""Tuning: a controller's own constants against its success conditions and a set of perturbations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.rewrite import with_constants
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, split_target
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.optimization.cases import (
    ENTRY_CYCLES,
    ENTRY_NOISE,
    bases,
    between,
    cases,
    entry_plans,
    grid,
    noisy_entries,
    paired,
    reachable_on_each,
)
from ctrlgraph.optimization.evaluation import problem_hashes
from ctrlgraph.optimization.objective import TUNING
from ctrlgraph.optimization.problem import TERMS, Case, Objective, Problem
from ctrlgraph.optimization.scheduling import Condition, ground_of
from ctrlgraph.optimization.search_space import PRIORS, SearchSpace, joined, may_change, search_space
from ctrlgraph.yaml_source import with_numbers

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

YAML_SUFFIXES = (".yaml", ".yml")
"""Of the files of all kinds but scripts."""

HELD_OUT = 1_000_000
"""Held-out cases are drawn with the search's seed and so much more: with a seed of their own."""

Group = Sequence[tuple[str, Sequence[float]]]
"""Axes of perturbations with their values, all combinations of which are cases."""


@dataclass(frozen=True)
class TuningRequest:
    """What is to be tuned, and against what.

    target: a node, an edge or a path; scripts: of which nodes the constants may change (those of the target where
    empty); phases: numbers of phases (all where empty); groups: perturbations; entries: numbers of cycles tried
    on each edge into the target; sources: of these edges (all where empty); weights: of problem.TERMS, beside the
    usual ones; shared: also constants of scripts that the nodes' own scripts call; on: the ground for which they are
    adapted, instead of tuning the scripts; engines: on each of which every case is tried; where none is named,
    that of `fixed`; exits: also numbers of safety exits; onward:
    whether the way on to a static pose has to hold, too.
    """

    target: str
    scripts: tuple[str, ...] = ()
    phases: tuple[int, ...] = ()
    quantities: tuple[str, ...] = tuple(PRIORS)
    groups: tuple[Group, ...] = ()
    fixed: Perturbations = field(default_factory=Perturbations)
    entries: int = 2
    sources: tuple[str, ...] = ()
    numerics: bool = True
    noise_trials: int = 2
    weights: Mapping[str, float] = field(default_factory=dict)
    worst: float = 1.0
    shared: bool = False
    on: Condition | None = None
    seed: int = 0
    engines: tuple[str, ...] = ()
    exits: bool = False
    onward: bool = True


def everywhere(request: TuningRequest) -> Perturbations:
    """Return the perturbations of all cases, the ground that is adapted to among them."""
    if request.on is None or request.on[0] != "slope":
        return request.fixed
    return request.fixed.with_value(*request.on)


def tuning_problem(project: Project, request: TuningRequest) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem, and a sentence for each case that is left out because its setup fails.

    Raises:
        CtrlGraphError: there is nothing to tune, or no case can be entered.
        SourceError: a script has errors.
    """
    check_weights(request.weights)
    nodes = request.scripts or split_target(request.target)
    for node in nodes if request.on is None else ():
        if not any(parameter.column for parameter in project.controller(node).parameters):
            raise CtrlGraphError(
                f"what is found is written into the file, and that of '{node}', of the kind"
                f" '{project.graph.node(node).controller}', has no number that could be: with --on it goes into a"
                " learned file, which any kind can have"
            )
    wanted = joined(node_search_space(project, node, request) for node in nodes)
    evaluation_plans = _plans(project, request, request.entries)

    def chosen(base: Perturbations) -> tuple[Case, ...]:
        return cases(
            evaluation_plans,
            grid(request.groups, base),
            numerics=request.numerics,
            noise_trials=request.noise_trials,
            everywhere=bool(request.sources),
            seed=request.seed,
        )

    with Evaluator(project, untried=True) as evaluator:
        kept, left_out = reachable_on_each(evaluator, bases(everywhere(request), request.engines), chosen)
    return _problem(project, wanted, kept, request), left_out


def _plans(project: Project, request: TuningRequest, entries: int) -> list[EvaluationPlan]:
    plans = entry_plans(project.graph, request.target, entries, request.sources)
    return plans if request.onward else [replace(plan, recovery=()) for plan in plans]


def _by_source(plans: Iterable[EvaluationPlan]) -> list[list[EvaluationPlan]]:
    found: dict[str, list[EvaluationPlan]] = {}
    for plan in plans:
        found.setdefault(plan.setup[-1].node, []).append(plan)
    return list(found.values())


def check_quantities(words: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of constants that may change: those named, or all.

    Raises:
        CtrlGraphError: a kind is unknown.
    """
    unknown = [word for word in words if word not in PRIORS]
    if unknown:
        raise CtrlGraphError(f"there is no kind of constant '{unknown[0]}', only {', '.join(PRIORS)}")
    return tuple(words) or tuple(PRIORS)


def check_weights(weights: Mapping[str, float]) -> None:
    """
    Raises:
        CtrlGraphError: a term is unknown, or its weight is negative or no number.
    """
    unknown = [name for name in weights if name not in TERMS]
    if unknown:
        raise CtrlGraphError(f"there is no term '{unknown[0]}' to be weighed, only {', '.join(TERMS)}")
    for name, weight in weights.items():
        if not 0.0 <= weight < math.inf:
            raise CtrlGraphError(f"the weight of {name} must be a finite number of at least 0, not {weight:g}")


def _problem(project: Project, wanted: SearchSpace, kept: tuple[Case, ...], request: TuningRequest) -> Problem:
    objective = Objective({**TUNING, **request.weights}, request.worst)
    nodes = request.scripts or split_target(request.target)
    problem = Problem(
        project.directory, wanted, kept, objective, on=request.on, adapting=() if request.on is None else nodes
    )
    return replace(problem, hashes=problem_hashes(project, problem))


def node_search_space(project: Project, node: str, request: TuningRequest) -> SearchSpace:
    """Return the constants of a node's own script, or of the chosen phases of it.

    Those of the scripts that it calls are added where the request says so, and where it has none of its own.

    Raises:
        CtrlGraphError: there is nothing to change.
    """
    program = project.controller(node, ground_of(request.on))
    own = Path(program.path).absolute()

    def is_own(parameter: Parameter) -> bool:
        return Path(parameter.path).absolute() == own

    def in_file(parameter: Parameter) -> bool:
        if parameter.is_argument:
            return False  # it stands in the graph file
        return request.on is not None or parameter.column != 0  # its file leaves it out

    kinds = set(request.quantities)
    usable = [p for p in program.parameters if in_file(p) and may_change(p, kinds, exits=request.exits)]
    called = request.shared or not any(map(is_own, usable))
    phases = set(request.phases)

    def chosen(parameter: Parameter) -> bool:
        return in_file(parameter) and (called or is_own(parameter)) and (not phases or parameter.phase in phases)

    return search_space(program, project.character, chosen=chosen, quantities=kinds, exits=request.exits)


def called_files(found: SearchSpace, project: Project, nodes: Iterable[str]) -> list[Path]:
    """Return the files of a search space that are none of the nodes' own: scripts that these call."""
    own = {Path(project.controller(node).path).absolute() for node in nodes}
    return [path for path in dict.fromkeys(Path(p.path) for p in _written(found)) if path.absolute() not in own]


def rewritten(found: SearchSpace, x: Sequence[float] | NDArray[np.float64]) -> dict[Path, str]:
    """Return the texts of scripts, and of the files of other kinds, with the values at x in place; layout and comments
    stay. The texts are without a byte order mark, which `write_texts` keeps.

    Raises:
        CtrlGraphError: a file cannot be read.
    """
    by_file: dict[Path, dict[tuple[int, int], float]] = {}
    values = found.values(x).get("", {})
    for parameter in _written(found):
        place = parameter.line, parameter.column
        by_file.setdefault(Path(parameter.path), {})[place] = values[parameter.id]
    texts = {}
    for file, changes in by_file.items():
        before = file.read_bytes().decode("utf-8-sig")  # line ends stay as they are
        change = with_numbers if file.suffix in YAML_SUFFIXES else with_constants
        texts[file] = change(before, changes)
    return texts


def sources(found: SearchSpace) -> dict[Path, bytes]:
    """Return what the files hold that `rewritten` writes anew: places in them are those of when the search began.

    Raises:
        OSError: one cannot be read.
    """
    return {path: path.read_bytes() for path in {Path(parameter.path) for parameter in _written(found)}}


def _written(found: SearchSpace) -> Iterator[Parameter]:
    """The numbers of nodes' own files, by the values of no edge."""
    own = found.values(np.zeros(len(found))).get("", {})
    return (parameter for item in found.items for parameter in item.parameters if parameter.id in own)


def held_out(project: Project, problem: Problem, request: TuningRequest, *, trials: int, seed: int) -> tuple[Case, ...]:
    """Return so many cases that the search has not seen: other numbers of cycles, values between those of the axes,
    noise; on each engine the same.

    A script outside the graph, tuned without perturbations, is tried from the same entries as by `integrate` with the
    same seed, but judged by its own conditions only.

    Raises:
        CtrlGraphError: none can be entered.
    """
    if not request.onward and not request.groups:
        entries = _by_source(_plans(project, request, ENTRY_CYCLES))

        def shaken(base: Perturbations) -> list[Case]:
            rounds = zip(*(noisy_entries(plans, base, trials, request.seed) for plans in entries), strict=True)
            return [case for each in rounds for case in each][:trials]

        with Evaluator(project, untried=True) as evaluator:
            return reachable_on_each(evaluator, bases(everywhere(request), request.engines), shaken)[0]
    evaluation_plans = _plans(project, request, 2 * request.entries + 1)
    seen = {(case.evaluation_plan, case.how) for case in problem.cases if not case.how.drawn}

    def chosen(base: Perturbations) -> list[Case]:
        perturbed = grid(between(request.groups), base)
        noisy = [how.with_value("noise", ENTRY_NOISE) for how in perturbed if how.noise == 0.0]
        pairs = paired(evaluation_plans, list(dict.fromkeys([*perturbed[1:], *noisy])) or perturbed)
        unseen: list[Case] = []
        # what is not drawn is one case however often; so more are looked at than are wanted
        for child in np.random.SeedSequence(seed).spawn(4 * trials):
            case = Case(*next(pairs), int(child.generate_state(1)[0]))
            if len(unseen) < trials and (case.evaluation_plan, case.how) not in seen:
                unseen.append(case)
                seen.update(() if case.how.drawn else ((case.evaluation_plan, case.how),))
        return unseen

    with Evaluator(project, untried=True) as evaluator:
        return reachable_on_each(evaluator, bases(everywhere(request), request.engines), chosen)[0]
