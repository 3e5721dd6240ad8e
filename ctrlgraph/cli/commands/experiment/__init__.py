"""`ctrlgraph experiment`: commands for experiments with tracking and stepping controllers."""

__all__ = ["phase_policy", "stepping"]
