"""Searches for better constants: tuning of controllers and learning of transitions."""
