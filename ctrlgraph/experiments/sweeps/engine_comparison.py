"""The same question put to several engines: where the answers differ, and by which failure.

Success is counted as everywhere in sweeps: what recovers. Each engine is compared with the first by Fisher's exact
test; the least p-value of a question, times the number of the engines that it is compared with (Bonferroni), is
adjusted for the number of all questions (Benjamini and Hochberg), and below 0.05 the engines differ. Where nothing is
drawn at random, a difference is certain, and none is tested. The seeds of the trials are the same on each engine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import target_steps
from ctrlgraph.experiments.perturbation import perturbations
from ctrlgraph.experiments.sweeps.summary import trial_reason
from ctrlgraph.experiments.sweeps.sweep_log import Point, Sweep, Trial
from ctrlgraph.statistics import ALPHA, SuccessCount, adjusted_p, fisher_p

Answers = Mapping[str, Sequence[Trial]]
"""The trials of one question, by engine; the first engine is the one that the others are compared with."""


class FailureWay(NamedTuple):
    """A way in which trials fail, without measured numbers.

    node: of the target, empty where the reason names another one; script and line: where it was in the node's
    controller, phase: of that; None where there is none.
    """

    node: str
    status: str
    reason: str
    phase: int | None
    script: str | None
    line: int | None

    @property
    def sentence(self) -> str:
        """Return what failed, in words."""
        told = self.reason or self.status
        return f"{self.node}: {told}" if self.node else told

    @property
    def place(self) -> str:
        """Return where: phase, script and line, as far as they are known."""
        phase = "" if self.phase is None else f"phase {self.phase}"
        line = "" if self.script is None else self.script if self.line is None else f"{self.script}:{self.line}"
        return ", ".join(part for part in (phase, line) if part)


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """One question, answered on several engines.

    given: the fixed perturbations but for the engine; counts: what recovered, by engine; p and adjusted: of the test
    above, None where nothing is tested; certain: nothing is drawn at random; worst: the engine on which least recovers,
    None where it is the same on all; first: the way in which more trials fail there than on the best one, by the most
    trials, and of how many.
    """

    target: str
    point: Point
    given: Mapping[str, object]
    counts: Mapping[str, SuccessCount]
    p: float | None
    adjusted: float | None
    certain: bool
    worst: str | None
    first: FailureWay | None
    failing: int = 0

    @property
    def differs(self) -> bool:
        """Tell whether the engines differ by more than chance."""
        return self.worst is not None if self.certain else self.adjusted is not None and self.adjusted < ALPHA

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
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
    """Return the engine that a sweep is made on."""
    return str(sweep.perturbations.get("engine", DEFAULT_ENGINE))


def engines_of(sweeps: Iterable[Sweep]) -> list[str]:
    """Return the engines of sweeps, each once, in the order in which they were asked for."""
    return list(dict.fromkeys(map(engine_of, sweeps)))


def compare_engines(answered: Iterable[tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """Return a comparison for each question, and each point of it, that was asked on more than one engine.

    The questions come in the order of their first sweeps, points by their values. Searches for a limit are left out:
    they choose their points by what they find.
    """
    questions: dict[str, dict[str, tuple[Sweep, Sequence[Trial]]]] = {}
    for sweep, trials in answered:
        if not sweep.is_limit:
            questions.setdefault(_question(sweep), {})[engine_of(sweep)] = (sweep, trials)
    found = [each for answers in questions.values() if len(answers) > 1 for each in _of_question(answers)]
    values = adjusted_p([each.p for each in found])
    return [replace(each, adjusted=value) for each, value in zip(found, values, strict=True)]


def _question(sweep: Sweep) -> str:
    """What a sweep asks of which scripts, whatever the engine."""
    axes = sorted(name for name, _ in sweep.axes)
    return json.dumps([sweep.target, axes, _given(sweep), dict(sweep.hashes)], sort_keys=True, default=str)


def _given(sweep: Sweep) -> dict[str, object]:
    return {name: value for name, value in sweep.fixed.items() if name != "engine"}


def _of_question(answers: Mapping[str, tuple[Sweep, Sequence[Trial]]]) -> list[EngineComparison]:
    """A comparison for each point that was tried on every engine."""
    by_point: dict[Point, dict[str, list[Trial]]] = {}
    for engine, (_, trials) in answers.items():
        for trial in trials:
            by_point.setdefault(trial.point, {}).setdefault(engine, []).append(trial)
    sweep = next(iter(answers.values()))[0]
    return [_at(sweep, point, by_point[point]) for point in sorted(by_point) if len(by_point[point]) == len(answers)]


def _at(sweep: Sweep, point: Point, answers: Answers) -> EngineComparison:
    counts = {name: SuccessCount.of(trial.recovered for trial in trials) for name, trials in answers.items()}
    certain = not _drawn(sweep, point)
    first, *others = counts.values()
    p = None if certain else min(1.0, len(others) * min(fisher_p(first, other) for other in others))
    ordered = sorted(counts, key=lambda name: counts[name].share or 0.0)
    worst, best = ordered[0], ordered[-1]
    if counts[worst].share == counts[best].share:
        return EngineComparison(sweep.target, point, _given(sweep), counts, p, None, certain, None, None)
    kind, failing = _first_that_differs(answers[worst], answers[best])
    return EngineComparison(sweep.target, point, _given(sweep), counts, p, None, certain, worst, kind, failing)


def _drawn(sweep: Sweep, point: Point) -> bool:
    try:
        return perturbations(sweep.fixed).with_values(point).drawn
    except CtrlGraphError:  # a newer version's perturbations may be
        return True


def _first_that_differs(worst: Sequence[Trial], best: Sequence[Trial]) -> tuple[FailureWay, int]:
    """The way to fail by which the worst engine has more than the best one, by the largest share of its trials; of
    equals the more frequent, then by name. At least one there is, where less recovers."""
    here, there = (Counter(map(_kind, (t for t in trials if not t.recovered))) for trials in (worst, best))

    def rank(kind: FailureWay) -> tuple[float, int, str]:
        excess = here[kind] / len(worst) - there[kind] / len(best)
        return -round(excess, 9), -here[kind], f"{kind.sentence} {kind.place}"

    chosen = min(here, key=rank)
    return chosen, here[chosen]


def _kind(trial: Trial) -> FailureWay:
    reason = trial_reason(trial.reason)
    # what fails on the way to the target, or after it, is named by the reason
    elsewhere = trial.succeeded or trial.reason.startswith("on the way, ")
    node = "" if elsewhere else target_steps(trial.target)[-1][0]
    if trial.succeeded:  # the place is that of the target, which held
        return FailureWay(node, trial.status, reason, None, None, None)
    return FailureWay(node, trial.status, reason, trial.phase, trial.script, trial.line)
