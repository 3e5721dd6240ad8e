"""Experiments on gaits: return maps, phase policies, stepping, pushes.

Import from the modules; this package imports none of them.
"""

__all__ = [
    "jump_returns",
    "phase_policy",
    "push_response",
    "return_map",
    "stepping",
    "surface_start",
]
