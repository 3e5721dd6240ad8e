"""Kernels of planar characters: arrays, kinematics, dynamics, collision and feedback in the plane of x and y."""

__all__ = [
    "arrays",
    "balance",
    "collision",
    "dynamics",
    "inverse_kinematics",
    "kinematics",
    "observation",
    "virtual_force",
]
