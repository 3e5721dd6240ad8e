"""Compare the planar collision kernel with ODE's dCollide for the same circles on the same ground.

python benchmarks/collision.py
"""

from __future__ import annotations

import ctypes
import statistics
from pathlib import Path
from time import perf_counter

import numba
import numpy as np
from numba import types
from odepy.contact import dContactGeom

from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.kernels.planar.collision import find_contacts
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import flat, stairs

REPEATS, STEPS = 9, 20000

engine = ode.load().handle
collide = types.ExternalFunction("dCollide", types.int32(types.intp, types.intp, types.int32, types.intp, types.int32))
place = types.ExternalFunction("dGeomSetPosition", types.void(types.intp, types.float64, types.float64, types.float64))


@numba.njit
def ours(steps, kin, shapes, xs, ys, found):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(steps):
        find_contacts(kin, shapes, xs, ys, found)
        total += found.count[0]
    return total


@numba.njit
def of_ode(steps, kin, shapes, spheres, ground, room, size):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(steps):
        for c in range(spheres.size):
            i = shapes.link[c]
            cosine, sine = kin.turn[i, 0], kin.turn[i, 1]
            u, v = shapes.circle[c, 0], shapes.circle[c, 1]
            place(spheres[c], kin.link[i, 0] + u * cosine + v * sine, kin.link[i, 1] + v * cosine - u * sine, 0.0)
            total += collide(spheres[c], ground, 1, room, size)
    return total


def microseconds(function, *arguments) -> float:  # type: ignore[no-untyped-def]
    """Return the median time of a step."""
    function(1, *arguments)
    times = []
    for _ in range(REPEATS):
        started = perf_counter()
        function(STEPS, *arguments)
        times.append(perf_counter() - started)
    return 1e6 * statistics.median(times) / STEPS


def main() -> None:
    character = load_character(Path(__file__).resolve().parents[1] / "characters" / "humanoid.yaml")
    simulation = Simulation(character)
    kin, shapes, found = simulation._kin, simulation._shapes, simulation._contacts
    kin.link[:, 1] -= 0.001  # the feet touch the ground
    for name in ("dCreateSphere", "dCreatePlane"):
        getattr(engine, name).restype = ctypes.c_void_p
    engine.dCreateSphere.argtypes = [ctypes.c_void_p, ctypes.c_double]
    engine.dCreatePlane.argtypes = [ctypes.c_void_p] + 4 * [ctypes.c_double]
    spheres = np.array([engine.dCreateSphere(None, radius) for radius in shapes.circle[:, 2]], np.int64)
    ground = int(engine.dCreatePlane(None, 0.0, 1.0, 0.0, 0.0))
    room, size = dContactGeom(), ctypes.sizeof(dContactGeom)
    plane, steps = flat(), stairs(0.3, 20, 0.3, 0.15)
    print(f"ours, flat ground:  {microseconds(ours, kin, shapes, plane.x, plane.y, found):.2f} us a step")
    print(f"ours, 20 stairs:    {microseconds(ours, kin, shapes, steps.x, steps.y, found):.2f} us a step")
    cost = microseconds(of_ode, kin, shapes, spheres, ground, ctypes.addressof(room), size)
    print(f"dCollide, a plane:  {cost:.2f} us a step")


if __name__ == "__main__":
    main()
