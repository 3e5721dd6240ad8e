"""One decorator for all kernels, so that they are compiled alike and can run as plain Python.

`NUMBA_DISABLE_JIT=1` runs every kernel as the Python it is written in (debugging, coverage).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import numba

F = TypeVar("F", bound=Callable[..., object])

_KERNEL_FOLDERS = ("control", "physics")


def kernel(function: F) -> F:
    """Compile to machine code, cached on disk; IEEE arithmetic, so that results are reproducible.

    Numba's cache looks only at the file that a function stands in, not at what the function calls,
    and would go on running old code after an edit elsewhere: so the stamp covers every kernel's source.
    """
    compiled: F = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(function)
    cached = getattr(compiled, "_cache", None)
    if cached is not None:
        cached._cache_file._source_stamp = source_stamp(Path(__file__).resolve().parents[1])
    return compiled


@cache
def source_stamp(package: Path) -> str:
    """Digest of the sources of all kernels, file by file."""
    digest = hashlib.sha256()
    for folder in _KERNEL_FOLDERS:
        for path in sorted((package / folder).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
