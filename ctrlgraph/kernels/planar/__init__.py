"""Kernels of planar characters: arrays, kinematics, dynamics, collision and feedback in the plane of x and y."""
