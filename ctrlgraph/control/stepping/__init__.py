"""Stepping over gaps: a planner chooses each step, and tracking carries it out (Abe and Popovic 2011)."""

__all__ = ["gait_set", "planning", "sampler", "stepping", "stepping_kind"]
