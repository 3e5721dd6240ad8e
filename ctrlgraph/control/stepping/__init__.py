"""Stepping over gaps: a planner chooses the gait of each step, and a tracking controller executes it."""

__all__ = ["gait_set", "planning", "sampler", "stepping", "stepping_kind"]
