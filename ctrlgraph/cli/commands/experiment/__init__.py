"""`ctrlgraph experiment`: commands for experiments with tracking, stepping and footsteps."""

__all__ = ["footsteps", "phase_policy", "stepping"]
