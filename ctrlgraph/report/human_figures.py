"""Measured or estimated numbers about human motions, with their sources, from `human_figures.yaml`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from ctrlgraph.yaml_loader import load

PATH = Path(__file__).with_suffix(".yaml")


@dataclass(frozen=True)
class HumanFigure:
    """Range of a measure in a human motion."""

    measure: str
    """Name of the measure."""
    range: tuple[float, float]
    """Smallest and largest value, in `unit`."""
    unit: str
    """Unit of the range: that of the measure, but degrees ("deg") instead of rad."""
    basis: Literal["seen", "estimate"]
    """Origin of the range: "seen" in the source, or "estimate" if it has not been looked up."""
    source: str
    """Publication, or a remark about an estimate."""

    def of(self, value: float) -> float:
        """Return a value, given in the unit of the measure, in the unit of the range."""
        return math.degrees(value) if self.unit == "deg" else value

    def deviation(self, value: float) -> float:
        """Return how far a value is outside the range, as a fraction; 0 inside.

        The distance from the nearer end is divided by the absolute value of this end, or by the width of the range if
        the end is 0.

        Args:
            value: Value in the unit of the measure.
        """
        low, high = self.range
        shown = self.of(value)
        beyond = max(low - shown, shown - high, 0.0)
        end = low if shown < low else high
        return beyond / (abs(end) or high - low) if beyond else 0.0


@dataclass(frozen=True)
class HumanMotion:
    """A human motion with which nodes are compared."""

    nodes: tuple[str, ...]
    """Names of the nodes that are compared with it."""
    figures: tuple[HumanFigure, ...]
    """Ranges of its measures."""


@cache
def human_motions() -> dict[str, HumanMotion]:
    """Return the human motions of `human_figures.yaml`, by name."""
    _, data = load(PATH.read_text(encoding="utf-8"), lambda _: None)
    return TypeAdapter(dict[str, HumanMotion]).validate_python(data["gaits"])
