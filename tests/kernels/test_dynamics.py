"""Dynamics of the planar tree equal MuJoCo's and agree with the laws of mechanics."""

from __future__ import annotations

import os

import numpy as np
import pytest
from tree_dynamics import GRAVITY, Dynamics, Mujoco, characters, random_state, runge_kutta

from ctrlgraph.kernels.planar import dynamics

STATES = 40 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1000
H = 1e-6


@pytest.fixture(scope="module", params=characters(), ids=lambda character: character.name)
def tree(request) -> Dynamics:
    return Dynamics(request.param)


def assert_equal_to_nine_digits(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert np.abs(ours - theirs).max() <= 1e-9 * np.abs(theirs).max()


def test_all_quantities_equal_those_of_mujoco_in_a_thousand_random_states(tree) -> None:
    """Mass matrix, bias forces, Jacobians of a link's point and angle, and of the centre of mass."""
    mujoco, rng = Mujoco(tree.character), np.random.default_rng(14)
    for _ in range(STATES):
        q, v = random_state(rng, tree.n)
        tree.at(q, v), mujoco.at(q, v)
        link = int(rng.integers(len(tree.character.links)))
        x, y = tree.kin.link[link, :2] + rng.normal(0.0, 0.3, 2)
        point, turn = mujoco.point(link, x, y)
        assert_equal_to_nine_digits(tree.mass(), mujoco.mass())
        assert_equal_to_nine_digits(tree.bias(), mujoco.bias())
        assert_equal_to_nine_digits(tree.point(link, x, y), point)
        assert_equal_to_nine_digits(tree.turn(link), turn)
        assert_equal_to_nine_digits(tree.com(), mujoco.com())


def test_coordinates_read_from_a_placed_body_are_those_it_was_placed_by(tree) -> None:
    q, v = random_state(np.random.default_rng(1), tree.n)
    found_q, found_v = np.zeros(tree.n), np.zeros(tree.n)
    dynamics.coordinates(tree.tree, tree.at(q, v).kin, found_q, found_v)
    np.testing.assert_allclose(found_q, q, atol=1e-12)
    np.testing.assert_allclose(found_v, v, atol=1e-12)


def test_velocities_of_links_are_the_rates_of_their_places(tree) -> None:
    q, v = random_state(np.random.default_rng(2), tree.n)
    after, before = (tree.at(q + h * v, v).kin.link.copy() for h in (H, -H))
    link = tree.at(q, v).kin.link
    np.testing.assert_allclose(link[:, 3:], (after - before)[:, :3] / (2 * H), atol=1e-7)


def test_inverse_dynamics_is_mass_times_acceleration_and_bias(tree) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        q, v = random_state(rng, tree.n)
        acceleration = rng.normal(0.0, 20.0, tree.n)
        tree.at(q, v)
        assert_equal_to_nine_digits(tree.forces(acceleration), tree.mass() @ acceleration + tree.bias())


def test_the_mass_matrix_measures_the_kinetic_energy(tree) -> None:
    q, v = random_state(np.random.default_rng(4), tree.n)
    assert 0.5 * v @ tree.at(q, v).mass() @ v == pytest.approx(tree.energy(gravity=0.0), rel=1e-12)


def test_accelerations_at_constant_velocity_are_the_derivatives_of_jacobians(tree) -> None:
    """J' v of a point, the centre of mass: by central differences of J v along the motion."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        q, v = random_state(rng, tree.n)
        link = int(rng.integers(len(tree.character.links)))
        away = rng.normal(0.0, 0.3, 2)  # in the frame of the link

        def rates(step: float, q=q, v=v, link=link, away=away) -> np.ndarray:
            x, y = world(tree.at(q + step * v, v), link, away)
            return np.array([tree.point(link, x, y) @ v, tree.com() @ v])

        expected = (rates(H) - rates(-H)) / (2 * H)
        x, y = world(tree.at(q, v), link, away)
        found = np.array([tree.point_bias(link, x, y), tree.com_bias()])
        np.testing.assert_allclose(found, expected, atol=1e-5 * max(1.0, np.abs(expected).max()))


def world(tree: Dynamics, link: int, away: np.ndarray) -> tuple[float, float]:
    """Where a point of a link's frame is."""
    pose, (cosine, sine) = tree.kin.link[link], tree.kin.turn[link]
    return pose[0] + away[0] * cosine + away[1] * sine, pose[1] + away[1] * cosine - away[0] * sine


def test_free_flight_keeps_its_energy_and_its_centre_of_mass_falls_freely(tree) -> None:
    """Accelerations from M a + h = 0, integrated; energy and momentum are computed from the links."""
    q, v = np.zeros(tree.n), np.random.default_rng(6).normal(0.0, 1.0, tree.n)
    begun, step, steps = tree.at(q, v).energy(), 5e-4, 200
    com = tree.kin.com.copy()

    def rate(state: np.ndarray) -> np.ndarray:
        tree.at(state[0], state[1])
        return np.array([state[1], -np.linalg.solve(tree.mass(), tree.bias())])

    state = np.array([q, v])
    for _ in range(steps):
        state = runge_kutta(rate, state, step)
    time = step * steps
    assert np.abs(state[0] - q).max() > 0.05, "it has moved"
    assert tree.at(*state).energy() == pytest.approx(begun, rel=1e-9)
    fallen = [com[0] + com[2] * time, com[1] + com[3] * time - 0.5 * GRAVITY * time**2, com[2], com[3] - GRAVITY * time]
    np.testing.assert_allclose(tree.kin.com, fallen, atol=1e-9)


def foot_rows(tree: Dynamics) -> np.ndarray:
    """Jacobian (2, N) of a contact circle's centre."""
    link = next(i for i, each in enumerate(tree.character.links) if each.contacts)
    contact = tree.character.links[link].contacts[0]
    return tree.point(link, *world(tree, link, np.array([contact.x, contact.y])))


def test_an_impact_stops_what_its_rows_say_and_only_takes_energy(tree) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        q, v = random_state(rng, tree.n)
        tree.at(q, v)
        mass, rows = tree.mass(), np.vstack([foot_rows(tree), np.eye(tree.n)[4]])
        after, impulse = np.zeros(tree.n), np.zeros(3)
        assert dynamics.impact(mass, rows, v, tree.space, after, impulse)
        np.testing.assert_allclose(rows @ after, 0.0, atol=1e-9)
        np.testing.assert_allclose(mass @ (after - v), rows.T @ impulse, atol=1e-8)
        lost = 0.5 * v @ mass @ v - 0.5 * after @ mass @ after
        assert lost == pytest.approx(0.5 * (v - after) @ mass @ (v - after), rel=1e-9)
        again = np.zeros(tree.n)
        assert dynamics.impact(mass, rows, after, tree.space, again, impulse)
        np.testing.assert_allclose(again, after, atol=1e-9)


def test_an_impact_on_rows_that_depend_on_each_other_is_refused(tree) -> None:
    tree.at(np.zeros(tree.n), np.ones(tree.n))
    rows = np.vstack([foot_rows(tree), foot_rows(tree)])
    assert not dynamics.impact(tree.mass(), rows, np.ones(tree.n), tree.space, np.zeros(tree.n), np.zeros(4))


def test_a_rod_hit_at_its_end_turns_as_the_textbook_says() -> None:
    """The biped's foot alone is not a rod; a whole stiff body is: all joints are rows, and it falls flat on one point.

    Of mass m and inertia I about its centre, falling at speed u and caught at a distance d beside the centre, it turns
    with m d u / (I + m d^2).
    """
    tree = Dynamics(characters()[2])
    tree.at(np.zeros(tree.n), np.zeros(tree.n))
    stiff = np.eye(tree.n)[3:]
    mass, com = tree.mass(), tree.kin.com
    root = tree.tree.root
    x, y = com[0] + 0.3, com[1]
    rows = np.vstack([tree.point(root, x, y), stiff])
    falling = np.zeros(tree.n)
    falling[1] = -2.0
    after, impulse = np.zeros(tree.n), np.zeros(len(rows))
    assert dynamics.impact(mass, rows, falling, tree.space, after, impulse)
    away = tree.kin.link[:, :2] - com[:2]
    inertia = tree.tree.inertia.sum() + tree.body.mass @ (away**2).sum(axis=1)
    total = tree.body.total_mass
    # what it is caught by is in front of the centre, which goes on falling: backward and down, counter-clockwise
    assert after[2] == pytest.approx(-total * 0.3 * 2.0 / (inertia + total * 0.3**2), rel=1e-12)
