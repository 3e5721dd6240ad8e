"""Laws of plans: support by the feet on the ground, limits of steps, determinism, invariance, reaction to commands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.footsteps.baselines import QuadraticPlanner, RaibertPlanner
from ctrlgraph.footsteps.commands import random_commands
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.survey import PlannedMotion, PlanSurvey, survey
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED

robots = pytest.mark.parametrize("name", ROBOTS)
Command = tuple[float, float, float]


def follow(planner: FootstepPlanner, command: Command, seconds: float) -> tuple[PlanSurvey, PlannedMotion]:
    return survey(planner, np.tile(command, (round(seconds / planner.settings.tick_s), 1)))


def steps_of(planner: FootstepPlanner) -> NDArray[np.float64]:
    """Return places and times of the planned steps that are not fixed."""
    free = planner.state.status != FIXED
    times = (planner.state.middle + planner.state.offset[:, :, 3])[free]
    return np.column_stack([planner.work.pose[free], times])


@robots
def test_the_pressure_is_inside_the_hull_of_the_feet_on_the_ground(name: str) -> None:
    for seed in range(2):
        planner = FootstepPlanner(ROBOTS[name])
        found, _ = survey(planner, random_commands(planner.robot, seed, 12, planner.settings.tick_s))
        assert found.inside_hull >= 0.99
        assert found.steps > 5


@robots
def test_feet_stay_within_reach_and_speed_and_do_not_slide(name: str) -> None:
    planner = FootstepPlanner(ROBOTS[name])
    found, _ = survey(planner, random_commands(planner.robot, 7, 12, planner.settings.tick_s))
    assert found.reach <= 0.98
    assert found.swing_mps <= 3.0
    assert found.slide_mm == 0.0


@robots
def test_no_contact_point_pulls_and_no_force_is_negative(name: str) -> None:
    planner = FootstepPlanner(ROBOTS[name])
    for command in random_commands(planner.robot, 3, 5, planner.settings.tick_s):
        planner.update(tuple(command))
        assert planner.state.share.min() >= 0.0
    assert planner.state.share.max() > 0.0


@robots
def test_plans_are_the_same_bits_every_time(name: str) -> None:
    def plan() -> list[bytes]:
        planner = FootstepPlanner(ROBOTS[name])
        _, motion = survey(planner, random_commands(planner.robot, 5, 4, planner.settings.tick_s))
        return [array.tobytes() for array in (motion.pressure, motion.mass, motion.poses, planner.state.share)]

    assert plan() == plan()


@robots
def test_plans_do_not_depend_on_place_and_direction(name: str) -> None:
    robot, turn, shift = ROBOTS[name], 2.1, np.array([3.0, -5.0])
    commands = random_commands(robot, 2, 4, 0.02)
    _, here = survey(FootstepPlanner(robot), commands)
    _, there = survey(FootstepPlanner(robot, start=(*shift, turn)), commands)
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array([[c, s], [-s, c]])
    assert np.allclose(here.pressure @ rotation + shift, there.pressure, atol=1e-6)
    assert np.allclose(here.poses[:, :, :2] @ rotation + shift, there.poses[:, :, :2], atol=1e-6)
    assert np.allclose(here.heading + turn, there.heading, atol=1e-6)


@robots
def test_a_reversed_command_changes_the_steps_in_the_next_update(name: str) -> None:
    reverse, onward = FootstepPlanner(ROBOTS[name]), FootstepPlanner(ROBOTS[name])
    speed = 0.8 * reverse.robot.speed_mps
    for planner in (reverse, onward):
        follow(planner, (speed, 0.0, 0.0), 3.0)
    reverse.update((-speed, 0.0, 0.0))
    onward.update((speed, 0.0, 0.0))
    assert np.abs(steps_of(reverse) - steps_of(onward))[:, 0].max() > 0.01
    follow(reverse, (-speed, 0.0, 0.0), 3.0)
    assert reverse.velocity[0] < -0.4 * speed


@robots
def test_a_push_changes_the_steps_in_the_next_update(name: str) -> None:
    pushed, alone = FootstepPlanner(ROBOTS[name]), FootstepPlanner(ROBOTS[name])
    for planner in (pushed, alone):
        follow(planner, (0.5 * planner.robot.speed_mps, 0.0, 0.0), 3.0)
    before = pushed.velocity
    pushed.push((0.0, 0.4))
    assert pushed.velocity - before == pytest.approx([0.0, 0.4])
    pushed.update((0.3, 0.0, 0.0))
    alone.update((0.3, 0.0, 0.0))
    assert np.abs(steps_of(pushed) - steps_of(alone)).max() > 1e-3


@pytest.mark.parametrize("angle", [0.0, 0.5 * math.pi, math.pi, 1.5 * math.pi])
def test_a_biped_that_stands_steps_after_a_push_beyond_its_feet_and_stands_again(angle: float) -> None:
    planner = FootstepPlanner(ROBOTS["biped"])
    follow(planner, (0.0, 0.0, 0.0), 0.2)
    planner.push((0.8 * math.cos(angle), 0.8 * math.sin(angle)))
    found, motion = follow(planner, (0.0, 0.0, 0.0), 5.0)
    assert found.steps > 1
    assert planner.is_standing
    # without a step, the centre of pressure would be that far outside for 0.8 s
    assert np.sum(motion.outside > 0.01) * planner.settings.tick_s < 0.15


@robots
def test_a_robot_that_stands_balances_a_weak_push_without_a_step(name: str) -> None:
    planner = FootstepPlanner(ROBOTS[name])
    planner.push((0.1, 0.1))
    found, _ = follow(planner, (0.0, 0.0, 0.0), 3.0)
    assert found.steps == 0
    assert found.inside_hull == 1.0


@robots
def test_a_robot_slows_down_when_its_steps_cannot_follow(name: str) -> None:
    planner = FootstepPlanner(ROBOTS[name])
    found, motion = follow(planner, (10.0, 0.0, 0.0), 8.0)
    speed = np.linalg.norm(motion.mass[-1] - motion.mass[-200]) / (199 * planner.settings.tick_s)
    assert 0.5 * planner.robot.speed_mps < speed < 2.5 * planner.robot.speed_mps
    assert found.inside_hull >= 0.99
    assert found.reach <= 0.98
    assert found.swing_mps <= 3.0


@robots
def test_a_robot_without_a_command_stands_and_walks_again(name: str) -> None:
    planner = FootstepPlanner(ROBOTS[name])
    assert follow(planner, (0.0, 0.0, 0.0), 2.0)[0].steps == 0
    assert follow(planner, (0.5 * planner.robot.speed_mps, 0.0, 0.0), 4.0)[0].steps > 3
    follow(planner, (0.0, 0.0, 0.0), 6.0)
    assert planner.is_standing
    found, motion = follow(planner, (0.0, 0.0, 0.0), 2.0)
    assert found.steps == 0
    assert found.inside_hull == 1.0
    assert np.ptp(motion.mass, axis=0).max() < 0.1
    assert follow(planner, (0.5 * planner.robot.speed_mps, 0.0, 0.0), 4.0)[0].steps > 3


@pytest.mark.parametrize("command", [(math.nan, 0.0, 0.0), (0.0, math.inf, 0.0), (0.5, 0.0), (0.5, "x", 0.0)])
def test_a_command_has_three_finite_numbers_and_another_one_changes_nothing(command: Any) -> None:
    planner = FootstepPlanner(ROBOTS["biped"])
    with pytest.raises(CtrlGraphError, match=r"^a command must have three finite numbers, not \("):
        planner.update(command)
    assert planner.time_s == 0.0
    assert follow(planner, (0.5, 0.0, 0.0), 1.0)[0].inside_hull == 1.0


def test_steps_avoid_unsafe_places() -> None:
    def least_distance(*unsafe: tuple[float, float, float, float]) -> float:
        planner = FootstepPlanner(ROBOTS["biped"], unsafe=unsafe)
        _, motion = follow(planner, (0.5, 0.0, 0.0), 6.0)
        places = motion.poses[:, :, :2][motion.ground]
        return float(np.linalg.norm(places - place, axis=1).min())

    _, motion = follow(FootstepPlanner(ROBOTS["biped"]), (0.5, 0.0, 0.0), 6.0)
    place = motion.poses[150][motion.ground[150]][0, :2]
    assert least_distance() < 0.01
    assert least_distance((*place, 0.08, 5.0)) > 0.03


@robots
def test_the_quadratic_program_keeps_the_pressure_inside(name: str) -> None:
    pytest.importorskip("daqp")
    planner = QuadraticPlanner(ROBOTS[name])
    found, _ = survey(planner, random_commands(planner.robot, 1, 6, planner.settings.tick_s))
    assert found.inside_hull >= 0.99
    assert found.swing_mps <= 3.0
    assert found.slide_mm == 0.0


def test_steps_by_the_velocity_alone_leave_a_biped_without_support() -> None:
    planner = RaibertPlanner(ROBOTS["biped"])
    assert survey(planner, random_commands(planner.robot, 1, 6, planner.settings.tick_s))[0].inside_hull < 0.6


def test_commands_are_reproducible_and_differ_between_seeds() -> None:
    robot = ROBOTS["biped"]
    assert (random_commands(robot, 1, 20, 0.02) == random_commands(robot, 1, 20, 0.02)).all()
    assert (random_commands(robot, 1, 20, 0.02) != random_commands(robot, 2, 20, 0.02)).any()
    assert np.abs(random_commands(robot, 1, 20, 0.02)).max(axis=0)[0] <= robot.speed_mps
