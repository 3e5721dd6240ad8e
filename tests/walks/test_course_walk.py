"""Walks over a course with real physics: what the planner tried comes true, and what it cannot pass is named."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_project import make_project

from ctrlgraph.cli.main import cli
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.simulation import simulation
from ctrlgraph.simulation.disturbances import Disturbances
from ctrlgraph.terrain.obstacles import Obstacle, ObstacleKind
from ctrlgraph.walks import lookahead
from ctrlgraph.walks.course_walk import go_past, is_progress
from ctrlgraph.walks.courses import walk_courses
from ctrlgraph.walks.lookahead import LookAhead, Prospect
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, timeout: 8,
          success: {torso: [-0.3, 0.3], com_height: [0.88, 1.1], com_speed: [0, 0.1], feet_contact: [2, 2]}}
  walk: {script: controllers/gaits/walk.t, cycles: [3, 5], timeout: 20,
         bounds: {torso: [-0.8, 0.8], com_height: [0.7, 1.25]}, success: {speed: [0.4, 1.8]}}
  run: {script: controllers/gaits/run.t, cycles: [4, 8], timeout: 20,
        bounds: {torso: [-0.8, 0.8], com_height: [0.7, 1.3]}, success: {speed: [0.8, 3]}}
  walk_to_stop: {script: controllers/gaits/walk_to_stop.t, timeout: 8, success: {com_speed: [0, 0.3]}}
edges:
  - {from: stand, to: walk}
  - {from: walk, to: run}
  - {from: run, to: walk}
  - {from: walk, to: walk_to_stop}
  - {from: walk_to_stop, to: stand}
"""
GAP = "course=6:gap:0.3:1"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(make_project(tmp_path_factory.mktemp("course"), GRAPH))


@pytest.mark.slow
def test_a_planned_transition_is_repeated_bit_for_bit(project) -> None:
    world = project.environment(GAP)
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        found = planner.plan("stand", simulation.snapshot())
        assert found.complete
        assert [obstacle.kind for obstacle in found.passes] == [ObstacleKind.GAP]
        for transition in found.path:
            edge = transition.edge
            outcome = simulation.run_rollout(project.rollout(edge, edge.target, transition.cycles, simulation.preview))
            assert outcome.succeeded
        assert simulation.x == found.end > 6.3


FALLING = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, timeout: 8,
          success: {torso: [-0.3, 0.3], com_height: [0.88, 1.1], com_speed: [0, 0.1], feet_contact: [2, 2]}}
  lie: {script: controllers/lie.t, kind: static, timeout: 8}
  lie on: {script: controllers/lie.t, kind: static, timeout: 8}
  and on: {script: controllers/lie.t, kind: static, timeout: 8}
edges:
  - {from: stand, to: lie}
  - {from: lie, to: lie on}
  - {from: lie on, to: and on}
  - {from: and on, to: stand}
"""
LIE = """\
BEGINSCRIPT lie(void)
  PHASE 0
    ACTIONS
      POSE bAnkle(-.5), bHip(0), bKnee(0), waist(0);
    ENDACTIONS
    TRANSITION to(-1).after(time 2);
  ENDPHASE
ENDSCRIPT
"""


@pytest.mark.parametrize(("edges", "complete"), [("", False), ("  - {from: lie, to: stand}\n", True)])
def test_a_body_that_lies_behind_an_obstacle_and_cannot_rise_has_not_passed_it(
    tmp_path, monkeypatch, edges: str, complete: bool
) -> None:
    """Falling over it forward, the body has passed a step; with a way up that the graph has, that will do."""
    monkeypatch.setattr(lookahead, "MAX_TRIES", 8)
    directory = make_project(tmp_path / "falling", FALLING + edges, files={"controllers/lie.t": LIE})
    project = Project(directory)
    world = project.environment("course=0.7:stairs:1:0.3:-0.1")
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        found = planner.plan("stand", simulation.snapshot())
        assert found.complete is complete
        assert found.passes and found.tries >= 3
        if complete:
            assert [t.edge.target for t in found.path] == ["lie"]


@pytest.mark.slow
def test_a_fall_into_a_gap_at_the_goal_is_no_arrival(tmp_path: Path) -> None:
    copy_project(tmp_path / "project")
    project = Project(tmp_path / "project")
    walk = go_past(project, 3.0, seed=1, world=project.environment("course=3:gap:0.8:1"))
    assert walk.reached
    assert [obstacle.start for obstacle in walk.plans[-1].passes] == [3.0]


@pytest.mark.slow
def test_a_plan_leaves_the_walk_s_own_simulation_as_it_was(project) -> None:
    world = project.environment(GAP)
    with world.simulation(project.character) as simulation, LookAhead(project, world, 0) as planner:
        before = simulation.state_digest(), simulation.history_digest(), simulation.time
        planner.plan("stand", simulation.snapshot())
        assert (simulation.state_digest(), simulation.history_digest(), simulation.time) == before


@pytest.mark.slow
def test_the_number_of_cycles_positions_the_body(project) -> None:
    """Gaps at different places are passed with different numbers of cycles, strides being what they are."""
    paths = set()
    for place in (5.0, 5.4, 5.8):
        summary = go_past(project, place + 0.8, world=project.environment(f"course={place}:gap:0.3:1"))
        assert summary.reached, summary.reason
        assert summary.tally.failed == 0
        paths.add(tuple((t.edge.target, t.cycles) for plan in summary.plans for t in plan.path))
    assert len(paths) > 1


@pytest.mark.slow
def test_a_wall_that_nothing_passes_is_named(project, monkeypatch) -> None:
    monkeypatch.setattr(lookahead, "MAX_TRIES", 15)
    summary = go_past(project, 8.0, world=project.environment("course=3:stairs:1:1:1.5"))
    assert not summary.reached
    assert summary.stopped_at is not None
    assert (summary.stopped_at.kind, summary.stopped_at.start) == (ObstacleKind.RISE, 3.0)
    assert 0.0 < summary.x < 3.0
    assert re.fullmatch(
        r"the graph has no edge for the rise of 1\.50 m at 3\.0 m: no edge is for a rise;"
        r" no transition led further from '\w+' in \d+ tries",
        summary.reason,
    )


@pytest.mark.slow
def test_a_slope_that_is_too_steep_for_all_gaits_is_given_up_after_few_tries(project) -> None:
    summary = go_past(project, 15.0, world=project.environment("course=5:slope:6:20"), keep_states=False)
    assert not summary.reached
    assert summary.reason.startswith("no transition led further from 'stand'")
    assert summary.tries <= 120


def test_the_sizes_that_can_be_taken_are_reported_for_an_impassable_obstacle(tmp_path: Path, monkeypatch) -> None:
    """Of a flight of which the first step could be taken, the second is named."""
    monkeypatch.setattr(LookAhead, "plan", lambda self, node, *_, **__: Prospect((), 0.0, 0.0, (), False, 7, "x"))
    graph = GRAPH + "  - {from: stand, to: run, ground: {rise: [0.05, 0.2], drop: [0.05, 0.2]}}\n"
    project = Project(make_project(tmp_path, graph))
    stairs = project.environment("course=1:box:0.3:0.15,1.4:box:1:0.5")
    summary = go_past(project, 8.0, world=stairs, keep_states=False)
    reason = "the graph has no edge for the rise of 0.50 m at 1.4 m: its edges are for a rise of 0.05 to 0.20 m"
    assert (summary.reason, summary.tries, summary.plans) == (reason, 0, ())  # without a search
    low = go_past(project, 8.0, world=project.environment("course=1:box:1:0.15"), keep_states=False)
    assert low.reason == "no transition led further from 'stand' in 7 tries; the last failure: x"


def test_an_obstacle_that_is_too_large_is_reported_before_the_walk(tmp_path: Path) -> None:
    """It is not in sight from the start, so that only the check of the whole course finds it."""
    graph = GRAPH + "  - {from: stand, to: run, ground: {gap: [0.1, 0.5]}}\n"
    project = Project(make_project(tmp_path, graph))
    terrain = "course=4:gap:0.3:1,30:gap:0.8:1"
    summary = go_past(project, 40.0, world=project.environment(terrain), keep_states=False)
    assert (summary.reached, summary.tries, summary.tally.transitions) == (False, 0, 0)
    assert summary.reason.startswith("the graph has no edge for the gap of 0.80 m at 30.0 m")


@pytest.mark.parametrize(
    ("ends", "complete", "passes", "path", "goes_on"),
    [
        (2.0, True, False, "walk", True),
        (2.0, False, False, "walk", False),
        (2.6, False, False, "walk", True),
        (2.0, False, True, "walk", True),
        (2.0, True, True, "lie", False),
        (1.5, True, True, "walk", False),
    ],
)
def test_small_movements_and_lying_poses_are_no_progress(
    tmp_path: Path, ends: float, complete: bool, passes: bool, path: str, goes_on: bool
) -> None:
    """The furthest plan before ended at 1.5 m. Three transitions lead from lying to the stand."""
    graph = GRAPH.replace("edges:", "  lie: {script: controllers/lie.t}\n  lie on: {script: controllers/lie.t}\nedges:")
    graph += "  - {from: stand, to: lie}\n  - {from: lie, to: lie on}\n  - {from: lie on, to: walk}\n"
    project = Project(make_project(tmp_path, graph, files={"controllers/lie.t": LIE}))
    over = (Obstacle(ObstacleKind.RISE, 1.6, 1.6, 0.1),) if passes else ()
    edge = project.graph.planned_edge("stand", path)
    assert edge is not None
    prospect = Prospect((PlannedTransition(edge, 1),), 1.0, ends, over, complete, 1)
    with LookAhead(project, project.environment(), 0) as planner:
        assert is_progress(prospect, 1.5, planner) is goes_on


def test_a_fall_into_a_pit_is_out_of_bounds(project) -> None:
    """The height of the centre of mass is measured above the rims."""
    world = project.environment("course=2:gap:2:1")
    with world.simulation(project.character) as simulation:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        outcome = simulation.run_rollout(project.rollout(project.graph.planned_edge("stand", "walk"), "walk", 5))
        assert outcome.reason.startswith(("com_height 0.69", "torso"))
        assert not outcome.succeeded


def test_a_walk_over_a_course_is_replayed_without_the_course_s_file(project, tmp_path: Path) -> None:
    course = tmp_path / "course.yaml"
    course.write_text("obstacles:\n  - {at: 6, gap: {width: 0.3}}\n")
    summary = go_past(project, 7.0, world=project.environment(str(course)))
    course.unlink()
    with project.read_log() as log:
        replayed = replay_walk(project, log, log.run(summary.run), 0, verify=True)
    assert replayed.difference is None
    assert replayed.compared_states > 100


@pytest.mark.slow
def test_random_walks_look_ahead_where_there_are_obstacles(tmp_path: Path) -> None:
    copy_project(tmp_path / "project")  # the small graph has no motion that stops the walk
    project = Project(tmp_path / "project")
    walks = [
        walk_random(project, transitions=6, seed=2, world=project.environment("course=5:gap:0.3:1,12:gap:0.3:1"))
        for _ in range(2)
    ]
    first, again = (walk.tally for walk in walks)
    assert first.failed == 0
    assert first.as_dict() == again.as_dict()


@pytest.mark.slow
def test_courses_are_drawn_and_walked_by_the_seed_alone(project, monkeypatch) -> None:
    monkeypatch.setattr(lookahead, "MAX_TRIES", 25)
    pushed = project.environment(disturbances=Disturbances(20, 40, 1))
    asked = {"count": 2, "seed": 3, "length": 8.0, "kinds": ["gap"], "world": pushed}
    found, again = walk_courses(project, **asked), walk_courses(project, **asked)
    drop = {"run", "wall_s"}
    results = [
        [{k: v for k, v in r.as_dict().items() if k not in drop} for r in each.results] for each in (found, again)
    ]
    assert results[0] == results[1]
    assert found.count.trials == 2 and all(result["pushes"] > 0 for result in results[0])
    assert len({result.summary["terrain"] for result in found.results}) == 2
    assert sum(found.stopped_by.values()) == 2 - found.count.successes


def test_an_interrupt_ends_all_courses_not_only_the_one_under_way(project, monkeypatch) -> None:
    began = []

    def interrupted(self, *_: object, **__: object) -> None:
        began.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(LookAhead, "plan", interrupted)
    found = walk_courses(project, count=3, length=5.0)
    assert found.interrupted
    assert (len(began), found.results) == (1, ())
    arguments = ["--project", str(project.directory), "walk", "--courses", "3", "--length", "5", "--seed", "1"]
    for more in ([], ["--json"]):
        result = CliRunner().invoke(cli, arguments + more)
        assert result.exit_code == 130
    assert json.loads(result.stdout)["results"] == []  # the bar is on stderr
    assert len(began) == 3


@pytest.mark.slow
def test_an_interrupt_asks_the_workers_to_end(project, monkeypatch) -> None:
    """A worker leaves Ctrl-C to its parent: the simulation checks whether to stop before each advance."""
    planned = []
    plan = LookAhead.plan

    def counted(self, *args, **kwargs):
        planned.append(self)
        return plan(self, *args, **kwargs)

    monkeypatch.setattr(LookAhead, "plan", counted)
    monkeypatch.setattr(simulation, "stop_requested", lambda: bool(planned))
    summary = go_past(project, 30.0)
    assert (len(planned), summary.reason, summary.interrupted) == (1, "interrupted", True)


def test_a_range_of_ten_thousand_cycles_is_tried_at_a_few_of_them(tmp_path: Path) -> None:
    project = Project(make_project(tmp_path, GRAPH.replace("cycles: [3, 5]", "cycles: [1, 10000]")))
    with project.environment().simulation(project.character) as simulation:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        with LookAhead(project, project.environment(), 0) as planner:
            search = lookahead._Search(planner, "stand", simulation.snapshot(), math.inf)
            tried = [transition.cycles for transition in search._transitions(search.origin)]
    assert (tried[0], tried[-1], len(set(tried))) == (1, 10000, lookahead.MAX_CYCLES_TRIED)


def test_the_command_goes_past_a_place(project) -> None:
    words = ["goto", "--x", "2", "--with", f"terrain={GAP}", "--seed", "1", "--json"]
    result = CliRunner().invoke(cli, ["--project", str(project.directory), *words], catch_exceptions=False)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["reached"] is True
    assert found["x"] >= 2.0
    assert found["terrain"] == GAP


@pytest.mark.parametrize(
    ("arguments", "code"), [(["goto"], 2), (["goto", "walk", "--x", "3"], 2), (["goto", "--x", "0"], 2)]
)
def test_the_command_wants_a_node_or_a_place(arguments: list[str], code: int, project) -> None:
    assert CliRunner().invoke(cli, ["--project", str(project.directory), *arguments]).exit_code == code


@pytest.mark.parametrize("x", [0.0, -1.0, math.inf, math.nan])
def test_a_place_that_is_not_ahead_is_refused(x: float, project) -> None:
    with pytest.raises(CtrlGraphError, match="must be between 0 and"):
        go_past(project, x)
