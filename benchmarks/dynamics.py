"""Measure the cost of the dynamics kernels, microseconds per call, for three characters.

    python benchmarks/dynamics.py

Each figure is the median of nine measurements of many calls from compiled code in the same state. A tracking controller
needs the mass matrix and the bias forces in every tick.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from tree_dynamics import GRAVITY, Dynamics, characters, random_state

from ctrlgraph.kernels.linear_algebra import copy_matrix, solve
from ctrlgraph.kernels.planar import dynamics

REPEATS, CALLS = 9, 20_000


@numba.njit
def stir(kin):  # type: ignore[no-untyped-def]
    """Change the state minimally, because the compiler would remove repeated calls with equal arguments."""
    kin.link[0, 0] += 1e-12
    kin.link[0, 5] += 1e-12
    kin.joint[0, 2] += 1e-12


@numba.njit
def masses(calls, body, tree, kin, space, mass):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        stir(kin)
        dynamics.mass_matrix(body, tree, kin, space, mass)


@numba.njit
def biases(calls, body, tree, kin, space, out):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        stir(kin)
        dynamics.bias_forces(body, tree, kin, GRAVITY, space, out)


@numba.njit
def inverses(calls, body, tree, kin, space, acceleration, out):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        stir(kin)
        dynamics.inverse_dynamics(body, tree, kin, acceleration, GRAVITY, space, out)


@numba.njit
def points(calls, body, tree, kin, space, link, rows, bias):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        stir(kin)
        dynamics.point_jacobian(body, tree, kin, link, 0.1, 0.2, space, rows)
        dynamics.point_bias(body, tree, kin, link, 0.1, 0.2, space, bias)


@numba.njit
def centres(calls, body, tree, kin, space, rows, bias):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        stir(kin)
        dynamics.com_jacobian(body, tree, kin, space, rows)
        dynamics.com_bias(body, tree, kin, space, bias)


@numba.njit
def impacts(calls, space, mass, rows, velocity, after, impulse):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        velocity[0] += 1e-12
        dynamics.impact(mass, rows, velocity, space, after, impulse)


@numba.njit
def systems(calls, matrix, factors, pivots, right):  # type: ignore[no-untyped-def]
    for _ in range(calls):
        copy_matrix(matrix, factors)
        right[0] = 1.0
        solve(factors, pivots, right)


def microseconds(function: Any, *arguments: Any) -> float:
    """Return the median time of a call."""
    function(1, *arguments)
    times = []
    for _ in range(REPEATS):
        started = perf_counter()
        function(CALLS, *arguments)
        times.append(perf_counter() - started)
    return 1e6 * statistics.median(times) / CALLS


def row(character: Any) -> list[float]:
    """Return the figures of a character in the order of the table's columns."""
    tree = Dynamics(character)
    n = tree.n
    q, v = random_state(np.random.default_rng(1), n)
    tree.at(q, v)
    given = tree.body, tree.tree, tree.kin, tree.space
    link = max(i for i, each in enumerate(character.links) if each.contacts)
    rows, two, wide = tree.point(link, 0.1, 0.2), np.zeros(2), np.zeros(n)
    saddle = np.zeros((n + 2, n + 2))
    saddle[:n, :n], saddle[:n, n:], saddle[n:, :n] = tree.mass(), -rows.T, rows
    return [
        microseconds(masses, *given, np.zeros((n, n))),
        microseconds(biases, *given, wide),
        microseconds(inverses, *given, v, wide),
        microseconds(points, *given, link, np.zeros((2, n)), two),
        microseconds(centres, *given, np.zeros((2, n)), two),
        microseconds(impacts, tree.space, tree.mass(), rows, v, wide, two),
        microseconds(systems, saddle, saddle.copy(), np.zeros(n + 2, np.int64), np.zeros(n + 2)),
    ]


def main() -> None:
    """Print the table."""
    columns = [
        "mass matrix",
        "bias forces",
        "inverse dynamics",
        "a point's J, J' v",
        "centre's J, J' v",
        "impact of 2 rows",
    ]
    print("| character | links | " + " | ".join([*columns, "solve (N + 2)^2"]) + " |")
    print("| --- | " + "--- | " * (2 + len(columns)))
    for character in characters():
        figures = " | ".join(f"{value:.2f}" for value in row(character))
        print(f"| {character.name} | {len(character.links)} | {figures} |")


if __name__ == "__main__":
    main()
