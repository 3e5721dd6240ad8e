"""The motions of a session of the live page: a simulation that can be changed while it runs, and its recording."""

__all__ = ["live", "programs", "recording", "segments", "stage", "world"]
