"""A policy on a grid: which action to take in a state, tabulated, read between the grid's points, and kept in a
file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.bounds import MAX_NAME_BYTES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.policies.array_file import ArrayFile, load_arrays, save_arrays
from ctrlgraph.policies.grid import Grid, Interpolation

KIND = "policy"
NO_ACTION = -1
"""In place of an action's number: there is none to take."""

_DTYPES: dict[str, np.dtype[Any]] = {
    "actions": np.dtype(np.float64),
    "choice": np.dtype(np.int64),
    "value": np.dtype(np.float64),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TabulatedPolicy:
    """The action of each of S states of a grid, and what the state is worth.

    actions: (A, K) the numbers of each action, `action_names` (K) what they are; choice: (S,) number of the action, or
    NO_ACTION; value: (S,); how: the action of a state between grid points is that of the nearest one, or the weighted
    mean of those around it; digests: of what it was made, by name.

    Raises:
        ValueError: the parts do not fit each other.

    >>> import numpy as np
    >>> from ctrlgraph.policies import Grid, GridAxis, TabulatedPolicy
    >>> grid = Grid([GridAxis("angle", 0.0, 1.0, 2, "rad")])
    >>> policy = TabulatedPolicy(grid, np.array([[10.0], [20.0]]), ("torque",), np.array([0, 1]), np.array([-1.0,
    -3.0]))
    >>> policy.action([0.25]), policy.value_at([0.25])
    (array([12.5]), -1.5)
    """

    grid: Grid
    actions: Floats
    action_names: tuple[str, ...]
    choice: NDArray[np.int64]
    value: Floats
    how: Interpolation = Interpolation.MULTILINEAR
    digests: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.choice.shape != (self.grid.size,) or self.value.shape != (self.grid.size,):
            raise ValueError(f"it has not one choice and one value for each of {self.grid.size} states")
        if self.actions.ndim != 2 or self.actions.shape[1] != len(self.action_names) or not len(self.actions):
            raise ValueError("its actions are no rows of as many numbers as they have names")
        if not np.isfinite(self.actions).all() or np.isnan(self.value).any():
            raise ValueError("an action or a value is no number that it could be")
        if self.choice.min() < NO_ACTION or self.choice.max() >= len(self.actions):
            raise ValueError("a choice is none of its actions")

    def action(self, state: ArrayLike) -> Floats | None:
        """Return the numbers (K,) of the action to take in a state (axes,), which counts as at the bounds where it is
        beyond them; None where there is none to take.

        Raises:
            CtrlGraphError: the state is none of the grid's.
        """
        number, weight = self.grid.weights([self._checked(state)], self.how)
        chosen = self.choice[number[0]]
        counts = np.where(chosen == NO_ACTION, 0.0, weight[0])
        if counts.sum() == 0.0:
            return None
        mean: Floats = counts @ self.actions[chosen] / counts.sum()
        return mean

    def value_at(self, state: ArrayLike) -> float:
        """Return the value of a state, read as `action` reads."""
        number, weight = self.grid.weights([self._checked(state)], self.how)
        counts = weight[0] > 0.0  # nothing times minus infinity is no number
        return float(weight[0][counts] @ self.value[number[0][counts]])

    def save(self, path: Path) -> None:
        """Write the policy as an .npz file, whole or not at all.

        Raises:
            CtrlGraphError: it cannot be written.
        """
        arrays = {"actions": self.actions, "choice": self.choice, "value": self.value}
        about = {"grid": self.grid.as_dict(), "action_names": list(self.action_names), "how": self.how.value}
        save_arrays(path, KIND, ArrayFile(arrays, about, self.digests))

    @classmethod
    def load(cls, path: Path, digests: Mapping[str, str] | None = None) -> TabulatedPolicy:
        """Return the policy of a file.

        Args:
            digests: of what it must have been made; None asks for nothing.

        Raises:
            StaleFile: it was made of something else.
            CtrlGraphError: it cannot be read, or is no policy.
        """
        found = load_arrays(path, KIND, _DTYPES, digests)
        try:
            grid, names = found.about.get("grid"), found.about.get("action_names")
            if not isinstance(grid, dict) or not isinstance(names, list) or not all(map(_is_name, names)):
                raise ValueError("it has no grid, or no names of actions")
            how = Interpolation(str(found.about.get("how")))
            return cls(Grid.from_dict(grid), action_names=tuple(names), how=how, digests=found.digests, **found.arrays)
        except ValueError as error:
            raise CtrlGraphError(f"{display_path(path)} is no {KIND} that can be read: {error}") from None

    def _checked(self, state: ArrayLike) -> Floats:
        found = np.asarray(state, dtype=np.float64)
        if found.shape != (len(self.grid.axes),) or np.isnan(found).any():
            raise CtrlGraphError(f"a state of this policy is {len(self.grid.axes)} numbers")
        return found


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_NAME_BYTES
