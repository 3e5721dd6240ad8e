"""Compiled functions on arrays: planar mechanics and control, and general numerical methods."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before numba is imported, whatever the current directory is then

__all__ = [
    "constants",
    "interpolation",
    "jit",
    "linear_algebra",
    "numba_internals",
    "pd",
    "planar",
    "quadratic_program",
    "value_iteration",
]
