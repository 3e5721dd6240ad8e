"""Stepping over gaps: planned sequences of tracked steps (Abe and Popovic 2011)."""

__all__ = ["gait_set", "planning", "sampler", "stepping", "stepping_kind"]
