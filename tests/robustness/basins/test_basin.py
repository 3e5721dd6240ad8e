"""Basins: features that do not depend on the position, and samples of shipped nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import copy_arrays
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.basins.basin import (
    NOISE_LEVELS,
    Sample,
    predecessors,
    sample_basin,
    save_samples,
    settled_predecessors,
    take_samples,
    unperturbed,
)
from ctrlgraph.robustness.basins.classifier import learn_basin
from ctrlgraph.robustness.basins.features import feature_names, features
from ctrlgraph.robustness.evaluation_plan import SETTLING_CYCLES
from ctrlgraph.robustness.worker_pool import WorkerPool
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import Terrain, flat, slope

sklearn = pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def old(tmp_path_factory) -> Project:
    """A project with learned edges, and with motions that end in a pose which another motion begins with."""
    parts = ("controllers", "characters", "learned")
    return Project(make_project(tmp_path_factory.mktemp("old"), shipped=parts, origin=OLD_HUMANOID))


def test_features_stay_where_body_and_ground_are_moved_together(humanoid) -> None:
    with Simulation(humanoid, slope(5)) as simulation:
        simulation.reset({"rKnee": 0.5})
        here = simulation.snapshot().kinematics
    there = copy_arrays(here)
    there.link[:, 0] += 7.0
    there.link[:, 1] -= 2.0
    there.com[0] += 7.0
    there.com[1] -= 2.0
    there.joint[:, 2] += 7.0
    there.joint[:, 3] -= 2.0
    ground = slope(5)
    moved = Terrain("moved", ground.x + 7.0, ground.y - 2.0)
    assert features(there, humanoid, moved) == pytest.approx(features(here, humanoid, ground))
    assert features(there, humanoid, flat()) != pytest.approx(features(here, humanoid, ground))


def test_every_feature_has_a_name_and_says_what_it_is(humanoid) -> None:
    with Simulation(humanoid) as simulation:
        simulation.reset({"rKnee": 0.5, "root": 0.2})
        found = dict(
            zip(feature_names(humanoid), features(simulation.snapshot().kinematics, humanoid, flat()), strict=True)
        )
    assert found["angle rKnee"] == pytest.approx(0.5)
    assert found["root sine"] == pytest.approx(np.sin(0.2))
    assert found["com vx"] == 0.0
    assert 0.8 < found["com height"] < 1.1


def made_up(n: int, seed: int = 0) -> list[Sample]:
    """States in four numbers of which the first decides."""
    states = np.random.default_rng(seed).standard_normal((n, 4))
    return [Sample("stand", 0.1, state, bool(state[0] > 0.3)) for state in states]


@pytest.mark.slow
def test_a_rule_in_the_states_is_learned_and_succeeds_for_new_ones() -> None:
    basin = learn_basin("walk", made_up(200), seed=1)
    assert basin.accuracy is not None and basin.majority < basin.accuracy.lowest
    new = made_up(200, seed=9)
    right = (basin.probability(np.array([s.state for s in new])) > 0.5) == np.array([s.succeeded for s in new])
    assert right.mean() > 0.85


@pytest.mark.slow
def test_held_out_accuracy_of_states_that_say_nothing_is_no_better_than_chance() -> None:
    rng = np.random.default_rng(2)
    samples = [Sample("stand", 0.1, rng.standard_normal(4), bool(rng.random() < 0.5)) for _ in range(300)]
    accuracy = learn_basin("walk", samples).accuracy
    assert accuracy is not None and accuracy.share < 0.6


def test_where_every_state_succeeds_there_is_nothing_to_learn() -> None:
    samples = [Sample("stand", 0.0, np.zeros(4), True)] * 20
    basin = learn_basin("walk", samples)
    assert (basin.accuracy, basin.majority) == (None, 1.0)
    assert basin.probability(np.ones((2, 4))).tolist() == [1.0, 1.0]


def test_no_samples_are_reported() -> None:
    with pytest.raises(
        CtrlGraphError, match=r"^'walk' was not reached in any trial: correct the nodes before it, which failed$"
    ):
        learn_basin("walk", [])


@pytest.mark.slow
def test_samples_of_a_node_come_from_its_predecessors_at_every_level(project, tmp_path: Path) -> None:
    assert predecessors(project.graph, "stand")[:1] == ["walk_to_stop"]
    sources = predecessors(project.graph, "rise")
    count = len(unperturbed(project.graph, "rise")) + 2 * len(sources) * len(NOISE_LEVELS)
    samples = sample_basin(project, "rise", count, 3, WorkerPool(work=take_samples))
    levels = (0.0, *NOISE_LEVELS)
    assert {(s.source, s.noise) for s in samples} == {(source, level) for source in sources for level in levels}
    assert all(sample.succeeded for sample in samples if sample.noise == 0.0)
    again = sample_basin(project, "rise", count, 3, WorkerPool(work=take_samples))
    assert all((a.state == b.state).all() and a.succeeded == b.succeeded for a, b in zip(samples, again, strict=True))
    save_samples(samples, tmp_path / "basins" / "rise.npz", feature_names(project.character))
    with np.load(tmp_path / "basins" / "rise.npz") as kept:
        assert kept["states"].shape == (count, len(kept["features"]))
        assert kept["succeeded"].tolist() == [sample.succeeded for sample in samples]


@pytest.mark.slow
def test_a_state_that_is_not_shaken_is_taken_once(project) -> None:
    certain = unperturbed(project.graph, "walk_back_to_stop")
    found = sample_basin(project, "walk_back_to_stop", len(certain), 3, WorkerPool(work=take_samples))
    states = {sample.state.tobytes() for sample in found if sample.noise == 0.0}
    assert [sample.noise for sample in found] == [0.0] * len(certain)
    assert len(states) == len(certain) > 1  # after different numbers of the walk backward's cycles


def test_a_gait_is_entered_from_its_own_settled_cycles_too(project) -> None:
    ways = settled_predecessors(project.graph, "walk")
    assert [way.source for way in ways] == [*predecessors(project.graph, "walk"), "walk"]
    assert ways[-1].target == "walk" and min(ways[-1].cycles) >= SETTLING_CYCLES
    assert [way.source for way in settled_predecessors(project.graph, "rise")] == predecessors(project.graph, "rise")


@pytest.mark.slow
def test_the_states_of_a_gaits_own_cycles_succeed_and_are_like_each_other(project) -> None:
    certain = unperturbed(project.graph, "crawl")
    samples = sample_basin(project, "crawl", len(certain), 3, WorkerPool(work=take_samples))
    own = np.array([sample.state for sample in samples if sample.source == "crawl"])
    others = np.array([sample.state for sample in samples if sample.source == "hands_and_knees"])
    assert len(own) == len(settled_predecessors(project.graph, "crawl")[-1].cycles)
    assert all(sample.succeeded for sample in samples if sample.source == "crawl")
    apart = np.abs(own[:, None] - own[None]).mean()
    assert apart < 0.5 * np.abs(own[:, None] - others[None]).mean()


@pytest.mark.slow
def test_a_learned_edge_says_nothing_of_what_its_target_takes_by_itself(old) -> None:
    edges = {edge.source: edge.parameters for edge in old.graph.edges if edge.target == "run" and edge.planned}
    certain = unperturbed(old.graph, "run")
    samples = sample_basin(old, "run", len(certain), 3, WorkerPool(work=take_samples))
    succeeded = {sample.source: sample.succeeded for sample in samples}
    assert edges["stand"] is not None and not succeeded["stand"]  # it takes a learned edge to run out of the stand
    assert edges["walk"] is None and succeeded["walk"]
