"""What the trials of a sweep say, point by point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.robustness.table import Point, Trial
from ctrlgraph.runs.statistics import reason_kind, wilson_interval


@dataclass(frozen=True, slots=True)
class PointSummary:
    """The trials of one point: how many, how many succeeded by the target's own conditions, and how
    many then reached the next static pose; `interval` is Wilson's for the latter, 95 %."""

    point: Point
    trials: int
    succeeded: int
    followed: int
    interval: tuple[float, float]

    @property
    def rate(self) -> float:
        """Share of the trials that followed, 0 where there is none."""
        return self.followed / self.trials if self.trials else 0.0

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval
        counts = {"trials": self.trials, "succeeded": self.succeeded, "followed": self.followed}
        return {"point": dict(self.point)} | counts | {"rate": self.rate, "low": low, "high": high}


def summarize(trials: Sequence[Trial]) -> list[PointSummary]:
    """One summary for each point, by point."""
    groups: dict[Point, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.point, []).append(trial)
    return [_summary(point, groups[point]) for point in sorted(groups)]


def _summary(point: Point, trials: Sequence[Trial]) -> PointSummary:
    followed = sum(trial.followed for trial in trials)
    succeeded = sum(trial.succeeded for trial in trials)
    return PointSummary(point, len(trials), succeeded, followed, wilson_interval(followed, len(trials)))


def failure_kinds(trials: Sequence[Trial]) -> list[tuple[str, int]]:
    """The ways in which trials failed, "status: reason" without measured numbers, the commonest first."""
    kinds = Counter(_kind(trial) for trial in trials if not trial.followed)
    return sorted(kinds.items(), key=lambda item: (-item[1], item[0]))


def _kind(trial: Trial) -> str:
    reason = reason_kind(trial.reason)
    return f"{trial.status}: {reason}" if reason else trial.status
