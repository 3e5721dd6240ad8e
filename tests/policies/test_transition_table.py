"""Transition tables: valid arrays, and mixtures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ctrlgraph.policies import ENDED, FAILED, ActionOutcome, TransitionTable

TABLE = TransitionTable.of(
    [
        {
            3: [ActionOutcome(1, 0.75, -1.0, 0.5), ActionOutcome(FAILED, 0.25, -1.0, 0.25)],
            5: [ActionOutcome(0, 1.0, -2.0)],
        },
        {3: [ActionOutcome(ENDED, 1.0, 4.0, 1.0)]},
    ],
)


OUT = [ActionOutcome(ENDED, 0.2), ActionOutcome(0, 0.8)]


def test_a_table_counts_its_states_choices_and_outcomes() -> None:
    assert (TABLE.states, TABLE.choices, TABLE.outcomes) == (2, 3, 4)
    assert TABLE.action.tolist() == [3, 5, 3] and TABLE.choice_of.tolist() == [0, 0, 1, 2]


def test_outcomes_without_probability_are_left_out() -> None:
    table = TransitionTable.of([{0: [ActionOutcome(ENDED, 1.0), ActionOutcome(0, 0.0)]}])
    assert table.outcomes == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"next_state": [1, -3, 0, -1]}, "an outcome leads to an unknown state"),
        ({"next_state": [2, -2, 0, -1]}, "an outcome leads to an unknown state"),
        ({"probability": [0.5, 0.25, 1.0, 1.0]}, "the probabilities of choice 0 do not sum to 1"),
        ({"probability": [1.5, -0.5, 1.0, 1.0]}, "an outcome has no probability"),
        ({"probability": [np.nan, 0.25, 1.0, 1.0]}, "an outcome has no probability"),
        ({"reward": [np.inf, 0, 0, 0]}, "a reward or a duration is out of range"),
        ({"duration": [-1.0, 0, 0, 0]}, "a reward or a duration is out of range"),
        ({"choice_start": [0, 3, 3]}, "state 1 has no choice"),
        ({"choice_start": [0, 4, 3]}, "'choice_start' does not count its choices"),
        ({"outcome_start": [0, 2, 3, 9]}, "'outcome_start' does not count its outcomes"),
        ({"outcome_start": [0, 2, 2, 4]}, "choice 1 has no outcome"),
    ],
)
def test_invalid_tables_are_refused(change: dict, fault: str) -> None:
    arrays = {name: np.array(value, getattr(TABLE, name).dtype) for name, value in change.items()}
    with pytest.raises(ValueError, match=f"^{fault}$"):
        replace(TABLE, **arrays)


def test_a_mixture_weighs_the_outcomes_of_all_tables_equally() -> None:
    one = TransitionTable.of([{0: [ActionOutcome(1, 1.0, -1.0, 2.0)], 3: [ActionOutcome(ENDED, 1.0)]}, {1: OUT}])
    other = TransitionTable.of([{0: [ActionOutcome(FAILED, 1.0, -3.0)], 3: [ActionOutcome(ENDED, 1.0)]}, {1: OUT}])
    mixed = TransitionTable.mixture([one, other])
    assert mixed.outcome_start.tolist() == [0, 2, 4, 8]
    assert mixed.next_state.tolist() == [1, FAILED, ENDED, ENDED, ENDED, 0, ENDED, 0]
    np.testing.assert_allclose(mixed.probability, [0.5, 0.5, 0.5, 0.5, 0.1, 0.4, 0.1, 0.4])
    assert mixed.reward[:2].tolist() == [-1.0, -3.0] and mixed.duration[:2].tolist() == [2.0, 0.0]
    with pytest.raises(ValueError, match=r"^only tables of the same choices can be mixed$"):
        TransitionTable.mixture([one, TransitionTable.of([{0: OUT, 2: OUT}, {1: OUT}])])
