"""ODE (Open Dynamics Engine) as a physics engine; no other package uses the ODE library."""

__all__ = [
    "body_check",
    "contacts",
    "engine",
    "library",
    "memory",
    "ode_settings",
    "spatial_body_check",
    "spatial_ode_contacts",
    "spatial_ode_gyration",
    "spatial_ode_rows",
    "spatial_ode_state",
    "spatial_ode_stepper",
    "spatial_ode_world",
    "state",
    "stepper",
    "world",
]
