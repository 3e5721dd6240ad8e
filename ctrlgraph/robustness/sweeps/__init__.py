"""Sweeps: trials over grids of perturbations, searches for limits, and the store and summaries of their results."""

__all__ = ["engine_comparison", "export", "ground", "limit", "scenario", "stored", "summary", "sweep", "sweep_log"]
