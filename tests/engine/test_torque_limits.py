"""A joint's torque limits differ by direction: each is met exactly, and a limit that is not reached changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.scaling import limit_muscles
from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.simulation.simulation import Simulation
from tests.engine.motions import links_now, stepped, thrashing, weaker_one_way

ROTOR = """
name: rotor
gains: {kp: 40, kd: 1.5}
links:
  base: {mass: 5, size: [.6, .6], at: [0, 0], contacts: [[0, 0, .1]]}
  disc: {mass: 2, size: [.5, .5], at: [0, 0]}
joints:
  axle: {parent: base, child: disc, at: [0, 0], limits: [-3, 3], torque: {limit: [-6, 2.5], hard: [-9, 4]}}
"""


@pytest.mark.parametrize(("target", "torque"), [(2.5, 2.5), (-2.5, -6.0)])
@pytest.mark.parametrize("sort", ["motor", "explicit"])
def test_what_exceeds_the_limit_of_its_direction_accelerates_the_joint_as_the_limit_does(
    sort, target, torque, simulate, handmade
) -> None:
    """Two discs in free space: from rest, the angle's rate after n steps is torque / inertia n dt."""
    character = parse_character(ROTOR, "rotor.yaml")
    first, second = (link.inertia for link in character.links)
    h = type(handmade)(character)
    act = h.act("POSE", "axle", 400 * target) if sort == "motor" else h.act("VPD", "axle", 400 * target, part="disc")
    simulation = simulate(character, gravity=0.0)
    simulation.reset(height=50.0)
    if sort == "explicit":
        act = h.act("VPD", "axle", 400 * target, 40, 1.5, part="disc")
    simulation.run(h.program(h.phase([act])), timeout=0.1)
    rate = links_now(simulation)[1, 5] - links_now(simulation)[0, 5]
    assert rate == pytest.approx(torque * 0.1 * (1 / first + 1 / second), rel=1e-6)


@pytest.mark.parametrize("solver", ["exact", "quick"])
def test_no_torque_is_ever_outside_of_the_limits_of_a_thrashing_body(solver, simulate, handmade, humanoid) -> None:
    weaker = weaker_one_way(humanoid, 0.4)
    lower, upper = np.array([joint.torque_limit for joint in weaker.joints]).T
    simulation, reached = simulate(weaker, solver=solver), np.zeros(2, int)
    for _ in stepped(simulation, thrashing(handmade, kp=3000.0, kd=60.0), 400):
        applied = simulation._world.commands.applied
        assert (lower <= applied).all() and (applied <= upper).all()
        reached += int((applied == lower).sum()), int((applied == upper).sum())
    assert (reached > 100).all()


def test_a_limit_that_is_not_reached_changes_nothing(simulate, handmade, humanoid) -> None:
    """ODE's row of an uneven range is shifted by the middle of it: the torques are those of the even range all the
    same, on the ground, too."""
    h, calm = handmade, [(name, angle) for side in "rl" for name, angle in ((f"{side}Knee", 0.4), (f"{side}Hip", -0.2))]
    program = h.program(h.phase([h.act("POSE", *each) for each in calm]))
    farther = [
        replace(j, torque_limit=TorqueRange(3 * j.torque_limit.lower, j.torque_limit.upper)) for j in humanoid.joints
    ]
    ends = []
    for character in (humanoid, replace(humanoid, joints=tuple(farther))):
        simulation = simulate(character)
        for _ in stepped(simulation, program, 100):
            applied = simulation._world.commands.applied
            assert all(
                j.torque_limit.lower < t < j.torque_limit.upper for j, t in zip(humanoid.joints, applied, strict=True)
            )
        assert simulation._contacts.filled[0] > 0
        ends.append(links_now(simulation))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


def test_both_engines_move_alike_at_uneven_limits(handmade, humanoid) -> None:
    """In the air, where there are no contacts to differ in: what is left between them is in proportion to the step."""
    weaker, ends = weaker_one_way(humanoid, 0.4), []
    for engine in ("ode", "mujoco"):
        with Simulation(weaker, engine=engine, settings=WorldSettings(dt=1e-4)) as simulation:
            # away from the stops, which give way differently
            simulation.reset({j.name: (j.lower + j.upper) / 2 for j in weaker.joints}, height=6.0)
            program, at_limit = thrashing(handmade, kp=3000.0, kd=60.0), 0
            lower, upper = np.array([joint.torque_limit for joint in weaker.joints]).T
            for _ in stepped(simulation, program, 100):
                applied = simulation._world.commands.applied
                at_limit += int((applied == lower).sum() + (applied == upper).sum())
            assert at_limit > 400
            ends.append(links_now(simulation))
    np.testing.assert_allclose(ends[0][:, 2], ends[1][:, 2], atol=1e-3)


@pytest.mark.parametrize("max_speed", [None, 12.0])
@pytest.mark.parametrize("rise_time", [0.0, 0.05])
def test_fast_joints_have_less_torque_and_torques_rise_gradually(
    max_speed, rise_time, simulate, handmade, humanoid
) -> None:
    slower = limit_muscles(humanoid, max_speed, rise_time)
    lower, upper = np.array([joint.torque_limit for joint in slower.joints]).T
    change = np.array([joint.max_torque_rate for joint in slower.joints]) * 0.002
    simulation, before, changed, weakened = simulate(slower), np.zeros(len(slower.joints)), 0, 0
    for _ in stepped(simulation, thrashing(handmade), 400):
        speed, torque = simulation._kin.joint[:, 1], simulation._world.commands.applied
        share = np.ones(len(speed)) if max_speed is None else np.maximum(1 - np.abs(speed) / max_speed, 0.0)
        least, most = np.where(speed < 0, lower * share, lower), np.where(speed > 0, upper * share, upper)
        assert (torque >= np.minimum(least, before + change) - 1e-9).all()
        assert (torque <= np.maximum(most, before - change) + 1e-9).all()
        within = (least <= before) & (
            before <= most
        )  # a torque above the limit of the new speed decreases to it at once
        assert (np.abs(torque - before)[within] <= change[within] + 1e-9).all()
        changed += int((np.abs(np.abs(torque - before) - change) < 1e-9).sum())
        weakened += int(((torque == most) & (most < upper)).sum())
        before = torque.copy()
    assert (changed > 100) == (rise_time > 0.0)
    assert (weakened > 100) == (max_speed is not None)


def test_a_restored_simulation_continues_with_the_torques_of_its_snapshot(simulate, handmade, humanoid) -> None:
    simulation = simulate(limit_muscles(humanoid, None, 0.05))
    program = thrashing(handmade)
    simulation.run(program, timeout=0.5)
    snapshot, ends = simulation.snapshot(), []
    for _ in range(2):
        simulation.restore(snapshot)
        simulation.run(program, timeout=0.3)
        ends.append(links_now(simulation))
    np.testing.assert_array_equal(*ends)
