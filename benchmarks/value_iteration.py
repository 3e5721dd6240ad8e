"""Measure the cost of value iteration (docs/results/policies.md), in CPU seconds of one process.

    python benchmarks/value_iteration.py

A grid of 100 x 100 states with 20 actions (a mass on a line is brought to rest), and a course of 500 positions over
2,000 states with 100 actions (steps of random length and cost). The fastest of three runs counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ctrlgraph.control.stepping.planning import best_steps
from ctrlgraph.policies import Grid, GridAxis, OutcomeSpace, OutcomeStatus, OutcomeTable, solve

REPEATED = 3
SEED = 1


def main() -> None:
    """Print a row for each."""
    print("| what | size | CPU seconds |\n| --- | --- | --- |")
    for row in (mass_on_a_line, course_of_steps):
        print(f"| {' | '.join(row())} |", flush=True)


def quickest(made: Callable[[], object]) -> str:
    """Return the CPU seconds of the fastest of a few calls, of which the first may compile."""
    found = []
    for _ in range(REPEATED + 1):
        began = time.process_time()
        made()
        found.append(time.process_time() - began)
    return f"{min(found):.2g}"


def mass_on_a_line() -> tuple[str, str, str]:
    """Return the example of docs/reference/policies.md on a finer grid."""
    grid = Grid([GridAxis("x", -2.0, 2.0, 100, "m"), GridAxis("v", -2.0, 2.0, 100, "m/s")])
    forces = np.linspace(-1.0, 1.0, 20)[:, None]
    x, v = grid.points[:, :1], grid.points[:, 1:]
    after = np.stack([x + v / 4 + forces[:, 0] / 32, v + forces[:, 0] / 4], axis=-1)
    there = (np.abs(grid.points) < 0.11).all(axis=1)[:, None] & np.ones((1, 20), bool)
    status = np.where(there, OutcomeStatus.ENDED, OutcomeStatus.CONTINUED).astype(np.uint8)
    outcomes = OutcomeTable(
        OutcomeSpace(grid, forces, ("force",), ("x", "v")), status, after, np.full(status.shape, 0.25)
    )
    reward = np.where(there, 0.0, -0.25)
    return "grid", "10,000 states, 20 actions", quickest(lambda: solve([outcomes], [reward], failure=-100.0))


def course_of_steps() -> tuple[str, str, str]:
    """Return steps of a hundred gaits, from each of them at 20 rates."""
    rng = np.random.default_rng(SEED)
    grid = Grid([GridAxis("gait", 0.0, 99.0, 100), GridAxis("rate", 0.3, 2.2, 20, "rad/s")])
    gaits = np.arange(100.0)[:, None]
    status = np.where(rng.random((2000, 100)) < 0.66, OutcomeStatus.CONTINUED, OutcomeStatus.FAILED).astype(np.uint8)
    after = np.empty((2000, 100, 3))
    after[:, :, 0] = gaits[:, 0]
    after[:, :, 1] = rng.uniform(0.3, 2.2, (2000, 100))
    after[:, :, 2] = rng.uniform(0.3, 0.66, 100)
    space = OutcomeSpace(grid, gaits, ("gait",), ("gait", "rate", "advance"))
    outcomes = OutcomeTable(space, status, after, np.full((2000, 100), 0.7))
    positions = GridAxis("position", 0.0, 9.98, 500, "m")
    cost = -rng.random((2000, 100))

    def planned() -> object:
        return best_steps(outcomes, positions, np.ones(500, bool), cost)

    return "course", "2,000 states, 100 actions, 500 positions", quickest(planned)


if __name__ == "__main__":
    main()
