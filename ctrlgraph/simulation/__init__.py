"""Simulations: a character on a terrain executes controllers, one after another, and outcomes are measured."""

__all__ = [
    "environment",
    "execution",
    "measures",
    "outcome",
    "phases",
    "planar_moment",
    "planar_placement",
    "planar_recording",
    "planar_snapshot",
    "planar_trace",
    "rollout",
    "rollout_course",
    "signal_files",
    "signals",
    "simulation",
    "success",
    "trial",
]
