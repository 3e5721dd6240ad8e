"""The audit's inverse dynamics: it finds what the engines did, and what they did not do."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.audit import (
    STEPS_JOINTS,
    audit,
    contacts_now,
    record,
)
from benchmarks.inverse_dynamics import Recording, inverse_dynamics
from ctrlgraph.simulation.rollout import Rollout
from tests.engine.motions import stepped, thrashing


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


def test_the_torque_across_a_joint_is_the_motors(simulate, handmade, engine) -> None:
    """In the air and on the ground, away from the stops."""
    simulation = simulate(engine=engine)
    simulation.reset(height=0.02)
    links, contacts, applied = [], [], []
    for s in stepped(simulation, thrashing(handmade), 100):
        links.append(s._kin.link.copy())
        contacts.append(contacts_now(s))
        applied.append(s._world.commands.applied.copy())
    dt, by_joints = simulation.settings.dt, engine in STEPS_JOINTS
    recording = Recording(simulation.character, np.array(links), contacts[:-1], dt, 9.81, 1.0, by_joints)
    _, torques = inverse_dynamics(recording)
    joints = simulation.character.joints
    angle = recording.links[:-1, :, 2]
    joint = np.stack([angle[:, j.child] - angle[:, j.parent] for j in joints], axis=1)
    free = (joint > [j.lower + 1e-2 for j in joints]) & (joint < [j.upper - 1e-2 for j in joints])
    off = np.where(free, np.abs(torques - np.array(applied)[:-1]), 0.0)
    assert sum(map(len, contacts)) > 20 and free.mean() > 0.8
    assert np.abs(applied).max() > 100
    assert off.max() < (0.5 if engine == "ode" else 0.01)  # ODE: a pin that gives by a tenth of a millimetre is an arm


def test_a_fall_through_the_air_keeps_momentum_and_exerts_nothing_on_the_ground(dropped, engine) -> None:
    found = audit(dropped(3.0)[0])
    assert found.momentum < (1e-6 if engine == "ode" else 5.0)
    assert found.angular < (1e-3 if engine == "ode" else 500.0)
    assert (found.slip, found.cone) == (0.0, 0.0)
    assert abs(found.impact) < 0.1
    assert found.joint_speed > 5


def test_what_it_finds_is_what_the_measures_say(dropped, engine) -> None:
    recording, outcome = dropped(0.05)
    found, values = audit(recording), outcome.measures
    assert found.joint_speed == pytest.approx(values["peak_joint_speed"], rel=1e-6)
    assert found.slip == pytest.approx(values["slip"], rel=0.3, abs=0.003)
    assert values["impact"] == pytest.approx(found.impact, rel=1e-6)
    assert found.power == pytest.approx(values["peak_power"], rel=0.25)
