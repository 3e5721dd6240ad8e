"""Sweeps: trials of every point of a grid, stored batch by batch and resumable."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ctrlgraph.bounds import MAX_TRIALS_IN_ALL
from ctrlgraph.engine.engine import versions
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.batch import TrialBatch, batches_of
from ctrlgraph.robustness.evaluation_plan import evaluation_plan, evaluation_plans, target_hashes
from ctrlgraph.robustness.evaluator import check
from ctrlgraph.robustness.perturbation import Perturbations, axis_of, perturbations
from ctrlgraph.robustness.sweeps.sweep_log import LIMIT_CONFIRM, LIMIT_STEP, Sweep, SweepStore, grid, grid_size
from ctrlgraph.robustness.worker_pool import Interrupted, WorkerPool
from ctrlgraph.run_log.record import new_run_id
from ctrlgraph.simulation.trial import Point, Trial

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.sweeps.scenario import Scenario

TRIALS = 10
"""Default number of trials of a point with random perturbations."""


class SweepObserver(Protocol):
    """Observer of sweeps."""

    def planned(self, trials: int) -> None:
        """Receive the number of all trials."""

    def ended(self, trials: Sequence[Trial]) -> None:
        """Receive a finished batch."""


@dataclass(frozen=True)
class SweepResult:
    """Stored trials of a sweep at the end of a command."""

    sweep: Sweep
    trials: list[Trial]
    simulated: int
    """Number of trials of this command."""
    wall_s: float
    """Wall time, s."""
    interrupted: bool = False
    """True if Ctrl-C was pressed."""

    @property
    def expected(self) -> int:
        """Number of trials of the whole sweep."""
        return self.sweep.size

    @property
    def complete(self) -> bool:
        """True if all trials are stored."""
        return len(self.trials) == self.expected


def new_sweeps(
    project: Project, *scenarios: Scenario, seed: int, command: str = "", engines: Sequence[str] = ()
) -> list[Sweep]:
    """Return a sweep for each target of each scenario, with ids that share a prefix if there are several.

    Args:
        project: Project to test.
        scenarios: Scenarios with their targets.
        seed: Seed of the trials.
        command: Command line.
        engines: Engines of each target, with the same seeds. Empty: the scenario's.

    Raises:
        CtrlGraphError: A target, edge or link does not exist, or several engines are to search for a limit.
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
    """Return the scenario with each target on each engine, and the number of trials of a point.

    Raises:
        CtrlGraphError: There is no target or link, there are too many trials, or several engines are to search for a
            limit.
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
    points, targets = grid_size(scenario.axes), len(set(scenario.targets))
    each = trials * len(asked)
    if points * each * targets > MAX_TRIALS_IN_ALL:
        raise CtrlGraphError(
            f"{targets} x {points} x {each} trials (targets, points, trials of each) are {points * each * targets},"
            f" more than {MAX_TRIALS_IN_ALL}"
        )
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
    plan = evaluation_plan(project.graph, target)
    given = fixed.as_dict()
    if scenario.limit is not None:
        given[LIMIT_STEP] = scenario.limit.step
        if scenario.limit.confirm:
            given[LIMIT_CONFIRM] = scenario.limit.confirm
    return Sweep(
        id=id,
        target=plan.target,
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
    )


def _number_of_trials(scenario: Scenario) -> int:
    """Return the number of trials of a point, 1 without random perturbations."""
    if scenario.limit is not None:
        axis = axis_of(scenario.limit.axis)
        points: Iterable[Point] = [((axis.name, axis.high if axis.high != axis.neutral else axis.low),)]
    else:
        points = grid(scenario.axes)
    drawn = any(scenario.fixed.with_values(point).drawn for point in points)
    return (scenario.trials or TRIALS) if drawn else 1


def check_unchanged(project: Project, sweep: Sweep) -> None:
    """Check that a stored sweep belongs to the project as it is now.

    Args:
        project: Project to test.
        sweep: Stored sweep.

    Raises:
        CtrlGraphError: A node, character or setting that determines the trials of the sweep has changed.
    """
    now = target_hashes(project, evaluation_plans(project.graph, sweep.target))
    changed = sorted(name for name in {*now, *sweep.hashes} if now.get(name) != sweep.hashes.get(name))
    if changed:
        what = ", ".join(changed)
        raise CtrlGraphError(f"sweep {sweep.id} cannot be resumed: {what} changed since it began; start a new one")


def template_of(project: Project, sweep: Sweep) -> TrialBatch:
    """Return a batch of a sweep without trials.

    Args:
        project: Project to test.
        sweep: Stored sweep.
    """
    directory = project.directory.absolute()
    return TrialBatch(sweep.id, directory, sweep.target, perturbations(sweep.fixed), sweep.seed, (), dict(sweep.hashes))


def run_sweeps(
    project: Project,
    store: SweepStore,
    sweeps: Sequence[Sweep],
    pool: WorkerPool,
    observer: SweepObserver | None = None,
) -> list[SweepResult]:
    """Run the trials of sweeps that are not stored yet.

    Args:
        project: Project to test.
        store: Store with the sweeps.
        sweeps: Stored sweeps.
        pool: Worker pool.
        observer: Called with the numbers of trials.

    Raises:
        CtrlGraphError: The project has changed since a sweep began.
    """
    for sweep in sweeps:
        check_unchanged(project, sweep)
    began = time.perf_counter()
    stored = {s.id: {(trial.point, trial.index) for trial in store.trials(s.id)} for s in sweeps}
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
    return [SweepResult(s, store.trials(s.id), simulated[s.id], wall_s, interrupted) for s in sweeps]
