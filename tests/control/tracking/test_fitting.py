"""Motion constraints fitted to motions: recovery of a known gait, consistency, and refused motions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion, find_steps
from ctrlgraph.control.tracking.fitting.fitted_tracking import FittedTracking, fit_tracking
from ctrlgraph.control.tracking.fitting.geometry import Geometry
from ctrlgraph.control.tracking.splines import evaluate, polynomials
from ctrlgraph.control.tracking.steps import StepConstraints, Stepper
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats

PROJECTS = Path(__file__).parents[3] / "projects"
CONSISTENT = PROJECTS / "tracking" / "stepping" / "first_gait.yaml"
"""A step that leads to itself by the impact map: that of the shipped walk, before its toe was lifted."""
STEP_S, SAMPLES = 0.6, 150


def ideal_walk(character: Character, steps: int = 6) -> BodyMotion:
    """The consistent gait played at an even rate of theta, one foot after the other: kinematics alone."""
    tracking = read_tracking(CONSISTENT, character, policies=False)
    stage = next(each for each in tracking.entry.stages if each.name == "single")
    geometry = Geometry(tracking.entry.model_copy(update={"stages": [stage]}), character)
    guess, poses = np.zeros(3 + len(character.joints)), []
    guess[1] = character.links[character.root].y
    for theta in np.linspace(*stage.theta, SAMPLES, endpoint=False):
        share = (theta - stage.theta[0]) / np.ptp(stage.theta)
        rows = np.array([_value(list(row), share) for row in stage.track.values()])
        guess = geometry.pose(float(theta), rows, guess)
        poses.append(guess)
    q, touching, feet, x = [], [], [], 0.0
    geometry.place(poses[-1])
    length = geometry.foot_distance(("rFoot", "lFoot"))
    for i in range(steps):
        side = i % 2
        for pose in poses:
            here = pose.copy() if side == 0 else geometry.mirrored(pose).copy()
            here[0] += x
            geometry.place(here)
            kin = geometry.data.model.kin
            feet.append([kin.link[character.link_index(name), 0] for name in ("rFoot", "lFoot")])
            q.append(here)
            touching.append([side == 0, side == 1])
        x += length
    n = steps * SAMPLES
    return BodyMotion(
        np.arange(n) * STEP_S / SAMPLES, np.array(q), np.array(touching), np.array(feet), np.full(n, np.nan)
    )


def _value(coefficients: list[float], share: float) -> float:
    out: Floats = np.zeros(3)
    pieces = polynomials(coefficients, 6)
    evaluate(pieces, len(pieces), share, out)
    return float(out[0])


@pytest.fixture(scope="module")
def walk(walker: Character) -> BodyMotion:
    return ideal_walk(walker)


@pytest.fixture(scope="module")
def fitted(walk: BodyMotion, walker: Character) -> FittedTracking:
    return fit_tracking(walk, walker, skip=1)


@pytest.mark.slow
def test_the_fit_recovers_a_gait_that_is_played_back(fitted: FittedTracking, walker: Character) -> None:
    shipped = read_tracking(CONSISTENT, walker, policies=False)
    stage = next(each for each in shipped.entry.stages if each.name == "single")
    assert fitted.fit.rows.theta == pytest.approx(stage.theta, abs=0.005)
    for row, coefficients in zip(fitted.fit.residual, fitted.fit.rows.coefficients, strict=True):
        wanted = [_value(list(stage.track[row]), share) for share in np.linspace(0, 1, 21)]
        found = [_value(coefficients.tolist(), share) for share in np.linspace(0, 1, 21)]
        begin = 5 if row == "lFoot" else 0  # the impact spins the foot that leaves: see below
        assert found[begin:] == pytest.approx(wanted[begin:], abs=0.015)
    assert fitted.residual < 0.005


@pytest.mark.slow
def test_the_leaving_foot_starts_with_the_angular_velocity_of_the_impact(
    fitted: FittedTracking, walker: Character
) -> None:
    """The gait that was played holds it level from the first moment, which no impact leaves it."""
    stage, rows = fitted.fit.rows, list(fitted.fit.residual)
    tracked = [rows.index(row) for row in ("rHip", "rKnee", "lHip", "lKnee")]
    end = StepConstraints(stage.theta, np.array([stage.coefficients[row] for row in tracked])).end
    stepper = Stepper(walker)
    ratio = stepper.start_after(end).ratio
    after = stepper._after  # of theta' = 1 before, with the sides exchanged
    chain = [
        3 + int(joints[1]) for joints in (stepper.model.legs.hip, stepper.model.legs.knee, stepper.model.legs.ankle)
    ]
    spin = float(after[2] + after[chain].sum()) / ratio
    assert spin > 0.5
    assert stage.values(np.array([stage.theta[0]]), 1)[0][rows.index("lFoot")] == pytest.approx(spin, rel=0.1)


@pytest.mark.slow
def test_every_landing_is_consistent_with_the_impact_map(fitted: FittedTracking) -> None:
    after = fitted.fit.after
    assert max(after.theta, after.angle, after.slope) < 1e-9
    assert abs(after.landing) < 1e-4
    assert fitted.fit.before.slope > 1e-3  # the nearest splines alone are not


@pytest.mark.slow
def test_the_file_contains_the_fit(fitted: FittedTracking) -> None:
    [stage] = fitted.tracking.entry.stages
    assert list(stage.track) == ["rHip", "lHip", "rKnee", "lKnee", "lFoot"]
    assert stage.contacts == {"rFoot": "flat"}
    assert stage.ends.contact == "lFoot"
    assert fitted.step.duration == pytest.approx(STEP_S, abs=0.01)


@pytest.mark.slow
def test_more_smoothing_bends_less_and_fits_less(walk: BodyMotion, walker: Character, fitted: FittedTracking) -> None:
    smooth = fit_tracking(walk, walker, skip=1, k=1e-2)
    stages = (made.fit.rows for made in (fitted, smooth))
    bent = [np.abs(stage.bends()).mean() for stage in stages]
    assert bent[1] < bent[0]
    assert smooth.residual > fitted.residual


@pytest.mark.slow
def test_steps_begin_with_landings_and_alternate(walk: BodyMotion) -> None:
    steps = find_steps(walk)
    assert [step.side for step in steps] == [1, 0, 1, 0]
    assert [step.begin for step in steps] == [SAMPLES * k for k in range(1, 5)]


@pytest.mark.slow
def test_a_backward_walk_is_refused_because_theta_decreases(walk: BodyMotion, walker: Character) -> None:
    backward = replace(
        walk, q=walk.q[::-1], touching=walk.touching[::-1], feet=walk.feet[::-1], pressure=walk.pressure[::-1]
    )
    with pytest.raises(CtrlGraphError, match=r"theta must rise from .* in a step, but falls by .* at .* s"):
        fit_tracking(backward, walker, skip=0)


@pytest.mark.slow
def test_too_few_steps_are_reported(walk: BodyMotion, walker: Character) -> None:
    with pytest.raises(
        CtrlGraphError, match=r"the motion has 4 steps from landing to landing, and a fit needs 2 beyond the first 5"
    ):
        fit_tracking(walk, walker, skip=5)
