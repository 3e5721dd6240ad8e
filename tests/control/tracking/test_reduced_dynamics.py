"""The reduced dynamics of a walk against those of the whole body."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.integrate import simpson

from benchmarks.gait_search import constant_centre, cycle, periodic
from ctrlgraph.character.files import load_character
from ctrlgraph.control.tracking import reduced_dynamics
from ctrlgraph.control.tracking.phase import place_of
from ctrlgraph.control.tracking.reduced_model import CentrePolicy
from ctrlgraph.control.tracking.steps import StepConstraints, StepEnd, Stepper
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.planar import dynamics

PROJECTS = Path(__file__).parents[3] / "projects"
ROWS = ("rHip", "rKnee", "lHip", "lKnee")
CENTRE = {"five-link": 0.0, "walker": 0.04}


def stepper(name: str, places: int = 101) -> Stepper:
    project = {"walker": "tracking"}.get(name, name)
    return Stepper(load_character(PROJECTS / project / "characters" / f"{name}.yaml"), places)


def walk(name: str) -> StepConstraints:
    files = {"walker": "tracking/stepping/first_gait.yaml", "five-link": "five-link/tracking/walk.yaml"}
    stage = yaml.safe_load((PROJECTS / files[name]).read_text())["stages"][0]
    return StepConstraints(tuple(stage["theta"]), np.array([stage["track"][row] for row in ROWS], dtype=float))


@pytest.fixture(params=["five-link", "walker"])
def name(request) -> str:
    return request.param


def full_body(walker: Stepper, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Mass matrix, bias forces, Jacobian of the pinned foot (its place and, where there is one, its level), J' v."""
    m = walker.model
    n, legs = q.size, m.legs
    dynamics.place(m.body, m.tree, q, v, m.kin)
    mass, bias = np.zeros((n, n)), np.zeros(n)
    dynamics.mass_matrix(m.body, m.tree, m.kin, m.space, mass)
    dynamics.bias_forces(m.body, m.tree, m.kin, GRAVITY, m.space, bias)
    x, y = place_of(m.kin, legs.foot[0], *legs.sole[0, 0])
    point, turn, drift = np.zeros((2, n)), np.zeros(n), np.zeros(2)
    dynamics.point_jacobian(m.body, m.tree, m.kin, legs.foot[0], x, y, m.space, point)
    dynamics.point_bias(m.body, m.tree, m.kin, legs.foot[0], x, y, m.space, drift)
    dynamics.link_angle_jacobian(m.body, m.tree, m.kin, legs.foot[0], m.space, turn)
    if legs.ankle[0] < 0:
        return mass, bias, point, drift
    return mass, bias, np.vstack([point, turn]), np.append(drift, 0.0)


def energy(walker: Stepper, q: np.ndarray, v: np.ndarray) -> float:
    mass, *_ = full_body(walker, q, v)
    heights = walker.model.kin.link[:, 1]
    return float(0.5 * v @ mass @ v + GRAVITY * walker.model.body.mass @ heights)


def inconsistency(stepper: Stepper, before: StepConstraints, after: StepConstraints) -> float:
    """Return the largest error of eq. 8 between two steps: theta, angles (rad), and their derivatives by theta."""
    start, c = stepper.start_after(before.end), after.coefficients
    slopes = after.degree * (c[:, 1] - c[:, 0]) / after.span
    errors = [start.theta - after.theta[0], *(start.angles - c[:, 0]), *(start.slopes - slopes)]
    return float(np.abs(errors).max())


def test_the_reduced_dynamics_equal_those_of_the_body_with_a_pinned_foot(name) -> None:
    """Torques of the reduced dynamics into M a + h = u + J^T f, J a + J' v = 0: the accelerations are q' theta'' + q''
    theta'^2, the contact's wrench is theirs, its centre the zero-moment point."""
    walker, gait = stepper(name), walk(name)
    profile, policy = walker.follow(gait), constant_centre(walker, CENTRE[name])
    assert walker.go(profile, policy, 1.2).continued
    motion = walker.forces(profile, policy)
    for m in range(0, motion.rate.size, 7):
        i, rate = 2 * m, motion.rate[m]
        q, v = profile.q[i], profile.slope[i] * rate
        mass, bias, pinned, drift = full_body(walker, q, v)
        applied = np.concatenate([np.zeros(3), motion.torque[m]]) - bias
        n, c = q.size, len(pinned)
        system = np.block([[mass, -pinned.T], [pinned, np.zeros((c, c))]])
        solved = np.linalg.solve(system, np.concatenate([applied, -drift]))
        acceleration, wrench = solved[:n], solved[n:]
        np.testing.assert_allclose(wrench[:2], motion.force[m], rtol=1e-8, atol=1e-6)
        if c == 3:  # clockwise moment of a force ahead of the ankle
            assert -wrench[2] / wrench[1] == pytest.approx(motion.centre[m], abs=1e-9)
        theta_row = np.zeros(n)
        dynamics.place(walker.model.body, walker.model.tree, q, v, walker.model.kin)
        reduced_dynamics.theta_row(walker.model, walker.model.kin, 0, theta_row)
        assert theta_row @ v == pytest.approx(rate, rel=1e-12)
        tracked = profile.slope[i] * motion.acceleration[m] + profile.curvature[i] * rate**2
        np.testing.assert_allclose(acceleration, tracked, rtol=1e-8, atol=1e-7)


@pytest.mark.slow
def test_derivatives_of_the_pose_equal_finite_differences(name) -> None:
    walker = stepper(name, places=2001)
    profile = walker.follow(walk(name))
    step = profile.theta[1] - profile.theta[0]
    for of, derivative in ((profile.q, profile.slope), (profile.slope, profile.curvature)):
        np.testing.assert_allclose(derivative[1:-1], (of[2:] - of[:-2]) / (2 * step), atol=2e-4)


@pytest.mark.slow
def test_the_work_of_the_joints_equals_the_gain_of_energy(name) -> None:
    walker, gait = stepper(name, places=401), walk(name)
    profile, policy = walker.follow(gait), constant_centre(walker, CENTRE[name])
    assert walker.go(profile, policy, 1.3).continued
    motion = walker.forces(profile, policy)
    at = range(0, profile.theta.size, 2)
    velocity = np.array([profile.slope[i] * rate for i, rate in zip(at, motion.rate, strict=True)])
    power = np.einsum("ij,ij->i", motion.torque, velocity[:, 3:])
    work = simpson(power / motion.rate, x=profile.theta[::2])
    gained = energy(walker, profile.q[-1], velocity[-1]) - energy(walker, profile.q[0], velocity[0])
    assert work == pytest.approx(gained, rel=2e-5)


@pytest.mark.slow
def test_a_step_continues_from_the_state_after_the_impact(name) -> None:
    """Equation 8: pose and velocities just after the impact lie on the next step's constraints.

    All but the spin of the foot that leaves: its leg's ankle is not tracked, and levels it.
    """
    walker, gait = stepper(name), walk(name)
    consistent = periodic(walker, gait.end, gait.coefficients[:, 2:-2])
    assert inconsistency(walker, consistent, consistent) < 1e-12
    before = walker.follow(consistent)
    q, v = before.q[-1].copy(), before.slope[-1].copy()
    walker.start_after(consistent.end)
    velocities = walker._after.copy()  # with the sides exchanged
    after = walker.follow(consistent)
    ratio = walker.start_after(consistent.end).ratio
    ankle = int(walker.model.legs.ankle[1])
    tracked = [k for k in range(velocities.size) if ankle < 0 or k != 3 + ankle]
    np.testing.assert_allclose((after.slope[0] * ratio)[tracked], velocities[tracked], atol=1e-9)
    opposite = [3 + j for j in walker.character.opposite_joints]
    np.testing.assert_allclose(after.q[0][2:], np.concatenate([q[2:3], q[opposite]]), atol=1e-9)
    mass, *_ = full_body(walker, q, v)
    assert velocities @ full_body(walker, after.q[0], velocities)[0] @ velocities < v @ mass @ v  # impacts cost energy


@pytest.mark.slow
def test_a_step_between_different_gaits_is_consistent_with_the_one_before_and_the_one_after(name) -> None:
    walker, gait = stepper(name), walk(name)
    bent = StepEnd(gait.end.theta - 0.02, gait.end.angles + np.array([0.05, 0.03, -0.04, 0.06]), gait.end.slopes * 0.8)
    middle = gait.coefficients[:, 2:-2]
    first, other = periodic(walker, gait.end, middle), periodic(walker, bent, middle)
    between = StepConstraints.between(walker.start_after(first.end), middle, other.end)
    assert inconsistency(walker, first, between) < 1e-12
    assert inconsistency(walker, between, other) < 1e-12
    assert inconsistency(walker, first, other) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "period", "length", "speed"), [("five-link", 0.599, 0.48, 0.80), ("walker", 0.6, 0.40, 0.67)]
)
def test_the_shipped_gaits_have_the_period_and_speed_computed_by_other_code(name, period, length, speed) -> None:
    walker = stepper(name)
    gait = walk(name)
    found = cycle(walker, periodic(walker, gait.end, gait.coefficients[:, 2:-2]), constant_centre(walker, CENTRE[name]))
    assert found is not None
    assert (found.duration, found.length, found.speed) == pytest.approx((period, length, speed), abs=0.006)
    assert found.slope == pytest.approx({"five-link": 0.70, "walker": 0.74}[name], abs=0.005)


@pytest.mark.slow
def test_fifty_steps_of_runge_kutta_are_enough(name) -> None:
    cycles = []
    for places in (101, 801):
        walker, gait = stepper(name, places), walk(name)
        found = cycle(
            walker, periodic(walker, gait.end, gait.coefficients[:, 2:-2]), constant_centre(walker, CENTRE[name])
        )
        assert found is not None
        cycles.append(found)
    assert cycles[0].rate == pytest.approx(cycles[1].rate, rel=5e-5)
    assert cycles[0].duration == pytest.approx(cycles[1].duration, rel=5e-5)


@pytest.mark.slow
def test_a_step_begun_too_slowly_stops() -> None:
    walker, gait = stepper("walker"), walk("walker")
    profile, policy = walker.follow(gait), constant_centre(walker, 0.04)
    assert not walker.go(profile, policy, 0.4).continued
    assert not walker.go(profile, policy, 0.0).continued
    assert walker.go(profile, policy, 1.0).continued


@pytest.mark.slow
def test_feedback_of_the_zero_moment_point_stabilizes_the_rate() -> None:
    """The return map's slope falls with the gain."""
    walker, gait = stepper("walker"), walk("walker")
    gait = periodic(walker, gait.end, gait.coefficients[:, 2:-2])
    plain = constant_centre(walker, 0.04)
    found = cycle(walker, gait, plain)
    assert found is not None
    profile = walker.follow(gait)
    walker.go(profile, plain, found.rate)
    wanted = np.interp(profile.theta, profile.theta[::2], walker.motion.rate)
    held = cycle(walker, gait, CentrePolicy(0.04, 0.1, wanted, -0.05, 0.15))
    assert held is not None
    assert held.rate == pytest.approx(found.rate, rel=1e-3)
    assert held.slope < 0.8 * found.slope


def test_a_character_that_is_not_a_biped_is_refused() -> None:
    from ctrlgraph.errors import CtrlGraphError

    character = stepper("walker").character
    footless = replace(character, roles=replace(character.roles, feet=()))
    with pytest.raises(CtrlGraphError, match="the character 'walker' must have two feet, not 0"):
        Stepper(footless)
