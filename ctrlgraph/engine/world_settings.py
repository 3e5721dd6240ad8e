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
"""Maximum magnitude of a setting, in its SI unit."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """Settings that all engines have in common, in SI units. Each engine has a subclass with more settings.

    >>> from ctrlgraph import WorldSettings
    >>> WorldSettings(dt=0.001, solver="quick").iterations
    50
    """

    dt: float = 0.002
    """Time step, s."""
    solver: Solver = "exact"
    """Solver of constraints and contacts: "exact", or "quick" with a limited number of iterations."""
    iterations: int = 50
    """Maximum number of iterations of the quick solver in a time step."""
    gravity: float = GRAVITY
    """Acceleration of gravity, m/s^2, positive downward."""

    def __post_init__(self) -> None:
        """
        Raises:
            SimulationError: a value does not have the type of the default value, is not finite, or is out of range.
        """
        values = {field.name: (getattr(self, field.name), field.default) for field in dataclasses.fields(self)}
        for name, (value, usual) in values.items():
            if type(value) is not type(usual) and not (type(usual) is float and type(value) is int):
                raise SimulationError(f"the setting '{name}' must be of type {type(usual).__name__}, not {value!r:.40}")
        if not 1e-5 <= self.dt <= 0.02:
            raise SimulationError(f"the time step 'dt' is {self.dt:g} s, but must be from 0.00001 to 0.02 s")
        if self.solver not in ("exact", "quick"):
            raise SimulationError(f"the setting 'solver' is '{self.solver}', but must be exact or quick")
        if self.iterations < 1:
            raise SimulationError(f"the setting 'iterations' must be at least 1, not {self.iterations}")
        if self.iterations > MAX_ITERATIONS:
            raise SimulationError(f"the setting 'iterations' must be at most {MAX_ITERATIONS}, not {self.iterations}")
        for name, (value, _) in values.items():
            if isinstance(value, float) and not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
                raise SimulationError(f"the setting '{name}' must be finite and at most {MAX_NUMBER:g}, not {value:g}")

    @classmethod
    def completed(cls, settings: WorldSettings) -> Self:
        """Return the given settings as an object of this class, which belongs to one engine.

        Settings of this class are returned unchanged. A plain `WorldSettings` is completed by the defaults of this
        class.

        Raises:
            SimulationError: the settings are those of another engine.
        """
        if isinstance(settings, cls):
            return settings
        if type(settings) is not WorldSettings:
            raise SimulationError(f"{type(settings).__name__} fits another engine: use {cls.__name__} or WorldSettings")
        return cls(**{field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)})
