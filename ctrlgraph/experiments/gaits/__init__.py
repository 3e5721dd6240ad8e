"""Experiments on gaits: return maps, phase policies, stepping, pushes."""
