"""Experiments on gaits and jumps: return maps, phase policies, stepping over gaps, pushes.

Import from the modules; this package imports none of them.
"""

__all__ = ["phase_policy", "planar_jump_returns", "planar_surface_start", "push_response", "return_map", "stepping"]
