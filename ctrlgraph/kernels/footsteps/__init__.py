"""Kernels of footstep planning: the pendulum, steps, support, the descent, and the hull of the feet on the ground."""
