"""Gates for continuous integration: run trials, and compare their success with what a gate file requires."""

from __future__ import annotations

import time
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ctrlgraph.robustness.batch import TrialBatch, new_batches
from ctrlgraph.robustness.gates.gate_file import Gate, Requirement, load_gate
from ctrlgraph.robustness.sweeps.summary import PointSummary, failure_kinds, summarize
from ctrlgraph.robustness.worker_pool import Interrupted, WorkerPool
from ctrlgraph.simulation.trial import Trial

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.sweeps.sweep import SweepObserver

__all__ = ["Gate", "GateResult", "RequirementResult", "load_gate", "run_gate"]


@dataclass(frozen=True, slots=True)
class RequirementResult:
    """Trials of a requirement (success that a node, edge or path must have), and whether it is met.

    The point (values of the varied perturbations) with the least success decides whether the requirement is met.
    """

    requirement: Requirement
    """Requirement that the trials test."""
    trials: tuple[Trial, ...]
    """Results of the trials at all points."""

    @property
    def points(self) -> list[PointSummary]:
        """Summary of the trials at each point (values of the varied perturbations)."""
        return summarize(self.trials)

    @property
    def worst(self) -> PointSummary | None:
        """Summary of the point (values of the varied perturbations) with the least success, None without trials."""
        return min(self.points, key=self._reached_at, default=None)

    @property
    def reached(self) -> float:
        """Success at the point (values of the varied perturbations) where it is least, from 0 to 1; 0 without trials.

        The `measure` of the requirement says if this is the share of successful trials, or the lower bound of the
        share's 95 % confidence interval (Wilson).
        """
        worst = self.worst
        return 0.0 if worst is None else self._reached_at(worst)

    @property
    def passed(self) -> bool:
        """True if all trials were run and success is as required at every point."""
        complete = len(self.trials) == self.requirement.count
        return complete and self.reached >= self.requirement.at_least

    @property
    def why(self) -> str:
        """Most frequent kind of failure, such as "failed: torso is above 1", at the point with the least success.

        It is empty without failures.
        """
        worst = self.worst
        kinds = failure_kinds([t for t in self.trials if worst is not None and t.point == worst.point])
        return kinds[0][0] if kinds else ""

    def _reached_at(self, point: PointSummary) -> float:
        return point.count.lowest if self.requirement.measure == "lower" else point.rate

    def as_dict(self) -> dict[str, Any]:
        """Return the requirement, the success at each point and the verdict as data for JSON."""
        wanted, worst = self.requirement, self.worst
        return {
            "name": wanted.name,
            "target": wanted.target,
            "measure": wanted.measure,
            "at_least": wanted.at_least,
            "reached": self.reached,
            "passed": self.passed,
            "trials_per_point": wanted.trials,
            "perturbations": wanted.fixed.as_dict(),
            "worst": None if worst is None else worst.as_dict(),
            "points": [point.as_dict() for point in self.points],
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class GateResult:
    """Result of running a gate: whether all requirements of a gate file are met."""

    results: tuple[RequirementResult, ...]
    """Result of each requirement, in the order of the file."""
    seed: int
    """Seed of all trials."""
    wall_s: float
    """Wall time of all trials, s."""
    interrupted: bool = False
    """True if Ctrl-C was pressed before all trials were run."""

    @property
    def fell_short(self) -> list[RequirementResult]:
        """Results of the requirements that are not met."""
        return [result for result in self.results if not result.passed]

    @property
    def passed(self) -> bool:
        """True if all requirements are met and the trials were not interrupted."""
        return not self.interrupted and not self.fell_short

    @property
    def trials(self) -> int:
        """Number of trials that were run for all requirements."""
        return sum(len(result.trials) for result in self.results)

    def as_dict(self) -> dict[str, Any]:
        """Return the results of all requirements as data for JSON."""
        return {
            "passed": self.passed,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "trials": self.trials,
            "wall_s": self.wall_s,
            "requirements": [result.as_dict() for result in self.results],
        }


def run_gate(project: Project, gate: Gate, pool: WorkerPool, observer: SweepObserver | None = None) -> GateResult:
    """Run the trials of a gate and compare their success with its requirements.

    The result does not depend on the number of workers.

    Args:
        project: Project to test.
        gate: Gate with the requirements and the seed.
        pool: Worker pool that runs the trials.
        observer: Receives the number of all trials, then the results of each finished batch of trials.

    Raises:
        CtrlGraphError: A trial cannot be run, for example because a file of the project changed meanwhile.
    """
    began = time.perf_counter()
    found: dict[str, list[Trial]] = {}
    if observer is not None:
        observer.planned(sum(wanted.count for wanted in gate.requirements))

    def done(batch: TrialBatch, trials: list[Trial]) -> None:
        found.setdefault(batch.sweep, []).extend(trials)
        if observer is not None:
            observer.ended(trials)

    batches = (
        batch
        for number, wanted in enumerate(gate.requirements)
        for batch in new_batches(project, str(number), wanted.target, wanted.fixed, gate.seed, wanted.items)
    )
    interrupted = False
    try:
        pool.do(batches, done)
    except Interrupted:
        interrupted = True
    results = [
        RequirementResult(wanted, tuple(sorted(found.get(str(number), []), key=attrgetter("point", "index"))))
        for number, wanted in enumerate(gate.requirements)
    ]
    return GateResult(tuple(results), gate.seed, time.perf_counter() - began, interrupted)
