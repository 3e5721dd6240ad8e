"""Figures of human motions and their sources, from `human_figures.yaml`."""

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
    """The human range of a measure."""

    measure: str
    range: tuple[float, float]
    unit: str
    """Unit of the measure; deg if that unit is rad."""
    basis: Literal["seen", "estimate"]
    """`seen` in the source, or an `estimate`."""
    source: str

    def of(self, value: float) -> float:
        """Return a value of the measure in the figure's unit."""
        return math.degrees(value) if self.unit == "deg" else value

    def deviation(self, value: float) -> float:
        """Return how far a value of the measure is outside the range, relative to the nearer end (or to the width if
        that is 0); 0 within it.
        """
        low, high = self.range
        shown = self.of(value)
        beyond = max(low - shown, shown - high, 0.0)
        end = low if shown < low else high
        return beyond / (abs(end) or high - low) if beyond else 0.0


@dataclass(frozen=True)
class HumanMotion:
    """A human motion: the nodes to compare with it, and its figures."""

    nodes: tuple[str, ...]
    figures: tuple[HumanFigure, ...]


@cache
def human_motions() -> dict[str, HumanMotion]:
    """Return the human motions by name."""
    _, data = load(PATH.read_text(encoding="utf-8"), lambda _: None)
    return TypeAdapter(dict[str, HumanMotion]).validate_python(data["gaits"])
