"""Success rates and their uncertainty."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.runs.statistics import beta_posterior, reason_kind, summarize, wilson_interval

COUNTS = st.integers(0, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "attempts", "low", "high"),
    # published values: Newcombe, Statistics in Medicine 17 (1998), table I
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_wilson_interval_is_the_published_one(successes: int, attempts: int, low: float, high: float):
    assert wilson_interval(successes, attempts) == pytest.approx((low, high), abs=5e-5)


@given(COUNTS)
def test_the_interval_holds_the_rate_and_lies_within_0_and_1(counts: tuple[int, int]):
    successes, attempts = counts
    low, high = wilson_interval(successes, attempts)
    assert 0.0 <= low <= high <= 1.0
    if attempts:
        assert low <= successes / attempts <= high


@given(COUNTS)
def test_failures_mirror_successes(counts: tuple[int, int]):
    successes, attempts = counts
    low, high = wilson_interval(successes, attempts)
    assert wilson_interval(attempts - successes, attempts) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(COUNTS, st.integers(2, 10))
def test_more_of_the_same_narrows_the_interval(counts: tuple[int, int], times: int):
    successes, attempts = counts
    low, high = wilson_interval(successes, attempts)
    narrow_low, narrow_high = wilson_interval(successes * times, attempts * times)
    assert narrow_high - narrow_low <= high - low


@given(COUNTS)
def test_the_posterior_mean_lies_between_the_prior_and_the_rate(counts: tuple[int, int]):
    successes, attempts = counts
    mean = beta_posterior(successes, attempts).mean
    rate = successes / attempts if attempts else 0.5
    assert min(0.5, rate) <= mean <= max(0.5, rate)
    assert 0.0 < mean < 1.0


@given(COUNTS)
def test_a_success_raises_the_posterior_and_a_failure_lowers_it(counts: tuple[int, int]):
    successes, attempts = counts
    mean = beta_posterior(successes, attempts).mean
    assert beta_posterior(successes, attempts + 1).mean < mean < beta_posterior(successes + 1, attempts + 1).mean


@pytest.mark.parametrize("function", [wilson_interval, beta_posterior])
def test_impossible_counts_are_refused(function):
    with pytest.raises(ValueError, match=r"^3 successes of 2 attempts$"):
        function(3, 2)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("torso 1.32 is above 1.0", "torso is above 1.0"),
        ("com_height -2.5e-05 is below 0.85", "com_height is below 0.85"),
        ("torso nan is below 1", "torso is below 1"),
        ("not ended after 20 s", "not ended after 20 s"),
        ("", ""),
    ],
)
def test_a_reason_without_its_number_counts_as_the_same_failure(reason: str, kind: str):
    assert reason_kind(reason) == kind


def test_nodes_edges_and_failures_are_counted_apart(make_attempt):
    attempts = [
        make_attempt(position=0, node="stand", source=None, edge_kind="start", simulated_s=1.0),
        make_attempt(position=1, node="walk", source="stand", simulated_s=2.0),
        make_attempt(position=2, node="walk", source="walk", simulated_s=4.0),
        make_attempt(position=3, node="walk", source="stand", status="failed", reason="torso 1.5 is above 1"),
        make_attempt(position=4, node="walk", source="stand", status="failed", reason="torso 1.7 is above 1"),
        make_attempt(position=5, node="prone", source="walk", edge_kind="corrective"),
    ]
    found = summarize(attempts)
    assert [(node.name, node.success.attempts, node.success.successes) for node in found.nodes] == [
        ("prone", 1, 1),
        ("stand", 1, 1),
        ("walk", 4, 2),
    ]
    assert [(e.source, e.target, e.kind, e.success.attempts, e.success.successes) for e in found.edges] == [
        ("stand", "walk", "naive", 3, 1),
        ("walk", "prone", "corrective", 1, 1),
        ("walk", "walk", "naive", 1, 1),
    ]
    assert [(f.failure.node, f.failure.reason, f.count) for f in found.failures] == [("walk", "torso is above 1", 2)]
    walk = found.nodes[2].success
    assert (walk.mean_s, walk.median_s, walk.longest_s) == (3.0, 3.0, 4.0)  # of the successes
    assert math.isclose(walk.rate, 0.5)
