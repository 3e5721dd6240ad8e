"""Footstep planning: a pendulum on a cart, steerable steps of robots on legs, and their support."""

__all__ = ["commands", "planner", "robots", "survey"]
