"""`ctrlgraph robustness`: success under perturbations."""

__all__ = ["endurance", "limit", "pushes", "question", "return_map", "sweep"]
