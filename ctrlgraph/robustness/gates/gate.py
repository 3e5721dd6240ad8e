"""Gates for continuous integration: the required success of nodes, edges and scenarios, compared with trials."""

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
    """The trials of a requirement, evaluated at its worst point."""

    requirement: Requirement
    trials: tuple[Trial, ...]

    @property
    def points(self) -> list[PointSummary]:
        """Summary of each point."""
        return summarize(self.trials)

    @property
    def worst(self) -> PointSummary | None:
        """Point of least success, None before any trial."""
        return min(self.points, key=self._reached_at, default=None)

    @property
    def reached(self) -> float:
        """Share, or lower bound of Wilson's 95 % interval, at the worst point. 0 before any trial."""
        worst = self.worst
        return 0.0 if worst is None else self._reached_at(worst)

    @property
    def passed(self) -> bool:
        """True if every point has all its trials and the required success."""
        complete = len(self.trials) == self.requirement.count
        return complete and self.reached >= self.requirement.at_least

    @property
    def why(self) -> str:
        """Most frequent failure at the worst point, empty without one."""
        worst = self.worst
        kinds = failure_kinds([t for t in self.trials if worst is not None and t.point == worst.point])
        return kinds[0][0] if kinds else ""

    def _reached_at(self, point: PointSummary) -> float:
        return point.count.lowest if self.requirement.measure == "lower" else point.rate

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
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
    """Result of every requirement, in the order of the file."""

    results: tuple[RequirementResult, ...]
    seed: int
    wall_s: float
    """Wall time, s."""
    interrupted: bool = False
    """True if Ctrl-C was pressed."""

    @property
    def fell_short(self) -> list[RequirementResult]:
        """Requirements that are not met."""
        return [result for result in self.results if not result.passed]

    @property
    def passed(self) -> bool:
        """True if all requirements are met."""
        return not self.interrupted and not self.fell_short

    @property
    def trials(self) -> int:
        """Number of trials."""
        return sum(len(result.trials) for result in self.results)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "passed": self.passed,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "trials": self.trials,
            "wall_s": self.wall_s,
            "requirements": [result.as_dict() for result in self.results],
        }


def run_gate(project: Project, gate: Gate, pool: WorkerPool, observer: SweepObserver | None = None) -> GateResult:
    """Run the trials of a gate. The result depends on its seed alone, not on the pool.

    Args:
        project: Project to test.
        gate: Requirements.
        pool: Worker pool.
        observer: Called with the numbers of trials.

    Raises:
        CtrlGraphError: The project cannot be simulated.
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
