"""The audit's inverse dynamics: it finds what the engines did, and what they did not do."""

from __future__ import annotations

import pytest

from benchmarks.audit import (
    audit,
    record,
)
from ctrlgraph.simulation.rollout import Rollout
from tests.engine.motions import thrashing


@pytest.fixture(params=["ode", "mujoco"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def dropped(simulate, handmade, engine):
    """A recording of the humanoid, thrashing as it falls from so high, and its measures."""

    def make(height: float, seconds: float = 0.4):
        simulation = simulate(engine=engine)
        simulation.reset(height=height)
        return record(simulation, Rollout(thrashing(handmade), timeout=seconds))

    return make


def test_what_it_finds_is_what_the_measures_say(dropped, engine) -> None:
    recording, outcome = dropped(0.05)
    found, values = audit(recording), outcome.measures
    assert found.joint_speed == pytest.approx(values["peak_joint_speed"], rel=1e-6)
    assert found.slip == pytest.approx(values["slip"], rel=0.3, abs=0.003)
    assert values["impact"] == pytest.approx(found.impact, rel=1e-6)
    assert found.power == pytest.approx(values["peak_power"], rel=0.25)
