"""Rollouts under perturbations: sweeps, limits, basins of attraction, gates, gaits."""
