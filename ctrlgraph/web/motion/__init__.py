"""The motions of a session: simulation that resumes after edits, segments, world, and recording."""

from ctrlgraph.web.motion.live import LiveSimulation
from ctrlgraph.web.motion.programs import Programs
from ctrlgraph.web.motion.recording import LiveRecording
from ctrlgraph.web.motion.segments import LiveSegment, Queue
from ctrlgraph.web.motion.stage import Stage
from ctrlgraph.web.motion.world import LiveWorld

__all__ = ["LiveRecording", "LiveSegment", "LiveSimulation", "LiveWorld", "Programs", "Queue", "Stage"]
