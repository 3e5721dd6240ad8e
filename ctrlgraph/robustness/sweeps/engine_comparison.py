"""Comparison of the same sweep on several physics engines.

Sweeps belong together if they have the same target, axes, fixed perturbations and project files, and differ only in the
engine. They are compared at each point that was tested on all engines. A sweep on several engines has the same seeds on
each of them.

Each engine is compared with the first one by Fisher's exact test on the numbers of trials that recovered. The least of
these p-values is multiplied by the number of tests at the point (Bonferroni), and adjusted for the number of points
(Benjamini and Hochberg). The engines differ if the result is below 0.05. Without random perturbations, each engine has
one certain result at a point, and no test is needed.
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
"""Trials at one point, by engine. The first engine is the one with which the others are compared."""


class EngineFailure(NamedTuple):
    """A kind of failure: trials that fail in the same way."""

    sentence: str
    """Node that failed, and the reason without measured numbers."""
    place: str
    """Phase, script and line in which the node ended, as far as they are known."""


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """The same target at the same point of a sweep, on several engines."""

    target: str
    """Node ("walk"), edge ("walk->run") or path that was tested."""
    point: Point
    """Point of the sweep: (name, value) of each varied perturbation."""
    given: Mapping[str, object]
    """Fixed perturbations, without the engine."""
    counts: Mapping[str, SuccessCount]
    """Number of trials that recovered, and of all trials, by engine."""
    p: float | None
    """Least p-value of the tests at this point, times their number. None without random perturbations."""
    adjusted: float | None
    """`p` adjusted for the number of points. None if `p` is None."""
    certain: bool
    """True if the perturbations are not random, so that each engine has one certain result."""
    worst: str | None
    """Engine with the least success, None if all engines have the same."""
    first: EngineFailure | None
    """Failure of the worst engine with the greatest excess over the best engine, as a share of the trials."""
    failing: int = 0
    """Number of trials of the worst engine with the failure `first`."""

    @property
    def differs(self) -> bool:
        """True if the engines differ: significantly, or at all if their results are certain."""
        return self.worst is not None if self.certain else self.adjusted is not None and self.adjusted < ALPHA

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as data for JSON."""
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
    """Return the name of the engine of a sweep."""
    return str(sweep.perturbations.get("engine", DEFAULT_ENGINE))


def engines_of(sweeps: Iterable[Sweep]) -> list[str]:
    """Return the names of the engines of sweeps, without duplicates."""
    return list(dict.fromkeys(map(engine_of, sweeps)))


def compare_engines(answered: Iterable[tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Compare sweeps that differ only in their engine, at each point that was tested on all of their engines.

    Searches for a limit are ignored, since the points that they try depend on the results.

    Args:
        answered: Sweeps with their trials.

    Returns:
        Comparisons in the order of the sweeps, and of the points by their values.
    """
    questions: dict[str, dict[str, tuple[Sweep, Sequence[Trial]]]] = {}
    for sweep, trials in answered:
        if not sweep.is_limit:
            questions.setdefault(_question(sweep), {})[engine_of(sweep)] = (sweep, trials)
    found = [each for answers in questions.values() if len(answers) > 1 for each in _of_question(answers)]
    values = adjusted_p([each.p for each in found])
    return [replace(each, adjusted=value) for each, value in zip(found, values, strict=True)]


def _question(sweep: Sweep) -> str:
    """Return a text that is equal for sweeps that differ only in engine, seed and number of trials."""
    axes = sorted(name for name, _ in sweep.axes)
    return json.dumps([sweep.target, axes, _given(sweep), dict(sweep.hashes)], sort_keys=True, default=str)


def _given(sweep: Sweep) -> dict[str, object]:
    return {name: value for name, value in sweep.fixed.items() if name != "engine"}


def _of_question(answers: Mapping[str, tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Compare the engines at each point that was tested on all of them.

    Args:
        answers: Sweep and trials of each engine.
    """
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
    """Return True if the trials at a point have random perturbations, or perturbations unknown to this version.

    Args:
        sweep: Sweep with the point.
        point: Point to check.
    """
    try:
        return perturbations(sweep.fixed).with_values(point).drawn
    except CtrlGraphError:  # perturbations of a newer version
        return True


def _first_that_differs(worst: Sequence[Trial], best: Sequence[Trial]) -> tuple[EngineFailure, int]:
    """Return the failure that distinguishes the worst engine most from the best one, and its number of trials.

    It has the greatest difference between the shares of failing trials on the two engines. Among equals, it is the more
    frequent one, then the first by name.

    Args:
        worst: Trials of the engine with the least success.
        best: Trials of the engine with the greatest success.
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
