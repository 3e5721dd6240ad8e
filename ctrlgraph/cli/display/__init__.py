"""Progress and results of commands on a terminal."""

__all__ = ["integration", "rollouts", "searches", "sweeps", "walks"]
