"""Closest points of segments and triangles in space."""

from __future__ import annotations

from ctrlgraph.kernels.jit import kernel

_PARALLEL = 1e-12  # squared sine of the angle below which two segments count as parallel


@kernel
def closest_on_segments(
    ax: float,
    ay: float,
    az: float,
    ux: float,
    uy: float,
    uz: float,
    bx: float,
    by: float,
    bz: float,
    vx: float,
    vy: float,
    vz: float,
) -> tuple[float, float]:
    """Return the positions s and t, from 0 to 1, of the closest points a + s u and b + t v of two segments.

    A segment without length is a point. Of parallel segments, one of the pairs of closest points is returned.

    Args:
        ax: x of the first segment's beginning, m.
        ay: y of the first segment's beginning, m.
        az: z of the first segment's beginning, m.
        ux: x from the first segment's beginning to its end, m.
        uy: y from the first segment's beginning to its end, m.
        uz: z from the first segment's beginning to its end, m.
        bx: x of the second segment's beginning, m.
        by: y of the second segment's beginning, m.
        bz: z of the second segment's beginning, m.
        vx: x from the second segment's beginning to its end, m.
        vy: y from the second segment's beginning to its end, m.
        vz: z from the second segment's beginning to its end, m.
    """
    rx, ry, rz = ax - bx, ay - by, az - bz
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    ur, vr = ux * rx + uy * ry + uz * rz, vx * rx + vy * ry + vz * rz
    if uu == 0.0:
        return 0.0, (max(0.0, min(1.0, vr / vv)) if vv > 0.0 else 0.0)
    if vv == 0.0:
        return max(0.0, min(1.0, -ur / uu)), 0.0
    uv = ux * vx + uy * vy + uz * vz
    cross = uu * vv - uv * uv
    # with parallel segments, every s is as good: take the middle, which is clamped to the overlap below
    s = max(0.0, min(1.0, (uv * vr - ur * vv) / cross)) if cross > _PARALLEL * uu * vv else 0.5
    t = (uv * s + vr) / vv
    if t < 0.0:
        return max(0.0, min(1.0, -ur / uu)), 0.0
    if t > 1.0:
        return max(0.0, min(1.0, (uv - ur) / uu)), 1.0
    return s, t


@kernel
def closest_on_triangle(
    px: float, py: float, pz: float, bx: float, by: float, bz: float, cx: float, cy: float, cz: float
) -> tuple[float, float, float]:
    """Return the point of a triangle that is closest to a point. The triangle's first corner is the origin.

    The method is that of Ericson, Real-Time Collision Detection (2005), section 5.1.5.

    Args:
        px: x of the point from the first corner, m.
        py: y of the point from the first corner, m.
        pz: z of the point from the first corner, m.
        bx: x of the second corner from the first, m.
        by: y of the second corner from the first, m.
        bz: z of the second corner from the first, m.
        cx: x of the third corner from the first, m.
        cy: y of the third corner from the first, m.
        cz: z of the third corner from the first, m.
    """
    d1, d2 = bx * px + by * py + bz * pz, cx * px + cy * py + cz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return 0.0, 0.0, 0.0
    bb, bc, cc = bx * bx + by * by + bz * bz, bx * cx + by * cy + bz * cz, cx * cx + cy * cy + cz * cz
    d3, d4 = d1 - bb, d2 - bc
    if d3 >= 0.0 and d4 <= d3:
        return bx, by, bz
    d5, d6 = d1 - bc, d2 - cc
    if d6 >= 0.0 and d5 <= d6:
        return cx, cy, cz
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v = d1 / (d1 - d3)
        return v * bx, v * by, v * bz
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w = d2 / (d2 - d6)
        return w * cx, w * cy, w * cz
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return bx + w * (cx - bx), by + w * (cy - by), bz + w * (cz - bz)
    total = va + vb + vc
    v, w = vb / total, vc / total
    return bx * v + cx * w, by * v + cy * w, bz * v + cz * w
