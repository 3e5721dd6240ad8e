"""Motion comes from joint torques within their limits, gravity and contact, and from nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.simulation.measures import measure
from tests.engine.motions import place, run_steps, stepped, thrashing

GRAVITY = 9.81


def spin_momentum(simulation) -> float:
    """Angular momentum about the centre of mass, positive counter-clockwise, kg m^2/s."""
    kin, links = simulation._kin, simulation.character.links
    mass = np.array([link.mass for link in links])
    inertia = np.array([link.inertia for link in links])
    arm = kin.link[:, :2] - kin.com[:2]
    speed = kin.link[:, 3:5] - kin.com[2:]
    return float((mass * (arm[:, 0] * speed[:, 1] - arm[:, 1] * speed[:, 0]) - inertia * kin.link[:, 5]).sum())


def energy(simulation) -> float:
    """Kinetic and potential energy, J."""
    kin, links = simulation._kin, simulation.character.links
    mass = np.array([link.mass for link in links])
    inertia = np.array([link.inertia for link in links])
    kinetic = 0.5 * (mass * (kin.link[:, 3:5] ** 2).sum(axis=1) + inertia * kin.link[:, 5] ** 2).sum()
    return float(kinetic + GRAVITY * (mass * kin.link[:, 1]).sum())


@pytest.mark.parametrize("dt", [0.002, 0.0005])
def test_in_flight_the_centre_of_mass_falls_freely_however_the_joints_move(dt, simulate, handmade, engine) -> None:
    simulation = simulate(sample_rate=500.0, dt=dt)
    simulation.reset(height=6.0)
    simulation.run(thrashing(handmade), timeout=1.0)
    trace = simulation.trace
    t = trace.time
    assert not trace.contact.any()
    assert np.ptp(trace.angle[:, 5]) > 0.5  # and they do move
    # the steps are semi-implicit: the velocity after n steps is -g n dt, the way -g dt^2 n (n + 1) / 2; MuJoCo steps
    # joint angles and not bodies, so that the whole body's momentum has an error in proportion to the step
    error = 2e-3 if engine == "ode" else 12.0 * dt
    np.testing.assert_allclose(trace.com_velocity[:, 1], -GRAVITY * t, atol=error)
    np.testing.assert_allclose(trace.com[:, 1] - trace.com[0, 1], -GRAVITY * t * (t + dt) / 2, atol=error)
    np.testing.assert_allclose(trace.com[:, 0], trace.com[0, 0], atol=error)


def test_in_flight_angular_momentum_about_the_centre_of_mass_is_conserved(simulate, handmade) -> None:
    simulation = simulate(dt=0.0005)
    simulation.reset({"root": 0.3}, height=6.0)
    links = simulation._kin.link.copy()
    root = links[simulation.character.root, :2].copy()
    links[:, 5] = 2.0  # every link turns clockwise at 2 rad/s about the root,
    links[:, 3] = 2.0 * (links[:, 1] - root[1])  # as one rigid body
    links[:, 4] = -2.0 * (links[:, 0] - root[0])
    place(simulation, links)
    program, momenta, forward = thrashing(handmade), [], []
    for _ in range(20):
        simulation.run(program, timeout=0.04)
        momenta.append(spin_momentum(simulation))
        forward.append(simulation._kin.com[2])
    assert momenta[0] < -10.0
    np.testing.assert_allclose(momenta, momenta[0], rtol=0.01)
    np.testing.assert_allclose(forward, forward[0], atol=6e-3)  # MuJoCo: see above


def test_joint_stops_hold_the_limits_against_the_motors(simulate, handmade, humanoid) -> None:
    """Motors that pull far beyond the limits overshoot them by little, and rest near them."""
    h = handmade
    simulation = simulate()
    simulation.reset(height=3.0)
    beyond = [h.act("POSE", j.name, j.upper + 1.0, 300, 30) for j in humanoid.joints]
    overshoot = 0.0
    for _ in run_steps(simulation, h.program(h.phase(beyond)), 300):
        angle = simulation._kin.joint[:, 0]
        overshoot = max(overshoot, *(angle - [j.upper for j in humanoid.joints]))
    assert 0.0 < overshoot < 0.15
    np.testing.assert_allclose(simulation._kin.joint[:, 0], [j.upper for j in humanoid.joints], atol=0.05)


def contact_forces(simulation) -> np.ndarray:
    """Forces (n, 2) of the last step's contacts."""
    return simulation._contacts.force[: simulation._contacts.filled[0]].copy()


def test_contact_forces_on_a_resting_character_carry_its_weight(simulate, handmade, humanoid) -> None:
    simulation = simulate()
    simulation.reset({"root": -1.5, "rHip": -0.2, "lHip": -0.2})
    simulation.run(handmade.program(), timeout=4.0)
    assert np.hypot(*simulation._kin.com[2:]) < 0.02
    total = np.mean(
        [contact_forces(simulation).sum(axis=0) for _ in stepped(simulation, handmade.program(), 200)], axis=0
    )
    assert total[1] == pytest.approx(humanoid.mass * GRAVITY, rel=0.01)
    assert total[0] == pytest.approx(0.0, abs=5.0)


def test_contacts_push_and_never_pull(simulate, handmade) -> None:
    simulation, touched = simulate(), 0
    for _ in stepped(simulation, thrashing(handmade), 400):
        forces = contact_forces(simulation)
        touched += len(forces)
        assert (forces[:, 1] >= -1e-9).all()
    assert touched > 100


@pytest.mark.parametrize("friction", [0.2, 0.5])
def test_a_sliding_character_is_slowed_by_friction_times_gravity(friction, simulate, handmade, engine) -> None:
    """Coulomb's law for the whole body: it lies on its back and slides, stiffly; MuJoCo's friction lifts it."""
    from ctrlgraph.terrain.terrain import flat

    simulation = simulate(terrain=flat(friction), sample_rate=500.0)
    simulation.reset({"root": -1.5, "rHip": -0.2, "lHip": -0.2})
    simulation.run(handmade.program(), timeout=3.0)
    links = simulation._kin.link.copy()
    links[:, 3] = 3.0
    place(simulation, links)
    simulation.run(handmade.program(), timeout=0.4)
    speed = simulation.last_trace.com_velocity[:, 0]
    slowed = (speed[0] - speed[-1]) / 0.4
    assert slowed == pytest.approx(friction * GRAVITY, rel=0.01 if engine == "ode" else 0.05)


def test_without_friction_nothing_slows_a_sliding_character(simulate, handmade) -> None:
    from ctrlgraph.terrain.terrain import flat

    simulation = simulate(terrain=flat(0.0))
    simulation.reset({"root": -1.5})
    simulation.run(handmade.program(), timeout=1.0)
    assert simulation._kin.com[2] == pytest.approx(0.0, abs=1e-5)


def test_a_limp_character_only_loses_energy(simulate, handmade) -> None:
    """Falling and lying down without torques, friction and contacts give nothing back."""
    simulation = simulate()
    simulation.reset({"root": 0.2, "rHip": -0.5, "rKnee": 0.6}, height=0.3)
    simulation._take(handmade.program())
    simulation._state.target_kinds[:] = 0
    before = energy(simulation)
    highest = before
    for _ in run_steps(simulation, handmade.program(), 600):
        highest = max(highest, energy(simulation))
    assert highest < before + 2.0
    assert energy(simulation) < 0.45 * before
    assert simulation._clock.energy[0] == 0.0


def test_the_joints_work_covers_what_the_character_gains(simulate, handmade) -> None:
    """In free flight energy changes only through the joints: |gain| is at most their work."""
    simulation = simulate(dt=0.0005)
    simulation.reset(height=6.0)
    before = energy(simulation)
    outcome = simulation.run(thrashing(handmade), timeout=0.18)
    assert 1.0 < energy(simulation) - before <= outcome.energy_j * 1.02


def test_a_push_gives_the_whole_body_its_impulse(simulate, handmade, humanoid) -> None:
    from ctrlgraph.simulation.simulation import Push

    simulation = simulate(pushes=(Push(start=0.1, duration=0.1, link="uTorso", x=140.0, y=0.0),))
    simulation.reset(height=3.0)
    simulation.run(handmade.program(), timeout=0.3)
    assert simulation._kin.com[2] == pytest.approx(140.0 * 0.1 / humanoid.mass, rel=0.02)


def test_the_trace_ends_with_the_state_in_which_the_controller_ended(simulate, handmade) -> None:
    h = handmade
    simulation = simulate()
    outcome = simulation.run(h.program(h.phase(transitions=[h.to(-1, "TIME", 0.126)])))
    assert simulation.trace.time[-1] == pytest.approx(0.126)
    np.testing.assert_array_equal(simulation.trace.com[-1], simulation._kin.com[:2])
    assert outcome.measures == measure(simulation.last_trace, simulation.character, simulation.terrain)
