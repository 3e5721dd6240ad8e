"""Terrain: the ground as a polyline, courses (terrains with obstacles), and previews of the ground ahead."""

from ctrlgraph.terrain.course import Course, RandomCourse
from ctrlgraph.terrain.pieces import Piece, TerrainError
from ctrlgraph.terrain.terrain import LEVEL, Terrain, TerrainPreview, flat, slope
from ctrlgraph.terrain.words import parse

__all__ = [
    "LEVEL",
    "Course",
    "Piece",
    "RandomCourse",
    "Terrain",
    "TerrainError",
    "TerrainPreview",
    "flat",
    "parse",
    "slope",
]
