"""Printing of progress and results, for use by several commands."""

__all__ = ["integration", "rollouts", "searches", "sweeps", "walks"]
