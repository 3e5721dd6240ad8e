"""Footstep planning: a pendulum on a cart, steerable steps of robots on legs, and their support."""

__all__ = ["baselines", "bodies", "commands", "model", "paths", "planner", "posing", "robots", "scenarios", "survey"]
