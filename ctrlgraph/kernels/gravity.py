"""Default acceleration of gravity."""

GRAVITY = 9.81
"""Acceleration of gravity, m/s^2, downward."""
