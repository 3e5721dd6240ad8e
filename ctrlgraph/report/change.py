"""A success rate before and after: the difference, its interval, and whether it is more than chance.

Each pair of rates is tested with Fisher's exact test (two-sided, on the 2 x 2 table of successes and
failures); the difference comes with Newcombe's hybrid score interval, 95 %. Many pairs are tested at
once, so the p-values are adjusted by Benjamini and Hochberg's procedure, and a change counts as
significant where the adjusted value is below 0.05: of the changes called significant, at most one in
twenty is expected to be chance.

Sources: R. G. Newcombe, Interval estimation for the difference between independent proportions,
Statistics in Medicine 17 (1998), method 10; Y. Benjamini and Y. Hochberg, JRSS B 57 (1995).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ctrlgraph.statistics import SuccessCount

ALPHA = 0.05


class ChangeVerdict(enum.StrEnum):
    """What the numbers allow to say."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "no significant change"
    ONE_SIDED = "only in one of them"


@dataclass(frozen=True, slots=True)
class SuccessChange:
    """The success of a node, an edge or a point of a sweep in two samples.

    before, after: successes of attempts; difference: after - before with its `interval`; p: Fisher's;
    adjusted: for all tests of the comparison; changed: whether it is not the same motion in both (another
    script or argument; of an edge in the same world also other conditions or another character); certain:
    nothing is drawn at random in either, so that any difference is one, and none is tested. difference,
    interval and p are None where one sample lacks it.
    """

    kind: str
    name: str
    before: SuccessCount
    after: SuccessCount
    difference: float | None
    interval: tuple[float, float] | None
    p: float | None
    adjusted: float | None
    changed: bool
    certain: bool = False

    @property
    def verdict(self) -> ChangeVerdict:
        if self.difference is None:
            return ChangeVerdict.ONE_SIDED
        significant = self.difference != 0.0 if self.certain else self.adjusted is not None and self.adjusted < ALPHA
        if not significant:
            return ChangeVerdict.UNCLEAR
        return ChangeVerdict.BETTER if self.difference > 0 else ChangeVerdict.WORSE

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        return {
            "kind": self.kind,
            "name": self.name,
            "successes_a": self.before.successes,
            "attempts_a": self.before.trials,
            "successes_b": self.after.successes,
            "attempts_b": self.after.trials,
            "difference": self.difference,
            "low": low,
            "high": high,
            "p": self.p,
            "p_adjusted": self.adjusted,
            "changed": self.changed,
            "certain": self.certain,
            "verdict": str(self.verdict),
        }


def change_of(
    kind: str, name: str, before: SuccessCount, after: SuccessCount, *, changed: bool = False, certain: bool = False
) -> SuccessChange:
    """Return the change between two samples, not adjusted yet; one may be empty."""
    if before.share is None or after.share is None:
        return SuccessChange(kind, name, before, after, None, None, None, None, False, certain)
    difference = after.share - before.share
    if certain:
        return SuccessChange(kind, name, before, after, difference, None, None, None, changed, True)
    interval, p = newcombe_interval(before, after), fisher_p(before, after)
    return SuccessChange(kind, name, before, after, difference, interval, p, None, changed)


def adjusted(changes: Sequence[SuccessChange]) -> list[SuccessChange]:
    """Return the changes of one comparison, their p-values adjusted for the number of all tests."""
    tested = [change.p for change in changes if change.p is not None]
    if not tested:
        return list(changes)
    from scipy.stats import false_discovery_control

    values = iter(false_discovery_control(tested))
    return [change if change.p is None else replace(change, adjusted=float(next(values))) for change in changes]


def newcombe_interval(before: SuccessCount, after: SuccessCount) -> tuple[float, float]:
    """95 % interval of after - before, by Newcombe's method 10 from the two Wilson intervals."""
    (low_a, high_a), (low_b, high_b) = before.interval, after.interval
    rate_a, rate_b = before.successes / before.trials, after.successes / after.trials
    down = math.hypot(rate_b - low_b, high_a - rate_a)
    up = math.hypot(high_b - rate_b, rate_a - low_a)
    return max(-1.0, rate_b - rate_a - down), min(1.0, rate_b - rate_a + up)


def fisher_p(before: SuccessCount, after: SuccessCount) -> float:
    """Two-sided p-value of Fisher's exact test."""
    from scipy.stats import fisher_exact

    table = [[count.successes, count.trials - count.successes] for count in (before, after)]
    return min(1.0, float(fisher_exact(table).pvalue))
