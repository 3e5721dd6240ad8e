"""Features of a state: their names, and that they do not depend on the position."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.planar.arrays import Kinematics, copy_arrays
from ctrlgraph.kernels.planar.observation import write_features
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import Terrain, flat, slope

pytest.importorskip("gymnasium")

from ctrlgraph.gym.observation import feature_names


def features(kinematics: Kinematics, character: Character, ground: Terrain) -> dict[str, float]:
    """Return the features of a state by their names."""
    names = feature_names(character)
    vector = np.empty(len(names))
    write_features(kinematics, character.root, ground.height(float(kinematics.com[0])), vector)
    return dict(zip(names, vector.tolist(), strict=True))


def test_features_do_not_change_if_body_and_ground_are_moved_together(humanoid: Character) -> None:
    with Simulation(humanoid, slope(5)) as simulation:
        simulation.reset({"rKnee": 0.5})
        here = simulation.snapshot().kinematics
    there = copy_arrays(here)
    there.link[:, 0] += 7.0
    there.link[:, 1] -= 2.0
    there.com[0] += 7.0
    there.com[1] -= 2.0
    there.joint[:, 2] += 7.0
    there.joint[:, 3] -= 2.0
    ground = slope(5)
    moved = Terrain("moved", ground.x + 7.0, ground.y - 2.0)
    assert features(there, humanoid, moved) == pytest.approx(features(here, humanoid, ground))
    assert features(there, humanoid, flat()) != pytest.approx(features(here, humanoid, ground))


def test_every_feature_has_a_name(humanoid: Character) -> None:
    with Simulation(humanoid) as simulation:
        simulation.reset({"rKnee": 0.5, "root": 0.2})
        found = features(simulation.snapshot().kinematics, humanoid, flat())
    assert found["angle rKnee"] == pytest.approx(0.5)
    assert found["root sine"] == pytest.approx(np.sin(0.2))
    assert found["com vx"] == 0.0
    assert 0.8 < found["com height"] < 1.1
