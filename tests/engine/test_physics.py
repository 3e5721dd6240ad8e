"""Textbook results for a few bodies, on every engine: a pendulum, a block on a slope, balances of momentum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipk

from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.terrain.terrain import flat, slope
from tests.engine.motions import links_now, place, stepped, thrashing, weaker_one_way

GRAVITY = 9.81

PENDULUM = """
name: pendulum
gains: {kp: 0, kd: 0}
links:
  base: {mass: 10000, size: [10, 10], at: [0, 3], contacts: [[0, 0, .1]]}
  bob: {mass: 2, size: [.1, .1], at: [0, 2]}
joints:
  pin: {parent: base, child: bob, at: [0, 3], limits: [-3, 3], torque: [5, 5]}
"""

BLOCK = """
name: block
gains: {kp: 300, kd: 30}
links:
  block: {mass: 10, size: [.1, .6], at: [0, .05], contacts: [[-.25, -.04, .01], [.25, -.04, .01]]}
  lid: {mass: .1, size: [.1, .1], at: [0, .1]}
joints:
  catch: {parent: block, child: lid, at: [0, .1], limits: [-1, 1], torque: [50, 50]}
"""


def limp(simulation, program) -> None:
    """No PD on any joint."""
    simulation._take(program)
    simulation._state.target_kinds[:] = 0


@pytest.mark.parametrize("swing", [0.2, 1.2])
def test_a_pendulum_has_its_period(swing, simulate, handmade) -> None:
    """The base is so heavy that the bob hardly moves it, and is pushed up by its own weight."""
    from ctrlgraph.simulation.simulation import Push

    character = parse_character(PENDULUM, "pendulum.yaml")
    program = type(handmade)(character).program()
    simulation = simulate(character, dt=0.0005, gravity=1.0, sample_rate=2000.0)
    simulation.reset({"pin": swing}, height=20.0)
    limp(simulation, program)
    simulation.disturb([Push(0.0, 30.0, "base", 0.0, 1e4)])
    simulation.run(program, timeout=15.0)
    angle = simulation.trace.angle[:, 1] - simulation.trace.angle[:, 0]
    rate = np.gradient(angle, simulation.trace.time)
    turns = simulation.trace.time[:-1][(rate[:-1] < 0) & (rate[1:] >= 0)]
    inertia = 2 * (0.1**2 + 0.1**2) / 12 + 2 * 1.0**2
    expected = 4 * math.sqrt(inertia / (2 * 1.0 * 1.0)) * ellipk(math.sin(swing / 2) ** 2)
    assert np.diff(turns) == pytest.approx(np.full(len(turns) - 1, expected), rel=2e-3)
    assert len(turns) >= 2


@pytest.mark.parametrize("friction", [0.3, 0.8])
@pytest.mark.parametrize("margin", [-2.0, 2.0])
def test_a_block_slides_on_a_slope_steeper_than_its_friction_and_rests_on_one_less_steep(
    friction, margin, simulate, handmade
) -> None:
    degrees = math.degrees(math.atan(friction)) + margin
    character = parse_character(BLOCK, "block.yaml")
    program = type(handmade)(character).program()
    simulation = simulate(character, terrain=slope(degrees, friction))
    tilt = math.radians(degrees)
    simulation.reset({"root": -tilt})
    simulation.run(program, timeout=0.5)
    began = simulation._kin.com.copy()
    simulation.run(program, timeout=1.0)
    slid = (simulation._kin.com[2:] - began[2:]) @ np.array([-math.cos(tilt), -math.sin(tilt)])
    expected = GRAVITY * (math.sin(tilt) - friction * math.cos(tilt)) if margin > 0 else 0.0
    # within a hundredth of what gravity alone would give
    assert slid == pytest.approx(expected, abs=0.01 * GRAVITY * math.sin(tilt))
    moved = math.hypot(*(simulation._kin.com[:2] - began[:2]))
    assert moved < 0.005 if margin < 0 else moved > 0.1


def momentum(simulation, link) -> np.ndarray:
    """Momentum x, y and angular momentum about the origin, clockwise positive, of links (L, 6)."""
    links = simulation.character.links
    mass, inertia = (np.array([getattr(each, name) for each in links]) for name in ("mass", "inertia"))
    turning = inertia * link[:, 5] - mass * (link[:, 0] * link[:, 4] - link[:, 1] * link[:, 3])
    return np.array([*(mass @ link[:, 3:5]), turning.sum()])


@pytest.mark.parametrize("pushed", [False, True])
def test_only_gravity_reported_contacts_and_pushes_move_the_body(pushed, simulate, handmade) -> None:
    """The whole body's momentum and angular momentum change by those, step by step, while it thrashes on the ground."""
    from ctrlgraph.simulation.simulation import Push

    simulation = simulate(dt=0.001)
    if pushed:
        simulation.disturb([Push(0.1, 0.3, "rHand", 60.0, 25.0)])
    dt, mass, hand = 0.001, simulation.character.mass, simulation.character.link_index("rHand")
    touched, worst, scale = 0, np.zeros(3), np.zeros(3)
    for n, _ in enumerate(stepped(simulation, thrashing(handmade), 600)):
        contacts, link, com = simulation._contacts, simulation._kin.link, simulation._kin.com
        before, after = momentum(simulation, link), momentum(simulation, links_now(simulation))
        count = contacts.filled[0]
        force, point = contacts.force[:count], contacts.geometry[:count, :2]
        outside = np.array([*force.sum(axis=0), 0.0])
        outside[1] -= mass * GRAVITY
        outside[2] = -(point[:, 0] * force[:, 1] - point[:, 1] * force[:, 0]).sum() + mass * GRAVITY * com[0]
        if pushed and 0.1 <= n * dt < 0.4:
            outside += [60.0, 25.0, -(link[hand, 0] * 25.0 - link[hand, 1] * 60.0)]
        touched += count > 0
        worst = np.maximum(worst, np.abs((after - before) / dt - outside))
        scale = np.maximum(scale, np.abs(outside))
    assert touched > 100
    # of forces of kilonewtons, and for MuJoCo, whose steps are of joint angles
    assert (worst < 0.03 * scale).all(), (worst, scale)


@pytest.mark.parametrize(("height", "joint"), [(6.0, "rKnee"), (0.0, "rKnee"), (0.0, "lHip"), (0.0, "lAnkle")])
def test_the_reported_torques_explain_the_joint_motion(height, joint, simulate, handmade) -> None:
    """Inverse dynamics, in flight and on the ground: what a joint's far side needs to turn as it does, less what the
    ground does to it, is the reported torque."""
    dt = 0.0005
    simulation = simulate(dt=dt)
    simulation.reset(height=height)
    number = simulation.character.joint_index(joint)
    far = np.flatnonzero(simulation.character.side[number] > 0)
    links = [simulation.character.links[i] for i in far]
    mass, inertia = np.array([each.mass for each in links]), np.array([each.inertia for each in links])
    reported, needed = [], []
    for _ in stepped(simulation, thrashing(handmade, kp=100.0, kd=10.0), 300):
        before, after, pin = simulation._kin.link, links_now(simulation), simulation._kin.joint[number, 2:4]
        change = (after[far, 3:6] - before[far, 3:6]) / dt
        arm = before[far, :2] - pin
        lever = -(arm[:, 0] * (change[:, 1] + GRAVITY) - arm[:, 1] * change[:, 0])
        contacts = simulation._contacts
        mine = np.flatnonzero(np.isin(contacts.link[: contacts.filled[0]], far))
        force, at = contacts.force[mine], contacts.geometry[mine, :2] - pin
        ground = -(at[:, 0] * force[:, 1] - at[:, 1] * force[:, 0]).sum()
        needed.append((inertia * change[:, 2] + mass * lever).sum() - ground)
        reported.append(simulation._world.commands.applied[number])
    reported, needed = np.array(reported), np.array(needed)
    assert np.ptp(reported) > 50.0
    # but for the steps in which a stop holds the joint
    free = np.abs(reported - needed) < 0.03 * np.abs(reported).max()
    assert free.mean() > 0.7


def test_a_snapshot_in_contact_and_at_torque_limits_continues_bit_for_bit(simulate, handmade, humanoid) -> None:
    weaker = weaker_one_way(humanoid, 0.4)
    simulation, program = simulate(weaker), thrashing(handmade, kp=3000.0, kd=60.0)
    simulation.run(program, timeout=0.7)
    touching = 0
    for _ in range(8):
        simulation.run(program, timeout=0.05, resume=True)
        touching += simulation._contacts.filled[0] > 0
        snapshot = simulation.snapshot()
        ends = []
        for _ in range(2):
            simulation.restore(snapshot)
            simulation.run(program, timeout=0.2, resume=True)
            ends.append((simulation.history_digest(), simulation.state_digest()))
        assert ends[0] == ends[1]
        elsewhere = simulate(weaker)
        elsewhere.restore(snapshot)
        elsewhere.run(program, timeout=0.2, resume=True)
        assert (elsewhere.history_digest(), elsewhere.state_digest()) == ends[0]
        simulation.restore(snapshot)
    assert touching > 3


def test_a_snapshot_of_another_engine_keeps_poses_and_velocities(simulate, engine, humanoid, handmade) -> None:
    from ctrlgraph.simulation.simulation import Simulation

    program = thrashing(handmade)
    with Simulation(humanoid, engine={"ode": "mujoco", "mujoco": "ode"}[engine]) as other:
        other.run(program, timeout=0.33)
        simulation = simulate()
        simulation.restore(other.snapshot())
        assert simulation.time == other.time
        simulation._library.kernels.observe(simulation._world.data, simulation._kin)
        # ODE's pins give way a little where MuJoCo has none
        np.testing.assert_allclose(simulation._kin.link[:, :3], other._kin.link[:, :3], atol=2e-3)
        np.testing.assert_allclose(simulation._kin.link[:, 3:], other._kin.link[:, 3:], atol=0.05)
        np.testing.assert_allclose(simulation._kin.joint[:, 0], other._kin.joint[:, 0], atol=1e-9)
        outcome = simulation.run(program, timeout=0.1, resume=True)
        assert outcome.simulated_s == pytest.approx(0.1)


def test_friction_of_a_sliding_contact_is_its_coefficient_times_the_normal_force(simulate, handmade) -> None:
    character = parse_character(BLOCK, "block.yaml")
    simulation = simulate(character, terrain=flat(0.4))
    program = type(handmade)(character).program()
    simulation.run(program, timeout=0.5)
    links = simulation._kin.link.copy()
    links[:, 3] = 2.0
    place(simulation, links)
    along, across = 0.0, 0.0
    for _ in stepped(simulation, program, 100):
        force = simulation._contacts.force[: simulation._contacts.filled[0]]
        along, across = along + force[:, 0].sum(), across + force[:, 1].sum()
    assert -along / across == pytest.approx(0.4, rel=0.02)
