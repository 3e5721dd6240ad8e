"""Searches for better constants: tuning of controllers and learning of transitions."""

__all__ = [
    "bridge",
    "candidate",
    "cases",
    "checkpoint",
    "cmaes",
    "evaluation",
    "learn",
    "learned_edges",
    "objective",
    "options",
    "problem",
    "relearning",
    "scheduling",
    "search",
    "search_space",
    "transition",
    "tuning",
    "validation",
]
