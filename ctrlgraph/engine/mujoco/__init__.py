"""MuJoCo as a physics engine."""

__all__ = ["bare_loop", "engine", "library", "model", "mujoco_settings", "stepper", "world"]
