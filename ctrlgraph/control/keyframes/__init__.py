"""Key frames: a controller kind that plays joint angles over time by PD control, without balance feedback."""

__all__ = ["keyframes", "keyframes_file", "keyframes_kind"]
