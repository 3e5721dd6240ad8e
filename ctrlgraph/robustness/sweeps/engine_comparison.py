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
"""Trials at one point of a sweep, by name of the engine. The other engines are compared with the first one."""


class EngineFailure(NamedTuple):
    """A way in which trials fail: the reason and the place in the script."""

    sentence: str
    """Node that failed, and the reason without measured numbers."""
    place: str
    """Phase, script and line in which the node ended, as far as known: "phase 1, walk.t:12"."""


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """Success of one target under the same perturbations on several physics engines."""

    target: str
    """Node ("walk"), edge ("walk->run") or path that was tested."""
    point: Point
    """Point of the sweep: (name, value) of each varied perturbation."""
    given: Mapping[str, object]
    """Values of the fixed perturbations by name, without the engine."""
    counts: Mapping[str, SuccessCount]
    """Number of trials that succeeded and then reached a static pose, and of all trials, by name of the engine."""
    p: float | None
    """Smallest p-value of the tests of an engine against the first, times the number of tests. None without random
    perturbations.
    """
    adjusted: float | None
    """`p` adjusted for the number of points of the sweep. None if `p` is None."""
    certain: bool
    """True if no perturbation is random, so that all trials on an engine have the same result."""
    worst: str | None
    """Engine with the least success, None if success is the same on all engines."""
    first: EngineFailure | None
    """The way of failing that is more frequent on the worst engine than on the best engine by the greatest share."""
    failing: int = 0
    """Number of trials on the worst engine that failed in the way `first`."""

    @property
    def differs(self) -> bool:
        """True if success differs between engines: significantly, or at all if no perturbation is random."""
        return self.worst is not None if self.certain else self.adjusted is not None and self.adjusted < ALPHA

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison of the engines as data for JSON."""
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
    """Return the names of the engines of several sweeps, without duplicates."""
    return list(dict.fromkeys(map(engine_of, sweeps)))


def compare_engines(answered: Iterable[tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Compare sweeps that differ only in the engine, at each point that was tested on all engines.

    Searches for a limit are ignored, since the points that they try depend on the results.

    Args:
        answered: (sweep, results of its trials) of each sweep.

    Returns:
        One comparison for each target and point, in the order of the sweeps and of the points.
    """
    questions: dict[str, dict[str, tuple[Sweep, Sequence[Trial]]]] = {}
    for sweep, trials in answered:
        if not sweep.is_limit:
            questions.setdefault(_question(sweep), {})[engine_of(sweep)] = (sweep, trials)
    found = [each for answers in questions.values() if len(answers) > 1 for each in _of_question(answers)]
    values = adjusted_p([each.p for each in found])
    return [replace(each, adjusted=value) for each, value in zip(found, values, strict=True)]


def _question(sweep: Sweep) -> str:
    """Return a key of a sweep. Sweeps that differ only in engine, seed and number of trials have the same key."""
    axes = sorted(name for name, _ in sweep.axes)
    return json.dumps([sweep.target, axes, _given(sweep), dict(sweep.hashes)], sort_keys=True, default=str)


def _given(sweep: Sweep) -> dict[str, object]:
    return {name: value for name, value in sweep.fixed.items() if name != "engine"}


def _of_question(answers: Mapping[str, tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Compare engines at each point that was tested on all of them.

    Args:
        answers: (sweep, results of its trials) by name of the engine. The sweeps differ only in the engine.
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
    """Return True if trials at a point of a sweep are random, so that several are needed.

    Perturbations that this version does not know count as random.

    Args:
        sweep: Sweep with the point.
        point: (name, value) of each varied perturbation.
    """
    try:
        return perturbations(sweep.fixed).with_values(point).drawn
    except CtrlGraphError:  # perturbations of a newer version
        return True


def _first_that_differs(worst: Sequence[Trial], best: Sequence[Trial]) -> tuple[EngineFailure, int]:
    """Return the way of failing that distinguishes the worst engine most from the best, and its number of trials.

    Its share of the trials exceeds that on the best engine by the greatest difference. Among equal differences, the
    more frequent way of failing is chosen, then the first by name.

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
