"""`ctrlgraph robustness`: measure success under perturbations."""

__all__ = ["basins", "endurance", "limit", "pushes", "question", "return_map", "sweep"]
