"""Rollouts under perturbations: sweeps, limits, basins of attraction, gates, gaits."""

__all__ = [
    "basins",
    "batch",
    "confusion",
    "endurance",
    "evaluation_plan",
    "evaluator",
    "example_measures",
    "examples",
    "gaits",
    "gates",
    "initial_state",
    "noise",
    "perturbation",
    "reference_terrain",
    "sweeps",
    "usual_motion",
    "worker_cache",
    "worker_pool",
]
