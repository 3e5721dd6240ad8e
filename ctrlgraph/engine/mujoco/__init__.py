"""MuJoCo as a physics engine."""

__all__ = ["bare_loop", "engine", "library", "model", "stepper", "world"]
