"""Comparison of the same sweep on several engines.

Each engine is compared with the first by Fisher's exact test on the trials that recovered. The least p-value of a
question is multiplied by the number of comparisons (Bonferroni) and adjusted for the number of questions (Benjamini and
Hochberg); below 0.05 the engines differ. Without random perturbations a difference is certain and nothing is tested.
Seeds are the same on each engine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.evaluation_plan import target_steps
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.robustness.sweeps.summary import trial_reason
from ctrlgraph.robustness.sweeps.sweep_log import Sweep
from ctrlgraph.simulation.trial import Point, Trial
from ctrlgraph.statistics import ALPHA, SuccessCount, adjusted_p, fisher_p

Answers = Mapping[str, Sequence[Trial]]
"""Trials of one question by engine, the first of which is the reference."""


class EngineFailure(NamedTuple):
    """A kind of failure, without measured numbers."""

    sentence: str
    """Node and reason."""
    place: str
    """Phase, script and line, as far as they are known."""


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """One question on several engines."""

    target: str
    point: Point
    given: Mapping[str, object]
    """Fixed perturbations other than the engine."""
    counts: Mapping[str, SuccessCount]
    """Success count of the trials that recovered, by engine."""
    p: float | None
    """p-value of the test, None without one."""
    adjusted: float | None
    """Adjusted p-value."""
    certain: bool
    """True without random perturbations."""
    worst: str | None
    """Engine with the fewest successes, None if all are equal."""
    first: EngineFailure | None
    """Failure that is most frequent there compared with the best engine."""
    failing: int = 0
    """Number of trials with this failure."""

    @property
    def differs(self) -> bool:
        """True if the engines differ significantly."""
        return self.worst is not None if self.certain else self.adjusted is not None and self.adjusted < ALPHA

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON."""
        first = self.first
        where = {"worst": self.worst, "failing": self.failing}
        return {
            "target": self.target,
            "point": dict(self.point),
            "given": dict(self.given),
            "engines": {name: count.as_dict() for name, count in self.counts.items()},
            "p": self.p,
            "p_adjusted": self.adjusted,
            "certain": self.certain,
            "differs": self.differs,
            "first": None if first is None else first._asdict() | where,
        }


def engine_of(sweep: Sweep) -> str:
    """Return the engine of a sweep."""
    return str(sweep.perturbations.get("engine", DEFAULT_ENGINE))


def engines_of(sweeps: Iterable[Sweep]) -> list[str]:
    """Return the engines of sweeps without duplicates."""
    return list(dict.fromkeys(map(engine_of, sweeps)))


def compare_engines(answered: Iterable[tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Return a comparison for each point of each question that has several engines.

    Questions are in the order of their first sweeps, points by their values. Searches for a limit, which choose their
    points by results, are left out.
    """
    questions: dict[str, dict[str, tuple[Sweep, Sequence[Trial]]]] = {}
    for sweep, trials in answered:
        if not sweep.is_limit:
            questions.setdefault(_question(sweep), {})[engine_of(sweep)] = (sweep, trials)
    found = [each for answers in questions.values() if len(answers) > 1 for each in _of_question(answers)]
    values = adjusted_p([each.p for each in found])
    return [replace(each, adjusted=value) for each, value in zip(found, values, strict=True)]


def _question(sweep: Sweep) -> str:
    """Return the question of a sweep, regardless of the engine."""
    axes = sorted(name for name, _ in sweep.axes)
    return json.dumps([sweep.target, axes, _given(sweep), dict(sweep.hashes)], sort_keys=True, default=str)


def _given(sweep: Sweep) -> dict[str, object]:
    return {name: value for name, value in sweep.fixed.items() if name != "engine"}


def _of_question(answers: Mapping[str, tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Return a comparison for each point that was tested on every engine."""
    by_point: dict[Point, dict[str, list[Trial]]] = {}
    for engine, (_, trials) in answers.items():
        for trial in trials:
            by_point.setdefault(trial.point, {}).setdefault(engine, []).append(trial)
    sweep = next(iter(answers.values()))[0]
    return [_at(sweep, point, by_point[point]) for point in sorted(by_point) if len(by_point[point]) == len(answers)]


def _at(sweep: Sweep, point: Point, answers: Answers) -> EngineComparison:
    counts = {name: SuccessCount.of(trial.recovered for trial in trials) for name, trials in answers.items()}
    certain = not is_drawn(sweep, point)
    first, *others = counts.values()
    p = None if certain else min(1.0, len(others) * min(fisher_p(first, other) for other in others))
    ordered = sorted(counts, key=lambda name: counts[name].share or 0.0)
    worst, best = ordered[0], ordered[-1]
    if counts[worst].share == counts[best].share:
        return EngineComparison(sweep.target, point, _given(sweep), counts, p, None, certain, None, None)
    kind, failing = _first_that_differs(answers[worst], answers[best])
    return EngineComparison(sweep.target, point, _given(sweep), counts, p, None, certain, worst, kind, failing)


def is_drawn(sweep: Sweep, point: Point) -> bool:
    """Return True if anything is random at a point. Unknown perturbations count as random.

    Args:
        sweep: Sweep with the point.
        point: Point to check.
    """
    try:
        return perturbations(sweep.fixed).with_values(point).drawn
    except CtrlGraphError:  # perturbations of a newer version
        return True


def _first_that_differs(worst: Sequence[Trial], best: Sequence[Trial]) -> tuple[EngineFailure, int]:
    """Return the failure with the largest excess on the worst engine over the best one, as a fraction of its trials.

    Ties go to the more frequent failure, then by name.
    """
    here, there = (Counter(map(_kind, (t for t in trials if not t.recovered))) for trials in (worst, best))

    def rank(kind: EngineFailure) -> tuple[float, int, str]:
        excess = here[kind] / len(worst) - there[kind] / len(best)
        return -round(excess, 9), -here[kind], f"{kind.sentence} {kind.place}"

    chosen = min(here, key=rank)
    return chosen, here[chosen]


def _kind(trial: Trial) -> EngineFailure:
    reason = trial_reason(trial.reason) or trial.status
    if trial.succeeded:  # the recovery failed: its reason names the node, and the place is in the target
        return EngineFailure(reason, "")
    if not trial.reason.startswith("on the way, "):
        reason = f"{target_steps(trial.target)[-1][0]}: {reason}"
    phase = "" if trial.phase is None else f"phase {trial.phase}"
    line = trial.script or ""
    if trial.script is not None and trial.line is not None:
        line = f"{trial.script}:{trial.line}"
    return EngineFailure(reason, ", ".join(part for part in (phase, line) if part))
