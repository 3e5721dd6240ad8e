"""A fall is predicted where the capture point of a standing body leaves its feet."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.graph.conditions import FailureCondition
from ctrlgraph.kernels.planar.arrays import Kinematics, new_kinematics
from ctrlgraph.kernels.planar.collision import Shapes
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.fall_prediction import BACKWARD, FORWARD, PERIOD_S, capture_excess
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.simulation import Push, Simulation

ROOT = Path(__file__).resolve().parents[2]
BOTH = (BACKWARD, FORWARD)
HEEL_AND_TOE = Shapes(np.array([0, 0]), np.array([[-0.1, 0.0, 0.02], [0.15, 0.0, 0.02]]))


def body(x: float, velocity: float, height: float, *, contact: bool = True, angle: float = 0.0) -> Kinematics:
    """Return the state of a body with one foot at x = 0."""
    kin = new_kinematics(1, 0)
    kin.link[0, 2] = angle
    kin.contact[0], kin.support[0] = contact, 0.0
    kin.com[:] = x, height, velocity, 0.0
    return kin


@pytest.mark.parametrize(
    ("x", "velocity", "excess"),
    [(0.0, 0.0, 0.0), (0.16, 0.0, 0.0), (0.2, 0.0, 0.03), (-0.15, 0.0, -0.03), (0.0, 1.0, 0.13), (0.0, -1.0, -0.18)],
)
def test_the_capture_point_is_where_an_inverted_pendulum_comes_to_rest(
    x: float, velocity: float, excess: float
) -> None:
    # with h = 0.09 g, the time constant of the pendulum is 0.3 s
    assert capture_excess(body(x, velocity, 0.09 * 9.81), HEEL_AND_TOE, 9.81) == pytest.approx(excess)


def test_only_links_on_the_ground_support() -> None:
    assert capture_excess(body(9.0, 0.0, 0.9, contact=False), HEEL_AND_TOE, 9.81) is None


def test_a_foot_supports_where_its_circles_are() -> None:
    upright_foot = body(0.03, 0.0, 0.9, angle=math.pi / 2)
    assert capture_excess(upright_foot, HEEL_AND_TOE, 9.81) == pytest.approx(0.01)


@pytest.fixture(scope="module")
def shipped() -> Project:
    return Project(ROOT)


def test_a_motion_over_a_learned_edge_is_not_left(shipped: Project) -> None:
    learned, naive = shipped.graph.planned_edge("walk", "stand"), shipped.graph.planned_edge("squat", "rise")
    assert shipped.rollout(learned, "stand", 1, predicts_falls=True).predicts == ()
    assert shipped.rollout(naive, "rise", 1, predicts_falls=True).predicts == BOTH


def stand_pushed(
    project: Project, force: float, predicts: tuple[str, ...], *, watched: bool = False
) -> tuple[Outcome, str]:
    """Return the outcome of a stand that is pushed, without its wall time, and the digest of all its states."""
    rollout = project.rollout(None, "stand", 1)
    with Simulation(project.character, pushes=(Push(0.2, 0.1, "uTorso", force),) if force else ()) as simulation:
        if watched:
            simulation.watch(lambda moment: None, 0.006)
        outcome = simulation.run_rollout(replace(rollout, timeout=6.0, predicts=predicts))
        return replace(outcome, wall_s=0.0, compilation_s=0.0), simulation.history_digest()


@pytest.mark.parametrize(("force", "direction"), [(320.0, FORWARD), (-440.0, BACKWARD)])
def test_a_push_from_which_a_stand_falls_ends_it_before_the_fall(
    shipped: Project, force: float, direction: str
) -> None:
    falls, _ = stand_pushed(shipped, force, ())
    assert falls.status is Status.FAILED and falls.falling == ""
    left, _ = stand_pushed(shipped, force, BOTH)
    assert (left.status, left.falling, left.reason) == (Status.FAILED, direction, f"a fall {direction} is predicted")
    assert abs(left.measures["torso"]) < 0.3 and left.simulated_s < falls.simulated_s - 0.3
    assert round(left.simulated_s / PERIOD_S, 6).is_integer()
    holding = [each for each in FailureCondition if each.holds(left)]
    assert holding == [FailureCondition(f"falling {direction}"), FailureCondition.FAILED]
    other = FORWARD if direction == BACKWARD else BACKWARD
    assert stand_pushed(shipped, force, (other,))[0].simulated_s > left.simulated_s


def test_a_prediction_changes_no_bit_of_a_motion_that_does_not_fall(shipped: Project) -> None:
    assert stand_pushed(shipped, 50.0, BOTH) == stand_pushed(shipped, 50.0, ())


def test_a_watched_rollout_ends_at_the_same_step(shipped: Project) -> None:
    assert stand_pushed(shipped, 320.0, BOTH)[1] == stand_pushed(shipped, 320.0, BOTH, watched=True)[1]
