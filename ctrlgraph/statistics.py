"""Success counts with confidence intervals and posteriors, and comparisons of two counts.

Sources: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17
(1998), method 10. Y. Benjamini and Y. Hochberg, JRSS B 57 (1995). If the prior of a success rate is a Beta
distribution, its posterior after counted trials is one too.
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
"""Lower and upper end of a confidence interval."""


@dataclass(frozen=True, slots=True)
class SuccessCount:
    """Number of successes in a number of trials, with the confidence interval of the success rate.

    >>> print(SuccessCount(9, 10))
    9 of 10 (60-98 %)
    """

    successes: int
    trials: int

    def __post_init__(self) -> None:
        """Check the counts.

        Raises:
            ValueError: The number of successes is negative, or larger than the number of trials.
        """
        if not 0 <= self.successes <= self.trials:
            raise ValueError(f"successes must be from 0 to the number of trials, {self.trials}, not {self.successes}")

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> SuccessCount:
        """Return the count of some trials. Each element of `outcomes` is one trial, and True is a success.

        >>> SuccessCount.of([True, False, True]).share
        0.6666666666666666
        """
        found = [bool(outcome) for outcome in outcomes]
        return cls(sum(found), len(found))

    def plus(self, succeeded: bool) -> SuccessCount:
        """Return the count after one more trial, which is a success if `succeeded` is True."""
        return SuccessCount(self.successes + bool(succeeded), self.trials + 1)

    @property
    def share(self) -> float | None:
        """Return the share of the trials that succeeded, 0 to 1. It is None if there are no trials."""
        return self.successes / self.trials if self.trials else None

    @property
    def interval(self) -> Interval:
        """Return the 95 % confidence interval of the success rate (Wilson's score interval), each end from 0 to 1.

        It is (0, 1) if there are no trials.
        """
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
        """Return the lower end of the 95 % confidence interval of the success rate."""
        return self.interval[0]

    def posterior_mean(self, prior: tuple[float, float] = (1.0, 1.0)) -> float:
        """Return the mean of the posterior Beta distribution of the success rate.

        Args:
            prior: Parameters alpha and beta of the prior Beta distribution. With (1, 1), all rates are equally likely.
        """
        alpha, beta = prior[0] + self.successes, prior[1] + self.trials - self.successes
        return alpha / (alpha + beta)

    def as_dict(self) -> dict[str, float]:
        """Return successes, trials, and the ends `low` and `high` of the confidence interval, for `--json`."""
        low, high = self.interval
        return {"successes": self.successes, "trials": self.trials, "low": low, "high": high}

    def __str__(self) -> str:
        """Return the count with its 95 % confidence interval, such as "9 of 10 (60-98 %)"."""
        low, high = self.interval
        return f"{self.successes} of {self.trials} ({100 * low:.0f}-{100 * high:.0f} %)"


NONE = SuccessCount(0, 0)
"""Count of no trials."""


def newcombe_interval(before: SuccessCount, after: SuccessCount) -> Interval:
    """Return the 95 % confidence interval of the difference of two success rates (Newcombe's method 10).

    Args:
        before: First count, with at least one trial.
        after: Second count, with at least one trial.

    Returns:
        The ends of the interval of the rate of `after` minus the rate of `before`, each from -1 to 1.
    """
    (low_a, high_a), (low_b, high_b) = before.interval, after.interval
    rate_a, rate_b = before.successes / before.trials, after.successes / after.trials
    down = math.hypot(rate_b - low_b, high_a - rate_a)
    up = math.hypot(high_b - rate_b, rate_a - low_a)
    return max(-1.0, rate_b - rate_a - down), min(1.0, rate_b - rate_a + up)


def fisher_p(before: SuccessCount, after: SuccessCount) -> float:
    """Return the two-sided p-value of Fisher's exact test of the hypothesis that both success rates are equal."""
    from scipy.stats import fisher_exact

    table = [[count.successes, count.trials - count.successes] for count in (before, after)]
    return min(1.0, float(fisher_exact(table).pvalue))


def adjusted_p(values: Sequence[float | None]) -> list[float | None]:
    """Adjust the p-values of several tests by Benjamini and Hochberg's procedure, which limits false discoveries.

    If all tests with an adjusted value below `ALPHA` are called significant, at most a share `ALPHA` of these tests is
    expected to be significant by chance.

    Args:
        values: p-value of each test. None stands for a test that was not made. It remains None and is not counted.

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
    """Return the mean of values, and the lower and upper end of its 95 % confidence interval.

    The interval is computed by the percentile bootstrap (Efron, 1979) with a fixed seed, so the same values always give
    the same interval.

    >>> bootstrap_mean([3.0, 3.0])
    (3.0, 3.0, 3.0)

    Raises:
        ValueError: `values` is empty.
    """
    import numpy as np

    found = np.asarray(values, dtype=np.float64)
    if found.size == 0:
        raise ValueError("a mean needs at least one value, not an empty sequence")
    chosen = np.random.default_rng(1).integers(0, found.size, (_RESAMPLES, found.size))
    low, high = np.quantile(found[chosen].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(found.mean()), float(low), float(high)
