"""Trials of real controllers: repeatable whatever came before, rightly judged, never from invented states."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.initial_state import NOISE_S, Failed, InitialState, enter, run_segment
from ctrlgraph.robustness.noise import torque_noise, trial_seed
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Simulation

PLAIN = Environment()


@pytest.fixture(scope="module")
def evaluator(project):
    with Evaluator(project) as evaluator:
        yield evaluator


def test_a_trial_does_not_depend_on_the_trials_before_it(project, evaluator) -> None:
    orders = [
        ("hop", {"noise": 0.2}, 1),
        ("hop", {"slope": 1}, 0),
        ("walk", {"push": 150, "phase": 0.3}, 0),
        ("hop", {"actuator_noise": 0.1, "delay": 0.01}, 2),
        ("squat", {"mass": 1.1, "noise": 0.1}, 0),
    ]

    def run(evaluator: Evaluator, order):
        target, values, index = order
        return evaluator.trial(target, perturbations(values), (), index, 7)

    forward = [run(evaluator, order) for order in orders]
    backward = [run(evaluator, order) for order in reversed(orders)]
    assert forward == backward[::-1]
    with Evaluator(project) as fresh:
        assert run(fresh, orders[3]) == forward[3]


def test_an_undisturbed_trial_is_the_walkthrough_itself(project, evaluator) -> None:
    trial = evaluator.trial("squat", perturbations({}), (), 0, 1)
    with Simulation(project.character, sample_rate=100.0) as simulation:
        segments = [
            segment
            for part in ("setup", "test", "recovery")
            for segment in getattr(evaluator.evaluation_plan("squat"), part)
        ]
        times = [simulation.time]
        for segment in segments:
            assert run_segment(project, simulation, segment, PLAIN).succeeded
            times.append(simulation.time)
    assert trial.recovered
    assert trial.simulated_s == pytest.approx(
        times[-1] - times[len(evaluator.evaluation_plan("squat").setup)], abs=1e-9
    )


def test_seeds_depend_on_what_is_simulated_alone() -> None:
    points = [(), (("push", 1.0),), (("push", 2.0),)]
    seeds = {trial_seed(s, t, p, i) for s in (1, 2) for t in ("walk", "run") for p in points for i in range(3)}
    assert len(seeds) == 36
    assert trial_seed(1, "walk", (("push", 1.0),), 2) == trial_seed(1, "walk", (("push", 1.0),), 2)
    assert all(0 <= seed < 2**63 for seed in seeds)


def entered(evaluator: Evaluator, target: str, noise: float, seed: int, environment: Environment = PLAIN) -> Simulation:
    """The simulation in the state from which a trial of the target begins."""
    entry = evaluator.entry(evaluator.evaluation_plan(target), environment)
    assert isinstance(entry, InitialState)
    simulation = evaluator.simulation(environment)
    assert enter(evaluator.project, simulation, entry, noise, np.random.default_rng(seed))
    return simulation


@pytest.mark.parametrize("target", ["walk", "squat", "rise", "supine"])
def test_no_state_is_invented(evaluator, target) -> None:
    """Shaken entries are within what any simulation does: joints at their stops, feet in the ground, joints closed."""
    character = evaluator.project.character
    lower = np.array([joint.lower for joint in character.joints])
    upper = np.array([joint.upper for joint in character.joints])
    for seed in range(6):
        simulation = entered(evaluator, target, 0.3, seed)
        kinematics = simulation.snapshot().kinematics
        angles = kinematics.joint[:, 0]
        assert (angles > lower - 0.1).all() and (angles < upper + 0.1).all()
        assert _deepest(simulation) < 0.02
        for index, joint in enumerate(character.joints):
            assert _gap(kinematics, character, index) < 0.01, joint.name


def _deepest(simulation: Simulation) -> float:
    """How far the deepest contact circle is in the level ground, m."""
    kinematics, depth = simulation.snapshot().kinematics, -math.inf
    for i, link in enumerate(simulation.character.links):
        y, angle = kinematics.link[i, 1:3]
        for circle in link.contacts:
            height = y + circle.y * math.cos(angle) - circle.x * math.sin(angle)
            depth = max(depth, circle.radius - height)
    return depth


def _gap(kinematics, character, index: int) -> float:
    """Distance between where the parent and the child have a joint, m."""
    joint = character.joints[index]
    ends = []
    for i in (joint.parent, joint.child):
        x, y, angle = kinematics.link[i, :3]
        u, v = joint.x - character.links[i].x, joint.y - character.links[i].y
        ends.append((x + u * math.cos(angle) + v * math.sin(angle), y + v * math.cos(angle) - u * math.sin(angle)))
    return math.dist(*ends)


def test_shaken_entries_differ_and_are_as_far_apart_as_the_noise(evaluator) -> None:
    def spread(noise: float) -> float:
        angles = [entered(evaluator, "walk", noise, seed).snapshot().kinematics.joint[:, 0] for seed in range(6)]
        return float(np.ptp(angles, axis=0).mean())

    assert spread(0.0) == 0.0
    assert 0.0 < spread(0.02) < spread(0.2)


def test_a_pose_that_is_shaken_is_left_at_its_usual_moment(evaluator) -> None:
    way = evaluator.evaluation_plan("squat")
    entry = evaluator.entry(way, PLAIN)
    simulation = entered(evaluator, "squat", 0.1, 3)
    assert simulation.time <= entry.time + 1e-9
    assert entry.time - entry.perturbed_from.step * simulation.settings.dt == pytest.approx(NOISE_S, abs=0.003)


def test_a_stronger_push_changes_more_and_fells_at_last(evaluator) -> None:
    def pushed(force: float):
        return evaluator.trial("stand", perturbations({"push": force, "push_time": 0.1}), (), 0, 1)

    assert pushed(20).recovered
    assert not pushed(2000).recovered


def test_the_phase_of_a_gait_is_a_share_of_one_cycle(project, evaluator) -> None:
    way = evaluator.evaluation_plan("walk")
    cycle = evaluator.duration(way, PLAIN)
    assert 0.4 < cycle < 2.0
    simulation = entered(evaluator, "walk", 0.0, 0)
    (push,) = evaluator.pushes(simulation, way, perturbations({"push": 100, "phase": 0.5}), moment=0.9)
    assert push.start == pytest.approx(simulation.time + 0.5 * cycle)
    (push,) = evaluator.pushes(simulation, way, perturbations({"push": 100}), moment=0.9)
    assert push.start == pytest.approx(simulation.time + 0.9 * cycle)
    assert push.link == "uTorso"  # the trunk


def test_a_push_has_the_direction_of_its_angle(evaluator) -> None:
    way = evaluator.evaluation_plan("walk")
    simulation = entered(evaluator, "walk", 0.0, 0)
    how = perturbations({"push": 100, "push_time": 0.1, "push_angle": 90, "push_link": "head", "push_duration": 0.3})
    (push,) = evaluator.pushes(simulation, way, how, moment=0.0)
    assert (push.link, push.duration) == ("head", 0.3)
    assert (push.x, push.y) == (pytest.approx(0, abs=1e-9), pytest.approx(100))


@pytest.mark.slow
def test_where_the_way_there_does_not_succeed_the_trial_says_so(evaluator) -> None:
    trial = evaluator.trial("walk", perturbations({"slope": 40}), (), 0, 1)
    assert not trial.succeeded
    assert trial.reason.startswith("on the way, stand ")
    assert trial.simulated_s == 0.0
    assert isinstance(
        evaluator.entry(evaluator.evaluation_plan("walk"), perturbations({"slope": 40}).environment), Failed
    )


def test_success_alone_is_not_enough(evaluator) -> None:
    """A push at the very end of the course does not touch it, but what follows."""
    trial = evaluator.trial("hop", perturbations({"push": 3000, "phase": 1}), (), 0, 1)
    assert (trial.succeeded, trial.recovered, trial.status) == (True, False, Status.COMPLETED)
    assert trial.reason.startswith("then stand ")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"push": 1, "push_link": "tail"}, "the character humanoid has no link 'tail' (known links: head, "),
        ({"mass.rFoott": 2}, "the character humanoid has no link 'rFoott' (did you mean 'rFoot'?)"),
    ],
)
def test_links_that_the_character_lacks_are_named(evaluator, values, expected) -> None:
    with pytest.raises(CtrlGraphError) as error:
        evaluator.trial("stand", perturbations(values), (), 0, 1)
    assert str(error.value).startswith(expected)


def test_torque_noise_has_the_spread_that_was_asked_for(humanoid) -> None:
    noise = torque_noise(np.random.default_rng(1), len(humanoid.joints), 2.0, 30.0, 0.25)
    assert noise.shares.std() == pytest.approx(0.25, rel=0.05)
    assert noise.start + noise.every * (len(noise.shares) - 1) >= 32.0
