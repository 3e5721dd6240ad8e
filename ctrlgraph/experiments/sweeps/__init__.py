"""Sweeps: grids of perturbations, and limits by bisection; their log and their summary."""

__all__ = [
    "comparison_with_source",
    "engine_comparison",
    "export",
    "ground",
    "limit",
    "reference",
    "scenario",
    "stored",
    "summary",
    "sweep",
    "sweep_log",
]
