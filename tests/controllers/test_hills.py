"""A graph on hills: walks keep to the edges that are for the slope, and what they run is adapted to it."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np
import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview
from ctrlgraph.walks.random_run import walk_random

MADE_FOR = partial(Environment, settings=OdeSettings(friction="box"))  # what its motions were tuned and tried with


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """A graph with the slopes of its edges, edges learned for a slope, and nodes adapted to slopes."""
    parts = ("controllers", "characters", "learned")
    return Project(make_project(tmp_path_factory.mktemp("hills"), shipped=parts, origin=OLD_HUMANOID))


def test_every_planned_edge_is_for_level_ground(project: Project) -> None:
    assert [str(edge) for edge in project.graph.edges if edge.planned and LEVEL not in edge.ground] == ["run -> walk"]
    plain = [edge for edge in project.graph.planned_edges("run") if LEVEL in edge.ground]
    assert "walk" in {edge.target for edge in plain}  # the learned one is for where the plain one fails


def test_an_edge_that_was_learned_for_a_slope_holds_there(project: Project) -> None:
    with Evaluator(project) as evaluator:
        way = evaluator.evaluation_plan("run->walk", TerrainPreview(-4.0))
        assert [segment.edge.kind.value for segment in way.test if segment.edge is not None] == ["learned"]
        result = evaluator.run(way, Perturbations(slope=-4.0), np.random.default_rng(0))
    assert (result.succeeded, result.recovered) == (True, True)


@pytest.mark.parametrize("slope", [-6.0, -2.0, 2.0, 6.0])
def test_from_the_ground_there_is_a_way_to_stand_up_on_a_hill(project: Project, slope: float) -> None:
    here = TerrainPreview(slope)
    # downhill the kip does not hold with every solver, and there is no other way up from the back
    for name in ("prone", "hands_and_knees", "squat", *(["supine"] if slope >= -2.0 else [])):
        way = project.graph.shortest_paths(name, here)["stand"]
        edges = [project.graph.planned_edge(a, b, here) for a, b in itertools.pairwise(way)]
        assert all(edge is not None and here in edge.ground for edge in edges), way


@pytest.mark.slow
@pytest.mark.parametrize(("slope", "seed"), [(-5, 31), (5, 32)])
def test_a_walk_on_a_hill_keeps_to_what_holds_there(project: Project, slope: int, seed: int) -> None:
    summary = walk_random(project, transitions=15, seed=seed, world=MADE_FOR(terrain=f"slope={slope}"))
    with project.read_log() as log:
        attempts = [attempt for attempt in log.attempts(summary.run) if attempt.planned]
    assert len(attempts) == 15
    for attempt in attempts:
        ways = project.graph.planned_edges(str(attempt.source))
        fit = {edge.target for edge in ways if TerrainPreview(float(slope)) in edge.ground}
        assert not fit or attempt.node in fit
    assert [attempt.node for attempt in attempts if not attempt.succeeded] == []
