"""The ground on which what goes over an obstacle is tried, and that all else is tried on level ground as ever."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from small_project import GRAPH, make_small

from ctrlgraph.learning.bridge import entry_targets
from ctrlgraph.learning.candidate import CandidateEvaluator
from ctrlgraph.learning.tuning import TuningRequest, tuning_problem
from ctrlgraph.project.project import Project
from ctrlgraph.report.filmstrips import filmstrip_of
from ctrlgraph.report.motions import motion_entries, page
from ctrlgraph.robustness.confusion import confusion
from ctrlgraph.robustness.evaluation_plan import evaluation_plan, evaluation_plans, target_hashes
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, starts
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.reference_terrain import PLACINGS
from ctrlgraph.simulation.environment import Environment

RISE = "{kind: rise, size: [0.1, 0.16], distance: [0.3, 0.5]}"

OVER = """\
  # a stand that shifts its weight, and says that it goes over something
  step: {script: controllers/stand.t, args: [0.5, 0.5], timeout: 4, obstacle: OBSTACLE,
         success: {torso: [-.3, .3], com_height: [0.7, 1.3], com_speed: [0, 0.3]}}
edges:
  - {from: stand, to: step}
  - {from: step, to: stand}
"""


def standing_before(directory, obstacle: str, way_in: str = "") -> Project:
    make_small(directory)
    text = GRAPH.replace("edges:\n", OVER.replace("OBSTACLE", obstacle).replace("to: step}", f"to: step{way_in}}}"))
    (directory / "graph.yaml").write_text(text)
    return Project(directory)


@pytest.mark.parametrize(
    ("obstacle", "kind", "size", "distance"),
    [
        ("{kind: rise, size: [0.1, 0.16], distance: [0.3, 0.5]}", "rise", 0.13, 0.4),
        ("{kind: drop, size: [0.1, 0.2], distance: [0.3, 0.4]}", "drop", 0.15, 0.35),
        ("{kind: gap, size: [0.2, 0.4], distance: [0.5, 0.6]}", "gap", 0.3, 0.55),
        ("{kind: hurdle}", "hurdle", 0.15, 0.3),
    ],
)
def test_what_goes_over_an_obstacle_has_one_before_it(tmp_path, obstacle, kind, size, distance) -> None:
    project = standing_before(tmp_path / "small", obstacle)
    (way,) = entries(project.graph, "step")
    assert way.target == "stand->step"
    with Evaluator(project) as evaluator:
        ((begun, _),) = starts(evaluator, way, 1, seed=1)
        ahead = begun.simulation.preview.ahead
    assert (ahead.kind, ahead.size) == (kind, pytest.approx(size))
    assert ahead.distance == pytest.approx(distance, abs=0.005)


def test_a_node_with_an_obstacle_has_examples(tmp_path) -> None:
    project = standing_before(tmp_path / "small", "{kind: rise, size: [0.1, 0.16], distance: [0.4, 0.6]}")
    found = confusion(project, trials=1, seed=1, motions=["step"])
    assert found.examples["step"] == 1 and found.nothing["step"] == 1


def test_obstacles_on_the_way_stand_one_behind_the_other(tmp_path) -> None:
    project = standing_before(tmp_path / "small", "{kind: rise, size: [0.1, 0.1], distance: [0.4, 0.4]}")
    path = project.directory / "graph.yaml"
    down = "  down: {script: controllers/stand.t, args: [0.5, 0.5], obstacle: {kind: drop, size: [0.2, 0.2]}}\n"
    more = "  - {from: step, to: down}\n  - {from: down, to: stand}\n"
    path.write_text(path.read_text().replace("edges:\n", f"{down}edges:\n", 1) + more)
    project = Project(project.directory)
    (way,) = entries(project.graph, "down")
    with Evaluator(project) as evaluator:
        world = evaluator.home(way, Environment())
    found = [(each.kind, round(each.size, 6)) for each in world.ground().obstacles]
    assert found == [("rise", 0.1), ("drop", 0.2)]


def test_where_anything_is_drawn_the_obstacle_is_somewhere_within_the_ranges(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE, ", ground: {rise: [0.05, 0.14], clear: 0.4}")
    (way,) = entries(project.graph, "step")
    edge = way.test[0].edge
    shaken = replace(Perturbations(), actuator_noise=0.001)  # it acts after the entry: nothing has moved the body
    seen = []
    with Evaluator(project) as evaluator:
        for seed in (*range(12), 0):
            begun = evaluator.begin(way, shaken, np.random.default_rng(seed))
            preview = begun.simulation.preview
            assert 0.1 <= preview.ahead.size <= 0.14 and 0.395 <= preview.ahead.distance <= 0.505
            assert replace(edge.ground, clear=0.395).beyond(preview) == 0.0
            seen.append((round(preview.ahead.size, 6), round(preview.ahead.distance, 3)))
    assert seen[0] == seen[-1] and 4 <= len(set(seen)) <= len(PLACINGS)


def test_the_placings_fill_their_ranges() -> None:
    assert PLACINGS[0] == (0.5, 0.5) and len(set(PLACINGS)) == len(PLACINGS)
    for shares in zip(*PLACINGS, strict=True):
        assert min(shares) < 0.15 and max(shares) > 0.85


def test_what_goes_over_no_obstacle_is_tried_as_if_there_were_none_in_the_graph(tmp_path) -> None:
    plain, with_step = Project(make_small(tmp_path / "plain")), standing_before(tmp_path / "with_step", RISE)
    shaken = replace(Perturbations(), noise=0.02, actuator_noise=0.05, push=30.0)
    found = []
    for project in (plain, with_step):
        with Evaluator(project) as evaluator:
            way = evaluator.evaluation_plan("stand->squat")
            assert evaluator.home(way, shaken.environment) == shaken.environment
            found.append(evaluator.trial("stand->squat", shaken, (), 0, seed=5))
    assert found[0] == found[1]


def test_a_ground_that_is_asked_for_stays_as_it_is(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE)
    (way,) = entries(project.graph, "step")
    with Evaluator(project) as evaluator:
        asked = Environment("box=3:0.5:0.1")
        assert evaluator.home(way, asked) is asked
        home = evaluator.home(way, Environment())
        assert home.terrain.startswith("course=") and evaluator.home(way, home) is home


def test_on_a_slope_the_obstacle_stands_on_the_slope(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE)
    (way,) = entries(project.graph, "step")
    with Evaluator(project) as evaluator:
        ground = evaluator.home(way, Environment("slope=1")).ground()
    (obstacle,) = ground.obstacles
    assert (obstacle.kind, obstacle.size) == ("rise", pytest.approx(0.13))
    assert ground.preview(0.0).slope == pytest.approx(1.0)
    rise = math.tan(math.radians(1.0))
    assert ground.height(-5.0) == pytest.approx(-5.0 * rise)
    assert ground.height(20.0) == pytest.approx(20.0 * rise + 0.13)


def test_a_gait_over_steps_gets_a_flight_for_all_its_cycles(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE.replace("}", "}, cycles: [1, 3]"))
    (way,) = entries(project.graph, "step")
    with Evaluator(project) as evaluator:
        assert len(evaluator.home(way, Environment()).ground().obstacles) == 6
        settled = evaluation_plan(project.graph, "step")  # three cycles of settling, four of the test
        assert len(evaluator.home(settled, Environment()).ground().obstacles) == 14


def test_a_transition_without_an_edge_is_tried_before_the_obstacle_of_its_target(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE)
    way = evaluation_plan(project.graph, "squat->step", untried=True)
    assert way.test[0].edge is None
    with Evaluator(project, untried=True) as evaluator:
        assert [each.kind for each in evaluator.home(way, Environment()).ground().obstacles] == ["rise"]
        assert entry_targets(evaluator, way, "ode").rests


@pytest.mark.slow
def test_a_search_tries_and_shows_its_cases_before_the_obstacle(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE)
    request = TuningRequest("step", numerics=False, entries=1, groups=((("noise", (0.02,)),),))
    problem, left_out = tuning_problem(project, request)
    assert not left_out
    noisy = next(i for i, case in enumerate(problem.cases) if case.perturbations.drawn)
    values = problem.search_space.values(np.zeros(len(problem.search_space)))
    with Evaluator(project, untried=True) as evaluator:
        for case in (problem.cases[0], problem.cases[noisy]):
            result = CandidateEvaluator(evaluator, problem).run(case, values)
            world = evaluator.world(case.evaluation_plan, case.perturbations, np.random.default_rng(case.seed))
            assert [each.kind for each in world.ground().obstacles] == ["rise"]
            assert result.simulated_s > 0.1


def test_where_the_way_in_fails_nothing_is_put_up(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE)
    path = project.directory / "graph.yaml"
    path.write_text(path.read_text().replace("com_height: [0.88, 1.1], com_speed: [0, 0.1]", "com_height: [5, 6]"))
    project = Project(project.directory)
    (way,) = entries(project.graph, "step")
    with Evaluator(project) as evaluator:
        assert evaluator.home(way, Environment()).terrain == "flat"
        assert isinstance(evaluator.begin(way, Perturbations(), np.random.default_rng(0)), Failed)


def test_what_a_node_goes_over_decides_what_evidence_of_it_counts(tmp_path) -> None:
    one = standing_before(tmp_path / "one", RISE)
    other = standing_before(tmp_path / "other", RISE.replace("0.16", "0.15"))
    found = [target_hashes(each, evaluation_plans(each.graph, "stand->step")) for each in (one, other)]
    assert {name for name in found[0] if found[0][name] != found[1][name]} == {"obstacle of step"}


@pytest.mark.slow
def test_a_filmstrip_shows_the_obstacle(tmp_path) -> None:
    strips = []
    for name, obstacle in (("near", "distance: [0.3, 0.3]"), ("far", "distance: [0.5, 0.5]")):
        project = standing_before(tmp_path / name, f"{{kind: rise, size: [0.1, 0.16], {obstacle}}}")
        strips.append(filmstrip_of(project, "step", "stand", Environment(), {}))
    assert strips[0].duration_s == strips[1].duration_s and strips[0].png != strips[1].png


def test_the_page_of_motions_reports_what_stood_in_the_way(tmp_path) -> None:
    project = standing_before(tmp_path / "small", RISE)
    found = motion_entries(project, trials=1, seed=1)
    text = page(project, found, project.directory, "ctrlgraph report motions")
    line = "- tested on ground with a rise of 0.13 m that begins 0.40 m ahead of the centre of mass\n"
    assert text.count("- tested on ground") == 1 and line in text.partition("\n## step\n")[2]
    assert found[3].as_dict()["obstacles"][0]["kind"] == "rise"
