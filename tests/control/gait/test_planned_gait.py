"""Gaits on planned footsteps: they follow commands, fall without replanning, and go on from any state bit for bit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ctrlgraph import Environment, Project, Simulation
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_arrays import EVENTS, FOOTHOLD, SWINGS
from ctrlgraph.control.gait.gait_values import GaitValues
from ctrlgraph.control.gait.plan_following import AIM, PATH
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.rollout import Rollout
from tests.controllers.conftest import ROOT

PROJECT = Project(ROOT / "projects" / "quadruped", engine="mujoco")
BIPED = Project(ROOT / "projects" / "biped-3d", engine="mujoco")
TROT = PROJECT.controller("planned_trot")
assert isinstance(TROT, Gait)
UPRIGHT = {"tilt": (0.0, 0.7)}


def simulation(**given: float) -> Simulation:
    """Return a simulation of the shipped quadruped in its start pose."""
    return Environment(engine="mujoco", **given).simulation(PROJECT.character)


@pytest.mark.parametrize(("project", "name"), [(PROJECT, "planned_trot"), (BIPED, "planned_walk")])
def test_it_stays_near_the_commanded_path_while_it_walks_turns_and_reverses(project, name) -> None:
    off: list[float] = []

    def steer(moment: Moment) -> None:
        if not moment.last:
            k = int(moment.time / 1.5)
            robot.command(forward=(0.6, 0.6, -0.5, 0.0)[k % 4], turn=(0.0, 0.6, 0.0, 0.5)[k % 4])
        off.append(math.dist(moment.state.track[PATH : PATH + 2], moment.kinematics.com[:2]))

    with Environment(engine="mujoco").simulation(project.character) as robot:
        robot.watch(steer, 0.02)
        outcome = robot.run(project.controller(name), cycles=1000, timeout=6.0, bounds=UPRIGHT)
    assert outcome.status.value == "timeout"
    assert max(off) < 0.15


def test_feet_land_on_the_planned_footholds() -> None:
    off: list[float] = []
    before: list[tuple[np.ndarray, np.ndarray]] = []
    n = len(TROT.legs)

    def compare(moment: Moment) -> None:
        leg, track = moment.state.leg, moment.state.track
        swings = leg[:n, SWINGS] != 0.0
        if before:
            swung, aims = before.pop()
            landed = np.flatnonzero(swung & ~swings)
            off.extend(math.dist(aims[i], leg[i, FOOTHOLD : FOOTHOLD + 2]) for i in landed)
        before.append((swings, track[AIM : AIM + 2 * n].reshape(n, 2).copy()))

    with simulation() as robot:
        robot.watch(compare, 0.02)
        robot.run(TROT, cycles=6)
    assert len(off) >= 12
    assert max(off) < 0.03


@pytest.mark.parametrize(("plan", "friction"), [("commanded", 1.0), ("measured", 0.0)])
def test_it_falls_without_replanning_and_without_friction(plan, friction) -> None:
    with simulation(friction=friction) as robot:
        outcome = robot.run(replace(TROT, plan=plan), cycles=1000, timeout=10.0, bounds=UPRIGHT)
    assert outcome.status.value == "failed"
    assert outcome.reason.startswith("tilt")


def test_it_stands_until_a_command_comes() -> None:
    still = TROT.constants.copy()
    still[GaitValues._fields.index("forward")] = 0.0
    gait = TROT.with_constants(still)
    with simulation() as robot:
        robot.watch(lambda moment: None if moment.last else robot.command(forward=0.5 if moment.time > 1.0 else 0.0))
        robot.run(gait, cycles=1000, timeout=1.0)
        assert robot.snapshot().control.counters[EVENTS] == 0
        place = robot.x
        robot.run(gait, cycles=1000, timeout=2.0, resume=True, bounds=UPRIGHT)
        assert robot.x > place + 0.5


def test_a_motion_goes_on_from_a_mark_bit_for_bit() -> None:
    with simulation() as robot:
        execution = robot.begin(Rollout(TROT, cycles=1000, timeout=5.0))
        robot.advance(execution, 505)
        mark = robot.mark(execution)
        digests = []
        for each in (execution, None):
            robot.advance(each or robot.resume_at(mark), 500)
            digests.append(robot.history_digest())
    assert digests[0] == digests[1]


@pytest.mark.parametrize("part", [0.1, 0.35, 0.6, 0.85])
def test_other_gaits_follow_it_at_any_phase_and_it_follows_them(part) -> None:
    with simulation() as robot:
        robot.run(TROT, cycles=1000, timeout=1.0 + part * TROT.values.period)
        for name in ("trot", "planned_trot", "trot_in_place"):
            outcome = robot.run(PROJECT.controller(name), cycles=6, bounds={"tilt": (0.0, 0.3)})
            assert outcome.succeeded, (name, outcome.reason)


@pytest.mark.parametrize("engine", ["mujoco", "ode"])
def test_it_follows_a_gait_that_ends_where_swings_begin(engine) -> None:
    with Environment(engine=engine).simulation(PROJECT.character) as robot:
        for name in ("trot", "planned_trot"):
            outcome = robot.run(PROJECT.controller(name), cycles=5, bounds={"tilt": (0.0, 0.1)})
            assert outcome.succeeded, (name, outcome.reason)
