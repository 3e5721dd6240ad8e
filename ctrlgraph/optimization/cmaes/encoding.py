"""Numbers and arrays as JSON and back, to the bit.

JSON has no infinity, and costs can be infinite: those numbers are written as text ("inf"), which `float`
reads back. A finite float is written with as many digits as it takes to read back the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ctrlgraph.optimization.cmaes.interface import FloatArray


def number(value: float) -> float | str:
    """Return a float as JSON; `float` decodes it."""
    return float(value) if math.isfinite(value) else str(float(value))


def nested(values: FloatArray | None) -> Any:
    """Return an array of one or two dimensions as nested lists; None stays."""
    if values is None:
        return None
    if np.isfinite(values).all():
        return values.tolist()  # a search of 100 parameters writes 20,000 numbers in each generation
    if values.ndim == 1:
        return [number(value) for value in values]
    return [nested(row) for row in values]


def array(values: Sequence[Any] | None) -> FloatArray | None:
    """Return the array of nested lists; None stays."""
    return None if values is None else known_array(values)


def known_array(values: Sequence[Any]) -> FloatArray:
    """Return the array of nested lists, one of which may be text for an infinity."""
    if values and isinstance(values[0], list):
        return np.array([known_array(row) for row in values], dtype=np.float64)
    return np.array([float(value) for value in values], dtype=np.float64)
