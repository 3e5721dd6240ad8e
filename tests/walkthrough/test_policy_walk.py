"""Walks by a policy: the edge of each node, what answers a failure, and when the goal is given up."""

from __future__ import annotations

import pytest
from small_project import make_project
from test_goal_walk import went
from walk_fakes import DIVERGES, FALLS_FORWARD, OK, STANDS_WRONG, FakeProject, FakeWorld

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.policy_planner import PolicyPlan
from ctrlgraph.walkthrough import go_to
from ctrlgraph.walkthrough.evidence import graph_evidence
from ctrlgraph.walkthrough.goal import MAX_FAILURES

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, kind: static}
  step: {script: step.t}
  jump: {script: jump.t}
  far: {script: far.t, kind: static}
  prone: {script: prone.t, kind: static}
  roll: {script: roll.t}
edges:
  - {from: stand, to: step}
  - {from: stand, to: jump}
  - {from: step, to: far}
  - {from: jump, to: far}
  - {from: far, to: stand}
  - {from: prone, to: stand}
  - {from: roll, to: far}
  - {from: roll, to: prone}
  - {from: [step, jump], to: roll, kind: corrective, when: fallen forward}
  - {from: "*", to: prone, kind: corrective, when: fallen}
"""


@pytest.fixture
def project(tmp_path) -> FakeProject:
    return FakeProject(make_project(tmp_path, GRAPH, shipped=()))


def test_the_goal_is_reached_by_the_policy(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(), policy=True)
    assert summary.reached
    assert [plan.nodes for plan in summary.plans] == [("stand", "step", "far")]
    assert went(project, summary.run) == ["stand", "step", "far"]


def test_after_a_failure_it_goes_on_from_the_node_that_answers_it(project: FakeProject):
    """A roll is no pose to rest in: the most reliable path's walk goes on to the next one, the policy where it
    leads."""
    ends = (OK, FALLS_FORWARD)
    by_policy = go_to(project, "far", world=FakeWorld(ends=ends), policy=True)
    assert went(project, by_policy.run) == ["stand", "step", "roll", "far"]
    assert [plan.nodes for plan in by_policy.plans] == [("stand", "step", "far"), ("roll", "far")]
    by_path = go_to(project, "far", world=FakeWorld(terrain="slope=1", ends=ends))
    assert went(project, by_path.run) == ["stand", "step", "roll", "far"]
    assert len(by_path.plans) == 1  # it was there when its recovery had ended


def test_what_answers_a_failure_may_fail_too(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD, FALLS_FORWARD)), policy=True)
    assert went(project, summary.run)[:5] == ["stand", "step", "roll", "prone", "stand"]
    assert summary.reached and summary.tally.resets == 0


def test_where_nothing_answers_it_begins_anew(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, DIVERGES)), policy=True)
    assert went(project, summary.run) == ["stand", "step", "stand", "jump", "far"]
    assert summary.tally.resets == 1


def test_a_goal_that_keeps_failing_is_given_up(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, *[STANDS_WRONG, OK] * 50)), policy=True)
    assert not summary.reached and summary.tally.failed == MAX_FAILURES


def test_the_run_says_how_it_was_planned(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(), policy=True, reset_cost=90.0)
    with project.read_log() as log:
        assert log.run(summary.run).settings["policy"] is True
        assert log.run(summary.run).settings["reset_cost"] == 90.0


def test_an_intermediate_node_is_passed_first(project: FakeProject):
    summary = go_to(project, "far", via="jump", world=FakeWorld(), policy=True)
    assert went(project, summary.run) == ["stand", "jump", "far"]
    assert all(isinstance(plan, PolicyPlan) for plan in summary.plans)


def test_the_log_tells_what_came_after_failures(project: FakeProject):
    world = FakeWorld(ends=(OK, FALLS_FORWARD, FALLS_FORWARD, OK, OK, DIVERGES))
    go_to(project, "far", world=world, policy=True)
    with project.read_log() as log:
        known = graph_evidence(project, log, world.digest)
    edges = {edge.identity: edge for edge in project.graph.edges}
    to_roll, to_prone = edges["step", "roll", "corrective fallen forward"], edges["roll", "prone", "corrective fallen"]
    assert known.corrections == {to_roll: 1, to_prone: 1}
    assert sum(known.resets.values()) == 1
    assert (known.of(to_roll).attempts, known.of(to_roll).successes) == (1, 0)
    assert (known.of(to_prone).attempts, known.of(to_prone).successes) == (1, 1)
    assert known.of(edges["stand", "step", "naive"]).mean_failure_s == pytest.approx(0.5)


def test_an_unknown_goal_is_refused_before_anything_is_logged(project: FakeProject):
    with pytest.raises(CtrlGraphError, match=r"^the graph has no node 'fra' \(did you mean 'far'\?\)$"):
        go_to(project, "fra", world=FakeWorld(), policy=True)
    assert not project.runs_directory.exists()
