"""Transition tables: the outcomes of each action of each state, with probabilities, rewards and durations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_TABLE_OUTCOMES, MAX_TABLE_STATES

ENDED = -1
"""Number in place of a next state: the task has ended, with the outcome's reward."""
FAILED = -2
"""Number in place of a next state: the task has failed."""

_SUM_TOLERANCE = 1e-9

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class ActionOutcome(NamedTuple):
    """One outcome of an action."""

    next_state: int
    """A state, ENDED or FAILED."""
    probability: float = 1.0
    """Probability."""
    reward: float = 0.0
    """Reward."""
    duration: float = 0.0
    """s."""


@dataclass(frozen=True)
class TransitionTable:
    """S states, C choices (one for each action of each state) and O outcomes.

    Raises:
        ValueError: the arrays are not such a table.

    >>> from ctrlgraph.policies import ENDED, ActionOutcome, TransitionTable
    >>> slow, risky = [ActionOutcome(ENDED, 1.0, -5.0)], [ActionOutcome(ENDED, 0.5, -1.0), ActionOutcome(0, 0.5, -1.0)]
    >>> TransitionTable.of([{0: slow, 1: risky}]).outcomes
    3
    """

    choice_start: Ints
    """(S + 1,) first choice of each state, and the number of choices."""
    action: Ints
    """(C,) action of each choice, a number of the caller."""
    outcome_start: Ints
    """(C + 1,) first outcome of each choice, and the number of outcomes."""
    next_state: Ints
    """(O,) a state, ENDED or FAILED."""
    probability: Floats
    """(O,) above 0, with sum 1 for each choice."""
    reward: Floats
    """(O,)."""
    duration: Floats
    """(O,) s."""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def states(self) -> int:
        """Return the number of states."""
        return len(self.choice_start) - 1

    @property
    def choices(self) -> int:
        """Return the number of choices."""
        return len(self.action)

    @property
    def outcomes(self) -> int:
        """Return the number of outcomes."""
        return len(self.next_state)

    @property
    def choice_of(self) -> Ints:
        """Return the choice of each outcome (O,)."""
        return np.repeat(np.arange(self.choices), np.diff(self.outcome_start))

    @classmethod
    def of(cls, states: Sequence[Mapping[int, Iterable[ActionOutcome]]]) -> TransitionTable:
        """Return the table of some states; outcomes with probability 0 are left out.

        Args:
            states: for each state the outcomes of its actions, by action.

        Raises:
            ValueError: the states are not a valid table.
        """
        choices = [(action, outcomes) for state in states for action, outcomes in state.items()]
        found = [[ActionOutcome(*outcome) for outcome in outcomes if outcome[1] != 0.0] for _, outcomes in choices]
        flat = [outcome for outcomes in found for outcome in outcomes]
        columns = list(zip(*flat, strict=True)) or [(), (), (), ()]
        probability, reward, duration = (np.array(column, dtype=np.float64) for column in columns[1:])
        return cls(
            _starts(len(state) for state in states),
            np.array([action for action, _ in choices], dtype=np.int64),
            _starts(map(len, found)),
            np.array(columns[0], dtype=np.int64),
            probability,
            reward,
            duration,
        )

    @classmethod
    def mixture(cls, tables: Sequence[TransitionTable]) -> TransitionTable:
        """Return the table in which each choice has the outcomes of all tables, with equal weights.

        Raises:
            ValueError: the tables differ in states or choices.
        """
        first = tables[0]
        for table in tables[1:]:
            if not (
                np.array_equal(table.choice_start, first.choice_start) and np.array_equal(table.action, first.action)
            ):
                raise ValueError("only tables of the same choices can be mixed")
        choice = np.concatenate([table.choice_of for table in tables])
        order = np.argsort(choice, kind="stable")

        def column(name: str) -> NDArray[Any]:
            mixed: NDArray[Any] = np.concatenate([getattr(table, name) for table in tables])[order]
            return mixed

        return replace(
            first,
            outcome_start=np.concatenate([[0], np.cumsum(np.bincount(choice, minlength=first.choices))]),
            next_state=column("next_state"),
            probability=column("probability") / len(tables),
            reward=column("reward"),
            duration=column("duration"),
        )


_INTS = ("choice_start", "action", "outcome_start", "next_state")
_DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(np.int64 if name in _INTS else np.float64) for name in (*_INTS, "probability", "reward", "duration")
}


def _starts(counts: Iterable[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(np.fromiter(counts, np.int64))]).astype(np.int64)


def _check(table: TransitionTable) -> None:
    """Raise if the arrays are not a table: kernels would read beyond their ends, or not terminate.

    Raises:
        ValueError: they are not.
    """
    for name, dtype in _DTYPES.items():
        array = getattr(table, name)
        if array.ndim != 1 or array.dtype != dtype:
            raise ValueError(f"'{name}' is not a vector of {dtype}")
    sizes = {name: len(getattr(table, name)) for name in ("next_state", "probability", "reward", "duration")}
    if not 1 <= table.states <= MAX_TABLE_STATES or not 1 <= table.outcomes <= MAX_TABLE_OUTCOMES:
        raise ValueError(f"it has {table.states} states and {table.outcomes} outcomes")
    if len(set(sizes.values())) != 1:
        raise ValueError(f"its arrays differ in length: {sizes}")
    _check_starts("choice_start", table.choice_start, table.choices, "state", "choice")
    _check_starts("outcome_start", table.outcome_start, table.outcomes, "choice", "outcome")
    if table.next_state.min() < FAILED or table.next_state.max() >= table.states:
        raise ValueError("an outcome leads to an unknown state")
    if not (table.probability > 0.0).all():
        raise ValueError("an outcome has no probability")
    if not (np.isfinite(table.reward).all() and np.isfinite(table.duration).all() and (table.duration >= 0.0).all()):
        raise ValueError("a reward or a duration is out of range")
    sums = np.add.reduceat(table.probability, table.outcome_start[:-1])
    if np.abs(sums - 1.0).max() > _SUM_TOLERANCE:
        raise ValueError(f"the probabilities of choice {int(np.abs(sums - 1.0).argmax())} do not sum to 1")


def _check_starts(name: str, starts: Ints, total: int, owner: str, owned: str) -> None:
    if len(starts) < 2 or starts[0] != 0 or starts[-1] != total or (np.diff(starts) < 0).any():
        raise ValueError(f"'{name}' does not count its {owned}s")
    if (np.diff(starts) == 0).any():
        raise ValueError(f"{owner} {int((np.diff(starts) == 0).argmax())} has no {owned}")
