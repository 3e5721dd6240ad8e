"""Key frames: joint angles over time, tracked by PD control."""
