"""Success counts with intervals and posteriors, and comparisons of two counts.

Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927); the Beta
distribution is the posterior of a rate after counted trials where its prior is one. R. G. Newcombe, Interval estimation
for the difference between independent proportions, Statistics in Medicine 17 (1998), method 10; Y. Benjamini and
Y. Hochberg, JRSS B 57 (1995).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LEVEL = 0.95
"""Two-sided confidence level of intervals."""

ALPHA = 0.05
"""Significance level of adjusted p-values."""

_Z_95 = 1.959963984540054  # the 97.5 % quantile, in the digits that all figures have been made with

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SuccessCount:
    """Number of successes and of trials.

    >>> print(SuccessCount(9, 10))
    9 of 10 (60-98 %)
    """

    successes: int
    trials: int

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: The successes are not between 0 and the trials.
        """
        if not 0 <= self.successes <= self.trials:
            raise ValueError(f"{self.successes} successes of {self.trials} trials")

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> SuccessCount:
        """Return the count of outcomes, each a success or not.

        >>> SuccessCount.of([True, False, True]).share
        0.6666666666666666
        """
        found = [bool(outcome) for outcome in outcomes]
        return cls(sum(found), len(found))

    def plus(self, succeeded: bool) -> SuccessCount:
        """Return the count after one more trial."""
        return SuccessCount(self.successes + bool(succeeded), self.trials + 1)

    @property
    def share(self) -> float | None:
        """Return the share of the trials that succeeded, 0 to 1; None without trials."""
        return self.successes / self.trials if self.trials else None

    @property
    def interval(self) -> Interval:
        """Return Wilson's score interval for the success rate, 95 %; (0, 1) without trials."""
        successes, trials = self.successes, self.trials
        if trials == 0:
            return 0.0, 1.0
        z, z2 = _Z_95, _Z_95 * _Z_95
        rate = successes / trials
        centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
        half = z / (1 + z2 / trials) * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials * trials))
        # at the ends the formula gives 0 and 1 except for rounding
        low = 0.0 if successes == 0 else max(0.0, centre - half)
        high = 1.0 if successes == trials else min(1.0, centre + half)
        return low, high

    @property
    def lowest(self) -> float:
        """Return the lower end of the interval."""
        return self.interval[0]

    def posterior_mean(self, prior: tuple[float, float] = (1.0, 1.0)) -> float:
        """Return the mean of the posterior Beta distribution of the success rate.

        Args:
            prior: Alpha and beta before any trial. With (1, 1), all rates are equally likely.
        """
        alpha, beta = prior[0] + self.successes, prior[1] + self.trials - self.successes
        return alpha / (alpha + beta)

    def as_dict(self) -> dict[str, float]:
        """Return the counts and the ends of the interval, for `--json`."""
        low, high = self.interval
        return {"successes": self.successes, "trials": self.trials, "low": low, "high": high}

    def __str__(self) -> str:
        """Return the count as people read it."""
        low, high = self.interval
        return f"{self.successes} of {self.trials} ({100 * low:.0f}-{100 * high:.0f} %)"


NONE = SuccessCount(0, 0)
"""Before any trial."""


def newcombe_interval(before: SuccessCount, after: SuccessCount) -> Interval:
    """Return the 95 % interval of after - before, by Newcombe's method 10 from the two Wilson intervals."""
    (low_a, high_a), (low_b, high_b) = before.interval, after.interval
    rate_a, rate_b = before.successes / before.trials, after.successes / after.trials
    down = math.hypot(rate_b - low_b, high_a - rate_a)
    up = math.hypot(high_b - rate_b, rate_a - low_a)
    return max(-1.0, rate_b - rate_a - down), min(1.0, rate_b - rate_a + up)


def fisher_p(before: SuccessCount, after: SuccessCount) -> float:
    """Return the two-sided p-value of Fisher's exact test on the 2 x 2 table of successes and failures."""
    from scipy.stats import fisher_exact

    table = [[count.successes, count.trials - count.successes] for count in (before, after)]
    return min(1.0, float(fisher_exact(table).pvalue))


def adjusted_p(values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values of many tests that are made at once, adjusted by Benjamini and Hochberg's procedure: of those
    below `ALPHA`, at most that share is expected to be chance. None stays None, and is no test.

    >>> adjusted_p([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    tested = [value for value in values if value is not None]
    if not tested:
        return list(values)
    from scipy.stats import false_discovery_control

    found = iter(false_discovery_control(tested))
    return [None if value is None else float(next(found)) for value in values]


_RESAMPLES = 4000


def bootstrap_mean(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of values and its 95 % interval by the percentile bootstrap (Efron, 1979); the same each time.

    >>> bootstrap_mean([3.0, 3.0])
    (3.0, 3.0, 3.0)

    Raises:
        ValueError: There are no values.
    """
    import numpy as np

    found = np.asarray(values, dtype=np.float64)
    if found.size == 0:
        raise ValueError("there is no mean of nothing")
    chosen = np.random.default_rng(1).integers(0, found.size, (_RESAMPLES, found.size))
    low, high = np.quantile(found[chosen].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(found.mean()), float(low), float(high)
