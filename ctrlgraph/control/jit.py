"""One decorator for all kernels, so that they are compiled alike and can run as plain Python.

`NUMBA_DISABLE_JIT=1` runs every kernel as the Python it is written in (debugging, coverage).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numba

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile to machine code, cached on disk; IEEE arithmetic, so that results are reproducible."""
    compiled: F = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(function)
    return compiled
