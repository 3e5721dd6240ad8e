"""Frames: where something is, and how it is turned, as MJCF says it (MuJoCo, "Frame orientations")."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.mjcf.attributes import Attributes
from ctrlgraph.character.mjcf.schema import ORIENTATIONS
from ctrlgraph.character.mjcf.settings import CompilerSettings

Array = NDArray[np.float64]

_TINY = 1e-14  # MuJoCo: no direction is shorter


class Frame(NamedTuple):
    """A frame in another one."""

    position: Array  # (3,) m
    rotation: Array  # (3, 3) its columns are the frame's axes

    def within(self, outer: Frame) -> Frame:
        """Return this frame, which is given in `outer`, in what `outer` is given in."""
        return Frame(outer.point(self.position), outer.rotation @ self.rotation)

    def point(self, position: Array) -> Array:
        """Return a point of the frame in what the frame is given in."""
        return self.position + self.rotation @ position


def identity() -> Frame:
    """Return the frame that is where it is given."""
    return Frame(np.zeros(3), np.eye(3))


def read_frame(values: Attributes, settings: CompilerSettings) -> Frame:
    """Return the frame that an element's `pos` and orientation say."""
    position = values.numbers("pos", 3)
    return Frame(np.zeros(3) if position is None else np.array(position), read_rotation(values, settings))


def read_rotation(values: Attributes, settings: CompilerSettings) -> Array:
    """Return the rotation that an element's orientation says, its own or its default class's."""
    found = [name for name in ORIENTATIONS if name in values]
    if len(found) > 1:
        values.fault(found[1], f"'{found[0]}' and '{found[1]}' both say how it is turned", hint="leave one of them")
    return np.eye(3) if len(found) != 1 else _rotation(found[0], values, settings)


def _rotation(name: str, values: Attributes, settings: CompilerSettings) -> Array:
    counts = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}
    given = values.numbers(name, counts[name])
    if given is None:
        return np.eye(3)
    unit = math.pi / 180.0 if settings.degrees else 1.0
    if name == "euler":
        return _of_euler([angle * unit for angle in given], settings.euler_sequence)
    found = None
    if name == "quat":
        found = _of_quaternion(np.array(given))
    elif name == "axisangle":
        found = of_axis(np.array(given[:3]), given[3] * unit)
    elif name == "xyaxes":
        found = _of_axes(np.array(given[:3]), np.array(given[3:]))
    elif name == "zaxis":
        found = to_axis(np.array(given))
    if found is None:
        values.fault(name, f"'{name}' says no direction: it is too short", hint="its length does not count, but not 0")
        return np.eye(3)
    return found


def unit(vector: Array) -> Array | None:
    """Return a vector (n,) at length 1; None where it is too short to have a direction."""
    length = float(np.linalg.norm(vector))
    return None if length < _TINY else vector / length


def of_axis(axis: Array, angle: float) -> Array | None:
    """Return the rotation by an angle, rad, about an axis (3,) (Rodrigues); None where it is no axis."""
    u = unit(axis)
    if u is None:
        return None
    cross = np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])
    found: Array = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * (cross @ cross)
    return found


def to_axis(direction: Array) -> Array | None:
    """Return the least rotation that takes z to a direction (3,); half a turn about x where that is -z."""
    u = unit(direction)
    if u is None:
        return None
    axis = np.array([-u[1], u[0], 0.0])  # z cross u
    sine = float(np.linalg.norm(axis))
    return of_axis(axis if sine > 1e-10 else np.array([1.0, 0.0, 0.0]), math.atan2(sine, u[2]))


def _of_quaternion(given: Array) -> Array | None:
    q = unit(given)
    if q is None:
        return None
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _of_axes(x: Array, y: Array) -> Array | None:
    """The rotation with the given x axis, and the y axis as near to the given one as it can be."""
    u = unit(x)
    v = None if u is None else unit(y - u * float(u @ y))
    return None if u is None or v is None else np.column_stack([u, v, np.cross(u, v)])


def _of_euler(angles: Sequence[float], sequence: str) -> Array:
    """The rotations about the axes of a sequence: small letters turn with the frame, capital ones stay."""
    found: Array = np.eye(3)
    for letter, angle in zip(sequence, angles, strict=True):
        turn = of_axis(np.eye(3)["xyz".index(letter.lower())], angle)
        assert turn is not None
        found = found @ turn if letter.islower() else turn @ found
    return found
