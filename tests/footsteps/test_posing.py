"""Bodies of planned robots: feet where the plan has them, legs within reach, and feet that roll about their ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.footsteps.bodies import BODIES, REACH_SHARE, body_of, hip_place
from ctrlgraph.footsteps.commands import random_commands
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.posing import BodyPoser, place_foot, pose_motion
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.survey import place_contacts, survey
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_com

robots = pytest.mark.parametrize("name", ROBOTS)


@robots
def test_the_centre_of_mass_of_the_reference_pose_is_at_the_height_of_the_robot(name: str) -> None:
    robot, character = ROBOTS[name], body_of(ROBOTS[name])
    body, kin = spatial_body(character), new_spatial_kinematics(len(character.links), len(character.joints))
    kin.pose[0, :3] = character.links[0].position
    place_links(body, kin, np.zeros(len(character.joints)))
    update_com(body, kin)
    assert np.allclose(kin.com[:3], (0.0, 0.0, robot.height_m), atol=1e-9)
    assert character.mass == pytest.approx(robot.mass_kg)


@robots
def test_a_leg_whose_knee_is_at_its_limit_has_98_percent_of_its_length(name: str) -> None:
    character = body_of(ROBOTS[name])
    body, kin = spatial_body(character), new_spatial_kinematics(len(character.links), len(character.joints))
    knees = [j for j, joint in enumerate(character.joints) if joint.name.startswith("shank")]
    angles = np.zeros(len(character.joints))
    angles[knees] = body.limits[knees, 0]
    place_links(body, kin, angles)
    for knee in knees:  # hinges of a leg: three at the hip, the knee, two at the ankle
        length = float(np.linalg.norm(kin.place[knee + 1] - kin.place[knee - 1])) / BODIES[name].leg_m
        assert length == pytest.approx(REACH_SHARE, abs=1e-3)


@robots
def test_a_standing_robot_has_flat_feet_at_the_planned_places(name: str) -> None:
    planner = FootstepPlanner(ROBOTS[name], start=(1.0, 2.0, 0.7))
    poser = BodyPoser(planner.robot)
    poser.pose(planner.centre_of_mass, planner.heading, planner.lean, planner.foot_pose, planner.foot_height)
    contacts = poser.skeleton()[:, 3:]
    planned = np.array([place_contacts(planner.robot, pose) for pose in planner.foot_pose])
    assert np.allclose(contacts[:, :, :2], planned, atol=1e-3)
    assert np.abs(contacts[:, :, 2]).max() < 1e-3
    assert (poser.reaches < 0.95).all()


@robots
def test_feet_are_where_the_plan_has_them(name: str) -> None:
    robot = ROBOTS[name]
    _, motion = survey(FootstepPlanner(robot), random_commands(robot, 5, 8, 0.02))
    posed = pose_motion(robot, motion)
    assert posed.errors.max() < 2e-3


@robots
def test_a_reversed_velocity_leaves_all_legs_within_reach(name: str) -> None:
    robot = ROBOTS[name]
    speeds = np.repeat([robot.speed_mps, -robot.speed_mps, robot.speed_mps], 120)
    commands = np.column_stack([speeds, np.zeros(len(speeds)), np.zeros(len(speeds))])
    _, motion = survey(FootstepPlanner(robot), commands)
    assert pose_motion(robot, motion).errors.max() < 2e-3  # a leg that is too short leaves its foot off its place


def test_the_end_of_the_sole_about_which_a_foot_rolls_stays_on_the_ground() -> None:
    robot, pose = ROBOTS["biped"], np.array([0.3, -0.2, 0.4])
    ahead = np.array([math.cos(0.4), math.sin(0.4), 0.0])
    hip = np.array([0.3, -0.2, 0.8]) + 0.4 * ahead
    flat = place_contacts(robot, pose)
    rolled = place_foot(robot, pose, 0.0, hip)
    toes = (flat - pose[:2]) @ ahead[:2] > 0.0
    assert rolled.roll > 0.1
    assert np.allclose(rolled.contacts[toes], np.column_stack([flat[toes], np.zeros(2)]), atol=1e-9)
    assert (rolled.contacts[~toes, 2] > 0.02).all()


def test_a_foot_below_its_hip_does_not_roll() -> None:
    robot = ROBOTS["biped"]
    forward, above = BODIES["biped"].ankle_m
    assert place_foot(robot, np.zeros(3), 0.05, np.array([forward, 0.0, 0.9])).roll == 0.0
    near = place_foot(robot, np.zeros(3), 0.0, np.array([forward + 0.1, 0.0, above + 0.5]))
    assert near.roll == 0.0


def test_hips_are_symmetric() -> None:
    for robot in ROBOTS.values():
        for left in range(0, len(robot.hips_m), 2):
            assert np.allclose(hip_place(robot, left) * (1.0, -1.0, 1.0), hip_place(robot, left + 1))
