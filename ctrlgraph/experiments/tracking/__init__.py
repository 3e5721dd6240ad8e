"""Experiments with phase-indexed tracking and stepping."""

__all__ = ["gait_pushes", "passages", "phase_policy", "return_map", "stepping", "surface_start"]
