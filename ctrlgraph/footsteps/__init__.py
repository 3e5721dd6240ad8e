"""Footstep planning: a pendulum on a cart, steerable steps of robots on legs, and their support."""

__all__ = ["baselines", "commands", "model", "planner", "robots", "survey"]
