"""Progress and results of commands on a terminal."""

__all__ = ["film", "integration", "rollouts", "searches", "sweeps", "walks"]
