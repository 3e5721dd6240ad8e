"""A success rate before and after: the difference, its interval, and whether it is more than chance.

Each pair of rates is tested with Fisher's exact test; the difference comes with Newcombe's interval. Many
pairs are tested at once, so the p-values are adjusted, and a change counts as significant where the adjusted
value is below 0.05: of the changes called significant, at most one in twenty is expected to be chance
(`ctrlgraph.statistics` has the sources).
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ctrlgraph.statistics import ALPHA, SuccessCount, adjusted_p, fisher_p, newcombe_interval


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
    values = adjusted_p([change.p for change in changes])
    return [
        change if value is None else replace(change, adjusted=value)
        for change, value in zip(changes, values, strict=True)
    ]
