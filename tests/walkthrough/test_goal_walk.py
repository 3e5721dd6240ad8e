"""Walks to a goal by the most reliable path or a policy: plans, failures, and when the goal is given up."""

from __future__ import annotations

import pytest
from small_project import make_project
from walk_fakes import DIVERGES, FALLS_FORWARD, OK, STANDS_WRONG, FakeProject, FakeWorld

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.policy_planner import PolicyPlan
from ctrlgraph.walkthrough import go_to
from ctrlgraph.walkthrough.goal_walk import MAX_FAILURES
from ctrlgraph.walkthrough.log_evidence import graph_evidence

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
ROLLS = """\
  - {from: roll, to: far}
  - {from: roll, to: prone}
  - {from: [step, jump], to: roll, kind: corrective, when: fallen forward}
"""


@pytest.fixture
def project(tmp_path) -> FakeProject:
    return FakeProject(make_project(tmp_path, GRAPH, shipped=()))


@pytest.fixture
def rolling(tmp_path) -> FakeProject:
    """A project with a roll after falls forward."""
    text = GRAPH.replace("edges:\n", f"  roll: {{script: roll.t}}\nedges:\n{ROLLS}")
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


def test_after_a_failure_the_walk_continues_from_the_corrective_node(rolling: FakeProject):
    """A roll is not a static pose: the walk on the most reliable path takes the next edge, the policy its own."""
    ends = (OK, FALLS_FORWARD)
    by_policy = go_to(rolling, "far", world=FakeWorld(ends=ends), policy=True)
    assert went(rolling, by_policy.run) == ["stand", "step", "roll", "far"]
    assert [plan.nodes for plan in by_policy.plans] == [("stand", "step", "far"), ("roll", "far")]
    by_path = go_to(rolling, "far", world=FakeWorld(terrain="slope=1", ends=ends))
    assert went(rolling, by_path.run) == ["stand", "step", "roll", "far"]
    assert len(by_path.plans) == 1  # it was there when its recovery had ended


def test_a_corrective_edge_may_fail_too(rolling: FakeProject):
    summary = go_to(rolling, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD, FALLS_FORWARD)), policy=True)
    assert went(rolling, summary.run)[:5] == ["stand", "step", "roll", "prone", "stand"]
    assert summary.reached and summary.tally.resets == 0


def test_the_run_says_how_it_was_planned(rolling: FakeProject):
    summary = go_to(rolling, "far", world=FakeWorld(), policy=True, reset_cost=90.0)
    with rolling.read_log() as log:
        assert log.run(summary.run).settings["policy"] is True
        assert log.run(summary.run).settings["reset_cost"] == 90.0
    assert all(isinstance(plan, PolicyPlan) for plan in summary.plans)


def test_the_log_counts_what_followed_failures(rolling: FakeProject):
    world = FakeWorld(ends=(OK, FALLS_FORWARD, FALLS_FORWARD, OK, OK, DIVERGES))
    go_to(rolling, "far", world=world, policy=True)
    with rolling.read_log() as log:
        known = graph_evidence(rolling, log, world.digest)
    edges = {edge.identity: edge for edge in rolling.graph.edges}
    to_roll, to_prone = edges["step", "roll", "corrective fallen forward"], edges["roll", "prone", "corrective fallen"]
    assert known.corrections == {to_roll: 1, to_prone: 1}
    assert sum(known.resets.values()) == 1
    assert (known.of(to_roll).attempts, known.of(to_roll).successes) == (1, 0)
    assert (known.of(to_prone).attempts, known.of(to_prone).successes) == (1, 1)
    assert known.of(edges["stand", "step", "naive"]).mean_failure_s == pytest.approx(0.5)
