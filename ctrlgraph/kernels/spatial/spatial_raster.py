"""Drawing of triangles in space: a depth buffer by parallel projection, and the shading of its pixels.

A picture is drawn in two steps. `draw_triangles` finds the triangle that is nearest to the viewer at each sample of a
raster. `shade` computes the colors: bodies and ground are lit from above, and bodies cast a soft shadow straight down.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel, separate_kernel

GROUND, BODY, MARK, ARROW = range(4)
"""Materials of triangles: the ground, links of the body, marks on the ground, and arrows. Only bodies cast shadows, and
arrows receive none."""

# Light that comes from all sides, from above, and from the lamp, relative to full light.
_AMBIENT, _SKY, _DIFFUSE = 0.66, 0.12, 0.34
# Factor by which slopes of the ground differ more from level ground.
_RELIEF = 2.0
# Brightness in full shadow, relative to full light: of the ground and of bodies.
_SHADE, _BODY_SHADE = 0.62, 0.8
# Brightness of the outlines of links, relative to their surface.
_OUTLINE = 0.55
# Brightness of edges of the ground that hide ground behind them, relative to the ground.
_RIDGE = 0.7
# Brightness of the grid lines, relative to the ground.
_LINE = 0.86
# Samples of the shadow on each side of a point, along x and along y.
_TAPS = 2


class Raster(NamedTuple):
    """The nearest triangle at each sample of a picture with H rows and W columns of samples."""

    depth: Floats
    """Coordinate toward the viewer (H, W), m; -inf where nothing is drawn."""
    owner: Ints
    """Index of the triangle (H, W); -1 where nothing is drawn."""


class Surfaces(NamedTuple):
    """N points and M triangles of a scene."""

    point: Floats
    """Position of each point in the world (N, 3), m."""
    normal: Floats
    """Unit normal of the surface at each point (N, 3), outward."""
    corner: Ints
    """Indices of the three points of each triangle (M, 3)."""
    color: Floats
    """Red, green and blue of each triangle (M, 3), 0 to 255."""
    material: Ints
    """Material of each triangle (M,), such as `BODY`."""
    part: Ints
    """Number of the part of the scene to which each triangle belongs (M,): 0 for the ground, and positive numbers for
    the others. Outlines separate the parts of bodies."""


class Lighting(NamedTuple):
    """Constants of the shading."""

    light: Floats
    """Unit vector toward the light (3,)."""
    viewer: Floats
    """Unit vector toward the viewer (3,)."""
    shadow: Floats
    """Height of the body above each cell of a horizontal grid (A, B), m; -inf where there is no body."""
    shadow_frame: Floats
    """x and y of the corner of the grid in `shadow`, and the size of its cells (3,), m."""
    ground: Floats
    """x and y of the middle of the drawn ground, the radii at which it begins to fade and is invisible, and the
    distance of the grid lines, 0 for none (5,), m."""
    paper: Floats
    """Color of the background (3,), 0 to 255."""
    scale: float
    """Size of a sample of the raster, m."""


def new_raster(height: int, width: int) -> Raster:
    """Return an empty raster.

    Args:
        height: number of rows.
        width: number of columns.
    """
    return Raster(np.full((height, width), -np.inf), np.full((height, width), -1, np.int64))


@separate_kernel
def draw_triangles(raster: Raster, screen: Floats, corner: Ints) -> None:
    """Draw triangles into an emptied raster. Samples lie at half-integer coordinates.

    Args:
        raster: result.
        screen: column, row and depth of each point (N, 3).
        corner: indices of the three points of each triangle (M, 3).
    """
    height, width = raster.depth.shape
    raster.depth[:] = -np.inf
    raster.owner[:] = -1
    for t in range(corner.shape[0]):
        a, b, c = corner[t, 0], corner[t, 1], corner[t, 2]
        ax, ay, bx, by, cx, cy = screen[a, 0], screen[a, 1], screen[b, 0], screen[b, 1], screen[c, 0], screen[c, 1]
        left, right = max(0, math.ceil(min(ax, bx, cx) - 0.5)), min(width - 1, math.floor(max(ax, bx, cx) - 0.5))
        top, bottom = max(0, math.ceil(min(ay, by, cy) - 0.5)), min(height - 1, math.floor(max(ay, by, cy) - 0.5))
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if left > right or top > bottom or abs(area) < 1e-12:
            continue
        za, zb, zc = screen[a, 2], screen[b, 2], screen[c, 2]
        for row in range(top, bottom + 1):
            y = row + 0.5
            # shares of the second and third corner, which are linear in the column
            x = left + 0.5
            u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
            v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
            du, dv = (cy - ay) / area, -(by - ay) / area
            for column in range(left, right + 1):
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    z = za + u * (zb - za) + v * (zc - za)
                    if z > raster.depth[row, column]:
                        raster.depth[row, column] = z
                        raster.owner[row, column] = t
                u += du
                v += dv


@separate_kernel
def shade(
    picture: NDArray[np.uint8], raster: Raster, screen: Floats, surfaces: Surfaces, lighting: Lighting, samples: int
) -> None:
    """Compute the colors of a picture from a raster.

    Args:
        picture: result, (h, w, 3).
        raster: the nearest triangles, with `samples` times as many rows and columns as the picture.
        screen: column, row and depth of each point (N, 3).
        surfaces: points and triangles.
        lighting: constants of the shading.
        samples: number of samples per pixel along each axis.
    """
    owner = raster.owner
    for row in range(picture.shape[0]):
        for column in range(picture.shape[1]):
            first, left = row * samples, column * samples
            t = owner[first, left]
            inner = t < 0 or surfaces.material[t] == GROUND
            for i in range(first, first + samples):
                for j in range(left, left + samples):
                    inner = inner and owner[i, j] == t
            # inside a triangle of the ground, or of the background, one sample is enough
            used = 1 if inner else samples
            red, green, blue = 0.0, 0.0, 0.0
            for i in range(first, first + used):
                for j in range(left, left + used):
                    r, g, b = _color_at(raster, screen, surfaces, lighting, i, j, samples / used)
                    red += r
                    green += g
                    blue += b
            count = used * used
            picture[row, column, 0] = int(min(255.0, red / count + 0.5))
            picture[row, column, 1] = int(min(255.0, green / count + 0.5))
            picture[row, column, 2] = int(min(255.0, blue / count + 0.5))


@kernel
def _color_at(
    raster: Raster, screen: Floats, surfaces: Surfaces, lighting: Lighting, row: int, column: int, width: float
) -> tuple[float, float, float]:
    """Return the color of a sample of the raster, 0 to 255.

    Args:
        raster: the nearest triangles.
        screen: column, row and depth of each point (N, 3).
        surfaces: points and triangles.
        lighting: constants of the shading.
        row: row of the sample.
        column: column of the sample.
        width: width of the area of which the color is wanted, samples.
    """
    t = raster.owner[row, column]
    paper = lighting.paper
    if t < 0:
        return paper[0], paper[1], paper[2]
    a, b, c = surfaces.corner[t, 0], surfaces.corner[t, 1], surfaces.corner[t, 2]
    ax, ay = screen[a, 0], screen[a, 1]
    ux, uy, vx, vy = screen[b, 0] - ax, screen[b, 1] - ay, screen[c, 0] - ax, screen[c, 1] - ay
    area = ux * vy - vx * uy
    x, y = column + 0.5 - ax, row + 0.5 - ay
    v, w = (x * vy - vx * y) / area, (ux * y - x * uy) / area
    u = 1.0 - v - w
    point, normal = surfaces.point, surfaces.normal
    px = u * point[a, 0] + v * point[b, 0] + w * point[c, 0]
    py = u * point[a, 1] + v * point[b, 1] + w * point[c, 1]
    pz = u * point[a, 2] + v * point[b, 2] + w * point[c, 2]
    viewer, light, material, ground = lighting.viewer, lighting.light, surfaces.material[t], lighting.ground
    opacity, on_ground = 1.0, material != BODY and material != ARROW
    if on_ground:
        away = (_length(px - ground[0], py - ground[1]) - ground[2]) / (ground[3] - ground[2])
        if away >= 1.0:
            return paper[0], paper[1], paper[2]
        away = max(0.0, away)
        opacity = 1.0 - away * away * (3.0 - 2.0 * away)
    nx = u * normal[a, 0] + v * normal[b, 0] + w * normal[c, 0]
    ny = u * normal[a, 1] + v * normal[b, 1] + w * normal[c, 1]
    nz = u * normal[a, 2] + v * normal[b, 2] + w * normal[c, 2]
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if nx * viewer[0] + ny * viewer[1] + nz * viewer[2] < 0.0:
        length = -length  # the inside of a surface that is not closed
    if length != 0.0:
        nx, ny, nz = nx / length, ny / length, nz / length
    facing = max(0.0, nx * light[0] + ny * light[1] + nz * light[2])
    bright, gloss = _AMBIENT + _SKY * nz + _DIFFUSE * facing, 0.0
    if on_ground:
        bright /= _AMBIENT + _SKY + _DIFFUSE * light[2]  # level ground has its own color
        bright = 1.0 - _RELIEF * (1.0 - bright)
        if material == GROUND and ground[4] > 0.0:
            # size of a sample along x and y of the world
            bx, by, cx, cy = (
                point[b, 0] - point[a, 0],
                point[b, 1] - point[a, 1],
                point[c, 0] - point[a, 0],
                point[c, 1] - point[a, 1],
            )
            across_x = _length(vy * bx - uy * cx, ux * cx - vx * bx)
            across_y = _length(vy * by - uy * cy, ux * cy - vx * by)
            line = max(
                _line(px, ground[4], width * across_x / abs(area)), _line(py, ground[4], width * across_y / abs(area))
            )
            bright *= 1.0 - (1.0 - _LINE) * line
    else:
        # a highlight half-way between light and viewer
        hx, hy, hz = light[0] + viewer[0], light[1] + viewer[1], light[2] + viewer[2]
        gloss = max(0.0, (nx * hx + ny * hy + nz * hz) / math.sqrt(hx * hx + hy * hy + hz * hz))
        gloss = 28.0 * gloss**24
    if material != ARROW:
        dark = (1.0 - (_BODY_SHADE if material == BODY else _SHADE)) * _shadow(lighting, px, py, pz)
        bright *= 1.0 - dark
        gloss *= 1.0 - dark
    if material == BODY and _is_outline(raster, surfaces, lighting, row, column, t):
        bright *= _OUTLINE
        gloss = 0.0
    elif material == GROUND and width == 1.0:
        za, zb, zc = screen[a, 2], screen[b, 2], screen[c, 2]
        right = (vy * (zb - za) - uy * (zc - za)) / area
        down = (ux * (zc - za) - vx * (zb - za)) / area
        if _is_ridge(raster, lighting, row, column, right, down):
            bright *= _RIDGE
    color = surfaces.color
    red = opacity * (bright * color[t, 0] + gloss) + (1.0 - opacity) * paper[0]
    green = opacity * (bright * color[t, 1] + gloss) + (1.0 - opacity) * paper[1]
    blue = opacity * (bright * color[t, 2] + gloss) + (1.0 - opacity) * paper[2]
    return min(255.0, red), min(255.0, green), min(255.0, blue)


@kernel
def _line(place: float, spacing: float, across: float) -> float:
    """Return the share of a sample that a grid line covers, 0 to 1. A line is as wide as a sample.

    Args:
        place: coordinate of the sample along the axis that the line cuts, m.
        spacing: distance of the lines, m.
        across: change of this coordinate across the sample, m.
    """
    if across < 1e-9:
        return 0.0  # a wall along the lines
    distance = abs(place - spacing * math.floor(place / spacing + 0.5)) / across
    fine = min(1.0, max(0.0, 2.0 - 8.0 * across / spacing))  # dense lines become invisible
    return fine * min(1.0, max(0.0, 1.1 - distance))


@kernel
def _length(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)


@kernel
def _shadow(lighting: Lighting, x: float, y: float, z: float) -> float:
    """Return the share of the light from above that the body keeps from a point, 0 to 1."""
    shadow, frame = lighting.shadow, lighting.shadow_frame
    u, v = (x - frame[0]) / frame[2] - 0.5, (y - frame[1]) / frame[2] - 0.5
    rows, columns = shadow.shape
    if u < -_TAPS - 1 or v < -_TAPS - 1 or u > columns + _TAPS or v > rows + _TAPS:
        return 0.0
    column, row = math.floor(u), math.floor(v)
    u, v = u - column, v - row
    # the margin keeps a surface from shadowing itself
    height, covered = z + 4.0 * frame[2], 0.0
    for i in range(max(0, row - _TAPS), min(rows, row + _TAPS + 2)):
        along = 1.0 - v if i == row - _TAPS else (v if i == row + _TAPS + 1 else 1.0)
        for j in range(max(0, column - _TAPS), min(columns, column + _TAPS + 2)):
            if shadow[i, j] > height:
                covered += along * (1.0 - u if j == column - _TAPS else (u if j == column + _TAPS + 1 else 1.0))
    return covered / float((2 * _TAPS + 1) ** 2)


@kernel
def _is_outline(raster: Raster, surfaces: Surfaces, lighting: Lighting, row: int, column: int, t: int) -> bool:
    """Return whether a sample of a body is next to a part of the scene that lies behind it."""
    height, width = raster.owner.shape
    for k in range(4):
        i = row + (1 if k == 0 else (-1 if k == 1 else 0))
        j = column + (1 if k == 2 else (-1 if k == 3 else 0))
        if 0 <= i < height and 0 <= j < width:
            other = raster.owner[i, j]
            if other < 0:
                return True
            behind = raster.depth[row, column] - raster.depth[i, j]
            if surfaces.part[other] != surfaces.part[t] and behind > 2.0 * lighting.scale:
                return True
    return False


@kernel
def _is_ridge(raster: Raster, lighting: Lighting, row: int, column: int, right: float, down: float) -> bool:
    """Return whether a sample of the ground is next to ground that lies far behind the plane of its triangle.

    Args:
        raster: the nearest triangles.
        lighting: constants of the shading.
        row: row of the sample.
        column: column of the sample.
        right: change of the depth in this plane to the next column, m.
        down: change of the depth in this plane to the next row, m.
    """
    height, width = raster.owner.shape
    for k in range(4):
        step_down = 1 if k == 0 else (-1 if k == 1 else 0)
        step_right = 1 if k == 2 else (-1 if k == 3 else 0)
        i, j = row + step_down, column + step_right
        if 0 <= i < height and 0 <= j < width and raster.owner[i, j] >= 0:
            expected = raster.depth[row, column] + step_down * down + step_right * right
            if raster.depth[i, j] < expected - 4.0 * lighting.scale:
                return True
    return False
