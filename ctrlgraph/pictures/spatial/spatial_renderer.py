"""Rendering of single pictures of a spatial character on the ground, without OpenGL."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.spatial import spatial_raster
from ctrlgraph.kernels.spatial.spatial_raster import Lighting, Surfaces, draw_triangles, new_raster, shade
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure, rgb
from ctrlgraph.pictures.spatial.spatial_ground_surface import ground_surface
from ctrlgraph.pictures.spatial.spatial_solids import Solid, merged
from ctrlgraph.pictures.spatial.spatial_view import SpatialView
from ctrlgraph.pictures.style import GROUND, PAPER, FloatArray
from ctrlgraph.terrain.spatial import SpatialTerrain

SHADOW_CELLS = 110
"""Number of cells of the shadow along the size of the character."""
GRID = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Distances of grid lines, of which one is chosen by the size of the character, m."""


@dataclass(frozen=True, slots=True)
class Colored:
    """A surface with one color."""

    solid: Solid
    color: str


class SpatialRenderer:
    """A renderer of pictures of one size, of a character on its ground.

    Args:
        size: Width and height of the pictures, pixels.
        figure: Surfaces of the character.
        terrain: The ground; None for level ground at height 0.
        view: Direction of the projection.
    """

    def __init__(
        self, size: tuple[int, int], figure: SpatialFigure, terrain: SpatialTerrain | None, view: SpatialView
    ) -> None:
        self.size, self.figure, self.terrain, self.view = size, figure, terrain, view
        self.samples = 2 if max(size) <= 2048 else 1
        self.grid = min(GRID, key=lambda spacing: abs(math.log(spacing / (0.7 * figure.size))))
        self._raster = new_raster(size[1] * self.samples, size[0] * self.samples)

    def draw(
        self,
        pose: FloatArray,
        middle: FloatArray,
        scale: float,
        center: FloatArray,
        fade: tuple[float, float],
        marks: Sequence[Colored] = (),
        arrows: Sequence[Colored] = (),
    ) -> NDArray[np.uint8]:
        """Return a picture of the character in a pose, (height, width, 3), RGB.

        Args:
            pose: Position, m, and orientation of each link (L, 7).
            middle: Point of the world in the middle of the picture (3,), m.
            scale: Size of a pixel, m.
            center: Middle of the drawn ground (2 or 3,), m.
            fade: Radii at which the ground begins to fade and is invisible, m.
            marks: Flat marks on the ground, such as footprints.
            arrows: Arrows, which are drawn in front of everything else.
        """
        body = self.figure.placed(pose)
        ground = ground_surface(self.terrain, float(center[0]), float(center[1]), fade[1])
        layers = [
            (ground, spatial_raster.GROUND, rgb(GROUND)),
            (body, spatial_raster.BODY, self.figure.color),
            *((mark.solid, spatial_raster.MARK, rgb(mark.color)) for mark in marks),
            *((each.solid, spatial_raster.ARROW, rgb(each.color)) for each in arrows),
        ]
        counts = [len(solid.corner) for solid, _, _ in layers]
        part = np.repeat(np.arange(len(layers)) + len(pose), counts)
        part[: counts[0]] = 0
        part[counts[0] : counts[0] + counts[1]] = self.figure.part + 1
        whole = merged([solid for solid, _, _ in layers])
        surfaces = Surfaces(
            whole.point,
            whole.normal,
            whole.corner,
            np.concatenate([np.broadcast_to(colors, (len(solid.corner), 3)) for solid, _, colors in layers]),
            np.repeat([material for _, material, _ in layers], counts),
            part,
        )
        sample = scale / self.samples
        screen = (whole.point - middle) @ self.view.axes.T / (sample, -sample, 1.0)
        screen[:, :2] += np.array(self.size) * self.samples / 2.0
        front = sum(len(each.solid.point) for each in arrows)
        screen[len(screen) - front :, 2] += 1e3
        draw_triangles(self._raster, np.ascontiguousarray(screen), surfaces.corner)
        shadow, frame = self._shadow(body)
        lighting = Lighting(
            light=self.view.light,
            viewer=self.view.viewer,
            shadow=shadow,
            shadow_frame=frame,
            ground=np.array([center[0], center[1], *fade, self.grid]),
            paper=rgb(PAPER),
            scale=sample,
        )
        picture = np.empty((self.size[1], self.size[0], 3), np.uint8)
        shade(picture, self._raster, screen, surfaces, lighting, self.samples)
        return picture

    def _shadow(self, body: Solid) -> tuple[FloatArray, FloatArray]:
        """Return the heights of the body above a horizontal grid, m, and x, y and cell size of the grid, m."""
        low, high = body.point.min(axis=0), body.point.max(axis=0)
        cell = max(self.figure.size / SHADOW_CELLS, float((high - low).max()) / 1000.0)
        columns, rows = (math.ceil(extent / cell) + 1 for extent in (high - low)[:2])
        raster = new_raster(rows, columns)
        screen = (body.point - (low[0], low[1], 0.0)) / (cell, cell, 1.0)
        draw_triangles(raster, screen, body.corner)
        return raster.depth, np.array([low[0], low[1], cell])
