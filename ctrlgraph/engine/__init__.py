"""Physics engines (ODE and MuJoCo) behind one interface, and the loop that steps them together with a controller."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # as in `ctrlgraph.kernels`, because engines import numba, too

__all__ = [
    "commands",
    "disturbance",
    "engine",
    "loop",
    "mujoco",
    "ode",
    "planar_loop",
    "planar_pushes",
    "world_settings",
]
