"""The physics engine MuJoCo."""

__all__ = ["engine", "library", "model", "mujoco_settings", "stepper", "world"]
