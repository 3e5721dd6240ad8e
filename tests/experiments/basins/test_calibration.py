"""Calibration: what is predicted of sources never seen, beside what comes of them; and what cannot be judged."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.experiments.basins.basin import Basin, learn_basin
from ctrlgraph.experiments.basins.calibration import Bin, Calibration, calibrate, fitted, groups_of
from ctrlgraph.experiments.basins.domain import Sample, outlierness, spread_of
from ctrlgraph.experiments.basins.suggestion import suggestion_for

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
    assert found.reach is not None and found.inside_brier < 0.5 * found.inside_base_brier


@pytest.mark.slow
def test_a_source_with_another_rule_is_held_out_and_shows_that_nothing_can_be_predicted() -> None:
    """Folds drawn over all states would know half of each source, and find the rules."""
    samples = together(drawn("a", 60, 1, rule), drawn("b", 60, 2, opposite, at=9.0))
    found = calibrate(samples, 1)
    assert found is not None
    assert found.brier > found.base_brier
    assert found.reach is None


@pytest.mark.slow
def test_states_that_say_nothing_give_no_prediction() -> None:
    found = calibrate(together(*(drawn(name, 40, k, half) for k, name in enumerate("abc"))), 1)
    assert found is not None and found.reach is None
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
def test_the_reliability_table_counts_every_held_out_state_in_the_domain_once(basin: Basin) -> None:
    found = basin.calibration
    assert found is not None
    assert sum(b.states for b in found.bins) == found.inside
    assert found.inside_share == found.inside / 120
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


def test_too_few_samples_have_no_calibration_and_give_no_prediction() -> None:
    basin = learn_basin("walk", SAME_RULE[:9])
    assert basin.calibration is None
    pair = suggestion_for(basin, "d", np.zeros((6, FEATURES)), 0.0)
    assert pair.reason == "unknown: too few samples to leave any out"


# Domains ---------------------------------------------------------------------------------------------------------


def test_the_spread_is_that_within_sources_however_far_apart_they_lie() -> None:
    samples = together(drawn("a", 400, 1, rule), drawn("b", 400, 2, rule, at=1000.0))
    spread = spread_of(np.array([s.state for s in samples]), np.array([s.source for s in samples]))
    assert spread == pytest.approx(np.ones(FEATURES), rel=0.1)


def test_a_state_beside_a_dense_crowd_is_further_out_than_one_amidst_a_thin_one() -> None:
    rng = np.random.default_rng(1)
    dense, thin = rng.standard_normal((60, 2)) * 0.01, rng.standard_normal((60, 2)) + 20.0
    known, spread = np.concatenate([dense, thin]), np.ones(2)
    beside, amidst, deep = (np.array([[x, x]]) for x in (0.3, 20.0, 0.0))
    assert outlierness(beside, known, spread)[0] > 10.0
    assert outlierness(amidst, known, spread)[0] < 1.5
    assert outlierness(deep, known, spread)[0] < 1.5


def test_a_contact_that_no_sample_has_is_far_out() -> None:
    known = np.column_stack([np.random.default_rng(1).standard_normal((50, 3)), np.zeros(50)])
    spread = spread_of(known, np.array(["a"] * 50))
    state = known.mean(axis=0)[None]
    assert outlierness(state, known, spread)[0] < 2.0
    state[0, 3] = 1.0
    assert outlierness(state, known, spread)[0] > 100.0


def test_samples_that_are_all_equal_have_a_domain_of_their_own() -> None:
    known = np.zeros((20, 2))
    assert outlierness(known[:1], known, np.ones(2))[0] == pytest.approx(1.0)
    assert outlierness(known[:1] + 1.0, known, np.ones(2))[0] > 100.0


def test_end_states_beyond_the_samples_cannot_be_judged(basin: Basin) -> None:
    sure = np.array([[1.5, 0.0, 0.0, 0.0]] * 6)
    near = suggestion_for(basin, "d", SAME_RULE[0].state + np.zeros((6, FEATURES)), 0.0)
    assert (near.reason, near.inside) == ("", 1.0)
    far = suggestion_for(basin, "d", sure + 50.0, 0.0)
    assert far.probability > 0.8
    assert far.reason == "unknown: 0 of its 6 end states lie among the sampled ones"
    mixed = np.concatenate([sure[:2] + 50.0, SAME_RULE[0].state + np.zeros((4, FEATURES))])
    assert suggestion_for(basin, "d", mixed, 0.0).reason == "unknown: 4 of its 6 end states lie among the sampled ones"


@pytest.mark.slow
def test_a_basin_whose_predictions_fail_on_what_was_left_out_gives_no_prediction() -> None:
    samples = together(drawn("a", 60, 1, rule), drawn("b", 60, 2, opposite, at=9.0))
    pair = suggestion_for(learn_basin("walk", samples, 1), "d", samples[0].state[None], 0.0)
    assert pair.reason == "unknown: the predictions for walk are wrong for a source left out"


def test_end_states_that_were_not_reached_give_no_prediction(basin: Basin) -> None:
    pair = suggestion_for(basin, "d", np.zeros((0, FEATURES)), 0.0)
    assert pair.reason == "unknown: none of its end states could be reached"


def test_the_lower_bound_is_that_of_what_held_where_the_same_was_predicted() -> None:
    bins = tuple(Bin(k / 5, (k + 1) / 5, (k + 0.5) / 5, n, succeeded) for k, (n, succeeded) in enumerate(COUNTS))
    found = Calibration("source", 3, 40, 0.9, 0.1, 0.2, 1.0, 40, 0.1, 0.2, bins)
    assert found.lowest(0.1) == 0.0
    assert found.lowest(0.5) == 0.0  # nothing of the kind was left out
    assert found.lowest(1.0) == pytest.approx(0.839, abs=1e-3)  # 20 of 20
    assert found.lowest(0.79) == pytest.approx(0.300, abs=1e-3)  # 4 of 6


COUNTS = ((10, 0), (4, 1), (0, 0), (6, 4), (20, 20))


def test_a_pair_below_the_threshold_by_its_lower_bound_is_unlikely(basin: Basin) -> None:
    succeeded = next(s.state for s in SAME_RULE if s.state[0] > 1.0)
    pair = suggestion_for(basin, "d", succeeded[None], 0.0)
    assert pair.reason == "" and 0.0 < pair.least < pair.probability
    assert suggestion_for(basin, "d", succeeded[None], 1.0).reason == (
        f"unlikely: it succeeds in at least {pair.least:.0%}, and 100% is asked for"
    )
