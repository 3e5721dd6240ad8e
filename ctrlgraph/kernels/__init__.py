"""Compiled functions on arrays: planar mechanics and control, and general numerical methods."""

from __future__ import annotations

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before numba is imported, whatever the current directory is then
