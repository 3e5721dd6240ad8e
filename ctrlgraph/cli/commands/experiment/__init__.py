"""Commands of single experiments."""

__all__ = ["phase_policy", "stepping"]
