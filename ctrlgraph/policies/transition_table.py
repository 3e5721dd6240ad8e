"""Transitions as a table: what each action of each state leads to, how probably, for how much and for how long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_TABLE_OUTCOMES, MAX_TABLE_STATES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.policies.array_file import ArrayFile, load_arrays, save_arrays

ENDED = -1
"""In place of a next state: the task has ended, and what it ended with is worth the outcome's reward."""
FAILED = -2
"""In place of a next state: the attempt has failed for good."""

KIND = "transition table"
_SUM_TOLERANCE = 1e-9

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class ActionOutcome(NamedTuple):
    """One thing that an action may lead to: a state, ENDED or FAILED; with which probability, reward and duration
    (s)."""

    next_state: int
    probability: float = 1.0
    reward: float = 0.0
    duration: float = 0.0


@dataclass(frozen=True)
class TransitionTable:
    """S states, C choices (one for each action of each state), O outcomes; checked when it is made.

    choice_start: (S + 1,) where the choices of each state begin and end; action: (C,) what each choice is, in whatever
    numbers its maker has; outcome_start: (C + 1,) where the outcomes of each choice begin and end; next_state: (O,) a
    state, ENDED or FAILED; probability: (O,) above 0, of each choice 1 in sum; reward: (O,); duration: (O,) s.

    Raises:
        ValueError: the arrays are no such table.

    >>> from ctrlgraph.policies import ENDED, ActionOutcome, TransitionTable
    >>> slow, risky = [ActionOutcome(ENDED, 1.0, -5.0)], [ActionOutcome(ENDED, 0.5, -1.0), ActionOutcome(0, 0.5, -1.0)]
    >>> TransitionTable.of([{0: slow, 1: risky}]).outcomes
    3
    """

    choice_start: Ints
    action: Ints
    outcome_start: Ints
    next_state: Ints
    probability: Floats
    reward: Floats
    duration: Floats
    digests: Mapping[str, str] = field(default_factory=dict)

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
    def deterministic(self) -> bool:
        """Tell whether every choice has one outcome."""
        return self.outcomes == self.choices

    @property
    def choice_of(self) -> Ints:
        """Return the choice that each outcome belongs to (O,)."""
        return np.repeat(np.arange(self.choices), np.diff(self.outcome_start))

    @classmethod
    def of(
        cls,
        states: Sequence[Mapping[int, Iterable[ActionOutcome]]],
        digests: Mapping[str, str] | None = None,
    ) -> TransitionTable:
        """Return the table of states whose actions, by their numbers, have these outcomes; those of no probability are
        left out.

        Raises:
            ValueError: that is no table.
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
            digests=digests or {},
        )

    @classmethod
    def mixture(cls, tables: Sequence[TransitionTable]) -> TransitionTable:
        """Return the table in which each choice has the outcomes of all these tables, each as probable as the others.

        Raises:
            ValueError: they are not of the same states and choices.
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

    def with_rewards(self, reward: Floats) -> TransitionTable:
        """Return the same transitions with other rewards (O,)."""
        return replace(self, reward=np.asarray(reward, np.float64))

    def save(self, path: Path) -> None:
        """Write the table as an .npz file, whole or not at all.

        Raises:
            CtrlGraphError: it cannot be written.
        """
        save_arrays(path, KIND, ArrayFile({name: getattr(self, name) for name in _DTYPES}, {}, self.digests))

    @classmethod
    def load(cls, path: Path, digests: Mapping[str, str] | None = None) -> TransitionTable:
        """Return the table of a file.

        Args:
            digests: of what it must have been made; None asks for nothing.

        Raises:
            StaleFile: it was made of something else.
            CtrlGraphError: it cannot be read, or is no table.
        """
        found = load_arrays(path, KIND, _DTYPES, digests)
        try:
            return cls(**found.arrays, digests=found.digests)
        except ValueError as error:
            raise CtrlGraphError(f"{display_path(path)} is no {KIND} that can be read: {error}") from None


_INTS = ("choice_start", "action", "outcome_start", "next_state")
_DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(np.int64 if name in _INTS else np.float64) for name in (*_INTS, "probability", "reward", "duration")
}


def _starts(counts: Iterable[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(np.fromiter(counts, np.int64))]).astype(np.int64)


def _check(table: TransitionTable) -> None:
    """
    Raises:
        ValueError: the arrays are no table: a kernel that read them would read beyond their ends, or go on for ever.
    """
    for name, dtype in _DTYPES.items():
        array = getattr(table, name)
        if array.ndim != 1 or array.dtype != dtype:
            raise ValueError(f"'{name}' is no row of {dtype}")
    sizes = {name: len(getattr(table, name)) for name in ("next_state", "probability", "reward", "duration")}
    if not 1 <= table.states <= MAX_TABLE_STATES or not 1 <= table.outcomes <= MAX_TABLE_OUTCOMES:
        raise ValueError(f"it has {table.states} states and {table.outcomes} outcomes")
    if len(set(sizes.values())) != 1:
        raise ValueError(f"its outcomes are not as many in each array: {sizes}")
    _check_starts("choice_start", table.choice_start, table.choices, "state", "choice")
    _check_starts("outcome_start", table.outcome_start, table.outcomes, "choice", "outcome")
    if table.next_state.min() < FAILED or table.next_state.max() >= table.states:
        raise ValueError("an outcome leads to a state that it does not have")
    if not (table.probability > 0.0).all():
        raise ValueError("an outcome has no probability")
    if not (np.isfinite(table.reward).all() and np.isfinite(table.duration).all() and (table.duration >= 0.0).all()):
        raise ValueError("a reward or a duration is no number that it could be")
    sums = np.add.reduceat(table.probability, table.outcome_start[:-1])
    if np.abs(sums - 1.0).max() > _SUM_TOLERANCE:
        raise ValueError(f"the probabilities of choice {int(np.abs(sums - 1.0).argmax())} do not sum to 1")


def _check_starts(name: str, starts: Ints, total: int, owner: str, owned: str) -> None:
    if len(starts) < 2 or starts[0] != 0 or starts[-1] != total or (np.diff(starts) < 0).any():
        raise ValueError(f"'{name}' does not count its {owned}s")
    if (np.diff(starts) == 0).any():
        raise ValueError(f"{owner} {int((np.diff(starts) == 0).argmax())} has no {owned}")
