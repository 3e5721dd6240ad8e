"""MuJoCo as a physics engine."""

__all__ = ["engine", "library", "model", "mujoco_settings", "stepper", "world"]
