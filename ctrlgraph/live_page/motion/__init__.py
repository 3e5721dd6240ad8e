"""The motions of a session of the live page: simulation that resumes after edits, segments, world and recording."""

__all__ = ["live", "programs", "recording", "segments", "stage", "world"]
