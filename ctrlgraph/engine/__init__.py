"""Physics engines behind one protocol."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before the engines import numba, wherever the process may be by now
