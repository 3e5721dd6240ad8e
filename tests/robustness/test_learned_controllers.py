"""Trials over learned edges and adapted nodes: they run what a walkthrough runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sampling import slow
from small_project import make_project

from ctrlgraph.project.learned import LearnedFile, LearnedPart, constants_of
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import evaluation_plan, evaluation_plans, target_hashes
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.terrain.terrain import slope

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  walk: {script: controllers/gaits/walk.t, cycles: [2, 2], adapted: learned/walk.yaml}
  stop: {script: controllers/gaits/walk_to_stop.t, kind: static}
edges: [{from: stand, to: walk}, {from: walk, to: stop},
  {from: walk, to: stop, kind: learned, parameters: learned/walk-stop.yaml}, {from: stop, to: stand}]
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    asked_for = {"learned/walk.yaml": "", "learned/walk-stop.yaml": ""}  # by the graph
    make_project(tmp_path, GRAPH, files=asked_for)
    adapt(tmp_path)
    learn(tmp_path, 0.01)
    return tmp_path


def adapt(directory: Path) -> None:
    """The first step's ankles give way uphill."""
    walk = Project(directory).program("walk")
    (ankle,) = [i for i, p in enumerate(walk.parameters) if p.id == "walk_start.t/0/LIPOSE bAnkle/angle"]
    target = LearnedPart(program=walk.digest, constants=constants_of(walk, {ankle: [-0.1446, -0.15]}))
    write_learned(
        directory / "learned" / "walk.yaml", LearnedFile(node="walk", condition={"slope": [0, 4]}, target=target)
    )


def learn(directory: Path, value: float) -> None:
    """A learned edge that begins with one more cycle of the walk."""
    project = Project(directory)
    walk, stop = project.program("walk"), project.program("stop")
    source = LearnedPart(program=walk.digest, cycles=1, constants=[])
    target = LearnedPart(program=stop.digest, constants=constants_of(stop, {4: value}))
    file = LearnedFile(edge="walk -> stop", source=source, target=target)
    write_learned(directory / "learned" / "walk-stop.yaml", file)


def test_of_two_edges_between_the_same_nodes_the_learned_one_is_tested(directory: Path) -> None:
    way = evaluation_plan(Project(directory).graph, "walk->stop")
    assert [segment.edge.kind for segment in way.test if segment.edge is not None] == ["learned"]


@pytest.mark.parametrize("noise", [0.1, *slow(0.0)])
def test_a_trial_runs_the_course_that_a_walk_takes(directory: Path, noise: float) -> None:
    """From the same entry, on a slope: the digest of all states is that of the course run by hand."""
    project = Project(directory)
    with Evaluator(project) as evaluator:
        how = perturbations({"slope": 2, "noise": noise})
        way = evaluator.evaluation_plan("walk->stop")
        entries, digests = [], []

        def remember(simulation) -> None:
            entries.append(simulation.snapshot())

        result = evaluator.run(way, how, np.random.default_rng(3), remember)
        assert result.recovered
        simulation = evaluator.simulation(how.environment)
        assert simulation.terrain.name == slope(2).name
        node, edge = project.graph.node("stop"), way.test[0].edge
        for program, cycles in (
            project.edge_controller(edge, node, 1, simulation.preview),
            project.edge_controller(None, node, 1, simulation.preview),
        ):
            simulation.disturb()
            simulation.restore(entries[0])
            outcome = simulation.run(program, cycles=cycles)
            digests.append((simulation.history_digest(), outcome.simulated_s))
        assert digests[0][1] > digests[1][1] + 0.5  # the learned course begins with a cycle of the walk
        assert result.outcome.simulated_s == digests[0][1]


def test_a_change_of_what_was_learned_is_another_target(directory: Path) -> None:
    project = Project(directory)
    before = target_hashes(project, evaluation_plans(project.graph, "walk->stop"))
    learn(directory, 0.02)
    again = Project(directory)
    after = target_hashes(again, evaluation_plans(again.graph, "walk->stop"))
    assert {name for name in before if after[name] != before[name]} == {"edge walk -> stop"}
