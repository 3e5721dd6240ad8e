"""The classifier of a basin: predictions for sources left out compared with their outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.robustness.basins.basin import Sample
from ctrlgraph.robustness.basins.classifier import Basin, calibrate, fitted, groups_of, learn_basin

pytest.importorskip("sklearn")

FEATURES = 4


def drawn(source: str, n: int, seed: int, chance, at: float = 0.0) -> list[Sample]:
    """States around a place (the second feature's), which hold with a chance that the first feature decides."""
    rng = np.random.default_rng(seed)
    states = rng.standard_normal((n, FEATURES))
    states[:, 1] += at
    return [Sample(source, 0.1, state, bool(rng.random() < chance(state[0]))) for state in states]


def rule(first: float) -> float:
    return float(first > 0.0)


def opposite(first: float) -> float:
    return float(first <= 0.0)


def half(_: float) -> float:
    return 0.5


def together(*groups: list[Sample]) -> list[Sample]:
    return [sample for group in groups for sample in group]


SAME_RULE = together(*(drawn(name, 40, k, rule) for k, name in enumerate("abc")))


@pytest.fixture(scope="module")
def basin() -> Basin:
    """What is learned where all sources share a rule; nothing is written into it."""
    return learn_basin("walk", SAME_RULE, 1)


@pytest.mark.slow
def test_a_rule_that_all_sources_share_is_predicted_for_one_never_seen(basin: Basin) -> None:
    found = basin.calibration
    assert found is not None
    assert (found.left_out, found.groups, found.states) == ("source", 3, 120)
    assert found.brier < 0.5 * found.base_brier


@pytest.mark.slow
def test_a_source_with_another_rule_is_held_out_and_shows_that_nothing_can_be_predicted() -> None:
    """Folds drawn over all states would know half of each source, and find the rules."""
    samples = together(drawn("a", 60, 1, rule), drawn("b", 60, 2, opposite, at=9.0))
    found = calibrate(samples, 1)
    assert found is not None
    assert found.brier > found.base_brier


@pytest.mark.slow
def test_states_that_decide_nothing_are_predicted_no_better_than_by_the_base_rate() -> None:
    found = calibrate(together(*(drawn(name, 40, k, half) for k, name in enumerate("abc"))), 1)
    assert found is not None
    assert found.brier > 0.9 * found.base_brier


def test_the_base_rate_is_that_of_the_other_sources() -> None:
    samples = together(drawn("a", 10, 1, lambda _: 1.0), drawn("b", 30, 2, lambda _: 0.0))
    found = calibrate(samples, 1)
    assert found is not None
    assert found.base_brier == 1.0  # of a, 0 is predicted after b; of b, 1 after a


@pytest.mark.slow
def test_predicted_probabilities_are_as_often_true_as_they_say() -> None:
    """Chances from 0 to 1, of which a forest's votes know nothing: they are what comes true."""

    def chance(first: float) -> float:
        return float(1 / (1 + np.exp(-2 * first)))

    samples = together(*(drawn(name, 120, k, chance) for k, name in enumerate("abc")))
    states = np.array([s.state for s in samples])
    succeeded = np.array([s.succeeded for s in samples])
    model = fitted(states, succeeded, groups_of(samples)[1], 1)
    new = drawn("d", 2000, 9, chance)
    predicted = model.predict_proba(np.array([s.state for s in new]))[:, 1]
    came = np.array([s.succeeded for s in new])
    for low in (0.1, 0.3, 0.5, 0.7):
        mine = (predicted >= low) & (predicted < low + 0.2)
        assert mine.sum() > 100
        assert came[mine].mean() == pytest.approx(predicted[mine].mean(), abs=0.1)


@pytest.mark.slow
def test_the_reliability_table_counts_every_held_out_state_once(basin: Basin) -> None:
    found = basin.calibration
    assert found is not None
    assert sum(b.states for b in found.bins) == 120
    assert [(b.low, b.high) for b in found.bins] == [(0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0)]
    shown = found.as_dict()["reliability"][-1]
    assert shown["observed_low"] <= shown["observed"] <= shown["observed_high"]


def test_what_is_left_out_is_a_source_or_else_a_noise_level_or_else_states() -> None:
    states = np.zeros(2)
    two = [Sample("a", 0.1, states, True), Sample("b", 0.1, states, True)]
    levels = [Sample("a", 0.1, states, True), Sample("a", 0.2, states, True)]
    alike = [Sample("a", 0.1, states, True)] * 7
    assert [groups_of(samples)[0] for samples in (two, levels, alike)] == ["source", "noise level", "state"]
    assert groups_of(alike)[1].tolist() == [0, 1, 2, 3, 4, 0, 1]


@pytest.mark.slow
def test_the_same_samples_and_seed_give_the_same_calibration() -> None:
    assert calibrate(SAME_RULE, 5) == calibrate(SAME_RULE, 5)


def test_too_few_samples_are_not_tested() -> None:
    basin = learn_basin("walk", SAME_RULE[:9])
    assert (basin.calibration, basin.accuracy) == (None, None)
