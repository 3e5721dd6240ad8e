"""What the planner tries first over a course, and with what it is content: real physics, and a graph with one motion
that is made for a step up."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.project.project import Project
from ctrlgraph.walks import lookahead
from ctrlgraph.walks import transition_costs as way_costs
from ctrlgraph.walks.lookahead import LookAhead, Prospect

STOOD = "torso: [-0.3, 0.3], com_height: [0.88, 1.1], com_speed: [0, 0.2], feet_contact: [2, 2]"
GRAPH = f"""\
character: humanoid
start: stand
nodes:
  stand: {{script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, timeout: 8, success: {{{STOOD}}}}}
  kick: {{script: controllers/gestures/kick.t, timeout: 15, success: {{{STOOD}}}}}
  bow: {{script: controllers/gestures/bow.t, args: [1], timeout: 15, success: {{{STOOD}}}}}
  walk: {{script: controllers/gaits/walk.t, cycles: [3, 7], timeout: 20, success: {{speed: [0.4, 1.8]}}}}
  walk_to_stop: {{script: controllers/gaits/walk_to_stop.t, timeout: 15, success: {{{STOOD}, distance: [0.3, 1.5]}}}}
  single_step: {{script: controllers/gaits/single_step.t, timeout: 15, success: {{{STOOD}, distance: [0.25, 0.9]}}}}
  step_up:
    script: controllers/obstacles/step_up.t
    timeout: 60
    obstacle: {{kind: rise, size: [0.05, 0.2], distance: [0.5, 1.5]}}
    success: {{{STOOD}}}
edges:
  - {{from: stand, to: kick}}
  - {{from: stand, to: bow}}
  - {{from: kick, to: stand}}
  - {{from: bow, to: stand}}
  - {{from: stand, to: walk}}
  - {{from: walk, to: walk_to_stop}}
  - {{from: walk_to_stop, to: stand}}
  - {{from: stand, to: single_step}}
  - {{from: single_step, to: stand}}
  - {{from: stand, to: step_up}}
  - {{from: step_up, to: stand}}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(make_project(tmp_path_factory.mktemp("lookahead"), GRAPH))


def planned(project: Project, terrain: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Prospect, list[str]]:
    """Plan from the stand at the start of a course: what was found, and the nodes that were tried."""
    tried: list[str] = []
    attempt = LookAhead._tried

    def noted(self, state, transition, *rest):
        tried.append(transition.edge.target)
        return attempt(self, state, transition, *rest)

    monkeypatch.setattr(LookAhead, "_tried", noted)
    world = project.environment(terrain)
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        return planner.plan("stand", simulation.snapshot()), tried


@pytest.mark.slow
def test_gestures_are_tried_last(project, monkeypatch) -> None:
    """The step is too far to be entered from where the walk stands, so that something else has to come before it."""
    found, tried = planned(project, "course=2.5:box:3:0.12", monkeypatch)
    assert found.complete
    assert [t.edge.target for t in found.path][-2:] == ["step_up", "stand"]
    assert not {"kick", "bow"} & set(tried)


def test_a_far_step_is_left_to_the_next_plan(project, monkeypatch) -> None:
    found, tried = planned(project, "course=9:box:3:0.12", monkeypatch)
    assert found.complete
    assert found.passes == ()
    assert lookahead.STRIDE_ON <= found.end < 9.0 - 0.5
    assert len(tried) <= 6


def test_an_edge_that_has_failed_costs_more(tmp_path: Path) -> None:
    """No walk of this graph is fast enough: with another number of cycles it comes later than it would have come."""
    graph = GRAPH.replace("speed: [0.4, 1.8]", "speed: [9, 10]")
    project = Project(make_project(tmp_path, graph))
    world = project.environment("flat")
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        search = lookahead._Search(planner, "stand", simulation.snapshot(), math.inf)
        edge = project.graph.planned_edge("stand", "walk")
        assert edge is not None
        longer = PlannedTransition(edge, 7)
        before = search._cost(search.origin, longer)
        assert search.run(1).failed.startswith("walk failed: speed")
        assert search._cost(search.origin, longer) > before


@pytest.mark.parametrize(
    ("terrain", "room"),
    [("course=2:box:3:0.12", True), ("box=0.35:3:0.12", False), ("course=2:gap:0.3:1", True), ("flat", True)],
)
def test_there_is_room_where_a_take_off_lies_ahead(project, terrain: str, room: bool) -> None:
    """Nearer than 0.5 m the step up cannot be reached any more; for a gap this graph has nothing."""
    world = project.environment(terrain)
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        search = lookahead._Search(planner, "stand", simulation.snapshot(), math.inf)
        assert planner.costs.has_room(search.origin) is room
        worse = 0.0 if room else way_costs.TOO_NEAR
        assert search._merit(search.origin) == pytest.approx(search.origin.x - worse)
