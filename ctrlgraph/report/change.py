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

from ctrlgraph.runs.statistics import wilson_interval

ALPHA = 0.05

Counts = tuple[int, int]  # successes, attempts


class Verdict(enum.StrEnum):
    """What the numbers allow to say."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "no significant change"
    ONE_SIDED = "only in one of them"


@dataclass(frozen=True, slots=True)
class Change:
    """The success of a node, an edge or a point of a sweep in two samples.

    before, after: (successes, attempts); difference: after - before with its `interval`; p: Fisher's;
    adjusted: for all tests of the comparison; changed: whether it is not the same motion in both (another
    script or argument; of an edge in the same world also other conditions or another character); certain:
    nothing is drawn at random in either, so that any difference is one, and none is tested. difference,
    interval and p are None where one sample lacks it.
    """

    kind: str
    name: str
    before: Counts
    after: Counts
    difference: float | None
    interval: tuple[float, float] | None
    p: float | None
    adjusted: float | None
    changed: bool
    certain: bool = False

    @property
    def verdict(self) -> Verdict:
        if self.difference is None:
            return Verdict.ONE_SIDED
        significant = self.difference != 0.0 if self.certain else self.adjusted is not None and self.adjusted < ALPHA
        if not significant:
            return Verdict.UNCLEAR
        return Verdict.BETTER if self.difference > 0 else Verdict.WORSE

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        return {
            "kind": self.kind,
            "name": self.name,
            "successes_a": self.before[0],
            "attempts_a": self.before[1],
            "successes_b": self.after[0],
            "attempts_b": self.after[1],
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
    kind: str, name: str, before: Counts, after: Counts, *, changed: bool = False, certain: bool = False
) -> Change:
    """The change between two samples, not adjusted yet; one may be empty."""
    if not before[1] or not after[1]:
        return Change(kind, name, before, after, None, None, None, None, False, certain)
    difference = after[0] / after[1] - before[0] / before[1]
    if certain:
        return Change(kind, name, before, after, difference, None, None, None, changed, True)
    interval, p = newcombe_interval(before, after), fisher_p(before, after)
    return Change(kind, name, before, after, difference, interval, p, None, changed)


def adjusted(changes: Sequence[Change]) -> list[Change]:
    """The changes of one comparison, their p-values adjusted for the number of all tests."""
    tested = [change.p for change in changes if change.p is not None]
    if not tested:
        return list(changes)
    from scipy.stats import false_discovery_control

    values = iter(false_discovery_control(tested))
    return [change if change.p is None else replace(change, adjusted=float(next(values))) for change in changes]


def newcombe_interval(before: Counts, after: Counts) -> tuple[float, float]:
    """95 % interval of after - before, by Newcombe's method 10 from the two Wilson intervals."""
    (low_a, high_a), (low_b, high_b) = wilson_interval(*before), wilson_interval(*after)
    rate_a, rate_b = before[0] / before[1], after[0] / after[1]
    down = math.hypot(rate_b - low_b, high_a - rate_a)
    up = math.hypot(high_b - rate_b, rate_a - low_a)
    return max(-1.0, rate_b - rate_a - down), min(1.0, rate_b - rate_a + up)


def fisher_p(before: Counts, after: Counts) -> float:
    """Two-sided p-value of Fisher's exact test."""
    from scipy.stats import fisher_exact

    table = [[before[0], before[1] - before[0]], [after[0], after[1] - after[0]]]
    return min(1.0, float(fisher_exact(table).pvalue))
