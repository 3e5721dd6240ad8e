"""Tuning of the constants of controllers, so that their nodes succeed under perturbations."""

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
from ctrlgraph.learning.cases import (
    ENTRY_NOISE,
    SearchRequest,
    bases,
    between,
    entry_plans,
    grid,
    paired,
    reachable_on_each,
    search_cases,
)
from ctrlgraph.learning.cost import TUNING
from ctrlgraph.learning.evaluation import with_hashes
from ctrlgraph.learning.problem import TERMS, Case, Objective, Problem
from ctrlgraph.learning.scheduling import ground_of
from ctrlgraph.learning.search_space import PRIORS, SearchSpace, joined, may_change, search_space
from ctrlgraph.paths import display_path
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, split_target
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.yaml_source import with_numbers

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

YAML_SUFFIXES = (".yaml", ".yml")
"""File name suffixes of controllers that are not scripts."""

HELD_OUT = 1_000_000
"""Added to the seed of a search to get the seed of its held-out cases."""


@dataclass(frozen=True)
class TuningRequest(SearchRequest):
    """Request to tune nodes: which constants may change, and what must succeed.

    Changed constants are written to the files of the nodes. With `on`, they apply to one slope or obstacle and are
    written to learned files.
    """

    target: str
    """Node, edge or path that must succeed, such as "walk" or "walk -> run"."""
    scripts: tuple[str, ...] = ()
    """Names of the nodes whose constants may change. Empty: the nodes in `target`."""
    entries: int = field(default=2, kw_only=True)
    """Number of evaluation plans for each edge into the target, which differ in cycle counts."""
    sources: tuple[str, ...] = ()
    """Names of the nodes after which the target is tested. Empty: all nodes with a naive or learned edge to it."""
    shared: bool = False
    """True also changes constants of scripts that the scripts of the nodes call."""
    onward: bool = True
    """True also requires success of the recovery: the path from the target to the nearest static pose."""


def everywhere(request: TuningRequest) -> Perturbations:
    """Return the perturbations of all cases of a request, including the slope for which constants are searched."""
    if request.on is None or request.on[0] != "slope":
        return request.fixed
    return request.fixed.with_value(*request.on)


def tuning_problem(project: Project, request: TuningRequest) -> tuple[Problem, tuple[str, ...]]:
    """Return the search problem for tuning nodes, and a message for each case that is skipped because its setup fails.

    Args:
        project: Project with the target.
        request: Constants that may change, and what must succeed.

    Raises:
        CtrlGraphError: A weight is invalid, a node does not exist, no constant may change, or the setup of every case
            on an engine fails.
        SourceError: A script has errors.
    """
    check_weights(request.weights)
    nodes = request.scripts or split_target(request.target)
    for node in nodes if request.on is None else ():
        if not any(parameter.column for parameter in project.controller(node).parameters):
            raise CtrlGraphError(
                f"the file of '{node}', of the kind '{project.graph.node(node).controller}', has no numbers that can"
                " be changed: add --on slope=DEG, which writes changed constants to a learned file"
            )
    wanted = joined(node_search_space(project, node, request) for node in nodes)
    evaluation_plans = _plans(project, request, request.entries)

    fixed = everywhere(request)
    kept, left_out = search_cases(project, request, evaluation_plans, fixed, everywhere=bool(request.sources))
    objective = Objective({**TUNING, **request.weights}, request.worst)
    adapting = () if request.on is None else nodes
    problem = Problem(project.directory, wanted, kept, objective, on=request.on, adapting=adapting)
    return with_hashes(project, problem), left_out


def _plans(project: Project, request: TuningRequest, entries: int) -> list[EvaluationPlan]:
    plans = entry_plans(project.graph, request.target, entries, request.sources)
    return plans if request.onward else [replace(plan, recovery=()) for plan in plans]


def check_quantities(words: Sequence[str]) -> tuple[str, ...]:
    """Check names of quantities that a search may change, and return them. If none is given, return all.

    Args:
        words: Names of quantities, such as "angle" (keys of `search_space.PRIORS`).

    Raises:
        CtrlGraphError: A name is not one of these quantities.
    """
    unknown = [word for word in words if word not in PRIORS]
    if unknown:
        raise CtrlGraphError(f"there is no kind of constant '{unknown[0]}': use {', '.join(PRIORS)}")
    return tuple(words) or tuple(PRIORS)


def check_weights(weights: Mapping[str, float]) -> None:
    """Check that the weights of cost terms have known names and are finite and not negative.

    Args:
        weights: Weights by name of the term (see `problem.TERMS`).

    Raises:
        CtrlGraphError: A term is unknown, or a weight is negative or not finite.
    """
    unknown = [name for name in weights if name not in TERMS]
    if unknown:
        raise CtrlGraphError(f"the cost has no term '{unknown[0]}': use {', '.join(TERMS)}")
    for name, weight in weights.items():
        if not 0.0 <= weight < math.inf:
            raise CtrlGraphError(f"the weight of the term {name} must be a finite number of at least 0, not {weight:g}")


def node_search_space(project: Project, node: str, request: TuningRequest) -> SearchSpace:
    """Return the parameters of a node that a request lets change.

    They are the parameters in the node's own file, limited to the phases and quantities of the request. Parameters of
    called scripts are added if `request.shared` is True, or if the node's own file has no such parameters.

    Args:
        project: Project with the node.
        node: Name of the node.
        request: Constants that may change, and what must succeed.

    Raises:
        NothingToChange: No parameter may change.
    """
    program = project.controller(node, ground_of(request.on))
    own = Path(program.path).absolute()

    def is_own(parameter: Parameter) -> bool:
        return Path(parameter.path).absolute() == own

    def in_file(parameter: Parameter) -> bool:
        if parameter.is_argument:
            return False  # arguments are in the graph file
        return request.on is not None or parameter.column != 0  # column 0: a default that is not in the file

    kinds = set(request.quantities)
    usable = [p for p in program.parameters if in_file(p) and may_change(p, kinds, exits=request.exits)]
    called = request.shared or not any(map(is_own, usable))
    phases = set(request.phases)

    def chosen(parameter: Parameter) -> bool:
        return in_file(parameter) and (called or is_own(parameter)) and (not phases or parameter.phase in phases)

    return search_space(program, project.character, chosen=chosen, quantities=kinds, exits=request.exits)


def called_files(found: SearchSpace, project: Project, nodes: Iterable[str]) -> list[Path]:
    """Return the files of called scripts that contain parameters of a search space.

    Args:
        found: Search space of the nodes.
        project: Project with the nodes.
        nodes: Names of the nodes. Their own files are not in the result.
    """
    own = {Path(project.controller(node).path).absolute() for node in nodes}
    return [path for path in dict.fromkeys(Path(p.path) for p in _written(found)) if path.absolute() not in own]


def rewritten(found: SearchSpace, x: Sequence[float] | NDArray[np.float64]) -> dict[Path, str]:
    """Return the new text of each file whose constants a search changes. Layout and comments are preserved.

    The texts have no byte order mark. `write_texts` preserves that of a file.

    Args:
        found: Search space with the parameters.
        x: Coordinates of the candidate to write, (n,).

    Raises:
        CtrlGraphError: A file cannot be read, or two parameters are at the same place.
    """
    by_file: dict[Path, dict[tuple[int, int], float]] = {}
    values = found.values(x).get("", {})
    for parameter in _written(found):
        place = parameter.line, parameter.column
        by_file.setdefault(Path(parameter.path), {})[place] = values[parameter.id]
    texts = {}
    for file, changes in by_file.items():
        before = file.read_bytes().decode("utf-8-sig")  # line ends are preserved
        change = with_numbers if file.suffix in YAML_SUFFIXES else with_constants
        texts[file] = change(before, changes)
    return texts


def sources(found: SearchSpace) -> dict[Path, bytes]:
    """Return the current contents, by path, of the files that `rewritten` changes.

    The search space contains line and column of each constant at the start of the search. By these contents, a caller
    can check that the files have not changed since then.

    Args:
        found: Search space with the parameters.

    Raises:
        OSError: A file cannot be read.
    """
    return {path: path.read_bytes() for path in {Path(parameter.path) for parameter in _written(found)}}


def _written(found: SearchSpace) -> Iterator[Parameter]:
    """Return the parameters of a search space that are written to the controller files of tuned nodes.

    Parameters of parts of a transition are written to learned files instead.

    Raises:
        CtrlGraphError: Two parameters are at the same place of a file.
    """
    own, at = found.values(np.zeros(len(found))).get("", {}), dict[tuple[str, int, int], str]()
    for parameter in (each for item in found.items for each in item.parameters if each.id in own):
        if (other := at.setdefault((parameter.path, parameter.line, parameter.column), parameter.id)) != parameter.id:
            raise CtrlGraphError(
                f"{display_path(Path(parameter.path))}:{parameter.line}: {other} and {parameter.id} share one number "
                "by an alias of YAML: write both numbers, so that they can differ"
            )
        yield parameter


def held_out(project: Project, problem: Problem, request: TuningRequest, *, trials: int, seed: int) -> tuple[Case, ...]:
    """Return cases for the validation of tuned constants: the search has not used them, and each engine has the same.

    They have other cycle counts than the cases of the search, perturbations between those of the search, and random
    torques before the test. Cases whose setup fails are skipped.

    Args:
        project: Project with the target.
        problem: Search problem with the cases that the search has used.
        request: Request of the search.
        trials: Maximum number of cases on each engine.
        seed: Seed of the random perturbations.

    Raises:
        CtrlGraphError: On one engine, the setup of every case fails.
    """
    evaluation_plans = _plans(project, request, 2 * request.entries + 1)
    seen = {(case.evaluation_plan, case.perturbations) for case in problem.cases if not case.perturbations.drawn}

    def chosen(base: Perturbations) -> list[Case]:
        perturbed = grid(between(request.groups), base)
        noisy = [
            perturbations.with_value("noise", ENTRY_NOISE) for perturbations in perturbed if perturbations.noise == 0.0
        ]
        pairs = paired(evaluation_plans, list(dict.fromkeys([*perturbed[1:], *noisy])) or perturbed)
        unseen: list[Case] = []
        # cases without random perturbations repeat, so more are tried than needed
        for child in np.random.SeedSequence(seed).spawn(4 * trials):
            case = Case(*next(pairs), int(child.generate_state(1)[0]))
            if len(unseen) < trials and (case.evaluation_plan, case.perturbations) not in seen:
                unseen.append(case)
                seen.update(() if case.perturbations.drawn else ((case.evaluation_plan, case.perturbations),))
        return unseen

    return reachable_on_each(project, bases(everywhere(request), request.engines), chosen)[0]
