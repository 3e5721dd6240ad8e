"""What is particular to ODE in space: its joints, its friction cone, and the rows of the joints' elements."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.spatial_bench import Bench, character, hinge, link
from benchmarks.spatial_bodies import BASE, X, Y, Z, box, pendulum
from ctrlgraph.errors import SimulationError

BOB = link("bob", 1.0, (0.02, 0.03, 0.01), (0, 0, -0.5))


@pytest.mark.parametrize(
    ("second", "fault"),
    [
        (hinge(0, 1, (0.6, 0.8, 0), (0, 0, 0.5)), "not perpendicular"),
        (hinge(0, 1, Y, (0, 0, 0.4)), "different positions"),
    ],
)
def test_joints_that_ode_does_not_have_are_refused(second, fault) -> None:
    with pytest.raises(SimulationError, match=fault):
        Bench("ode", character([BASE, BOB], [hinge(0, 1, X, (0, 0, 0.5)), second], floating=False))


def test_a_link_that_is_too_light_for_ode_is_refused() -> None:
    with pytest.raises(SimulationError, match="'mote' is too light"):
        Bench("ode", character([BASE, link("mote", 1e-9, (1e-12,) * 3)], [hinge(0, 1, X)], floating=False))


def test_the_inertia_about_the_axis_of_a_hinge_decides_whether_a_link_is_too_light() -> None:
    """A link of a tail may turn easily about its own axis, about which it has no joint."""
    thin = link("thin", 3e-4, (2e-8, 2e-8, 2e-9))
    bench = Bench("ode", character([BASE, thin], [hinge(0, 1, X, kp=1e-4, kd=1e-5, torque=1.0)], floating=False))
    bench.motors.target[:] = 0.5
    assert bench.run(2.0).joint[-1, 0, 0] == pytest.approx(0.5, abs=0.05)
    with pytest.raises(SimulationError, match="'thin' is too light"):
        Bench("ode", character([BASE, thin], [hinge(0, 1, Z)], floating=False))
    axis = (0, 0.6, 0.8)
    with pytest.raises(SimulationError, match="'thin' is too light"):
        Bench("ode", character([BASE, thin], [hinge(0, 1, axis)], floating=False))


@pytest.mark.parametrize("direction", [0.0, 0.5, 1.3])
def test_friction_of_a_sliding_and_turning_box_is_within_the_cone(direction) -> None:
    bench = Bench("ode", box(), friction=0.5)
    bench.place(velocity=(2.0 * np.cos(direction), 2.0 * np.sin(direction), 0.0), spin=(0, 0, 3.0))
    for _ in range(50):
        bench.run(0.002)
        force = bench.contacts.force[: bench.contacts.filled[0]]
        assert (np.hypot(force[:, 0], force[:, 1]) <= 1.01 * 0.5 * force[:, 2] + 0.1).all()


def test_guessed_limits_of_torques_give_the_motion_of_separate_rows() -> None:
    """The quick solver has separate rows. With enough iterations, it finds the same motion."""
    body = pendulum(X, Y, kp=60.0, kd=1.0, torque=2.0, armature=0.01, damping=0.1, friction_loss=0.5)
    ends = []
    for settings in ({}, {"solver": "quick", "iterations": 2000}):
        bench = Bench("ode", body, **settings).place(angles=(0.3, 0.2))
        bench.motors.target[:] = -0.5, 0.8
        ends.append(bench.run(0.6).joint[:, :, 0])
    assert np.ptp(ends[0], axis=0).min() > 0.1
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-4)
