"""What the trials of a sweep say, point by point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.perturbation import axis_of
from ctrlgraph.experiments.sweeps.sweep_log import Point, Trial
from ctrlgraph.runs.statistics import reason_kind
from ctrlgraph.statistics import SuccessCount

REQUIRED = 0.9
"""The share of trials that a value needs to hold."""

Range = tuple[float, float]
"""From the least to the greatest value of an axis."""


@dataclass(frozen=True, slots=True)
class PointSummary:
    """The trials of one point: how many, how many succeeded by the target's own conditions, and how
    many then reached the next static pose."""

    point: Point
    trials: int
    succeeded: int
    recovered: int

    @property
    def count(self) -> SuccessCount:
        """Return how many of the trials recovered, with the interval of that rate."""
        return SuccessCount(self.recovered, self.trials)

    @property
    def holds(self) -> bool:
        """Tell whether so many of the trials recovered that this perturbation counts as held."""
        return self.recovered >= REQUIRED * self.trials - 1e-9

    @property
    def rate(self) -> float:
        """Return the share of the trials that followed, 0 where there is none."""
        return self.count.share or 0.0

    def as_dict(self) -> dict[str, Any]:
        low, high = self.count.interval
        counts = {"trials": self.trials, "succeeded": self.succeeded, "recovered": self.recovered}
        return {"point": dict(self.point)} | counts | {"rate": self.rate, "low": low, "high": high}


def summarize(trials: Sequence[Trial]) -> list[PointSummary]:
    """Return one summary for each point, by point."""
    groups: dict[Point, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.point, []).append(trial)
    return [_summary(point, groups[point]) for point in sorted(groups)]


def _summary(point: Point, trials: Sequence[Trial]) -> PointSummary:
    recovered = sum(trial.recovered for trial in trials)
    succeeded = sum(trial.succeeded for trial in trials)
    return PointSummary(point, len(trials), succeeded, recovered)


def nominal(axis: str) -> float:
    """Return the value of an axis at which nothing is perturbed; 0 for one that this version does not know."""
    try:
        return axis_of(axis).neutral
    except CtrlGraphError:  # a newer version's, perhaps
        return 0.0


def lines_along(points: Sequence[PointSummary], axis: str) -> list[dict[float, bool]]:
    """Tell whether each value of an axis holds; for each value of the other axis, where there is one."""
    lines: dict[Point, dict[float, bool]] = {}
    for point in points:
        rest = tuple((name, value) for name, value in point.point if name != axis)
        lines.setdefault(rest, {})[dict(point.point)[axis]] = point.holds
    return [lines[rest] for rest in sorted(lines)]


def range_everywhere(points: Sequence[PointSummary], axis: str) -> Range | None:
    """Return the widest range of an axis around its undisturbed value in which every point holds, the ends being
    values that were tried; None where not even the points nearest to undisturbed hold."""
    ranges = [_held(line, axis) for line in lines_along(points, axis)]
    kept = [held for held in ranges if held is not None]
    if not kept or len(kept) < len(ranges):
        return None
    low, high = max(low for low, _ in kept), min(high for _, high in kept)
    return (low, high) if low <= high else None


def widest_range(points: Sequence[PointSummary], axis: str) -> Range | None:
    """Return as `range_everywhere`, but in each direction at the most favourable value of the other axis."""
    kept = [held for line in lines_along(points, axis) if (held := _held(line, axis)) is not None]
    return (min(low for low, _ in kept), max(high for _, high in kept)) if kept else None


def _held(line: Mapping[float, bool], axis: str) -> Range | None:
    values = sorted(line)
    at = min(range(len(values)), key=lambda i: abs(values[i] - nominal(axis)))
    if not line[values[at]]:
        return None
    first = last = at
    while first > 0 and line[values[first - 1]]:
        first -= 1
    while last + 1 < len(values) and line[values[last + 1]]:
        last += 1
    return values[first], values[last]


def failure_kinds(trials: Sequence[Trial]) -> list[tuple[str, int]]:
    """Return the ways in which trials failed, "status: reason" without measured numbers, the commonest first."""
    kinds = Counter(_kind(trial) for trial in trials if not trial.recovered)
    return sorted(kinds.items(), key=lambda item: (-item[1], item[0]))


def trial_reason(reason: str) -> str:
    """Return a trial's reason without the measured number, which may stand after what failed before or after the
    target: "then stand failed: torso 1.3 is above 1"."""
    what, colon, why = reason.rpartition(": ")
    return what + colon + reason_kind(why)


def _kind(trial: Trial) -> str:
    reason = trial_reason(trial.reason)
    return f"{trial.status}: {reason}" if reason else trial.status
