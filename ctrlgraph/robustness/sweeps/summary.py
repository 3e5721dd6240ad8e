"""Summaries of the trials of a sweep: success by point, ranges with success, and kinds of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.perturbation import axis_of
from ctrlgraph.run_log.statistics import reason_kind
from ctrlgraph.simulation.trial import Point, Trial
from ctrlgraph.statistics import SuccessCount

REQUIRED = 0.9
"""Share of the trials of a point that must recover so that the point counts as a success."""

Range = tuple[float, float]
"""Smallest and largest value of a range of a perturbation."""


@dataclass(frozen=True, slots=True)
class PointSummary:
    """Counts of the trials at one point of a sweep: how many were run, succeeded, and recovered."""

    point: Point
    """Point as (name, value) of each varied perturbation."""
    trials: int
    """Number of trials."""
    succeeded: int
    """Number of trials in which the target succeeded."""
    recovered: int
    """Number of trials that succeeded and then reached a static pose."""

    @property
    def count(self) -> SuccessCount:
        """Number of trials that recovered (see `recovered`), and of all trials, with a confidence interval."""
        return SuccessCount(self.recovered, self.trials)

    @property
    def succeeds(self) -> bool:
        """True if at least 90 % (`REQUIRED`) of the trials succeeded and then reached a static pose."""
        return self.recovered >= REQUIRED * self.trials - 1e-9

    @property
    def rate(self) -> float:
        """Share of the trials that recovered (succeeded and then reached a static pose), 0 without trials."""
        return self.count.share or 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as data for JSON."""
        low, high = self.count.interval
        counts = {"trials": self.trials, "succeeded": self.succeeded, "recovered": self.recovered}
        return {"point": dict(self.point)} | counts | {"rate": self.rate, "low": low, "high": high}


def summarize(trials: Sequence[Trial]) -> list[PointSummary]:
    """Count the trials at each point of a sweep, and return the counts in the order of the values of the axes."""
    groups: dict[Point, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.point, []).append(trial)
    return [
        PointSummary(point, len(found), sum(t.succeeded for t in found), sum(t.recovered for t in found))
        for point, found in sorted(groups.items())
    ]


def nominal(axis: str) -> float:
    """Return the neutral value (no perturbation) of an axis, 0 if this version does not know the axis."""
    try:
        return axis_of(axis).neutral
    except CtrlGraphError:  # an axis of a newer version
        return 0.0


def lines_along(points: Sequence[PointSummary], axis: str) -> list[dict[float, bool]]:
    """Divide a sweep with two axes into lines along one of them, and return which of its values succeed on each line.

    Args:
        points: Summaries of the points of a sweep with one or two axes.
        axis: Name of the axis along which the lines run.

    Returns:
        One dictionary for each value of the other axis, or a single one without another axis. It contains, by value of
        `axis`, True if the point succeeds.
    """
    lines: dict[Point, dict[float, bool]] = {}
    for point in points:
        rest = tuple((name, value) for name, value in point.point if name != axis)
        lines.setdefault(rest, {})[dict(point.point)[axis]] = point.succeeds
    return [lines[rest] for rest in sorted(lines)]


def range_everywhere(points: Sequence[PointSummary], axis: str) -> Range | None:
    """Return the widest range of an axis in which every tested point succeeds, for all values of the other axis.

    Args:
        points: Summaries of the points of a sweep.
        axis: Name of the axis.

    Returns:
        Smallest and largest value of a range that contains the tested value nearest to the neutral value (no
        perturbation). None if this tested value fails for some value of the other axis.
    """
    ranges = [_range(line, axis) for line in lines_along(points, axis)]
    kept = [each for each in ranges if each is not None]
    if not kept or len(kept) < len(ranges):
        return None
    low, high = max(low for low, _ in kept), min(high for _, high in kept)
    return (low, high) if low <= high else None


def widest_range(points: Sequence[PointSummary], axis: str) -> Range | None:
    """Return the range of an axis in which the target succeeds for at least one value of the other axis.

    Args:
        points: Summaries of the points of a sweep.
        axis: Name of the axis.

    Returns:
        Smallest and largest value up to which all tested values from the neutral value (no perturbation) on succeed,
        each for its best value of the other axis. None if the neutral value fails for every value of the other axis.
    """
    kept = [each for line in lines_along(points, axis) if (each := _range(line, axis)) is not None]
    return (min(low for low, _ in kept), max(high for _, high in kept)) if kept else None


def _range(line: Mapping[float, bool], axis: str) -> Range | None:
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
    """Count trials by the kind of failure, and return (kind, number of trials), the most frequent first.

    A kind is a text "status: reason" without measured numbers, such as "failed: torso is above 1". Trials without a
    failure are ignored.
    """
    kinds = Counter(_kind(trial) for trial in trials if not trial.recovered)
    return sorted(kinds.items(), key=lambda item: (-item[1], item[0]))


def trial_reason(reason: str) -> str:
    """Remove measured numbers from the reason of a failed trial, such as "then stand failed: torso is above 1"."""
    what, colon, why = reason.rpartition(": ")
    return what + colon + reason_kind(why)


def _kind(trial: Trial) -> str:
    reason = trial_reason(trial.reason)
    return f"{trial.status}: {reason}" if reason else trial.status
