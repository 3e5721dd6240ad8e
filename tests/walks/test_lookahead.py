"""What the planner tries first over a course, and with what it is content: real physics, and a graph with one motion
that is made for a step up."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.project.project import Project
from ctrlgraph.terrain.obstacles import ObstacleAhead, ObstacleKind
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview
from ctrlgraph.walks import lookahead
from ctrlgraph.walks import transition_costs as way_costs
from ctrlgraph.walks.lookahead import LookAhead, Prospect
from ctrlgraph.walks.transition_costs import Reached

STOOD = "torso: [-0.3, 0.3], com_height: [0.88, 1.1], com_speed: [0, 0.2], feet_contact: [2, 2]"
GRAPH = f"""\
character: humanoid
start: stand
nodes:
  stand: {{script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, timeout: 8, success: {{{STOOD}}}}}
  kick: {{script: controllers/gestures/kick.t, timeout: 15, success: {{{STOOD}, distance: [-0.2, 0.2]}}}}
  bow: {{script: controllers/gestures/bow.t, args: [1], timeout: 15, success: {{{STOOD}, distance: [-0.2, 0.2]}}}}
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
def test_gestures_are_not_tried(project, monkeypatch) -> None:
    """The step is too far to be entered from where the walk stands, so that something else has to come before it."""
    found, tried = planned(project, "course=2.5:box:3:0.12", monkeypatch)
    assert found.complete
    assert [t.edge.target for t in found.path][-2:] == ["step_up", "stand"]
    assert not {"kick", "bow"} & set(tried)


def test_a_plan_need_not_pass_a_far_step_but_does_not_end_too_near_to_it(project, monkeypatch) -> None:
    found, tried = planned(project, "course=9:box:3:0.12", monkeypatch)
    assert found.complete
    assert found.passes or lookahead.STRIDE_ON <= found.end < 9.0 - 0.5
    assert len(tried) <= lookahead.ENOUGH_TRIES


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


@pytest.fixture
def planner(project) -> Iterator[LookAhead]:
    with LookAhead(project, project.environment("course=2.5:box:3:0.12"), 0) as planner:
        yield planner


def cost_from(planner: LookAhead, node: str, target: str, distance: float) -> float:
    """The cost of a transition before a rise of 0.12 m at a distance."""
    preview = TerrainPreview(ahead=ObstacleAhead(ObstacleKind.RISE, distance, 0.12))
    state = Reached((), node, 0.0, preview, planner._simulation.snapshot())
    edge = planner._graph.planned_edge(node, target)
    assert edge is not None
    transition = PlannedTransition(edge, planner._graph.node(target).cycles[0])
    return planner.costs.cost(state, transition, end=distance, obstacles=1, failures=defaultdict(int))


def test_a_gesture_before_an_obstacle_is_not_allowed(planner: LookAhead) -> None:
    assert cost_from(planner, "stand", "bow", 1.0) == math.inf
    assert cost_from(planner, "stand", "single_step", 1.0) < math.inf


def test_a_slow_motion_over_an_obstacle_comes_before_a_walk_only_near_it(planner: LookAhead) -> None:
    """Short steps lead to the edge at 0.1 m/s, but the walk needs space."""
    planner._graph.node("step_up").success["speed"] = (0.03, 0.25)
    edge = planner._graph.planned_edge("stand", "walk")
    assert edge is not None
    planner.costs.strides.note(edge, 3, 3.0, 2.5)
    assert cost_from(planner, "stand", "step_up", 0.5) < cost_from(planner, "stand", "walk", 0.5)
    assert cost_from(planner, "stand", "walk", 3.6) < cost_from(planner, "stand", "step_up", 1.5)


def test_the_faster_of_two_plans_is_better(planner: LookAhead) -> None:
    """A plan that ends in a pose loses the time to start again; one that leads further saves time."""
    snapshot = planner._simulation.snapshot()
    moving, standing, further, slower = (
        planner.costs.total(Reached((), node, x, LEVEL, snapshot, seconds=seconds), 4.0)
        for node, x, seconds in (("walk", 4.0, 5.0), ("stand", 4.0, 5.0), ("walk", 5.0, 5.0), ("walk", 4.0, 6.0))
    )
    assert further < moving < min(standing, slower)


def test_a_path_to_a_node_is_one_that_succeeded_in_the_copy(project: Project) -> None:
    world = project.environment("flat")
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        start = simulation.snapshot()
        path = planner.path_to("stand", start, ("walk_to_stop", "single_step"))
        assert [each.edge.target for each in path] == ["single_step"]
        for transition in path:
            rollout = project.rollout(transition.edge, transition.edge.target, transition.cycles, simulation.preview)
            assert simulation.run_rollout(rollout).succeeded
        assert planner.path_to("stand", start, ("step_up",)) == ()  # it needs an obstacle ahead


def test_a_search_can_be_interrupted(project: Project) -> None:
    world = project.environment("flat")
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        planner.is_interrupted = lambda: planner.tries >= 1
        with pytest.raises(lookahead.SearchInterrupted):
            planner.plan("stand", simulation.snapshot())
        assert planner.tries == 1
