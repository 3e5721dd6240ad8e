"""What a basin is learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Sample:
    """An entry state and whether the node succeeded from it and was followed by a static pose."""

    source: str
    noise: float
    state: NDArray[np.float64]
    held: bool
