"""Walks to a goal: the way there, what a failure changes, when it is given up."""

from __future__ import annotations

import pytest
from small_project import make_project
from walk_fakes import DIVERGES, FALLS_FORWARD, OK, STANDS_WRONG, FakeProject, FakeWorld

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.walkthrough import go_to
from ctrlgraph.walkthrough.goal_walk import MAX_FAILURES

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
"""


@pytest.fixture
def project(tmp_path) -> FakeProject:
    text = GRAPH
    for source, target in (("stand", "step"), ("stand", "jump"), ("step", "far"), ("jump", "far")):
        text += f"  - {{from: {source}, to: {target}}}\n"
    text += "  - {from: far, to: stand}\n  - {from: prone, to: stand}\n"
    text += "  - {from: '*', to: prone, kind: corrective, when: fallen}\n"
    return FakeProject(make_project(tmp_path, text, shipped=()))


def went(project: FakeProject, run: str) -> list[str]:
    with project.read_log() as log:
        return [attempt.node for attempt in log.attempts(run)]


@pytest.mark.parametrize("policy", [False, True])
def test_the_goal_is_reached_over_the_planned_path(project: FakeProject, policy: bool):
    summary = go_to(project, "far", world=FakeWorld(), policy=policy)
    assert summary.reached
    assert [plan.nodes for plan in summary.plans] == [("stand", "step", "far")]
    assert went(project, summary.run) == ["stand", "step", "far"]


def test_after_a_failure_the_path_is_planned_anew_around_it(project: FakeProject):
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


@pytest.mark.parametrize("policy", [False, True])
def test_an_intermediate_node_is_passed_first(project: FakeProject, policy: bool):
    summary = go_to(project, "far", via="jump", world=FakeWorld(), policy=policy)
    assert went(project, summary.run) == ["stand", "jump", "far"]


@pytest.mark.parametrize("policy", [False, True])
def test_a_reset_continues_from_the_start(project: FakeProject, policy: bool):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, DIVERGES)), policy=policy)
    assert went(project, summary.run) == ["stand", "step", "stand", "jump", "far"]
    assert summary.tally.resets == 1


def test_the_start_is_reached_by_standing_there(project: FakeProject):
    summary = go_to(project, "stand", world=FakeWorld())
    assert summary.reached and summary.plans == ()


@pytest.mark.parametrize("policy", [False, True])
def test_a_goal_that_keeps_failing_is_given_up(project: FakeProject, policy: bool):
    ends = (OK, *[STANDS_WRONG, OK] * 50)
    summary = go_to(project, "far", world=FakeWorld(ends=ends), policy=policy)
    assert not summary.reached
    assert summary.tally.failed == MAX_FAILURES


@pytest.mark.parametrize("policy", [False, True])
def test_an_unknown_goal_is_refused_before_anything_is_logged(project: FakeProject, policy: bool):
    with pytest.raises(CtrlGraphError) as raised:
        go_to(project, "fra", world=FakeWorld(), policy=policy)
    assert str(raised.value) == "the graph has no node 'fra' (did you mean 'far'?)"
    assert not project.runs_directory.exists()
