"""Pure compiled functions on arrays: kinematics, PD control, virtual forces, inverse kinematics, balance."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before numba is imported, wherever the process may be by now
