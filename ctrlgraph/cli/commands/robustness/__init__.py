"""`ctrlgraph robustness`: measure how motions succeed under perturbations such as slopes and pushes."""

__all__ = ["basins", "endurance", "limit", "pushes", "question", "return_map", "sweep"]
