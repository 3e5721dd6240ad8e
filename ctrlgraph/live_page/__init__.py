"""The live page of `ctrlgraph edit`: a motion that is simulated again while its scripts and its world are edited."""

__all__ = ["access", "live_page", "motion", "protocol", "saved_state", "session"]
