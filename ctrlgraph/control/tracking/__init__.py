"""Phase-indexed tracking: joint angles follow functions of theta, the phase variable (Abe and Popovic 2011)."""

__all__ = [
    "arrays",
    "constraints",
    "fitting",
    "phase",
    "reduced_dynamics",
    "reduced_model",
    "schema",
    "solution",
    "splines",
    "stages",
    "steps",
    "surface",
    "tracking",
    "tracking_file",
    "tracking_kind",
    "tracking_state",
]
