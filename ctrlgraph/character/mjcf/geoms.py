"""Geoms: shapes fixed to bodies, with mass and inertia at uniform density (MuJoCo, `body/geom`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.character.mjcf.attributes import Attributes
from ctrlgraph.character.mjcf.frames import Array, Frame, read_frame, to_axis
from ctrlgraph.character.mjcf.schema import GEOM_TYPES
from ctrlgraph.character.mjcf.settings import CompilerSettings
from ctrlgraph.character.mjcf.xml_source import XmlElement

WATER = 1000.0
"""kg/m3: the density of what states none."""

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
"""Numbers that a size has; planes, height fields and meshes have no mass of their own here."""


@dataclass(frozen=True, slots=True, eq=False)
class Geom:
    """A shape in the frame of its body.

    size: half-sizes, m, as MJCF has them: the radius of a sphere; radius and half-length along z of a capsule (its
    straight part) or cylinder; along x, y, z of an ellipsoid or box; empty of what has no mass. mass in kg.
    """

    element: XmlElement
    name: str | None
    shape: str
    size: tuple[float, ...]
    frame: Frame
    mass: float
    is_weightless: bool
    group: int
    contype: int
    conaffinity: int

    @property
    def is_solid(self) -> bool:
        """Tell whether it is a shape of those that can be part of a link."""
        return bool(self.size)

    def may_touch(self, other: Geom) -> bool:
        """Tell whether contacts between two geoms are looked for (MuJoCo, "Collision detection")."""
        return bool(self.contype & other.conaffinity or other.contype & self.conaffinity)

    def inertia(self) -> Array:
        """Return the inertia (3, 3) about its centre, along the axes of its body, kg m2."""
        rotation = self.frame.rotation
        found: Array = rotation @ np.diag(self.mass * unit_inertia(self.shape, self.size)) @ rotation.T
        return found


def read_geom(values: Attributes, settings: CompilerSettings, around: Frame) -> Geom:
    """Return a geom; what is wrong with it is noted. `around` is the frame in its body that it is given in."""
    shape = values.word("type", GEOM_TYPES, "sphere")
    if values.flag("shellinertia", False):
        hint = "give the body an <inertial>, or the geom a mass without shellinertia"
        values.fault("shellinertia", "a shell's inertia is not read", "not-supported", hint)
    frame, size = read_frame(values, settings), _read_size(shape, values)
    if "fromto" in values:
        frame, size = _between_points(shape, frame, size, values)
    if "mesh" in values and shape != "mesh":
        values.fault("mesh", f"no {shape} is fitted to a mesh: no mesh is read", "not-supported", "give its size")
    return Geom(
        element=values.element,
        name=values.text("name"),
        shape=shape,
        size=size,
        frame=frame.within(around),
        mass=_read_mass(shape, size, values),
        is_weightless=values.number("mass" if "mass" in values else "density", WATER) == 0.0,
        group=values.mask("group", 0),
        contype=values.mask("contype", 1),
        conaffinity=values.mask("conaffinity", 1),
    )


def _read_size(shape: str, values: Attributes) -> tuple[float, ...]:
    """The sizes of a shape, without those that its two ends decide."""
    if shape not in _SIZES:
        return ()
    needed = 1 if "fromto" in values else _SIZES[shape]
    given = values.numbers("size", 1, 3)
    if given is None:
        if "size" not in values:
            values.fault("size", f"a {shape} needs a size", "missing-size")
        return ()
    if len(given) < needed or min(given[:needed]) <= 0.0:
        said = "one size" if needed == 1 else f"{needed} sizes"
        values.fault("size", f"a {shape} needs {said} above 0")
        return ()
    return given[:needed]


def _between_points(
    shape: str, frame: Frame, size: tuple[float, ...], values: Attributes
) -> tuple[Frame, tuple[float, ...]]:
    """The frame and sizes of a shape that lies between two points; its z axis leads from the second to the first."""
    ends = values.numbers("fromto", 6)
    if ends is None:
        return frame, ()
    if shape not in ("capsule", "cylinder", "ellipsoid", "box"):
        values.fault("fromto", f"a {shape} has no ends: 'fromto' is for capsules, cylinders, ellipsoids and boxes")
        return frame, ()
    if frame.position.any():
        values.fault("fromto", "'pos' and 'fromto' both say where it is", hint="leave one of them")
        return frame, ()
    first, second = np.array(ends[:3]), np.array(ends[3:])
    length = float(np.linalg.norm(first - second))
    rotation = to_axis(first - second) if length / 2.0 > 1e-14 else None
    if rotation is None:
        values.fault("fromto", "its ends are the same point")
        return frame, ()
    whole = () if not size else (*size, length / 2.0) if _SIZES[shape] == 2 else (size[0], size[0], length / 2.0)
    return Frame((first + second) / 2.0, rotation), whole


def _read_mass(shape: str, size: tuple[float, ...], values: Attributes) -> float:
    """The mass that is given, or that of its density, kg."""
    for name in ("mass", "density"):
        if name in values and values.number(name, 0.0) < 0.0:
            values.fault(name, f"'{name}' cannot be below 0")
            return 0.0
    if not size:
        return 0.0
    return values.number("mass", 0.0) if "mass" in values else values.number("density", WATER) * volume(shape, size)


def volume(shape: str, size: Sequence[float]) -> float:
    """Return the volume of a shape, m3."""
    if shape == "sphere":
        return 4.0 / 3.0 * math.pi * size[0] ** 3
    if shape == "ellipsoid":
        return 4.0 / 3.0 * math.pi * size[0] * size[1] * size[2]
    if shape == "box":
        return 8.0 * size[0] * size[1] * size[2]
    ends = 4.0 / 3.0 * math.pi * size[0] ** 3 if shape == "capsule" else 0.0
    return math.pi * size[0] ** 2 * 2.0 * size[1] + ends


def unit_inertia(shape: str, size: Sequence[float]) -> Array:
    """Return the moments of inertia (3,) of a shape of 1 kg about its own axes, m2.

    A capsule is a cylinder and two halves of a ball, whose centres of mass lie 3/8 of the radius beyond its ends.
    """
    if shape == "sphere":
        return np.full(3, 0.4 * size[0] ** 2)
    if shape in ("ellipsoid", "box"):
        x, y, z = (length**2 for length in size)
        return np.array([y + z, x + z, x + y]) / (5.0 if shape == "ellipsoid" else 3.0)
    r, h = size[0], size[1]
    ball = 4.0 * r / (4.0 * r + 6.0 * h) if shape == "capsule" else 0.0  # its share of the volume
    across = (1.0 - ball) * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * r * h)
    along = (1.0 - ball) * r * r / 2.0 + ball * 0.4 * r * r
    return np.array([across, across, along])
