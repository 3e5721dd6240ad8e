"""ODE's feedback of joints: torques of motors and stops, forces of pins."""

from __future__ import annotations

import numpy as np
import pytest
from sampling import slow

from tests.engine.motions import run_steps, thrashing, weaker_one_way


@pytest.mark.parametrize("pins", ["distances", "balls", "hinges"])
def test_every_motor_acts_on_its_parent_with_the_opposite_of_what_it_gives_its_child(
    pins, simulate, handmade, probe
) -> None:
    simulation = simulate(pins=pins)
    reader = probe(simulation)
    for _ in run_steps(simulation, thrashing(handmade), 100):
        for records in (reader.motors, reader.stops):
            child, parent = reader.torques(records)
            np.testing.assert_array_equal(child, -parent)
    assert np.abs(reader.torques(reader.motors)[0]).max() > 1.0


@pytest.mark.parametrize("share", [0.4, *slow(1.0)])
def test_the_engine_applies_the_torques_that_are_accounted_for_and_never_more_than_the_limit(
    share, simulate, handmade, probe, humanoid
) -> None:
    humanoid = weaker_one_way(humanoid, share)
    simulation = simulate(humanoid)
    reader = probe(simulation)
    lower, upper = np.array([joint.torque_limit for joint in humanoid.joints]).T
    bias, saturated = (lower + upper) / 2, np.zeros(2, int)  # the row gives what the bias leaves
    for _ in run_steps(simulation, thrashing(handmade, kp=3000.0, kd=60.0), 400):
        torque = bias - reader.torques(reader.motors)[0]  # clockwise is positive
        np.testing.assert_allclose(simulation._world.data.commands.applied, torque, atol=1e-3)
        assert (lower * (1 + 1e-9) <= torque).all() and (torque <= upper * (1 + 1e-9)).all()
        saturated += int((torque < 0.999 * lower).sum()), int((torque > 0.999 * upper).sum())
    assert (saturated > 25).all()


def test_nothing_from_outside_holds_the_root_in_the_plane_of_motion(simulate, handmade, probe) -> None:
    """Where the pins are balls, the Plane2D joint acts out of the plane only: forces along z, torques about x and y."""
    simulation = simulate(pins="balls")
    reader = probe(simulation)
    for _ in run_steps(simulation, thrashing(handmade), 200):
        assert tuple(reader.root.f1)[:2] == (0.0, 0.0)
        assert reader.root.t1[2] == 0.0
