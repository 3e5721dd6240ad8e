"""Tables of simulated outcomes: every action from every state of a grid, before any interpolation."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_TABLE_OUTCOMES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.policies.array_file import ArrayFile, StaleFile, load_arrays, names_in, save_arrays
from ctrlgraph.policies.grid import Grid

KIND = "table of outcomes"
ENDED = -1
"""Number in place of a next state: the task has ended."""
FAILED = -2
"""Number in place of a next state: the task has failed."""
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
    """How an action ended: in another state, at the end of its task, or in a failure."""

    CONTINUED = 0
    ENDED = 1
    FAILED = 2


class StateOutcomes(NamedTuple):
    """Outcomes of all A actions from one state."""

    status: NDArray[np.uint8]
    """(A,) of OutcomeStatus."""
    after: Floats
    """(A, D) measured quantities, see `OutcomeTable`."""
    duration: Floats
    """(A,) s."""


@dataclass(frozen=True)
class OutcomeSpace:
    """Description of a table: the grid of states, the actions, and the quantities measured after each.

    Raises:
        CtrlGraphError: the parts do not fit each other, or are too many.
    """

    grid: Grid
    """Grid of S states."""
    actions: Floats
    """(A, K) numbers of each action."""
    action_names: tuple[str, ...]
    """(K) names of these numbers."""
    columns: tuple[str, ...]
    """Measured quantities, first the state in the order of the grid's axes."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Digests of the inputs that determine the outcomes, by name."""

    def __post_init__(self) -> None:
        if self.actions.ndim != 2 or self.actions.shape[1] != len(self.action_names):
            raise CtrlGraphError(f"each action needs {len(self.action_names)} numbers, one for each action name")
        if not 1 <= len(self.actions) <= MAX_ACTIONS or not np.isfinite(self.actions).all():
            raise CtrlGraphError(f"1 to {MAX_ACTIONS} actions of finite numbers can be tabulated")
        if self.columns[: len(self.grid.axes)] != tuple(axis.name for axis in self.grid.axes):
            raise CtrlGraphError("columns begin with the state, in the order of the grid's axes")
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
    """Outcomes of A actions from S states of a grid, with D measured columns.

    Raises:
        ValueError: the arrays are not such a table.
    """

    space: OutcomeSpace
    """Description of the table."""
    status: NDArray[np.uint8]
    """(S, A) of OutcomeStatus."""
    after: Floats
    """(S, A, D) measured quantities; finite if the action CONTINUED, otherwise possibly NaN."""
    duration: Floats
    """(S, A) s."""

    def __post_init__(self) -> None:
        shape = (self.space.grid.size, len(self.space.actions))
        if self.status.shape != shape or self.duration.shape != shape:
            raise ValueError(f"its arrays are not of {shape[0]} states and {shape[1]} actions")
        if self.after.shape != (*shape, len(self.space.columns)):
            raise ValueError(f"'after' is of the shape {self.after.shape}")
        if self.status.max() > max(OutcomeStatus):
            raise ValueError("an action has an unknown status")
        if not (np.isfinite(self.duration).all() and (self.duration >= 0.0).all()):
            raise ValueError("a duration is negative or not finite")
        if not np.isfinite(self.after[self.status == OutcomeStatus.CONTINUED]).all():
            raise ValueError("a state after an action is not finite")

    def column(self, name: str) -> Floats:
        """Return a measured column (S, A).

        Raises:
            CtrlGraphError: there is no such column.
        """
        if name not in self.space.columns:
            raise CtrlGraphError(f"there is no column '{name}' (columns: {', '.join(self.space.columns)})")
        column: Floats = self.after[:, :, self.space.columns.index(name)]
        return column

    def count(self, status: OutcomeStatus) -> int:
        """Return the number of outcomes with a status."""
        return int((self.status == status).sum())

    def corners(self) -> tuple[NDArray[np.int64], Floats]:
        """Return the states that each action leads to, and their weights (S, A, K).

        An outcome between grid points leads to the corners of its cell, with their interpolation weights. An action
        that leads to no state has the corner ENDED or FAILED with the weight 1 in the first place. An outcome beyond
        the bounds of the grid is a failure.
        """
        points = self.after[:, :, : len(self.space.grid.axes)].reshape(-1, len(self.space.grid.axes))
        status = self.status.reshape(-1)
        goes_on = (status == OutcomeStatus.CONTINUED) & self.space.grid.inside(points)
        number, weight = self.space.grid.weights(np.where(goes_on[:, None], points, self.space.grid.low))
        number[~goes_on], weight[~goes_on] = FAILED, 0.0
        number[status == OutcomeStatus.ENDED] = ENDED
        weight[~goes_on, 0] = 1.0
        shape = (*self.status.shape, number.shape[1])
        return number.reshape(shape), weight.reshape(shape)

    def save(self, path: Path) -> None:
        """Write the table as an .npz file, atomically.

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
            path: the file.
            digests: required digests of the inputs of the file; None accepts any.

        Raises:
            StaleFile: it was made from other inputs.
            CtrlGraphError: it cannot be read, or is not a table.
        """

        def made(found: ArrayFile) -> OutcomeTable:
            grid, actions = Grid.from_dict(found.about["grid"]), found.arrays.pop("actions")
            names, columns = names_in(found.about, "action_names"), names_in(found.about, "columns")
            return cls(OutcomeSpace(grid, actions, names, columns, found.digests), **found.arrays)

        return load_arrays(path, KIND, _DTYPES, made, digests)


def tabulate(
    space: OutcomeSpace,
    outcomes: Callable[[int], StateOutcomes],
    path: Path,
    progress: Callable[[int], None] = lambda _: None,
) -> OutcomeTable:
    """Return the table of a file. If the file does not exist, simulate the table and write it.

    Args:
        space: description of the table.
        outcomes: returns the outcomes from a state, by its number.
        path: the file (.npz).
        progress: called with the number of finished states.

    Raises:
        StaleFile: the file has another table.
        CtrlGraphError: the file cannot be read or written.
    """
    if path.exists():
        table = OutcomeTable.load(path, space.digests)
        if table.space.as_dict() != space.as_dict() or not np.array_equal(table.space.actions, space.actions):
            raise StaleFile(
                f"{display_path(path)} contains another grid or other actions: give another file, or remove it"
            )
        return table
    path.parent.mkdir(parents=True, exist_ok=True)
    states = []
    for state in range(space.grid.size):
        states.append(outcomes(state))
        progress(state + 1)
    table = OutcomeTable(space, *(np.stack(arrays) for arrays in zip(*states, strict=True)))
    table.save(path)
    return table
