"""Conditions: ranges that measures must lie in."""

from __future__ import annotations

import math

from ctrlgraph.simulation.measures.registry import MEASURES

Conditions = dict[str, tuple[float, float]]


def broken(values: dict[str, float], conditions: Conditions) -> list[str]:
    """Return the conditions that do not hold, each as a sentence."""
    sentences = []
    for name, (lower, upper) in conditions.items():
        value = values.get(name, math.nan)
        if not value >= lower:
            sentences.append(f"{name} {value:.3g} is below {lower:g}")
        elif not value <= upper:
            sentences.append(f"{name} {value:.3g} is above {upper:g}")
    return sentences


def scaled_conditions(conditions: Conditions, length: float) -> Conditions:
    """Return conditions for a body of other lengths: ranges of heights are scaled, the others stay."""
    return {
        name: (low * length, high * length) if name in MEASURES and MEASURES[name].scales else (low, high)
        for name, (low, high) in conditions.items()
    }
