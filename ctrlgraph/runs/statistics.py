"""What attempts say about nodes and edges: success rates with their uncertainty, and durations."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ctrlgraph.runs.record import START, AttemptRecord

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution: two-sided 95 %."""


def wilson_interval(successes: int, attempts: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval for a success rate; (0, 1) without attempts.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    JASA 22 (1927).

    Raises:
        ValueError: the successes are not between 0 and the attempts.
    """
    _check_counts(successes, attempts)
    if attempts == 0:
        return 0.0, 1.0
    rate, z2 = successes / attempts, z * z
    centre = (rate + z2 / (2 * attempts)) / (1 + z2 / attempts)
    half = z / (1 + z2 / attempts) * math.sqrt(rate * (1 - rate) / attempts + z2 / (4 * attempts * attempts))
    # at the ends the formula gives 0 and 1 but for rounding
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == attempts else min(1.0, centre + half)
    return low, high


@dataclass(frozen=True, slots=True)
class BetaPosterior:
    """What is believed about a success rate: a Beta(alpha, beta) distribution."""

    alpha: float
    beta: float

    @property
    def mean(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> float:
        total = self.alpha + self.beta
        return self.alpha * self.beta / (total * total * (total + 1))


def beta_posterior(successes: int, attempts: int, prior: tuple[float, float] = (1.0, 1.0)) -> BetaPosterior:
    """The belief after the attempts; the prior Beta(1, 1) takes every rate for equally likely.

    Raises:
        ValueError: the successes are not between 0 and the attempts.
    """
    _check_counts(successes, attempts)
    return BetaPosterior(prior[0] + successes, prior[1] + attempts - successes)


def _check_counts(successes: int, attempts: int) -> None:
    if not 0 <= successes <= attempts:
        raise ValueError(f"{successes} successes of {attempts} attempts")


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """Attempts, successes and simulated durations (s) of whatever was grouped."""

    attempts: int
    successes: int
    mean_s: float
    median_s: float
    longest_s: float
    mean_energy_j: float

    @property
    def rate(self) -> float:
        return self.successes / self.attempts

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.successes, self.attempts)

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval
        return {
            "attempts": self.attempts,
            "successes": self.successes,
            "rate": self.rate,
            "low": low,
            "high": high,
            "mean_s": self.mean_s,
            "median_s": self.median_s,
            "longest_s": self.longest_s,
            "mean_energy_j": self.mean_energy_j,
        }


@dataclass(frozen=True, slots=True)
class NodeStatistics:
    """All attempts at a node, wherever they came from."""

    name: str
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name} | self.success.as_dict()


@dataclass(frozen=True, slots=True)
class EdgeStatistics:
    """All attempts over an edge: its target run from the state in which its source ended."""

    source: str
    target: str
    kind: str
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        return {"source": self.source, "target": self.target, "kind": self.kind} | self.success.as_dict()


class Failure(NamedTuple):
    """One way to fail at one place of a script; the reason without its measured number."""

    node: str
    status: str
    reason: str
    phase: int | None
    script: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class FailureStatistics:
    """How often a failure happened."""

    failure: Failure
    count: int

    def as_dict(self) -> dict[str, Any]:
        return self.failure._asdict() | {"count": self.count}


@dataclass(frozen=True, slots=True)
class Statistics:
    """The attempts of one or more runs, per node, per edge and per way to fail."""

    nodes: tuple[NodeStatistics, ...]
    edges: tuple[EdgeStatistics, ...]
    failures: tuple[FailureStatistics, ...]

    def as_dict(self) -> dict[str, Any]:
        return {name: [row.as_dict() for row in getattr(self, name)] for name in self.__slots__}


def summarize(attempts: Iterable[AttemptRecord]) -> Statistics:
    """Statistics of the attempts; nodes and edges by name, failures with the most frequent first."""
    nodes: dict[str, list[AttemptRecord]] = {}
    edges: dict[tuple[str, str, str], list[AttemptRecord]] = {}
    failures: Counter[Failure] = Counter()
    for attempt in attempts:
        nodes.setdefault(attempt.node, []).append(attempt)
        if attempt.source is not None and attempt.edge_kind != START:
            edges.setdefault((attempt.source, attempt.node, attempt.edge_kind), []).append(attempt)
        if not attempt.succeeded:
            reason = reason_kind(attempt.reason)
            failure = Failure(attempt.node, attempt.status, reason, attempt.phase, attempt.script, attempt.line)
            failures[failure] += 1
    by_count = sorted(failures.items(), key=lambda item: (-item[1], str(item[0])))
    return Statistics(
        tuple(NodeStatistics(name, success_rate(group)) for name, group in sorted(nodes.items())),
        tuple(EdgeStatistics(*key, success_rate(group)) for key, group in sorted(edges.items())),
        tuple(FailureStatistics(failure, count) for failure, count in by_count),
    )


def success_rate(attempts: list[AttemptRecord]) -> SuccessRate:
    """Counts and durations of at least one attempt; durations are those of the successes, if any."""
    successes = [attempt for attempt in attempts if attempt.succeeded]
    timed = successes or attempts
    durations = [attempt.simulated_s for attempt in timed]
    return SuccessRate(
        attempts=len(attempts),
        successes=len(successes),
        mean_s=statistics.fmean(durations),
        median_s=statistics.median(durations),
        longest_s=max(durations),
        mean_energy_j=statistics.fmean(attempt.energy_j for attempt in timed),
    )


def reason_kind(reason: str) -> str:
    """A failure's reason without the measured number: "torso 1.32 is above 1.0" -> "torso is above 1.0"."""
    return re.sub(r"^(\S+) [-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)( rad| m/s| m| s)? (?=is )", r"\1 ", reason)
