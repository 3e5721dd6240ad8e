"""Printing of progress and results, for use by several commands."""

__all__ = ["integration", "live_pages", "rollouts", "searches", "sweeps", "walks"]
