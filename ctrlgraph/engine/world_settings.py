"""Settings that all engines have in common."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Literal, Self

from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.constants import GRAVITY

Solver = Literal["exact", "quick"]

MAX_ITERATIONS = 10_000
"""Maximum number of iterations of a solver."""

MAX_NUMBER = 1e5
"""Maximum magnitude of a setting."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """Settings of every engine, in SI units; each engine adds its own (`Engine.settings`).

    >>> from ctrlgraph import WorldSettings
    >>> WorldSettings(dt=0.001, solver="quick").iterations
    50
    """

    dt: float = 0.002
    """Time step, s."""
    solver: Solver = "exact"
    """Exact, or iterative (quick)."""
    iterations: int = 50
    """Iterations of the quick solver."""
    gravity: float = GRAVITY
    """Acceleration of gravity, m/s^2, downward."""

    def __post_init__(self) -> None:
        """
        Raises:
            SimulationError: a value has another type than its default, is not finite or out of range.
        """
        values = {field.name: (getattr(self, field.name), field.default) for field in dataclasses.fields(self)}
        for name, (value, usual) in values.items():
            if type(value) is not type(usual) and not (type(usual) is float and type(value) is int):
                raise SimulationError(f"the setting '{name}' is a {type(value).__name__}")
        if not 1e-5 <= self.dt <= 0.02:
            raise SimulationError(f"a time step of {self.dt:g} s is not between 0.00001 and 0.02 s")
        if self.solver not in ("exact", "quick"):
            raise SimulationError(f"there is no solver '{self.solver}', only exact and quick")
        if self.iterations < 1:
            raise SimulationError(f"the solver needs at least one iteration, not {self.iterations}")
        if self.iterations > MAX_ITERATIONS:
            raise SimulationError(f"the solver takes {MAX_ITERATIONS} iterations at most, not {self.iterations}")
        for name, (value, _) in values.items():
            if isinstance(value, float) and not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
                raise SimulationError(f"the setting '{name}' cannot be {value:g}")

    @classmethod
    def completed(cls, settings: WorldSettings) -> Self:
        """Return settings of this engine: `settings` itself, or common settings completed by the engine's defaults.

        Raises:
            SimulationError: the settings belong to another engine.
        """
        if isinstance(settings, cls):
            return settings
        if type(settings) is not WorldSettings:
            raise SimulationError(
                f"{type(settings).__name__} cannot be used as {cls.__name__}: they are for another engine"
            )
        return cls(**{field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)})
