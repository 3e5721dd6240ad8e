"""Support of the character: the load on each link, and the height of the ground below it."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph import Project
from ctrlgraph.terrain.words import parse


@pytest.fixture(scope="module")
def stand():
    return Project.find().controller("stand")


def test_at_rest_the_feet_bear_the_weight_and_nothing_else_bears_any(simulate, engine, stand, humanoid) -> None:
    simulation = simulate(engine=engine)
    simulation.run(stand, timeout=3)
    load = simulation._kin.load
    feet = list(humanoid.roles.feet)
    assert load[feet].sum() == pytest.approx(humanoid.mass * simulation.settings.gravity, rel=0.02)
    assert np.count_nonzero(load) == 2


def test_the_support_is_the_ground_below_the_feet_and_is_kept_in_flight(simulate, engine, stand) -> None:
    simulation = simulate(engine=engine, terrain=parse("box=-2:4:0.25"))
    assert np.isnan(simulation._kin.support[0])
    simulation.run(stand, timeout=0.5)
    assert simulation._kin.support[0] == pytest.approx(0.25, abs=1e-9)
    raised = simulation._kin.link.copy()
    raised[:, 1] += 0.3
    simulation._world.place(raised)
    simulation.run(stand, timeout=0.05)
    assert not simulation._kin.contact.any()
    assert simulation._kin.support[0] == pytest.approx(0.25, abs=1e-9)
    assert not simulation._kin.load.any()


def test_a_restored_state_has_the_loads_and_the_support_that_it_had(simulate, engine, stand) -> None:
    simulation = simulate(engine=engine)
    simulation.run(stand, timeout=0.3)
    snapshot = simulation.snapshot()
    known = simulation._kin.load.copy(), simulation._kin.support.copy()
    simulation.reset()
    assert not simulation._kin.load.any()
    simulation.restore(snapshot)
    assert np.array_equal(simulation._kin.load, known[0])
    assert np.array_equal(simulation._kin.support, known[1])
