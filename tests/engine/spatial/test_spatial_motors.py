"""Motors, their torque limits, and the passive elements of joints in space."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.spatial_bench import Bench, character, hinge, link
from benchmarks.spatial_bodies import X, Y, Z, pendulum
from ctrlgraph.character.scaling import limit_muscles
from tests.engine.spatial.references import FixedTree

DT = 0.002


@pytest.mark.parametrize("axes", [(Y,), (X, Y), (X, Y, Z)], ids=["hinge", "universal", "ball"])
def test_a_motor_takes_the_implicit_step_of_the_pd_law(axes, engine) -> None:
    kp, kd, n = 40.0, 1.5, len(axes)
    body, start, target = pendulum(*axes, kp=kp, kd=kd), np.array([0.3, -0.2, 0.5])[:n], np.array([0.8, 0.5, -0.4])[:n]
    bench = Bench(engine, body, dt=DT).place(angles=start)
    bench.motors.target[:] = target
    expected = FixedTree(body).implicit_motor_steps(start, np.zeros(n), kp, kd, target, DT, 500)
    # ODE adds the rotations of all joints of a link in one step
    np.testing.assert_allclose(bench.run(1.0).joint[:, :, 0], expected, atol=1e-12 if engine == "mujoco" else 0.02)


def test_a_motor_at_its_limit_gives_exactly_that_torque(engine) -> None:
    bench = Bench(engine, pendulum(X, Y, Z, kp=300.0, kd=10.0, torque=4.0)).place()
    bench.motors.target[:] = 1.0, -1.0, 0.5
    torques = bench.run(1.0).applied
    assert abs(torques).max() == 4.0
    assert ((abs(torques) == 4.0).sum(axis=0) > (100, 100, 5)).all()
    assert (abs(torques) < 4.0).any(axis=0).all()


def test_the_torque_of_a_motor_is_the_change_in_angular_momentum(engine) -> None:
    """In a joint between two free bodies, the motor turns one against the other."""
    wheels = [link("one", 1.0, (0.1, 0.1, 0.1), (0, 0, 2)), link("two", 1.0, (0.05, 0.05, 0.05))]
    bench = Bench(engine, character(wheels, [hinge(0, 1, Z, kp=20.0, kd=0.5, torque=3.0)]), gravity=0.0).place()
    bench.motors.target[:] = 1.0
    history = bench.run(0.3)
    spin = np.concatenate([[0.0], history.twist[:, 1, 5]])
    np.testing.assert_allclose(history.applied[:, 0], 0.05 * np.diff(spin) / DT, atol=1e-3)


def rotor(**joint: float):
    """Return a bob that turns about a fixed axis, with an inertia of 0.012 kg m^2 about it without the armature."""
    return pendulum(Y, inertia=(0.002, 0.002, 0.002), length=0.1, **joint)


@pytest.mark.parametrize(
    ("stiffness", "damping", "armature"), [(8.0, 0.05, 0.01), (0.0, 20.0, 0.0), (2000.0, 0.0, 0.0)]
)
def test_passive_springs_and_dampers_are_implicit_and_therefore_stable(stiffness, damping, armature, engine) -> None:
    body = rotor(stiffness=stiffness, damping=damping, armature=armature, spring_angle=0.2)
    history = Bench(engine, body, gravity=0.0, dt=DT).place(angles=(0.5,), rates=(1.0,)).run(0.5)
    q, v, inertia = 0.5, 1.0, 0.012 + armature
    for angle in history.joint[:, 0, 0]:
        v = (v + DT / inertia * stiffness * (0.2 - q)) / (1.0 + DT / inertia * (DT * stiffness + damping))
        q += DT * v
        assert angle == pytest.approx(q, abs=1e-12 if engine == "mujoco" else 2e-3)
    assert (history.applied == 0.0).all()  # the torque of the motor is without them


@pytest.mark.parametrize("torque", [0.5, 1.5, 3.0])
def test_dry_friction_holds_up_to_its_torque(torque, engine) -> None:
    bench = Bench(engine, rotor(friction_loss=1.0), gravity=0.0).place()
    bench.motors.torque[:] = torque
    rate = bench.run(0.1).joint[-1, 0, 1]
    assert rate == pytest.approx(0.1 * max(0.0, torque - 1.0) / 0.012, rel=0.01, abs=0.01)


def test_a_joint_stops_at_its_limits(engine) -> None:
    angles = (
        Bench(engine, pendulum(Y, lower=-0.5, upper=0.5)).place(angles=(-0.4,), rates=(6.0,)).run(1.0).joint[:, 0, 0]
    )
    assert 0.49 < angles.max() < 0.55
    assert angles.min() > -0.55


def test_a_fast_joint_has_less_torque_and_its_torque_rises_gradually(engine) -> None:
    body = limit_muscles(pendulum(X, Y, Z, kp=300.0, kd=1.0, torque=4.0), max_speed=20.0, rise_time=0.05)
    bench = Bench(engine, body, dt=DT).place()
    bench.motors.target[:] = 1.0, -1.0, 0.5
    history = bench.run(1.0)
    speed, torque = history.joint[:-1, :, 1], history.applied[1:]
    before, change = history.applied[:-1], 4.0 / 0.05 * DT
    most = 4.0 * np.where(speed * torque > 0, np.maximum(1 - np.abs(speed) / 20.0, 0.0), 1.0)
    assert (np.abs(torque) <= np.maximum(most, np.abs(before) - change) + 1e-9).all()
    rises = np.abs(torque) > np.abs(before)
    assert (np.abs(torque - before)[rises] <= change + 1e-9).all()
    np.testing.assert_allclose(np.abs(history.applied[0]), change, rtol=1e-12)
    assert (np.abs(torque) == most)[most < 4.0].sum() > 10
