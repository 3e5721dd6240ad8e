"""Random command sequences: a robot walks, reverses, turns, steps sideways and stops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.footsteps.robots import LeggedRobot

SHORTEST_S, LONGEST_S = 1.5, 4.0
"""Shortest and longest duration of a command, s."""
SIDE_SHARE = 0.25
"""Largest speed of side-steps, as a fraction of the robot's usual largest speed."""


def random_commands(robot: LeggedRobot, seed: int, seconds: float, tick: float) -> NDArray[np.float64]:
    """Return a random command for each tick (n, 3): forward and to the left, m/s, and turning, rad/s.

    A robot walks forward, walks back, steps sideways, walks a curve, turns on the spot, or stops. The first command is
    not a stop.

    Args:
        robot: Robot whose usual speeds are the largest commands.
        seed: Seed of the sequence.
        seconds: Duration, s.
        tick: Duration of a tick, s.
    """
    rng = np.random.default_rng(seed)
    n = round(seconds / tick)
    commands, filled = np.zeros((n, 3)), 0
    while filled < n:
        kind = int(rng.integers(5 if filled == 0 else 6))
        fast, side, turn = rng.uniform(0.4, 1.0), rng.choice([-1.0, 1.0]), rng.uniform(0.3, 1.0)
        speed, turning = fast * robot.speed_mps, side * turn * robot.turning_radps
        kinds = (
            (speed, 0.0, 0.0),
            (-speed, 0.0, 0.0),
            (0.0, SIDE_SHARE * side * robot.speed_mps * turn, 0.0),
            (speed, 0.0, turning),
            (0.0, 0.0, turning),
            (0.0, 0.0, 0.0),
        )
        end = min(n, filled + max(1, round(rng.uniform(SHORTEST_S, LONGEST_S) / tick)))
        commands[filled:end] = kinds[kind]
        filled = end
    return commands
