"""Mass, centre of mass and inertia of solid shapes, and of links that consist of shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.character.spatial.spatial_frames import Array, rotation_matrix
from ctrlgraph.character.spatial_model import Shape


class MassProperties(NamedTuple):
    """Mass properties of a body, in a frame."""

    mass: float
    """Mass, kg."""
    centre: Array
    """Centre of mass (3,), m."""
    inertia: Array
    """Inertia tensor (3, 3) about the centre of mass, kg m^2."""


def volume(shape: Shape) -> float:
    """Return the volume of a shape, m^3."""
    a, b, c = shape.size
    if shape.kind == "sphere":
        return 4.0 / 3.0 * math.pi * a**3
    if shape.kind == "capsule":
        return math.pi * a**2 * (2.0 * b + 4.0 / 3.0 * a)
    if shape.kind == "cylinder":
        return 2.0 * math.pi * a**2 * b
    return (8.0 if shape.kind == "box" else 4.0 / 3.0 * math.pi) * a * b * c


def _moments(shape: Shape) -> Array:
    """Return the moments of inertia (3,) of a shape of mass 1 kg about its own axes, kg m^2."""
    a, b, c = shape.size
    if shape.kind == "sphere":
        return np.full(3, 0.4 * a * a)
    if shape.kind == "box":
        return np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 3.0
    if shape.kind == "ellipsoid":
        return np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 5.0
    if shape.kind == "cylinder":
        across = a * a / 4.0 + b * b / 3.0
        return np.array([across, across, a * a / 2.0])
    caps = 4.0 / 3.0 * a / (2.0 * b + 4.0 / 3.0 * a)  # share of the mass in the two half spheres
    across = (1.0 - caps) * (a * a / 4.0 + b * b / 3.0) + caps * (0.4 * a * a + 0.75 * a * b + b * b)
    return np.array([across, across, (1.0 - caps) * a * a / 2.0 + caps * 0.4 * a * a])


def properties_of(shapes: Sequence[Shape], density: float) -> MassProperties:
    """Return the mass properties of a body of uniform density. Where shapes overlap, their masses add up.

    Args:
        shapes: one or more shapes, in the frame of the result.
        density: density, kg/m^3.
    """
    masses = np.array([density * volume(shape) for shape in shapes])
    places = np.array([shape.position for shape in shapes])
    mass = float(masses.sum())
    centre: Array = masses @ places / mass
    inertia = np.zeros((3, 3))
    for shape, part, place in zip(shapes, masses, places, strict=True):
        axes, arm = rotation_matrix(shape.orientation), place - centre
        inertia += part * ((axes * _moments(shape)) @ axes.T + arm @ arm * np.eye(3) - np.outer(arm, arm))
    return MassProperties(mass, centre, inertia)


def symmetric(values: ArrayLike) -> Array:
    """Return the tensor (3, 3) with the components xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = np.asarray(values, np.float64)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def components(tensor: Array) -> tuple[float, float, float, float, float, float]:
    """Return the components xx, yy, zz, xy, xz, yz of a symmetric tensor (3, 3)."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = ((float(part) + 0.0 for part in row) for row in tensor)
    return xx, yy, zz, xy, xz, yz


LEAST_MOMENT = 1e-12
"""Minimum principal moment of inertia of a link, kg m^2."""

_ROUNDING = 1e-6


def inertia_fault(tensor: Array) -> str | None:
    """Return what is wrong with an inertia tensor (3, 3), as the end of a sentence; None if a solid can have it."""
    least, middle, largest = map(float, np.linalg.eigvalsh(tensor))
    if least < LEAST_MOMENT:
        return f"must have principal moments of at least {LEAST_MOMENT:g} kg m2, not {least:.3g}"
    if least + middle < largest * (1.0 - _ROUNDING):
        shown = f"{least:.3g}, {middle:.3g} and {largest:.3g}"
        return f"is not that of a solid: the largest of the principal moments {shown} exceeds the sum of the others"
    return None
