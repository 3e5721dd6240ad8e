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
    """Range of one measure, such as cadence, in a human motion, with its source."""

    measure: str
    """Name of the measure."""
    range: tuple[float, float]
    """Smallest and largest value, in `unit`."""
    unit: str
    """Unit of the range: the unit of the measure, with degrees ("deg") instead of rad."""
    basis: Literal["seen", "estimate"]
    """Origin of the range: "seen" if it was read in the source, "estimate" if it has no source."""
    source: str
    """Publication, or a remark about an estimate."""

    def of(self, value: float) -> float:
        """Convert a value from the unit of the measure (such as rad) to the unit of the range (such as deg)."""
        return math.degrees(value) if self.unit == "deg" else value

    def deviation(self, value: float) -> float:
        """Return how far a value is outside the human range, as a fraction; 0 inside the range.

        The distance from the nearer end of the range is divided by the absolute value of this end, or by the width of
        the range if the end is 0.

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
    """A human motion, such as walking, with which the motions of nodes are compared."""

    nodes: tuple[str, ...]
    """Names of the nodes that are compared with the human motion."""
    figures: tuple[HumanFigure, ...]
    """Ranges of measures in the human motion."""


@cache
def human_motions() -> dict[str, HumanMotion]:
    """Read the human motions in `human_figures.yaml`. Keys are their names, such as "walk"."""
    _, data = load(PATH.read_text(encoding="utf-8"), lambda _: None)
    return TypeAdapter(dict[str, HumanMotion]).validate_python(data["gaits"])
