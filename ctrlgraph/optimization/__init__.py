"""Searches for better constants: of a transition, or of a controller."""
