"""Footstep planning: a pendulum on a cart, steerable steps of robots on legs, and their support."""

__all__ = ["baselines", "bodies", "commands", "model", "planner", "posing", "robots", "scenarios", "survey"]
