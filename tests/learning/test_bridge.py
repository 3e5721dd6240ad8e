"""Bridges: a script that is proposed from the two ends of a transition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.language.checker import check_script
from ctrlgraph.language.library import ScriptLibrary
from ctrlgraph.learning.bridge import PHASE_S, entry_pose, propose_bridge
from ctrlgraph.learning.transition import TransitionRequest, transition_of, transition_problem, usual_edge
from ctrlgraph.project import Project
from ctrlgraph.robustness.target import route
from ctrlgraph.robustness.trial import Laboratory
from ctrlgraph.simulation import Simulation


@given(st.integers(1, 4), st.booleans(), st.data())
def test_every_proposal_is_a_script_without_a_finding(tmp_path_factory, humanoid, phases, balanced, data):
    poses = [np.array([data.draw(st.floats(j.lower - 0.1, j.upper + 0.1)) for j in humanoid.joints]) for _ in range(2)]
    text = propose_bridge("a_to_b", humanoid, *poses, phases=phases, balanced=balanced)
    path = tmp_path_factory.mktemp("bridge") / "a_to_b.t"
    path.write_text(text)
    assert [finding.render() for finding in check_script(ScriptLibrary([path.parent]), path, humanoid)] == []


def test_it_goes_from_the_one_pose_to_the_other_in_equal_parts(still, compiled):
    start = np.zeros(len(still.character.joints))
    knee = still.character.joint_index("rKnee")
    goal = start.copy()
    goal[knee] = 0.9
    program = compiled(propose_bridge("x", still.character, start, goal, phases=3))
    found = [program.constants[i] for i, s in enumerate(program.sources) if s.role == "LIPOSE rKnee angle"]
    assert found == pytest.approx([0.3, 0.6, 0.9])


def test_run_from_the_end_of_the_source_it_ends_in_the_pose_in_which_the_target_is_entered(still, tmp_path):
    with Laboratory(still, untried=True) as laboratory:
        start, _ = entry_pose(laboratory, route(still.graph, "squat->spring", untried=True))
        goal, rests = entry_pose(laboratory, route(still.graph, usual_edge(still, "spring")))
        assert rests
        text = propose_bridge("x", still.character, start, goal, phases=2, balanced=True)
        assert abs(goal - start).max() > 1.5
        (tmp_path / "x.t").write_text(text)
        program = still.compile(tmp_path / "x.t")
        entry = laboratory.entry(route(still.graph, "squat->spring", untried=True), laboratory_level())
        with Simulation(still.character) as simulation:
            simulation.restore(entry.state)
            outcome = simulation.run(program)
            reached = simulation.snapshot().kinematics.joint[:, 0]
    assert outcome.succeeded and outcome.simulated_s == pytest.approx(2 * PHASE_S, abs=0.01)
    assert abs(reached - goal).max() < 0.35 < 0.25 * abs(start - goal).max()


def laboratory_level():
    from ctrlgraph.robustness.perturbation import Perturbations

    return Perturbations().variant


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
    parts = {item.part for item in problem.unknowns.items}
    assert parts == {"bridge", "target"} and {item.quantity for item in problem.unknowns.items} == {"time"}


def test_a_script_of_ones_own_is_the_bridge_as_it_stands(small):
    script = small.directory / "controllers" / "pause.t"
    script.write_text("BEGINSCRIPT pause(void) PHASE 0 TRANSITION to(-1).after(time 0.2); ENDPHASE ENDSCRIPT")
    request = TransitionRequest("squat", "spring", bridge="controllers/pause.t", quantities=("time",), numerics=False)
    problem, _ = transition_problem(small, request)
    assert problem.transition.draft is None
    assert [item.value for item in problem.unknowns.items if item.part == "bridge"] == [0.2]
