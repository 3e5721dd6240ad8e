"""Sweeps: grids of perturbations, and limits by bisection; their log and their summary."""

__all__ = ["engine_comparison", "export", "ground", "limit", "scenario", "stored", "summary", "sweep", "sweep_log"]
