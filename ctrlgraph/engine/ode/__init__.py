"""ODE (Open Dynamics Engine) as a physics engine; no other package uses the ODE library."""

__all__ = ["body_check", "contacts", "engine", "library", "memory", "ode_settings", "state", "stepper", "world"]
