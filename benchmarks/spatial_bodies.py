"""Spatial characters of the physics suite."""

from __future__ import annotations

import math
from dataclasses import replace

from benchmarks.spatial_bench import character, hinge, link
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)

BASE_HEIGHT = 3.0
BASE = link("base", 5.0, (0.5, 0.5, 0.5), (0, 0, BASE_HEIGHT))


def ball(radius: float = 0.1, mass: float = 1.0, height: float | None = None) -> SpatialCharacter:
    """Return a homogeneous sphere that rests on the ground in the reference pose."""
    inertia = 0.4 * mass * radius**2
    place = (0, 0, radius if height is None else height)
    return character([link("ball", mass, (inertia,) * 3, place, Shape("sphere", (radius, 0, 0), (0, 0, 0)))])


def box(sizes: tuple[float, float, float] = (0.3, 0.2, 0.1), mass: float = 2.0) -> SpatialCharacter:
    """Return a homogeneous box that rests on the ground in the reference pose."""
    a, b, c = (size * size for size in sizes)
    inertia = (mass * (b + c) / 12, mass * (a + c) / 12, mass * (a + b) / 12)
    shape = Shape("box", tuple(0.5 * size for size in sizes), (0, 0, 0))
    return character([link("box", mass, inertia, (0, 0, 0.5 * sizes[2]), shape)])


def pendulum(*axes: tuple[int, int, int], inertia=(0.02, 0.03, 0.01), length: float = 0.5, **joint) -> SpatialCharacter:
    """Return a bob that hangs from a fixed base on joints with these axes, all at the same point."""
    bob = link("bob", 1.0, inertia, (0, 0, -length))
    return character([BASE, bob], [hinge(0, 1, axis, (0, 0, length), **joint) for axis in axes], floating=False)


def double_pendulum(first=Y, second=Y) -> SpatialCharacter:
    """Return two rods in a row that hang from a fixed base."""
    upper = link("upper", 1.0, (0.02, 0.02, 0.001), (0, 0, -0.25))
    lower = link("lower", 0.7, (0.01, 0.01, 0.001), (0, 0, -0.5))
    joints = [hinge(0, 1, first, (0, 0, 0.25)), hinge(1, 2, second, (0, 0, 0.25))]
    return character([BASE, upper, lower], joints, floating=False)


TOP_MASS, TOP_LENGTH, TOP_INERTIA, TOP_AXIAL = 1.0, 0.2, 0.008, 0.01


def top(tilt: float) -> SpatialCharacter:
    """Return a symmetric top above a fixed point, with Euler's angles as its joints.

    The joints are precession, nutation and spin. In the reference pose, the axis of the top is tilted.
    """
    turned = (math.cos(0.5 * tilt), math.sin(0.5 * tilt), 0.0, 0.0)
    upward = (0.0, math.sin(tilt), math.cos(tilt))  # in the frame of the top
    centre = (0.0, -TOP_LENGTH * math.sin(tilt), TOP_LENGTH * math.cos(tilt))
    body = link("top", TOP_MASS, (TOP_INERTIA, TOP_INERTIA, TOP_AXIAL), centre)
    joints = [hinge(0, 1, axis, (0, 0, -TOP_LENGTH)) for axis in (upward, X, Z)]
    return character([BASE, replace(body, orientation=turned)], joints, floating=False)


def creature() -> SpatialCharacter:
    """Return an animal of 30 links that stands on four legs, each with a ball joint, a universal joint and hinges."""
    links = [link("trunk", 12.0, (0.12, 0.5, 0.55), (0, 0, 0.48), Shape("box", (0.3, 0.12, 0.1), (0, 0, 0)))]
    joints = []

    def add(name, parent, mass, size, position, axes, anchor, gain, collides=True):
        a, b, c = (4 * s * s for s in size)
        inertia = (mass * (b + c) / 12, mass * (a + c) / 12, mass * (a + b) / 12)
        links.append(link(name, mass, inertia, position, Shape("box", size, (0, 0, 0), collides=collides)))
        me = len(links) - 1
        more = {"kp": gain, "kd": gain / 20, "torque": 150.0, "lower": -1.5, "upper": 1.5, "armature": 0.005}
        joints.extend(hinge(parent, me, axis, anchor, **more) for axis in axes)
        return me

    for x in (0.25, -0.25):
        for y in (0.14, -0.14):
            leg = f"{'f' if x > 0 else 'h'}{'l' if y > 0 else 'r'}"
            thigh = add(leg + "1", 0, 1.0, (0.03, 0.03, 0.1), (x, y, -0.1), (X, Y, Z), (0, 0, 0.1), 400.0)
            shin = add(leg + "2", thigh, 0.6, (0.02, 0.02, 0.08), (0, 0, -0.18), (Y, X), (0, 0, 0.08), 400.0)
            cannon = add(leg + "3", shin, 0.3, (0.015, 0.015, 0.05), (0, 0, -0.13), (Y,), (0, 0, 0.05), 300.0)
            foot = add(leg + "4", cannon, 0.2, (0.03, 0.03, 0.01), (0, 0, -0.06), (Y, X), (0, 0, 0.01), 200.0)
            add(leg + "5", foot, 0.05, (0.01, 0.03, 0.01), (0.04, 0, 0), (Y,), (-0.01, 0, 0), 50.0)
    above = 0
    for i in range(5):
        x = -0.35 if i == 0 else -0.1
        above = add(f"tail{i}", above, 0.2, (0.05, 0.01, 0.01), (x, 0, 0), (Y, Z), (0.05, 0, 0), 30.0)
    above = 0
    for i in range(4):
        x = 0.35 if i == 0 else 0.1
        above = add(f"neck{i}", above, 0.5, (0.05, 0.03, 0.03), (x, 0, 0.03), (Y, Z), (-0.05, 0, -0.02), 150.0)
    return character(links, joints)
