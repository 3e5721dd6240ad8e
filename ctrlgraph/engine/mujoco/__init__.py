"""MuJoCo as a physics engine; no other package uses MuJoCo for a simulation."""

__all__ = [
    "engine",
    "library",
    "model",
    "motor_limits",
    "mujoco_settings",
    "spatial_mujoco_model",
    "spatial_mujoco_stepper",
    "spatial_mujoco_world",
    "stepper",
    "world",
]
