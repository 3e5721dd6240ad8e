"""Printing of progress and results that several commands share."""

__all__ = ["integration", "rollouts", "searches", "sweeps", "walks"]
