"""Numbers as observations of an agent: scaled, clipped, and without NaN."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel


@kernel
def write_observation(
    numbers: Floats, centre: Floats, unit: Floats, bounds: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Write N scaled numbers, `(numbers - centre) / unit`, to `out`, clipped to bounds. Not a number becomes 0.

    Args:
        numbers: the numbers (N,).
        centre: value of each number that becomes 0 (N,).
        unit: change of each number that counts as 1 (N,).
        bounds: lower and upper bounds of the result (2, N).
        out: result (N,).
    """
    for i in range(numbers.size):
        value = (numbers[i] - centre[i]) / unit[i]
        if math.isnan(value):
            value = 0.0
        out[i] = min(max(value, bounds[0, i]), bounds[1, i])
