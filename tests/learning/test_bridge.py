"""Bridges: a script that is proposed from the two ends of a transition."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.character.model import Roles
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.learning.bridge import PHASE_S, BridgePose, entry_targets, propose_bridge
from ctrlgraph.learning.search_space import NothingToChange
from ctrlgraph.learning.transition import (
    BY_PATH,
    TransitionRequest,
    _can_call,
    transition_of,
    transition_problem,
    usual_edge,
)
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import evaluation_plan
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.simulation import Simulation


def hold(character, angles, rests: bool = False) -> BridgePose:
    gains = np.array([(joint.kp, joint.kd) for joint in character.joints])
    return BridgePose(np.array(angles), gains[:, 0], gains[:, 1], rests)


@settings(max_examples=20)
@given(st.integers(1, 4), st.booleans(), st.data())
def test_every_proposal_is_a_script_without_a_finding(tmp_path_factory, humanoid, phases, rests, data):
    angles = st.tuples(*(st.floats(joint.lower - 0.1, joint.upper + 0.1) for joint in humanoid.joints))
    start, goal = (hold(humanoid, data.draw(angles), rests) for _ in range(2))
    path = tmp_path_factory.mktemp("bridge") / "a_to_b.t"
    path.write_text(propose_bridge("a_to_b", humanoid, start, goal, phases=phases))
    assert [finding.render() for finding in check_script(ScriptLibrary([path.parent]), path, humanoid)] == []


def test_a_bridge_by_path_runs_the_motions_between_with_their_arguments(shipped) -> None:
    request = TransitionRequest("walk", "sit_down", bridge=BY_PATH)
    transition = transition_of(shipped, request)
    assert shipped.graph.planned_edge("walk", "sit_down") is not None  # learned before: it is not a path
    between = [shipped.graph.node(name) for name in ("walk_to_stop", "stand", "squat")]
    program = shipped.compile(shipped.directory / transition.bridge)
    called = {place.script for place in program.places}
    assert {Path(node.file).stem for node in between} <= called
    assert len(program.constants) > len(between)


def test_a_bridge_by_path_needs_scripts_that_can_be_called_by_name(shipped) -> None:
    nodes = dict(shipped.graph.nodes)
    elsewhere = replace(nodes["walk_to_stop"], file="projects/biped/controllers/gaits/walk.t")
    assert _can_call(shipped, nodes["walk_to_stop"])
    assert not _can_call(shipped, elsewhere)
    assert not _can_call(shipped, replace(elsewhere, file="controllers/a b.t"))


def test_without_a_motion_between_there_is_no_bridge_by_path(shipped) -> None:
    with pytest.raises(NothingToChange, match="no path of nodes can bridge 'squat' and 'backflip'"):
        transition_of(shipped, TransitionRequest("squat", "backflip", bridge=BY_PATH))


def test_it_goes_from_the_one_pose_to_the_other_in_equal_parts(still, compiled):
    character = still.character
    angles = [0.9 if joint.name == "rKnee" else 0.0 for joint in character.joints]
    start, goal = hold(character, [0.0] * len(angles)), hold(character, angles)
    program = compiled(propose_bridge("x", character, start, goal, phases=3))
    found = [program.constants[i] for i, s in enumerate(program.parameters) if s.role == "LIPOSE rKnee angle"]
    assert found == pytest.approx([0.3, 0.6, 0.9])


@pytest.mark.slow
def test_it_ends_upright_near_the_pose_in_which_the_target_is_entered(still, tmp_path):
    way = evaluation_plan(still.graph, "squat->spring", untried=True)
    with Evaluator(still, untried=True) as evaluator:
        start = entry_targets(evaluator, way, "ode")
        goal = entry_targets(evaluator, evaluation_plan(still.graph, usual_edge(still, "spring")), "ode")
        entry = evaluator.entry(way, Perturbations().environment)
    (tmp_path / "x.t").write_text(propose_bridge("x", still.character, start, goal, phases=4))
    program = still.compile(tmp_path / "x.t")
    with Simulation(still.character) as simulation:
        simulation.restore(entry.state)
        before = simulation.snapshot().kinematics.joint[:, 0]
        outcome = simulation.run(program)
        after = simulation.snapshot().kinematics.joint[:, 0]
    assert outcome.succeeded and outcome.simulated_s == pytest.approx(4 * PHASE_S, abs=0.01)
    assert abs(before - goal.angle).max() > 2.0  # a deep squat
    assert abs(after - goal.angle).max() < 0.5
    assert outcome.measures["com_height"] > 0.93 and abs(outcome.measures["torso"]) < 0.5


def test_the_targets_of_the_joints_are_taken_and_not_how_far_it_sags(still):
    with Evaluator(still) as evaluator:
        squat = entry_targets(evaluator, evaluation_plan(still.graph, "squat->stand"), "ode")
    joints = still.character.joints
    found = {joint.name: (squat.angle[i], squat.kp[i], squat.kd[i]) for i, joint in enumerate(joints)}
    knee = joints[still.character.joint_index("rKnee")]
    assert found["rKnee"] == (2.0, knee.kp, knee.kd)
    assert found["rElbow"] == (0.0, 50.0, 30.0)  # as the script of the squat says
    assert squat.rests


def test_a_proposal_is_a_draft_and_stands_in_no_file(small):
    transition = transition_of(small, TransitionRequest("squat", "spring", bridge=1))
    assert transition.bridge == "learned/squat_to_spring.t"
    assert not (small.directory / "learned").exists()
    assert small.compile(small.directory / transition.bridge).name == "squat_to_spring"
    again = transition_of(Project(small.directory), TransitionRequest("squat", "spring", bridge=1))
    assert again == transition


def test_the_search_is_for_the_bridge_too_and_of_one_kind_where_that_is_asked(small):
    request = TransitionRequest("squat", "spring", bridge=1, quantities=("time",), numerics=False)
    problem, _ = transition_problem(small, request)
    parts = {item.part for item in problem.search_space.items}
    assert parts == {"bridge", "target"} and {item.quantity for item in problem.search_space.items} == {"time"}


def test_a_script_of_ones_own_is_the_bridge_as_it_stands(small):
    script = small.directory / "controllers" / "pause.t"
    script.write_text("BEGINSCRIPT pause(void) PHASE 0 TRANSITION to(-1).after(time 0.2); ENDPHASE ENDSCRIPT")
    request = TransitionRequest("squat", "spring", bridge="controllers/pause.t", quantities=("time",), numerics=False)
    problem, _ = transition_problem(small, request)
    assert problem.transition.draft is None
    assert [item.value for item in problem.search_space.items if item.part == "bridge"] == [0.2]


def test_the_force_that_keeps_a_rest_is_on_the_trunk_and_by_the_joints_of_the_feet(humanoid):
    ends = [hold(humanoid, [0.0] * len(humanoid.joints), True) for _ in range(2)]
    forces = [line for line in propose_bridge("x", humanoid, *ends).splitlines() if "VFFB" in line]
    assert [line.split()[1:] for line in forces] == [
        ["uTorso(2000,", "250).by(rAnkle).over(cop);"],
        ["uTorso(2000,", "250).by(lAnkle).over(cop);"],
    ]
    one = replace(humanoid, roles=Roles(trunk=humanoid.link_index("head"), feet=(humanoid.link_index("lShin"),)))
    (force,) = [line for line in propose_bridge("x", one, *ends).splitlines() if "VFFB" in line]
    assert force.split() == ["VFFB", "head(2000,", "250).by(lKnee).over(cop);"]
