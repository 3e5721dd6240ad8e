"""How a world is run, whatever the engine: what each engine's own settings begin with."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Literal, Self

from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.gravity import GRAVITY

Solver = Literal["exact", "quick"]

MAX_ITERATIONS = 10_000

MAX_NUMBER = 1e5
"""No setting is greater."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """What every engine is told, in SI units; an engine's own settings (`Engine.settings`) are these and more.

    dt: time step; solver: exact, or quick with so many iterations.

    >>> from ctrlgraph import WorldSettings
    >>> WorldSettings(dt=0.001, solver="quick").iterations
    50
    """

    dt: float = 0.002
    solver: Solver = "exact"
    iterations: int = 50
    gravity: float = GRAVITY

    def __post_init__(self) -> None:
        """
        Raises:
            SimulationError: a value is of another type than its default, not finite, or beyond all reason.
        """
        values = {field.name: (getattr(self, field.name), field.default) for field in dataclasses.fields(self)}
        for name, (value, usual) in values.items():
            if type(value) is not type(usual) and not (type(usual) is float and type(value) is int):
                raise SimulationError(f"the setting '{name}' is a {type(value).__name__}")
        if not 1e-5 <= self.dt <= 0.02:
            raise SimulationError(f"a time step of {self.dt:g} s is not within 0.00001 and 0.02 s")
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
        """Return an engine's own settings: these, where they are of it; else what is common, and its usual values.

        Raises:
            SimulationError: they are another engine's own.
        """
        if isinstance(settings, cls):
            return settings
        if type(settings) is not WorldSettings:
            raise SimulationError(f"{type(settings).__name__} are no {cls.__name__}: they are for another engine")
        return cls(**{field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)})
