"""Sweeps: grids of perturbations, and limits by bisection; their log and their summary."""
