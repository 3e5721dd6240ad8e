"""Kernels: compiled functions on arrays for planar mechanics and control, and for general numerical methods."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before the import of numba, which reads settings from the current directory

__all__ = [
    "constants",
    "jit",
    "linear_algebra",
    "numba_internals",
    "pd",
    "planar",
    "quadratic_program",
    "value_iteration",
]
