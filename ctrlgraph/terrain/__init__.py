"""The ground: a polyline from left to right, and what lies ahead on it."""

from ctrlgraph.terrain.profile import LEVEL, Terrain, TerrainPreview, flat, parse, slope

__all__ = ["LEVEL", "Terrain", "TerrainPreview", "flat", "parse", "slope"]
