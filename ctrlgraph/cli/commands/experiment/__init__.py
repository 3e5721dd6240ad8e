"""`ctrlgraph experiment`: commands for single experiments."""

__all__ = ["phase_policy", "stepping"]
