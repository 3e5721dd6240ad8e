"""Simulations: a character on a terrain executes controllers, one after another, and outcomes are measured."""

__all__ = [
    "environment",
    "execution",
    "measures",
    "moment",
    "outcome",
    "recording",
    "rollout",
    "rollout_course",
    "scenes",
    "signals",
    "simulation",
    "snapshot",
    "success",
    "trial",
]
