"""Walks by a policy: the edge of each node, what answers a failure, and when the goal is given up."""

from __future__ import annotations

import pytest
from small_project import make_project
from test_goal_walk import went
from walk_fakes import DIVERGES, FALLS_FORWARD, OK, FakeProject, FakeWorld

from ctrlgraph.graph.policy_planner import PolicyPlan
from ctrlgraph.walkthrough import go_to
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


def test_after_a_failure_the_walk_continues_from_the_corrective_node(project: FakeProject):
    """A roll is not a static pose: the walk on the most reliable path takes the next edge, the policy its own."""
    ends = (OK, FALLS_FORWARD)
    by_policy = go_to(project, "far", world=FakeWorld(ends=ends), policy=True)
    assert went(project, by_policy.run) == ["stand", "step", "roll", "far"]
    assert [plan.nodes for plan in by_policy.plans] == [("stand", "step", "far"), ("roll", "far")]
    by_path = go_to(project, "far", world=FakeWorld(terrain="slope=1", ends=ends))
    assert went(project, by_path.run) == ["stand", "step", "roll", "far"]
    assert len(by_path.plans) == 1  # it was there when its recovery had ended


def test_a_corrective_edge_may_fail_too(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(ends=(OK, FALLS_FORWARD, FALLS_FORWARD)), policy=True)
    assert went(project, summary.run)[:5] == ["stand", "step", "roll", "prone", "stand"]
    assert summary.reached and summary.tally.resets == 0


def test_the_run_says_how_it_was_planned(project: FakeProject):
    summary = go_to(project, "far", world=FakeWorld(), policy=True, reset_cost=90.0)
    with project.read_log() as log:
        assert log.run(summary.run).settings["policy"] is True
        assert log.run(summary.run).settings["reset_cost"] == 90.0
    assert all(isinstance(plan, PolicyPlan) for plan in summary.plans)


def test_the_log_counts_what_followed_failures(project: FakeProject):
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
