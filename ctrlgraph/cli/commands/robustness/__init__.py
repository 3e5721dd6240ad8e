"""`ctrlgraph robustness`: success under perturbations."""
