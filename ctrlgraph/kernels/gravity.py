"""The acceleration of gravity, where nothing else is said."""

GRAVITY = 9.81
"""m/s2, downward."""
