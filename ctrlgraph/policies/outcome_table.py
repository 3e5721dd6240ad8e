"""What came of every action from every state of a grid, as it was simulated: the numbers themselves, not yet a
grid's."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_NAME_BYTES, MAX_TABLE_OUTCOMES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.policies.array_file import ArrayFile, load_arrays, save_arrays
from ctrlgraph.policies.grid import Grid, Interpolation
from ctrlgraph.policies.transition_table import ENDED, FAILED, TransitionTable

KIND = "table of outcomes"
MAX_ACTIONS = 10_000
MAX_COLUMNS = 100
_DTYPES: dict[str, np.dtype[Any]] = {
    "actions": np.dtype(np.float64),
    "status": np.dtype(np.uint8),
    "after": np.dtype(np.float64),
    "duration": np.dtype(np.float64),
}

Floats = NDArray[np.float64]


class OutcomeStatus(enum.IntEnum):
    """How an action ended: in another state, at the end of its task, in a failure, or with its process."""

    WENT_ON = 0
    ENDED = 1
    FAILED = 2
    CRASHED = 3


class Beyond(enum.StrEnum):
    """What it means to come out beyond the grid's bounds: a failure, or as much as to come out at them."""

    FAILS = "fails"
    AT_THE_BOUND = "at the bound"


@dataclass(frozen=True)
class OutcomeSpace:
    """What is tabulated: the grid of states, what the actions are, and what is measured after each.

    actions: (A, K) the numbers of each action, `action_names` (K) what they are; columns: what is measured after an
    action, first the state, in the order of the grid's axes; digests: of what decides the outcomes, by name.

    Raises:
        CtrlGraphError: the parts do not fit each other, or are too many.
    """

    grid: Grid
    actions: Floats
    action_names: tuple[str, ...]
    columns: tuple[str, ...]
    digests: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.actions.ndim != 2 or self.actions.shape[1] != len(self.action_names):
            raise CtrlGraphError("actions are rows of as many numbers as they have names")
        if not 1 <= len(self.actions) <= MAX_ACTIONS or not np.isfinite(self.actions).all():
            raise CtrlGraphError(f"1 to {MAX_ACTIONS} actions of finite numbers can be tabulated")
        if self.columns[: len(self.grid.axes)] != tuple(axis.name for axis in self.grid.axes):
            raise CtrlGraphError("what is measured begins with the state, in the order of the grid's axes")
        if len(self.columns) > MAX_COLUMNS or len(set(self.columns)) != len(self.columns):
            raise CtrlGraphError(f"at most {MAX_COLUMNS} different quantities can be measured")
        if self.grid.size * len(self.actions) > MAX_TABLE_OUTCOMES:
            raise CtrlGraphError(f"more than {MAX_TABLE_OUTCOMES} outcomes cannot be tabulated")

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data, without the actions' numbers and the digests."""
        names = {"action_names": list(self.action_names), "columns": list(self.columns)}
        return {"grid": self.grid.as_dict(), **names}


@dataclass(frozen=True)
class OutcomeTable:
    """S states of a grid, A actions, D columns: (S, A) `status` (of OutcomeStatus) and `duration` (s), (S, A, D)
    `after`.

    `after` is NaN where there is nothing to measure; where an action WENT_ON it is finite.

    Raises:
        ValueError: the arrays are no such table.
    """

    space: OutcomeSpace
    status: NDArray[np.uint8]
    after: Floats
    duration: Floats

    def __post_init__(self) -> None:
        shape = (self.space.grid.size, len(self.space.actions))
        if self.status.shape != shape or self.duration.shape != shape:
            raise ValueError(f"its arrays are not of {shape[0]} states and {shape[1]} actions")
        if self.after.shape != (*shape, len(self.space.columns)):
            raise ValueError(f"'after' is of the shape {self.after.shape}")
        if self.status.max() > max(OutcomeStatus):
            raise ValueError("an action ended in a way that there is not")
        if not (np.isfinite(self.duration).all() and (self.duration >= 0.0).all()):
            raise ValueError("a duration is no number that it could be")
        if not np.isfinite(self.after[self.status == OutcomeStatus.WENT_ON]).all():
            raise ValueError("a state that an action led to is none")

    def column(self, name: str) -> Floats:
        """Return what was measured after each action (S, A).

        Raises:
            CtrlGraphError: nothing of this name was.
        """
        if name not in self.space.columns:
            raise CtrlGraphError(f"no '{name}' was measured, but {', '.join(self.space.columns)}")
        column: Floats = self.after[:, :, self.space.columns.index(name)]
        return column

    def count(self, status: OutcomeStatus) -> int:
        """Return how many outcomes are of a status."""
        return int((self.status == status).sum())

    def transitions(
        self,
        reward: Floats,
        *,
        how: Interpolation = Interpolation.MULTILINEAR,
        beyond: Beyond = Beyond.FAILS,
    ) -> TransitionTable:
        """Return the transitions between the grid's states. With multilinear interpolation an outcome between states
        leads to each corner of its cell with its weight as probability, so that values are read as if interpolated.

        Args:
            reward: (S, A) what each action brings, at the end of a task also what that is worth.

        Raises:
            ValueError: the rewards are no (S, A) finite numbers.
        """
        if reward.shape != self.status.shape:
            raise ValueError(f"rewards are of the shape {self.status.shape}, not {reward.shape}")
        number, weight = self.corners(how, beyond)
        states, actions, wide = number.shape
        kept = weight.reshape(-1, wide) > 0.0
        counts = kept.sum(axis=1)
        each = np.repeat(np.arange(states * actions), counts)
        return TransitionTable(
            np.arange(0, states * actions + 1, actions),
            np.tile(np.arange(actions), states),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            number.reshape(-1, wide)[kept],
            weight.reshape(-1, wide)[kept],
            np.ascontiguousarray(reward, np.float64).reshape(-1)[each],
            self.duration.reshape(-1)[each],
            digests=self.space.digests,
        )

    def corners(self, how: Interpolation, beyond: Beyond) -> tuple[NDArray[np.int64], Floats]:
        """Return the states that each action leads to, with their weights (S, A, K); ENDED or FAILED with the weight 1
        in the first place where it leads to none."""
        points = self.after[:, :, : len(self.space.grid.axes)].reshape(-1, len(self.space.grid.axes))
        status = self.status.reshape(-1)
        goes_on = status == OutcomeStatus.WENT_ON
        if beyond is Beyond.FAILS:
            goes_on = goes_on & self.space.grid.inside(points)
        number, weight = self.space.grid.weights(np.where(goes_on[:, None], points, self.space.grid.low), how)
        number[~goes_on], weight[~goes_on] = FAILED, 0.0
        number[status == OutcomeStatus.ENDED] = ENDED
        weight[~goes_on, 0] = 1.0
        shape = (*self.status.shape, number.shape[1])
        return number.reshape(shape), weight.reshape(shape)

    def save(self, path: Path) -> None:
        """Write the table as an .npz file, whole or not at all.

        Raises:
            CtrlGraphError: it cannot be written.
        """
        arrays: dict[str, NDArray[Any]] = {
            "actions": self.space.actions,
            "status": self.status,
            "after": self.after,
            "duration": self.duration,
        }
        save_arrays(path, KIND, ArrayFile(arrays, self.space.as_dict(), self.space.digests))

    @classmethod
    def load(cls, path: Path, digests: Mapping[str, str] | None = None) -> OutcomeTable:
        """Return the table of a file.

        Args:
            digests: of what it must have been made; None asks for nothing.

        Raises:
            StaleFile: it was made of something else.
            CtrlGraphError: it cannot be read, or is no table.
        """
        found = load_arrays(path, KIND, _DTYPES, digests)
        try:
            arrays = dict(found.arrays)
            space = OutcomeSpace(
                Grid.from_dict(_mapping(found.about.get("grid"))),
                arrays.pop("actions"),
                _names(found.about.get("action_names")),
                _names(found.about.get("columns")),
                found.digests,
            )
            return cls(space, **arrays)
        except (ValueError, CtrlGraphError) as error:
            raise CtrlGraphError(f"{display_path(path)} is no {KIND} that can be read: {error}") from None


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("it has no grid")
    return value


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_COLUMNS:
        raise ValueError("it has no names")
    if not all(isinstance(name, str) and len(name) <= MAX_NAME_BYTES for name in value):
        raise ValueError("one of its names is none")
    return tuple(value)
