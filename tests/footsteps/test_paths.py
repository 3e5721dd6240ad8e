"""A planned robot follows a path of waypoints, and stops at its end."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ctrlgraph.footsteps.paths import PathFollower
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import ROBOTS

SQUARE = [(0.0, 0.0), (1.5, 0.0), (1.5, 1.5), (0.0, 1.5)]


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("path", [SQUARE, [(0.0, 0.0), (-1.0, 0.3)]], ids=["corners", "behind"])
def test_a_robot_stays_near_its_path_and_stops_at_the_end(name: str, path: list[tuple[float, float]]) -> None:
    planner = FootstepPlanner(ROBOTS[name])
    follower: PathFollower | None = PathFollower(planner.robot, path)
    samples = np.concatenate([np.linspace(a, b, 200) for a, b in pairwise(path)])
    farthest, ticks = 0.0, 0
    while follower is not None and ticks < 3000:
        x, y, _ = planner.centre_of_mass
        command = follower.command((x, y), planner.heading)
        if command is None:
            follower = None
        else:
            planner.update(command)
            farthest = max(farthest, float(np.linalg.norm(samples - (x, y), axis=1).min()))
        ticks += 1
    assert follower is None
    for _ in range(200):
        planner.update((0.0, 0.0, 0.0))
    assert planner.is_standing
    assert np.linalg.norm(planner.centre_of_mass[:2] - path[-1]) < 0.2
    assert farthest < 0.35


def test_the_shown_rest_of_a_path_ends_at_its_end_and_is_short() -> None:
    follower = PathFollower(ROBOTS["biped"], [(0.0, 0.0), (50.0, 0.0)])
    follower.command((0.2, 0.0), 0.0)
    follower.extend([(50.0, 30.0)])
    assert follower.length_m == 80.0
    ahead = follower.ahead
    assert ahead[0][0] == pytest.approx(0.2, abs=0.03)
    assert ahead[-1] == (50.0, 30.0)
    assert len(ahead) <= 202
