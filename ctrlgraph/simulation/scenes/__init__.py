"""Scenes: the parts of a simulation that depend on whether it takes place in the plane or in space."""

__all__ = ["planar_placement", "planar_scene", "scene", "spatial_scene"]
