"""Outcome tables: the simulated result of every action from every state of a grid."""

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
from ctrlgraph.policies.grid import Floats, Grid

KIND = "table of outcomes"
"""Kind of the content of a file with an outcome table."""
ENDED = -1
"""Number in place of the index of a next state if the task has ended."""
FAILED = -2
"""Number in place of the index of a next state if the task has failed."""
MAX_ACTIONS = 10_000
"""Maximum number of actions of a table."""
MAX_COLUMNS = 100
"""Maximum number of quantities measured after an action."""
_DTYPES: dict[str, np.dtype[Any]] = {
    "actions": np.dtype(np.float64),
    "status": np.dtype(np.uint8),
    "after": np.dtype(np.float64),
    "duration": np.dtype(np.float64),
}


class OutcomeStatus(enum.IntEnum):
    """Result of a simulated action for the task, such as a walk over gaps."""

    CONTINUED = 0
    """The action led to a state from which the task continues."""
    ENDED = 1
    """The action led to the regular end of the task."""
    FAILED = 2
    """The task failed during the action."""


class StateOutcomes(NamedTuple):
    """Simulated results of all A actions from one state, with D quantities measured at the end of each action."""

    status: NDArray[np.uint8]
    """Result of each action, (A,), a value of `OutcomeStatus`."""
    after: Floats
    """The quantities measured at the end of each action, (A, D), in the order of `OutcomeSpace.columns`."""
    duration: Floats
    """Duration of each action, (A,), s."""


@dataclass(frozen=True)
class OutcomeSpace:
    """Description of an outcome table: the grid of states, the actions, and the quantities measured after an action.

    Raises:
        CtrlGraphError: The shape of `actions` does not fit `action_names`, an action is not finite, `columns` does not
            begin with the names of the grid's axes or contains a name twice, or the table would be too large.
    """

    grid: Grid
    """Grid of the S states from which the actions are simulated."""
    actions: Floats
    """The A actions with K numbers each, (A, K)."""
    action_names: tuple[str, ...]
    """Names of the K numbers of an action, such as ("torque",)."""
    columns: tuple[str, ...]
    """Names of the D quantities measured after an action: first the axes of the grid in their order, then others."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Hashes of the inputs that determine the outcomes, by name of the input, such as "character"."""

    def __post_init__(self) -> None:
        if self.actions.ndim != 2 or self.actions.shape[1] != len(self.action_names):
            raise CtrlGraphError(f"'actions' needs {len(self.action_names)} columns, one for each of 'action_names'")
        if not 1 <= len(self.actions) <= MAX_ACTIONS or not np.isfinite(self.actions).all():
            raise CtrlGraphError(
                f"'actions' must have 1 to {MAX_ACTIONS} rows of finite numbers, not {len(self.actions)}"
            )
        if self.columns[: len(self.grid.axes)] != tuple(axis.name for axis in self.grid.axes):
            raise CtrlGraphError("'columns' must begin with the names of the grid's axes, in their order")
        if len(self.columns) > MAX_COLUMNS or len(set(self.columns)) != len(self.columns):
            raise CtrlGraphError(
                f"'columns' must have at most {MAX_COLUMNS} different names, not {', '.join(self.columns[:9])}"
            )
        if self.grid.size * len(self.actions) > MAX_TABLE_OUTCOMES:
            pairs = f"{self.grid.size} states x {len(self.actions)} actions"
            raise CtrlGraphError(f"{pairs} exceed {MAX_TABLE_OUTCOMES} outcomes: use a coarser grid or fewer actions")

    def as_dict(self) -> dict[str, Any]:
        """Return grid, action names and columns as JSON data; `actions` and `digests` are not included."""
        names = {"action_names": list(self.action_names), "columns": list(self.columns)}
        return {"grid": self.grid.as_dict(), **names}


@dataclass(frozen=True)
class OutcomeTable:
    """Simulated results of A actions from each of S states of a grid, with D quantities measured after each action.

    Raises:
        ValueError: The shape of an array does not fit `space`, a status is unknown, a duration is negative or not
            finite, or a quantity after an action that continued is not finite.
    """

    space: OutcomeSpace
    """Description of states, actions and measured quantities."""
    status: NDArray[np.uint8]
    """Result of each action from each state, (S, A), a value of `OutcomeStatus`."""
    after: Floats
    """The quantities measured at the end of each action, (S, A, D), in the order of `OutcomeSpace.columns`. They may be
    NaN unless the status is CONTINUED.
    """
    duration: Floats
    """Duration of each action, (S, A), s."""

    def __post_init__(self) -> None:
        shape = (self.space.grid.size, len(self.space.actions))
        if self.status.shape != shape or self.duration.shape != shape:
            raise ValueError(f"'status' and 'duration' must have the shape (states, actions) = {shape}")
        if self.after.shape != (*shape, len(self.space.columns)):
            raise ValueError(f"'after' must have the shape {(*shape, len(self.space.columns))}, not {self.after.shape}")
        if self.status.max() > max(OutcomeStatus):
            raise ValueError(f"'status' must be 0 to {max(OutcomeStatus):d} (OutcomeStatus), not {self.status.max()}")
        if not (np.isfinite(self.duration).all() and (self.duration >= 0.0).all()):
            raise ValueError("'duration' must contain finite numbers of at least 0 s")
        if not np.isfinite(self.after[self.status == OutcomeStatus.CONTINUED]).all():
            raise ValueError("'after' must contain finite numbers wherever 'status' is CONTINUED")

    def column(self, name: str) -> Floats:
        """Return the values of one measured quantity at the end of each action from each state, (S, A).

        Args:
            name: Name of the quantity, one of `space.columns`.

        Raises:
            CtrlGraphError: The table has no column with this name.
        """
        if name not in self.space.columns:
            raise CtrlGraphError(f"the outcome table has no column '{name}': use {', '.join(self.space.columns)}")
        column: Floats = self.after[:, :, self.space.columns.index(name)]
        return column

    def count(self, status: OutcomeStatus) -> int:
        """Return the number of pairs of state and action whose result is `status`."""
        return int((self.status == status).sum())

    def corners(self) -> tuple[NDArray[np.int64], Floats]:
        """Return the grid points to which each action leads, and their interpolation weights.

        The state after an action lies between grid points. The action leads to the C = 2^axes corners of the grid cell
        around this state. A state outside the bounds of the grid counts as a failure.

        Returns:
            Indices of the grid points, (S, A, C), and their weights, (S, A, C). If an action ended the task or failed,
            its C indices are all ENDED or all FAILED, and its weights are 1, 0, 0, and so on.
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
        """Write the table to a file (.npz). An existing file is replaced only after the new one is complete.

        Raises:
            CtrlGraphError: The file cannot be written.
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
        """Return the table in a file.

        Args:
            path: File that `save` has written (.npz).
            digests: Required hashes of the inputs, by name of the input. None: any hashes are accepted.

        Raises:
            StaleFile: The hashes in the file differ from `digests`.
            CtrlGraphError: The file cannot be read, or its content is not a valid table.
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
    """Return the outcome table in a file. If the file does not exist, simulate all actions and write the table first.

    Args:
        space: Description of the table.
        outcomes: Function that simulates all actions from a state and returns the results. It is called with the index
            of the state in `space.grid`.
        path: File of the table (.npz).
        progress: Function that is called after each state with the number of states finished so far.

    Raises:
        StaleFile: The file has a table with another grid, other actions, columns or inputs.
        CtrlGraphError: The file cannot be read or written, or its content is not a valid table.
    """
    if path.exists():
        table = OutcomeTable.load(path, space.digests)
        if table.space.as_dict() != space.as_dict() or not np.array_equal(table.space.actions, space.actions):
            raise StaleFile(
                f"{display_path(path)} was computed with another grid or other actions: give another file, or"
                " delete this one"
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
