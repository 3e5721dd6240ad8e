"""What every optimiser is: asked for candidates, told their costs, and it says why it should end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a search should end: a short stable word for scripts, and one sentence."""

    reason: str
    explanation: str


class Optimizer(Protocol):
    """A search for the x of the least cost; n parameters, one generation of candidates at a time."""

    @property
    def population(self) -> int:
        """Return candidates of the next generation: 1 for "1+1"; a restart of "cma" doubles it."""

    @property
    def sigma(self) -> float:
        """Return the global step size, in the unit of x."""

    @property
    def best_x(self) -> FloatArray:
        """Return the best candidate told so far, (n,); the start before any had a finite cost."""

    @property
    def best_cost(self) -> float:
        """Return its cost; inf before any was finite."""

    @property
    def generations(self) -> int:
        """Return how often costs were told."""

    @property
    def evaluations(self) -> int:
        """Return how many costs were told."""

    @property
    def stop(self) -> Stop | None:
        """Why the search should end, or None. It is advice: asking and telling go on working."""

    def ask(self) -> FloatArray:
        """Return the candidates of one generation, (population, n), within the bounds. Asked again without telling in
        between, others are drawn."""

    def tell(self, candidates: ArrayLike, costs: ArrayLike) -> None:
        """Take the costs of the candidates that were asked for: (population, n) and (population,).

        inf is a candidate that could not be evaluated, nan counts as inf.

        Raises:
            CtrlGraphError: the shapes do not fit, or a candidate is not finite.
        """

    def state(self) -> dict[str, Any]:
        """Return all that the search is, as JSON of finite numbers, the state of its random generator included."""
