"""A gate for continuous integration: what success nodes, edges and scenarios must have, and what falls short."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.experiments.batch import TrialBatch, batches_of
from ctrlgraph.experiments.evaluation_plan import evaluation_plans, target_hashes
from ctrlgraph.experiments.gates.gate_file import Gate, GateCriterion, Requirement, load_gate
from ctrlgraph.experiments.sweeps.summary import PointSummary, failure_kinds, summarize
from ctrlgraph.experiments.sweeps.sweep_log import Trial
from ctrlgraph.experiments.worker_pool import Interrupted, WorkerPool

if TYPE_CHECKING:
    from ctrlgraph.experiments.sweeps.sweep import SweepObserver
    from ctrlgraph.project.project import Project

__all__ = ["Gate", "GateResult", "RequirementResult", "load_gate", "run_gate"]


@dataclass(frozen=True, slots=True)
class RequirementResult:
    """The trials of a requirement, judged at the point where it held least."""

    requirement: Requirement
    trials: tuple[Trial, ...]

    @property
    def points(self) -> list[PointSummary]:
        return summarize(self.trials)

    @property
    def worst(self) -> PointSummary | None:
        """Return the point of the least success; None before any trial."""
        return min(self.points, key=self._reached_at, default=None)

    @property
    def reached(self) -> float:
        """Return share, or lower bound of Wilson's 95 % interval, at the worst point; 0 before any trial."""
        worst = self.worst
        return 0.0 if worst is None else self._reached_at(worst)

    @property
    def passed(self) -> bool:
        """Tell whether every point was tried as often as asked and reached what is required."""
        complete = len(self.trials) == self.requirement.count
        return complete and self.reached >= self.requirement.at_least

    @property
    def why(self) -> str:
        """Return the commonest failure at the worst point; empty without one."""
        worst = self.worst
        kinds = failure_kinds([t for t in self.trials if worst is not None and t.point == worst.point])
        return kinds[0][0] if kinds else ""

    def _reached_at(self, point: PointSummary) -> float:
        return point.count.lowest if self.requirement.measure is GateCriterion.LOWER else point.rate

    def as_dict(self) -> dict[str, Any]:
        wanted, worst = self.requirement, self.worst
        return {
            "name": wanted.name,
            "target": wanted.target,
            "measure": str(wanted.measure),
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
    """What every requirement reached, in the order of the file."""

    results: tuple[RequirementResult, ...]
    seed: int
    wall_s: float
    interrupted: bool = False

    @property
    def fell_short(self) -> list[RequirementResult]:
        return [result for result in self.results if not result.passed]

    @property
    def passed(self) -> bool:
        return not self.interrupted and not self.fell_short

    @property
    def trials(self) -> int:
        return sum(len(result.trials) for result in self.results)

    def as_dict(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "trials": self.trials,
            "wall_s": self.wall_s,
            "requirements": [result.as_dict() for result in self.results],
        }


def run_gate(project: Project, gate: Gate, pool: WorkerPool, observer: SweepObserver | None = None) -> GateResult:
    """Run the trials that a gate needs; what comes of them depends on its seed alone, not on the pool.

    Raises:
        CtrlGraphError: the project cannot be simulated.
    """
    began = time.perf_counter()
    found: dict[str, list[Trial]] = {}
    if observer is not None:
        observer.planned(sum(wanted.count for wanted in gate.requirements))

    def done(batch: TrialBatch, trials: list[Trial]) -> None:
        found.setdefault(batch.sweep, []).extend(trials)
        if observer is not None:
            observer.ended(trials)

    interrupted = False
    try:
        pool.do(_batches(project, gate), done)
    except Interrupted:
        interrupted = True
    results = [
        RequirementResult(wanted, tuple(_in_order(found.get(_key(number), []))))
        for number, wanted in enumerate(gate.requirements)
    ]
    return GateResult(tuple(results), gate.seed, time.perf_counter() - began, interrupted)


def _batches(project: Project, gate: Gate) -> Iterator[TrialBatch]:
    """Each requirement's trials, under a number of its own in place of a sweep's id."""
    directory: Path = project.directory.absolute()
    for number, wanted in enumerate(gate.requirements):
        hashes = target_hashes(project, evaluation_plans(project.graph, wanted.target))
        template = TrialBatch(_key(number), directory, wanted.target, wanted.fixed, gate.seed, (), hashes)
        yield from batches_of(template, wanted.items)


def _key(number: int) -> str:
    return f"gate.{number}"


def _in_order(trials: Sequence[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: (trial.point, trial.index))
