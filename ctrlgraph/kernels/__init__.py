"""Compiled functions on arrays: planar mechanics and control, and general numerical methods.

Names are imported at their first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before numba is imported, whatever the current directory is then

if TYPE_CHECKING:
    from ctrlgraph.kernels.jit import allocating_kernel, kernel, separate_kernel

_MODULES = {
    "allocating_kernel": "jit",
    "kernel": "jit",
    "separate_kernel": "jit",
}

__all__ = [
    "allocating_kernel",
    "kernel",
    "separate_kernel",
]


def __getattr__(name: str) -> Any:
    """Return a public name of the package.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
