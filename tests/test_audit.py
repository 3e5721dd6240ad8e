"""The inverse dynamics of the audit agrees with the measures of the simulation."""

from __future__ import annotations

import pytest

from benchmarks.audit import audit, record
from ctrlgraph.simulation.rollout import Rollout
from tests.engine.motions import thrashing


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_inverse_dynamics_and_measures_agree(simulate, handmade, engine: str) -> None:
    simulation = simulate(engine=engine)
    simulation.reset(height=0.05)
    recording, outcome = record(simulation, Rollout(thrashing(handmade), timeout=0.4))
    found, values = audit(recording), outcome.measures
    assert found.joint_speed == pytest.approx(values["peak_joint_speed"], rel=1e-6)
    assert found.slip == pytest.approx(values["slip"], rel=0.3, abs=0.003)
    assert values["impact"] == pytest.approx(found.impact, rel=1e-6)
    assert found.power == pytest.approx(values["peak_power"], rel=0.25)
