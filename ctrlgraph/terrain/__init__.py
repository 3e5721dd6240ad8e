"""The ground: a polyline from left to right, and what lies ahead on it."""

from ctrlgraph.terrain.profile import LEVEL, Ahead, Terrain, flat, parse, slope

__all__ = ["LEVEL", "Ahead", "Terrain", "flat", "parse", "slope"]
