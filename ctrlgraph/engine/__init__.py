"""Physics engines behind one protocol."""

from __future__ import annotations

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # as in `ctrlgraph.kernels`, since engines import numba, too
