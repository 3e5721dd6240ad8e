"""A success count: its share, its interval, and what is believed of the rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.statistics import NONE, SuccessCount, adjusted_p, fisher_p, newcombe_interval

COUNTS = st.integers(0, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "attempts", "low", "high"),
    # published values: Newcombe, Statistics in Medicine 17 (1998), table I
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_wilson_interval_is_the_published_one(successes: int, attempts: int, low: float, high: float):
    assert SuccessCount(successes, attempts).interval == pytest.approx((low, high), abs=5e-5)


@given(COUNTS)
def test_the_interval_holds_the_rate_and_lies_within_0_and_1(counts: tuple[int, int]):
    successes, attempts = counts
    low, high = SuccessCount(successes, attempts).interval
    assert 0.0 <= low <= high <= 1.0
    if attempts:
        assert low <= successes / attempts <= high


@given(COUNTS)
def test_the_posterior_mean_lies_between_the_prior_and_the_rate(counts: tuple[int, int]):
    successes, attempts = counts
    mean = SuccessCount(successes, attempts).posterior_mean()
    rate = successes / attempts if attempts else 0.5
    assert min(0.5, rate) <= mean <= max(0.5, rate)
    assert 0.0 < mean < 1.0


def test_impossible_counts_are_refused():
    for successes, trials in ((3, 2), (-1, 2), (0, -1)):
        with pytest.raises(
            ValueError, match=rf"^successes must be from 0 to the number of trials, {trials}, not {successes}$"
        ):
            SuccessCount(successes, trials)


def test_a_count_tells_its_share_and_without_trials_nothing():
    assert str(SuccessCount(31, 40)) == "31 of 40 (62-88 %)" and SuccessCount(31, 40).share == 31 / 40
    assert NONE.share is None and NONE.interval == (0.0, 1.0) and NONE.posterior_mean() == 0.5


def test_newcombes_own_example() -> None:
    # 56/70 - 48/80, method 10: R. G. Newcombe, Statistics in Medicine 17 (1998), table II
    assert newcombe_interval(SuccessCount(48, 80), SuccessCount(56, 70)) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_fishers_own_example() -> None:
    # the lady tasting tea, 3 of 4 cups right
    assert fisher_p(SuccessCount(3, 4), SuccessCount(1, 4)) == pytest.approx(0.4857, abs=5e-5)


def test_the_difference_lies_in_its_interval_and_within_one() -> None:
    for before in range(6):
        for after in range(8):
            low, high = newcombe_interval(SuccessCount(before, 5), SuccessCount(after, 7))
            assert -1 <= low <= after / 7 - before / 5 <= high <= 1


def test_the_p_values_of_benjamini_and_hochbergs_own_example() -> None:
    # JRSS B 57 (1995), section 4.1: of fifteen tests, four are rejected at 0.05
    found = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    found += [0.7590, 1.0]
    assert sum(p is not None and p < 0.05 for p in adjusted_p(found)) == 4
    assert adjusted_p([None, 0.04, None]) == [None, 0.04, None]
    assert adjusted_p([]) == []
