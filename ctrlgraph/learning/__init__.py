"""Searches for better constants: tuning of controllers and learning of transitions."""

__all__ = [
    "bridge",
    "candidate",
    "cases",
    "checkpoint",
    "cmaes",
    "cost",
    "evaluation",
    "learn",
    "learned_edges",
    "problem",
    "relearning",
    "scheduling",
    "search",
    "search_space",
    "transition",
    "tuning",
    "validation",
]
