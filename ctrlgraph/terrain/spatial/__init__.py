"""Spatial terrain: ground in three dimensions, made of a profile or an inclined plane, rough ground and blocks."""

from ctrlgraph.terrain.spatial.spatial_terrain import Block, SpatialTerrain, extruded
from ctrlgraph.terrain.spatial.spatial_words import parse_spatial

__all__ = ["Block", "SpatialTerrain", "extruded", "parse_spatial"]
