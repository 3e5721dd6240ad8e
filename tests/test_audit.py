"""The audit's inverse dynamics: it finds what the engines did, and what they did not do."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.audit import (
    STEPS_JOINTS,
    audit,
    beyond_the_cone,
    contacts_now,
    main,
    record,
    slip,
)
from benchmarks.inverse_dynamics import FX, FY, Recording, inverse_dynamics
from benchmarks.stops import depth, told
from ctrlgraph.simulation.rollout import Rollout
from tests.engine.motions import stepped, thrashing
from tests.small_project import make_small


@pytest.fixture(params=["ode", "mujoco"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def dropped(simulate, handmade, engine):
    """A recording of the humanoid, thrashing as it falls from so high, and its measures."""

    def make(height: float, seconds: float = 0.4):
        simulation = simulate(engine=engine)
        simulation.reset(height=height)
        return record(simulation, Rollout(thrashing(handmade), timeout=seconds))

    return make


def test_the_torque_across_a_joint_is_the_motors(simulate, handmade, engine) -> None:
    """In the air and on the ground, away from the stops."""
    simulation = simulate(engine=engine)
    simulation.reset(height=0.02)
    links, contacts, applied = [], [], []
    for s in stepped(simulation, thrashing(handmade), 100):
        links.append(s._kin.link.copy())
        contacts.append(contacts_now(s))
        applied.append(s._world.commands.applied.copy())
    dt, by_joints = simulation.settings.dt, engine in STEPS_JOINTS
    recording = Recording(simulation.character, np.array(links), contacts[:-1], dt, 9.81, 1.0, by_joints)
    _, torques = inverse_dynamics(recording)
    joints = simulation.character.joints
    angle = recording.links[:-1, :, 2]
    joint = np.stack([angle[:, j.child] - angle[:, j.parent] for j in joints], axis=1)
    free = (joint > [j.lower + 1e-2 for j in joints]) & (joint < [j.upper - 1e-2 for j in joints])
    off = np.where(free, np.abs(torques - np.array(applied)[:-1]), 0.0)
    assert sum(map(len, contacts)) > 20 and free.mean() > 0.8
    assert np.abs(applied).max() > 100
    assert off.max() < (0.5 if engine == "ode" else 0.01)  # ODE: a pin that gives by a tenth of a millimetre is an arm


def test_what_links_turn_within_a_step_is_no_torque(dropped) -> None:
    """Where an engine steps angles, differences of the links' velocities tell of torques that nobody gave."""
    recording, _ = dropped(0.02)
    turned = audit(replace(recording, by_joints=not recording.by_joints))
    assert turned.residual > audit(recording).residual + 0.1


def test_a_fall_through_the_air_keeps_momentum_and_exerts_nothing_on_the_ground(dropped, engine) -> None:
    found = audit(dropped(3.0)[0])
    assert found.momentum < (1e-6 if engine == "ode" else 5.0)
    assert found.angular < (1e-3 if engine == "ode" else 500.0)
    assert (found.slip, found.cone) == (0.0, 0.0)
    assert abs(found.impact) < 0.1
    assert found.joint_speed > 5


def test_what_it_finds_is_what_the_measures_say(dropped, engine) -> None:
    recording, outcome = dropped(0.05)
    found, values = audit(recording), outcome.measures
    assert found.joint_speed == pytest.approx(values["peak_joint_speed"], rel=1e-6)
    assert found.slip == pytest.approx(values["slip"], rel=0.3, abs=0.003)
    assert values["impact"] == pytest.approx(found.impact, rel=1e-6)
    assert found.power == pytest.approx(values["peak_power"], rel=0.25)


def test_what_is_not_physics_is_found(dropped, engine) -> None:
    recording, _ = dropped(0.02)
    honest = audit(recording)
    assert honest.residual < 1e-6

    pulled = [c * [1, 1, 1, 1, 1, 5, 1] for c in recording.contacts]
    assert beyond_the_cone(replace(recording, contacts=pulled)) > beyond_the_cone(recording) + 0.1
    assert audit(replace(recording, contacts=pulled)).residual > honest.residual + 1

    apart = recording.links.copy()
    apart[10, 3, 0] += 0.003
    assert audit(replace(recording, links=apart)).separation == pytest.approx(3.0, abs=1.0)

    lifted = recording.links.copy()
    lifted[:, :, 3:5] += np.linspace(0.0, 2.0, len(lifted))[:, None, None]  # a hand from above
    assert audit(replace(recording, links=lifted)).residual > honest.residual + 20


def test_a_contact_that_slides_and_lets_go_begins_anew(humanoid) -> None:
    """One foot slides at 1 m/s for 20 steps, is off the ground for 10, and slides for 30."""
    n, dt = 60, 0.002
    links = np.zeros((n + 1, len(humanoid.links), 6))
    links[:, :, 3] = 1.0
    foot = humanoid.link_index("rFoot")
    touch = np.array([[foot, 0, 0, 0, 1, 0.0, 100.0]])
    contacts = [np.zeros((0, 7)) if 20 <= k < 30 else touch for k in range(n)]
    recording = Recording(humanoid, links, contacts, dt, 9.81, 1.0)
    assert slip(recording) == pytest.approx(30 * dt)
    light = [c * [1, 1, 1, 1, 1, 1, 0.01] for c in contacts]
    assert slip(replace(recording, contacts=light)) == 0.0
    assert touch[0, FX] == 0.0 and touch[0, FY] > 0


@pytest.mark.parametrize(("height", "cell", "held"), [("[0.45, 0.75]", "1 of 1", 1), ("[2, 3]", "**0 of 1**", 0)])
def test_a_motion_that_missed_its_conditions_is_marked_in_the_table_and_counted_in_the_data(
    height, cell, held, tmp_path, capsys, monkeypatch
) -> None:
    directory = make_small(tmp_path / "small")
    graph = directory / "graph.yaml"
    graph.write_text(graph.read_text(encoding="utf-8").replace("[0.45, 0.75]", height), encoding="utf-8")
    words = ["audit.py", "squat", "--engines", "ode", "--project", str(directory)]
    monkeypatch.setattr(sys, "argv", words)
    assert main() == 0
    printed = capsys.readouterr()
    assert f"| squat | {cell} |" in printed.out
    assert ("squat: failed: com_height" in printed.err) == (not held)
    monkeypatch.setattr(sys, "argv", [*words, "--json"])
    assert main() == 0
    found = json.loads(capsys.readouterr().out)["ode"]["squat"]
    assert (found["examples"], found["held"]) == (1, held)


def _pushed(humanoid, joint: str, angle: float, torque: float, held: float = 0.1) -> Recording:
    """A body in the air, falling, one joint of which stands at an angle while by hand a torque crosses it for so many
    seconds: the two links turn as that torque turns them, against each other."""
    dt, n, j = 0.002, 150, humanoid.joint_index(joint)
    impulse = torque * np.clip(np.arange(n + 1) * dt - 0.1, 0.0, held)
    links = np.zeros((n + 1, len(humanoid.links), 6))
    links[:, humanoid.side[j] > 0, 2] = angle
    links[:, :, 4] = -9.81 * dt * np.arange(n + 1)[:, None]
    for end, sign in ((humanoid.joints[j].child, 1.0), (humanoid.joints[j].parent, -1.0)):
        links[:, end, 5] = sign * impulse / humanoid.links[end].inertia
    return Recording(humanoid, links, [np.zeros((0, 7))] * n, dt, 9.81, 1.0)


def test_what_crosses_a_joint_at_its_stop_is_told_of_as_the_stops(humanoid) -> None:
    """The knee's flexion stop pushes the shin forward (anticlockwise) with 620 N m for .1 s, extensors give 310."""
    knee = next(j for j in humanoid.joints if j.name == "lKnee")
    assert knee.hard_torque_limit.lower == -310.0
    found = audit(_pushed(humanoid, "lKnee", knee.upper, -620.0))
    assert found.stops == pytest.approx({"lKnee": 200.0})
    assert found.torque < 1.0
    assert told(found.stops) == ("200", "lKnee")

    brief = audit(_pushed(humanoid, "lKnee", knee.upper, -620.0, held=0.02))
    assert brief.stops == pytest.approx({"lKnee": 40.0})  # a fifth of the window


def test_what_crosses_a_joint_away_from_its_stops_is_its_motors(humanoid) -> None:
    found = audit(_pushed(humanoid, "lKnee", 2.7, -620.0))
    assert found.stops == {}
    assert (found.torque, found.joint) == (pytest.approx(200.0), "lKnee")
    assert told(found.stops) == ("-", "-")


def test_the_depth_is_that_of_the_deepest_contact_the_engine_found(simulate, handmade, engine) -> None:
    simulation = simulate(engine=engine)
    simulation.reset(height=0.05)
    links, deepest = [], 0.0
    for s in stepped(simulation, thrashing(handmade), 150):
        links.append(s._kin.link.copy())
        found = s._contacts
        deepest = max(deepest, found.geometry[: int(found.filled[0]), 4].max(initial=0.0))
    recording = Recording(simulation.character, np.array(links), [np.zeros((0, 7))] * 149, 0.002, 9.81, 1.0)
    assert deepest > 1e-4
    assert depth(recording) == pytest.approx(deepest, abs=1e-9)
