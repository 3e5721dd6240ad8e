"""Scenarios of the bodies: foot roll about heel and toes, the path of an ankle, and the four robots."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.footsteps.bodies import BODIES
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.posing import FootPlace, place_foot, pose_motion
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.scenarios.scenario import Curve, Outline, Panel, Points, ScenarioResult, ShownBody
from ctrlgraph.footsteps.survey import survey

LEG_SHARE = 0.97
"""Distance of hip and ankle in the scenario of foot roll, as a fraction of the leg."""
HIP_AHEAD_M = 0.35
"""Level distance of the hip from the ankle in this scenario, m."""


def _profile(placed: FootPlace) -> Points:
    """Return heel, toes and ankle of a foot from the side (3, 2), m."""
    low, high = int(np.argmin(placed.contacts[:, 0])), int(np.argmax(placed.contacts[:, 0]))
    return np.array([placed.contacts[low, [0, 2]], placed.contacts[high, [0, 2]], placed.ankle[[0, 2]]])


def foot_roll() -> ScenarioResult:
    """Roll a foot about its heel and about its toes, for legs that are too long by the same distance."""
    robot = ROBOTS["biped"]
    flat = place_foot(robot, np.zeros(3), 0.0, np.array([BODIES["biped"].ankle_m[0], 0.0, 0.5]))
    height = math.sqrt((LEG_SHARE * BODIES["biped"].leg_m) ** 2 - HIP_AHEAD_M**2)
    panels, rolls = [], {}
    for name, ahead in (("heel", -HIP_AHEAD_M), ("toes", HIP_AHEAD_M)):
        hip = flat.ankle + np.array([ahead, 0.0, height])
        rolled = place_foot(robot, np.zeros(3), 0.0, hip)
        rolls[name] = math.degrees(rolled.roll)
        way = np.stack([rolled.ankle, rolled.ankle + 0.3 * (hip - rolled.ankle)])[:, [0, 2]]
        panels.append(
            Panel(
                f"about the {name}: {rolls[name]:.1f} degrees",
                "x, m",
                "height, m",
                (
                    Curve(way, "other", "towards the hip", "--"),
                    Curve(rolled.ankle[None, [0, 2]], "pressure", "ankle", ""),
                ),
                (Outline(_profile(flat), "other", "flat", filled=False), Outline(_profile(rolled), "left", "rolled")),
                is_map=True,
            )
        )
    return ScenarioResult(tuple(panels), {f"{name}_deg": value for name, value in rolls.items()})


def ankle_path() -> ScenarioResult:
    """Let a biped walk, and compare the path of an ankle with that of a foot that stays level."""
    planner = FootstepPlanner(ROBOTS["biped"])
    tick, robot = planner.settings.tick_s, planner.robot
    commands = np.tile((robot.speed_mps, 0.0, 0.0), (round(4.4 / tick), 1))
    _, motion = survey(planner, commands)
    posed = pose_motion(robot, motion)
    forward, above = BODIES["biped"].ankle_m
    shown = slice(round(2.4 / tick), None)
    ankle, ground = posed.legs[shown, 0, 2][:, [0, 2]], motion.ground[shown, 0]
    level = np.column_stack([motion.poses[shown, 0, 0] + forward, motion.lift[shown, 0] + above])
    legs = [
        Curve(posed.legs[i, 0, :3][:, [0, 2]], "other", "leg, every 0.1 s" if i == shown.start else "")
        for i in range(shown.start, len(commands), round(0.1 / tick))
    ]
    paths = (Curve(ankle, "pressure", "ankle with foot roll"), Curve(level, "base", "ankle of a level foot", "--"))
    on_ground = ankle[ground, 1] - above
    return ScenarioResult(
        (
            Panel("left leg from the side", "x, m", "height, m", (*legs, *paths), is_map=True),
            Panel("path of the ankle", "x, m", "height, m", paths),
        ),
        {
            "highest_mm": 1000.0 * float(ankle[:, 1].max() - above),
            "highest_level_mm": 1000.0 * float(level[:, 1].max() - above),
            "on_the_ground_mm": 1000.0 * float(on_ground.max()),
            "roll_deg": math.degrees(float(_slopes(posed.legs[shown, 0]).max())),
        },
    )


def _slopes(legs: Points) -> Points:
    """Return the angle between the sole and the ground (n,), rad, from the joints of a leg (n, 3 + C, 3)."""
    heights = legs[:, 3:, 2]
    length = np.linalg.norm(np.ptp(legs[:, 3:], axis=1), axis=1)
    return np.asarray(np.arcsin(np.clip(np.ptp(heights, axis=1) / length, 0.0, 1.0)))


def robots() -> ScenarioResult:
    """Pose the four robots in the middle of a walk in which their heading turns by half a circle and back."""
    panels, measures = [], {}
    for name, robot in ROBOTS.items():
        planner = FootstepPlanner(robot)
        tick = planner.settings.tick_s
        half = round(math.pi / robot.turning_radps / tick)
        turn = np.concatenate([np.full(half, robot.turning_radps), np.full(half, -robot.turning_radps)])
        commands = np.column_stack([np.full(2 * half, 0.6 * robot.speed_mps), np.zeros(2 * half), turn])
        _, motion = survey(planner, commands)
        posed = pose_motion(robot, motion)
        i = len(commands) - 1
        center = (float(motion.mass[i, 0]), float(motion.mass[i, 1]), 0.0)
        panels.append(Panel(name, "", "", body=ShownBody(posed.character, posed.poses[i], center)))
        measures[f"{name}_reach"] = float(posed.reaches.max())
        measures[f"{name}_feet_off_mm"] = 1000.0 * float(posed.errors.max())
    return ScenarioResult(tuple(panels), measures)
