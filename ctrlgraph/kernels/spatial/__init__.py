"""Kernels of spatial characters: kinematics, dynamics and collision in space."""
