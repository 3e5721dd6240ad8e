"""One number that a search may change."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.control.parameters import Parameter

if TYPE_CHECKING:
    pass


DIGITS = 4
"""Significant digits of a number that a search has found: what is tried is what is written."""


@dataclass(frozen=True, slots=True)
class SearchParameter:
    """One number that a search may change; all these parameters get its value.

    part: which of a transition's controllers it belongs to ("source", "bridge", "target"); "" is every controller
    that the parameter occurs in.
    """

    parameters: tuple[Parameter, ...]
    role: str
    quantity: str
    phase: int | None
    value: float
    low: float
    high: float
    spread: float
    multiplies: bool
    part: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the parameters' ids."""
        return tuple(parameter.id for parameter in self.parameters)

    def at(self, x: float) -> float:
        """Return the value at a coordinate, within the range, with as many digits as are written down."""
        if x == 0.0:
            return self.value
        value = self.value * math.exp(self.spread * x) if self.multiplies else self.value + self.spread * x
        return min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high)

    def coordinate(self, value: float) -> float:
        """Return the coordinate of a value."""
        if self.multiplies:
            return math.log(value / self.value) / self.spread
        return (value - self.value) / self.spread
