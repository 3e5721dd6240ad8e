"""Walks to a goal by the most reliable path: plans, failures, and when the goal is given up."""

from __future__ import annotations

import pytest
from small_project import make_project
from walk_fakes import DIVERGES, FALLS_FORWARD, OK, STANDS_WRONG, FakeProject, FakeWorld

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.walks.goal_walk import MAX_FAILURES, go_to

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, kind: static}
  step: {script: step.t}
  jump: {script: jump.t}
  far: {script: far.t, kind: static}
  prone: {script: prone.t, kind: static}
edges:
  - {from: stand, to: step}
  - {from: stand, to: jump}
  - {from: step, to: far}
  - {from: jump, to: far}
  - {from: far, to: stand}
  - {from: prone, to: stand}
  - {from: "*", to: prone, kind: corrective, when: fallen}
"""


@pytest.fixture
def project(tmp_path) -> FakeProject:
    return FakeProject(make_project(tmp_path, GRAPH, shipped=()))


def went(project: FakeProject, run: str) -> list[str]:
    with project.read_log() as log:
        return [attempt.node for attempt in log.attempts(run)]


def test_the_goal_is_reached_over_the_planned_path(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld())
    assert summary.reached
    assert [plan.nodes for plan in summary.plans] == [("stand", "step", "far")]
    assert went(project, summary.run) == ["stand", "step", "far"]


def test_after_a_failure_the_path_is_planned_again_around_it(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD)))
    assert summary.reached
    assert [plan.nodes for plan in summary.plans] == [("stand", "step", "far"), ("prone", "stand", "jump", "far")]
    assert went(project, summary.run) == ["stand", "step", "prone", "stand", "jump", "far"]
    assert summary.tally.recovered == 1


def test_what_earlier_runs_logged_decides_the_path(project: FakeProject):
    go_to(project, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD)))
    summary = go_to(project, "far", world=FakeWorld())
    assert summary.plans[0].nodes == ("stand", "jump", "far")


def test_runs_in_another_world_do_not_count(project: FakeProject):
    go_to(project, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD)))
    summary = go_to(project, "far", world=FakeWorld(terrain="slope=5"))
    assert summary.plans[0].nodes == ("stand", "step", "far")


def test_an_intermediate_node_is_passed_first(project: FakeProject):
    summary = go_to(project, "far", via="jump", world=FakeWorld())
    assert went(project, summary.run) == ["stand", "jump", "far"]


def test_a_reset_continues_from_the_start(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, DIVERGES)))
    assert went(project, summary.run) == ["stand", "step", "stand", "jump", "far"]
    assert summary.tally.resets == 1


def test_the_start_is_reached_by_standing_there(project: FakeProject):
    summary = go_to(project, "stand", world=FakeWorld())
    assert summary.reached and summary.plans == ()


def test_a_goal_that_keeps_failing_is_given_up(project: FakeProject):
    ends = (OK, *[STANDS_WRONG, OK] * 50)
    summary = go_to(project, "far", world=FakeWorld(ends=ends))
    assert not summary.reached
    assert summary.tally.failed == MAX_FAILURES


def test_an_unknown_goal_is_refused_before_anything_is_logged(project: FakeProject):
    with pytest.raises(CtrlGraphError) as raised:
        go_to(project, "fra", world=FakeWorld())
    assert str(raised.value) == "the graph has no node 'fra' (did you mean 'far'?)"
    assert not project.runs_directory.exists()


def test_a_recovery_through_a_dynamic_motion_can_reach_the_goal(tmp_path):
    edges = "  - {from: roll, to: far}\n  - {from: [step, jump], to: roll, kind: corrective, when: fallen forward}\n"
    text = GRAPH.replace("edges:\n", f"  roll: {{script: roll.t}}\nedges:\n{edges}")
    project = FakeProject(make_project(tmp_path, text, shipped=()))
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD)))
    assert went(project, summary.run) == ["stand", "step", "roll", "far"]
    assert len(summary.plans) == 1
