"""MuJoCo as a physics engine; no other package uses MuJoCo for a simulation."""

__all__ = ["engine", "library", "model", "mujoco_settings", "stepper", "world"]
