"""Sweeps: every point of a grid tried some times, stored as it goes, and gone on with where it stopped."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ctrlgraph.bounds import MAX_TRIALS_IN_ALL
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.batch import Item, TrialBatch, batches_of
from ctrlgraph.experiments.evaluation_plan import evaluation_plan, evaluation_plans, target_hashes
from ctrlgraph.experiments.evaluator import check
from ctrlgraph.experiments.perturbation import Perturbations, axis_of, perturbations
from ctrlgraph.experiments.sweeps.reference import SourceReference
from ctrlgraph.experiments.sweeps.sweep_log import (
    LIMIT_CONFIRM,
    LIMIT_STEP,
    Point,
    Sweep,
    SweepStore,
    Trial,
    grid,
    grid_size,
)
from ctrlgraph.experiments.worker_pool import Interrupted, WorkerPool
from ctrlgraph.runs.record import new_run_id
from ctrlgraph.walkthrough.world import versions

if TYPE_CHECKING:
    from ctrlgraph.experiments.sweeps.scenario import Scenario
    from ctrlgraph.project.project import Project

TRIALS = 10
"""Of each point where something is drawn at random; elsewhere one says everything."""


class SweepObserver(Protocol):
    """Who watches sweeps: told how many trials there are in all, and each batch that has ended."""

    def planned(self, trials: int) -> None: ...

    def ended(self, trials: Sequence[Trial]) -> None: ...


@dataclass(frozen=True)
class SweepResult:
    """What is stored of a sweep when a command ends; `simulated` trials are this command's own."""

    sweep: Sweep
    trials: list[Trial]
    simulated: int
    wall_s: float
    interrupted: bool = False

    @property
    def expected(self) -> int:
        """Return how many trials the whole sweep has."""
        return self.sweep.size

    @property
    def complete(self) -> bool:
        return len(self.trials) == self.expected


def new_sweeps(
    project: Project, *scenarios: Scenario, seed: int, command: str = "", engines: Sequence[str] = ()
) -> list[Sweep]:
    """Return a sweep for each target of each scenario, with ids that have the same beginning where there are several.

    Args:
        engines: a sweep of each target on each of these, with the same seeds; where none is named, on the scenario's.

    Raises:
        CtrlGraphError: a target, edge or link does not exist, or several engines are to search for a limit.
    """
    questions = [question for scenario in scenarios for question in _questions(project, scenario, engines)]
    run = new_run_id()
    ids = [run] if len(questions) == 1 else [f"{run}.{number}" for number in range(1, len(questions) + 1)]
    return [
        _new_sweep(project, scenario, target, fixed, id=each, trials=trials, seed=seed, command=command)
        for each, (scenario, target, fixed, trials) in zip(ids, questions, strict=True)
    ]


def _questions(
    project: Project, scenario: Scenario, engines: Sequence[str]
) -> list[tuple[Scenario, str, Perturbations, int]]:
    """The scenario with each of its targets, on each engine, and the number of trials of a point.

    Raises:
        CtrlGraphError: there is no target or no such link, there are too many trials, or several engines are to search
            for a limit.
    """
    if not scenario.targets:
        raise CtrlGraphError("there is nothing to test: name nodes, edges (a->b) or paths, or --all")
    if len(engines) > 1 and scenario.limit is not None:
        raise CtrlGraphError("a limit is searched on one engine at a time: give --engine")
    check(project, scenario.fixed)
    for name, values in scenario.axes:
        check(project, scenario.fixed.with_value(name, values[0]))
    asked = [scenario.fixed.with_value("engine", name) for name in dict.fromkeys(engines)] or [scenario.fixed]
    trials = _number_of_trials(scenario)
    _check_number(scenario, trials * len(asked))
    return [(scenario, target, fixed, trials) for target in dict.fromkeys(scenario.targets) for fixed in asked]


def _new_sweep(
    project: Project,
    scenario: Scenario,
    target: str,
    fixed: Perturbations,
    *,
    id: str,
    trials: int,
    seed: int,
    command: str,
) -> Sweep:
    way = evaluation_plan(project.graph, target)
    given = fixed.as_dict()
    if scenario.limit is not None:
        given[LIMIT_STEP] = scenario.limit.step
        if scenario.limit.confirm:
            given[LIMIT_CONFIRM] = scenario.limit.confirm
    return Sweep(
        id=id,
        target=way.target,
        axes=scenario.axes if scenario.limit is None else ((scenario.limit.axis, ()),),
        trials=trials,
        seed=seed,
        perturbations=given,
        command=command,
        versions=versions(fixed.engine),
        hashes=target_hashes(project, evaluation_plans(project.graph, target)),
        started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        description=scenario.description,
        source=scenario.source,
        reference=references_of(scenario, way.target, fixed.environment.body.of(project.character).mass),
    )


def _check_number(scenario: Scenario, trials: int) -> None:
    """
    Raises:
        CtrlGraphError: there are more trials than anybody waits for.
    """
    points, targets = grid_size(scenario.axes), len(set(scenario.targets))
    if points * trials * targets > MAX_TRIALS_IN_ALL:
        raise CtrlGraphError(
            f"{targets} x {points} x {trials} trials (targets, points, trials of each) are"
            f" {points * trials * targets}, more than {MAX_TRIALS_IN_ALL}"
        )


def references_of(scenario: Scenario, target: str, mass: float) -> tuple[SourceReference, ...]:
    """Return the scenario's references that compare with a sweep of this target, for a body of this mass (kg).

    Left out are those about another target or axis, and those with fixed perturbations that it has not.
    """
    axes = {name for name, _ in scenario.axes} | ({scenario.limit.axis} if scenario.limit else set())
    return tuple(
        reference.for_body(mass)
        for reference in scenario.reference
        if reference.axis in axes
        and reference.target in ("", target)
        and scenario.fixed.with_values(reference.given) == scenario.fixed
    )


def _number_of_trials(scenario: Scenario) -> int:
    """One where nothing is drawn at random at any point: more would be the same trial again."""
    if scenario.limit is not None:
        axis = axis_of(scenario.limit.axis)
        points: Iterable[Point] = [((axis.name, axis.high if axis.high != axis.neutral else axis.low),)]
    else:
        points = grid(scenario.axes)
    drawn = any(scenario.fixed.with_values(point).drawn for point in points)
    return (scenario.trials or TRIALS) if drawn else 1


def check_unchanged(project: Project, sweep: Sweep) -> None:
    """Check that a stored sweep goes on in the project that it was begun in.

    Raises:
        CtrlGraphError: what decides its trials has changed since.
    """
    now = target_hashes(project, evaluation_plans(project.graph, sweep.target))
    changed = sorted(name for name in {*now, *sweep.hashes} if now.get(name) != sweep.hashes.get(name))
    if changed:
        what = ", ".join(changed)
        raise CtrlGraphError(f"sweep {sweep.id} cannot go on: {what} changed since it began; begin it anew")


def template_of(project: Project, sweep: Sweep) -> TrialBatch:
    """Return a batch of the sweep without trials."""
    directory = project.directory.absolute()
    return TrialBatch(sweep.id, directory, sweep.target, perturbations(sweep.fixed), sweep.seed, (), dict(sweep.hashes))


def run_sweeps(
    project: Project,
    store: SweepStore,
    sweeps: Sequence[Sweep],
    pool: WorkerPool,
    observer: SweepObserver | None = None,
) -> list[SweepResult]:
    """Do what is not yet stored of the grids of these sweeps, which are in the store.

    Raises:
        CtrlGraphError: the project has changed since a sweep began.
    """
    for sweep in sweeps:
        check_unchanged(project, sweep)
    began = time.perf_counter()
    stored = {sweep.id: _stored(store, sweep) for sweep in sweeps}
    simulated = dict.fromkeys(stored, 0)
    if observer is not None:
        observer.planned(sum(sweep.size - len(stored[sweep.id]) for sweep in sweeps))

    def batches() -> Iterator[TrialBatch]:
        for sweep in sweeps:
            missing = (item for item in sweep.items if item not in stored[sweep.id])
            yield from batches_of(template_of(project, sweep), missing)

    def done(batch: TrialBatch, trials: list[Trial]) -> None:
        store.add(batch.sweep, trials)
        simulated[batch.sweep] += len(trials)
        if observer is not None:
            observer.ended(trials)

    interrupted = False
    try:
        pool.do(batches(), done)
    except Interrupted:
        interrupted = True
    wall_s = time.perf_counter() - began
    return [SweepResult(s, s.counting(store.trials(s.id)), simulated[s.id], wall_s, interrupted) for s in sweeps]


def _stored(store: SweepStore, sweep: Sweep) -> set[Item]:
    """The trials of a sweep's grid that are stored already and say something."""
    return {(trial.point, trial.index) for trial in sweep.counting(store.trials(sweep.id))}
