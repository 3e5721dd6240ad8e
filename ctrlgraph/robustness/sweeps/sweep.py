"""Sweeps: trials at every point of a grid of perturbations. They are stored batch by batch, and can be resumed."""

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
"""Default number of trials at a point with random perturbations."""


class SweepObserver(Protocol):
    """Receives the progress of sweeps, for example to show it."""

    def planned(self, trials: int) -> None:
        """Receive the number of trials that will be run."""

    def ended(self, trials: Sequence[Trial]) -> None:
        """Receive the trials of a finished batch."""


@dataclass(frozen=True)
class SweepResult:
    """A sweep with its stored trials, after a command has run it."""

    sweep: Sweep
    """Description of the sweep: the tested target and the perturbations."""
    trials: list[Trial]
    """All stored trials of the sweep, including trials of earlier commands."""
    simulated: int
    """Number of trials that this command has simulated."""
    wall_s: float
    """Wall time of the command for all its sweeps, s."""
    interrupted: bool = False
    """True if Ctrl-C was pressed before all trials were run."""

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
    """Create a sweep, which is not stored yet, for each target of each scenario on each engine.

    If there are several sweeps, their ids have the same beginning.

    Args:
        project: Project to test.
        scenarios: Scenarios with targets and perturbations.
        seed: Seed of the trials. It is used instead of the seeds of the scenarios.
        command: Command line, which is stored with the sweeps.
        engines: Names of the engines on which to test each target, with the same seeds. Empty: the engine of the
            scenario.

    Raises:
        CtrlGraphError: A scenario has no targets or too many trials; a node, edge or link does not exist; or a limit is
            to be searched for on several engines.
    """
    questions = [question for scenario in scenarios for question in _questions(project, scenario, engines)]
    run = new_run_id()
    ids = [run] if len(questions) == 1 else [f"{run}.{number}" for number in range(1, len(questions) + 1)]
    sweeps = []
    for id, (scenario, target, fixed, trials) in zip(ids, questions, strict=True):
        axes, given = scenario.axes, fixed.as_dict()
        if scenario.limit is not None:
            axes = ((scenario.limit.axis, ()),)
            given[LIMIT_STEP] = scenario.limit.step
            if scenario.limit.confirm:
                given[LIMIT_CONFIRM] = scenario.limit.confirm
        sweep = Sweep(
            id=id,
            target=evaluation_plan(project.graph, target).target,
            axes=axes,
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
        sweeps.append(sweep)
    return sweeps


def _questions(
    project: Project, scenario: Scenario, engines: Sequence[str]
) -> list[tuple[Scenario, str, Perturbations, int]]:
    """Check a scenario, and return what each of its sweeps tests.

    Returns:
        (scenario, target, fixed perturbations, number of trials of a point) of each sweep.

    Raises:
        CtrlGraphError: The scenario has no targets or too many trials, a link does not exist, or a limit is to be
            searched for on several engines.
    """
    if not scenario.targets:
        raise CtrlGraphError("the sweep has no target: give nodes, edges (a->b) or paths, or --all")
    if len(engines) > 1 and scenario.limit is not None:
        raise CtrlGraphError(f"a search for a limit needs a single engine, not {len(engines)}: give one --engine")
    check(project, scenario.fixed)
    for name, values in scenario.axes:
        check(project, scenario.fixed.with_value(name, values[0]))
    asked = [scenario.fixed.with_value("engine", name) for name in dict.fromkeys(engines)] or [scenario.fixed]
    trials = _number_of_trials(scenario)
    points, targets = grid_size(scenario.axes), len(set(scenario.targets))
    each = trials * len(asked)
    if points * each * targets > MAX_TRIALS_IN_ALL:
        raise CtrlGraphError(
            f"{targets} targets x {points} points x {each} trials at each point are {points * each * targets} trials,"
            f" more than {MAX_TRIALS_IN_ALL}: give fewer targets, points or trials"
        )
    return [(scenario, target, fixed, trials) for target in dict.fromkeys(scenario.targets) for fixed in asked]


def _number_of_trials(scenario: Scenario) -> int:
    """Return the number of trials at each point of a scenario. It is 1 if no point has random perturbations."""
    if scenario.limit is not None:
        axis = axis_of(scenario.limit.axis)
        points: Iterable[Point] = [((axis.name, axis.high if axis.high != axis.neutral else axis.low),)]
    else:
        points = grid(scenario.axes)
    drawn = any(scenario.fixed.with_values(point).drawn for point in points)
    return (scenario.trials or TRIALS) if drawn else 1


def check_unchanged(project: Project, sweep: Sweep) -> None:
    """Check that a project has not changed since a stored sweep began, so that its trials can be continued.

    Args:
        project: Project to test.
        sweep: Stored sweep.

    Raises:
        CtrlGraphError: A file or setting of the project that determines the trials (see `target_hashes`) has changed
            since the sweep began.
    """
    now = target_hashes(project, evaluation_plans(project.graph, sweep.target))
    changed = sorted(name for name in {*now, *sweep.hashes} if now.get(name) != sweep.hashes.get(name))
    if changed:
        what = ", ".join(changed)
        raise CtrlGraphError(f"sweep {sweep.id} cannot be resumed, because {what} changed: start a new sweep")


def template_of(project: Project, sweep: Sweep) -> TrialBatch:
    """Return a batch without trials, from which `batches_of` makes the batches of a sweep.

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
        store: Store that contains the sweeps, and to which trials are added.
        sweeps: Stored sweeps over grids.
        pool: Worker pool that runs the trials.
        observer: Receives the number of trials to run, then the results of each finished batch of trials.

    Returns:
        Result of each sweep, also if Ctrl-C is pressed.

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
