"""Key frames: joint angles over time, tracked by PD control."""

__all__ = ["keyframes", "keyframes_file", "keyframes_kind"]
