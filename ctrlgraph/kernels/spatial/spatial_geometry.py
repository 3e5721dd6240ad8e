"""Closest points of segments and triangles in space."""

from __future__ import annotations

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_rotation import add, cross, dot, scale, subtract

_PARALLEL = 1e-12  # squared sine of the angle below which two segments count as parallel
_SLANTED = 1e-8  # squared sine of the angle from which the normal of two segments is accurate
_MARGIN = 1e-9  # more than the rounding error of the distance of two lines that are at most 100 m apart, m


@kernel
def _within(position: float) -> float:
    return max(0.0, min(1.0, position))


@kernel
def closest_on_segments(a: Vector, u: Vector, b: Vector, v: Vector) -> tuple[float, float]:
    """Return the positions s and t, from 0 to 1, of the closest points a + s u and b + t v of two segments.

    A segment without length is a point. Of parallel segments, one of the pairs of closest points is returned.

    Args:
        a: beginning of the first segment, m.
        u: vector from the beginning of the first segment to its end, m.
        b: beginning of the second segment, m.
        v: vector from the beginning of the second segment to its end, m.
    """
    between = subtract(a, b)
    uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
    ur, vr = dot(u, between), dot(v, between)
    if uu == 0.0:
        return 0.0, (_within(vr / vv) if vv > 0.0 else 0.0)
    if vv == 0.0:
        return _within(-ur / uu), 0.0
    square = uu * vv - uv * uv
    # on parallel segments the middle is as good as any point; the clamped t corrects it
    s = _within((uv * vr - ur * vv) / square) if square > _PARALLEL * uu * vv else 0.5
    t = (uv * s + vr) / vv
    if t < 0.0:
        return _within(-ur / uu), 0.0
    if t > 1.0:
        return _within((uv - ur) / uu), 1.0
    return s, t


@kernel
def are_farther(a: Vector, u: Vector, b: Vector, v: Vector, distance: float) -> bool:
    """Return True only if two segments are farther apart than a distance. The result can be False although they are.

    The lines of the segments lie in two parallel planes, whose distance is a lower bound. It needs no division, so this
    is faster than the closest points. Rounding does not make the result True for segments within the distance.

    Args:
        a: beginning of the first segment, m.
        u: vector from the beginning of the first segment to its end, m.
        b: beginning of the second segment, m.
        v: vector from the beginning of the second segment to its end, m.
        distance: the distance, m.
    """
    normal = cross(u, v)
    square, across = dot(normal, normal), dot(normal, subtract(a, b))
    slanted = square > _SLANTED * dot(u, u) * dot(v, v)
    return slanted and across * across > (distance + _MARGIN) ** 2 * square


@kernel
def closest_on_triangle(p: Vector, b: Vector, c: Vector) -> Vector:
    """Return the point of a triangle that is closest to a point. The triangle's first corner is the origin.

    The method is that of Ericson, Real-Time Collision Detection (2005), section 5.1.5.

    Args:
        p: the point, from the first corner, m.
        b: second corner, from the first, m.
        c: third corner, from the first, m.
    """
    d1, d2 = dot(b, p), dot(c, p)
    if d1 <= 0.0 and d2 <= 0.0:
        return 0.0, 0.0, 0.0
    bc = dot(b, c)
    d3, d4 = d1 - dot(b, b), d2 - bc
    if d3 >= 0.0 and d4 <= d3:
        return b
    d5, d6 = d1 - bc, d2 - dot(c, c)
    if d6 >= 0.0 and d5 <= d6:
        return c
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return scale(d1 / (d1 - d3), b)
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return scale(d2 / (d2 - d6), c)
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        return add(b, scale((d4 - d3) / ((d4 - d3) + (d5 - d6)), subtract(c, b)))
    total = va + vb + vc
    return add(scale(vb / total, b), scale(vc / total, c))
