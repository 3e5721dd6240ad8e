"""ODE as a physics engine; the only package that uses its library."""

__all__ = ["contacts", "engine", "library", "memory", "ode_settings", "state", "stepper", "world"]
