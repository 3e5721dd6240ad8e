"""Tabulated policies: an action and a value for each state of a grid, interpolated between grid points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.policies.array_file import ArrayFile, load_arrays, names_in, save_arrays
from ctrlgraph.policies.grid import Floats, Grid

KIND = "policy"
"""Kind of the content of a policy file."""
NO_ACTION = -1
"""Number in place of the index of an action if a state has no action."""

_DTYPES: dict[str, np.dtype[Any]] = {
    "actions": np.dtype(np.float64),
    "choice": np.dtype(np.int64),
    "value": np.dtype(np.float64),
}
_HOW = "multilinear"  # interpolation between the points of the grid


@dataclass(frozen=True)
class TabulatedPolicy:
    """A policy as a table: the chosen action and the value of each of S states of a grid.

    Raises:
        ValueError: The shape of an array does not fit the grid or `action_names`, an action is not finite, a value is
            NaN, or a choice is not the index of an action.

    >>> import numpy as np
    >>> from ctrlgraph.policies import Grid, GridAxis, TabulatedPolicy
    >>> grid = Grid([GridAxis("angle", 0.0, 1.0, 2, "rad")])
    >>> actions, choice, value = np.array([[10.0], [20.0]]), np.array([0, 1]), np.array([-1.0, -3.0])
    >>> policy = TabulatedPolicy(grid, actions, ("torque",), choice, value)
    >>> policy.action([0.25]), policy.value_at([0.25])
    (array([12.5]), -1.5)
    """

    grid: Grid
    """Grid of the S states."""
    actions: Floats
    """The A possible actions with K numbers each, (A, K)."""
    action_names: tuple[str, ...]
    """Names of the K numbers of an action, such as ("torque",)."""
    choice: NDArray[np.int64]
    """Index of the chosen action in each state, (S,); NO_ACTION if there is none."""
    value: Floats
    """Value of each state, (S,): the expected sum of rewards."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Hashes of the inputs from which the policy was computed, by name of the input."""

    def __post_init__(self) -> None:
        if self.choice.shape != (self.grid.size,) or self.value.shape != (self.grid.size,):
            raise ValueError(f"'choice' and 'value' need {self.grid.size} numbers, one for each state of the grid")
        if self.actions.ndim != 2 or self.actions.shape[1] != len(self.action_names) or not len(self.actions):
            raise ValueError(f"'actions' needs a row and {len(self.action_names)} columns, one per action name")
        if not np.isfinite(self.actions).all() or np.isnan(self.value).any():
            raise ValueError("'actions' must contain finite numbers, and 'value' must not contain NaN")
        if self.choice.min() < NO_ACTION or self.choice.max() >= len(self.actions):
            raise ValueError(f"'choice' must contain indices of actions, {NO_ACTION} to {len(self.actions) - 1}")

    def action(self, state: ArrayLike) -> Floats | None:
        """Return the interpolated action in a state, (K,), or None if no grid point around the state has an action.

        Grid points without an action are ignored in the interpolation. A state outside the bounds of the grid is
        clipped to them.

        Args:
            state: Coordinates of the state, (axes,).

        Raises:
            CtrlGraphError: A coordinate is NaN, or the number of coordinates is not the number of axes.
        """
        number, weight = self.grid.weights([self.grid.place(state)])
        chosen = self.choice[number[0]]
        counts = np.where(chosen == NO_ACTION, 0.0, weight[0])
        if counts.sum() == 0.0:
            return None
        mean: Floats = counts @ self.actions[chosen] / counts.sum()
        return mean

    def value_at(self, state: ArrayLike) -> float:
        """Return the interpolated value of a state.

        A state outside the bounds of the grid is clipped to them.

        Args:
            state: Coordinates of the state, (axes,).

        Raises:
            CtrlGraphError: A coordinate is NaN, or the number of coordinates is not the number of axes.
        """
        number, weight = self.grid.weights([self.grid.place(state)])
        counts = weight[0] > 0.0  # 0 times -inf is NaN
        return float(weight[0][counts] @ self.value[number[0][counts]])

    def save(self, path: Path) -> None:
        """Write the policy to a file (.npz). An existing file is replaced only after the new one is complete.

        Raises:
            CtrlGraphError: The file cannot be written.
        """
        arrays = {"actions": self.actions, "choice": self.choice, "value": self.value}
        about = {"grid": self.grid.as_dict(), "action_names": list(self.action_names), "how": _HOW}
        save_arrays(path, KIND, ArrayFile(arrays, about, self.digests))

    @classmethod
    def load(cls, path: Path, digests: Mapping[str, str] | None = None) -> TabulatedPolicy:
        """Return the policy in a file.

        Args:
            path: File that `save` has written (.npz).
            digests: Required hashes of the inputs, by name of the input. None: any hashes are accepted.

        Raises:
            StaleFile: The hashes in the file differ from `digests`.
            CtrlGraphError: The file cannot be read, or its content is not a valid policy.
        """

        def made(found: ArrayFile) -> TabulatedPolicy:
            if found.about.get("how") != _HOW:
                raise ValueError(f"the entry 'how' of about.json, the interpolation, must be '{_HOW}'")
            grid, names = Grid.from_dict(found.about["grid"]), names_in(found.about, "action_names")
            return cls(grid, action_names=names, digests=found.digests, **found.arrays)

        return load_arrays(path, KIND, _DTYPES, made, digests)
