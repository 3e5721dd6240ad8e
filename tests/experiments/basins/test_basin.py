"""Basins: features that do not know where in the world they are, learned and real basins, suggested edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.experiments.basins.basin import (
    NOISE_LEVELS,
    learn_basin,
    predecessors,
    sample_basin,
    save_samples,
    settled_predecessors,
    take_samples,
    unperturbed,
)
from ctrlgraph.experiments.basins.domain import Sample
from ctrlgraph.experiments.basins.features import feature_names, features
from ctrlgraph.experiments.basins.suggestion import Suggestion, judged_pairs, untried_pairs, verify
from ctrlgraph.experiments.evaluation_plan import SETTLING_CYCLES
from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.graph.editor import add_edges, with_new_edges
from ctrlgraph.graph.model import Edge
from ctrlgraph.kernels.planar.arrays import copy_arrays
from ctrlgraph.project.project import Project
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
    assert basin.accuracy is not None and basin.interval is not None
    assert basin.majority < basin.interval[0] <= basin.accuracy <= basin.interval[1]
    new = made_up(200, seed=9)
    right = (basin.probability(np.array([s.state for s in new])) > 0.5) == np.array([s.succeeded for s in new])
    assert right.mean() > 0.85


@pytest.mark.slow
def test_the_same_samples_and_seed_give_the_same_basin() -> None:
    states = np.array([sample.state for sample in made_up(50, seed=3)])
    first, second = (learn_basin("walk", made_up(100), seed=5) for _ in range(2))
    assert first.accuracy == second.accuracy
    assert (first.probability(states) == second.probability(states)).all()


@pytest.mark.slow
def test_held_out_accuracy_of_states_that_say_nothing_is_no_better_than_chance() -> None:
    rng = np.random.default_rng(2)
    samples = [Sample("stand", 0.1, rng.standard_normal(4), bool(rng.random() < 0.5)) for _ in range(300)]
    accuracy = learn_basin("walk", samples).accuracy
    assert accuracy is not None and accuracy < 0.6


def test_where_every_state_succeeds_there_is_nothing_to_learn() -> None:
    samples = [Sample("stand", 0.0, np.zeros(4), True)] * 20
    basin = learn_basin("walk", samples)
    assert (basin.accuracy, basin.majority) == (None, 1.0)
    assert basin.probability(np.ones((2, 4))).tolist() == [1.0, 1.0]


def test_no_samples_are_reported() -> None:
    with pytest.raises(CtrlGraphError, match=r"^no entry state of 'walk' could be reached$"):
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


def test_a_node_without_entries_is_reported(project) -> None:
    with pytest.raises(CtrlGraphError, match=r"^the graph has no node 'wolk' \(did you mean 'walk'\?\)$"):
        predecessors(project.graph, "wolk")


def test_pairs_with_an_edge_are_not_suggested(project) -> None:
    pairs = set(untried_pairs(project.graph, ["squat", "stand"]))
    assert ("stand", "squat") not in pairs
    assert ("squat", "squat") not in pairs
    assert ("supine", "stand") in pairs


@pytest.mark.slow
def test_a_suggestion_that_succeeds_is_distinguished_from_one_that_does_not(project) -> None:
    given = [Suggestion("hop", "squat", 0.9), Suggestion("supine", "stand", 0.9)]
    good, bad = verify(project, given, 3, 1, WorkerPool())
    assert (good.trials, good.recovered, good.succeeds) == (3, 3, True)
    assert (bad.trials, bad.recovered, bad.succeeds) == (3, 0, False)
    assert not given[0].succeeds  # not before it is verified


@pytest.mark.slow
def test_what_the_basin_has_never_seen_is_not_suggested(old) -> None:
    samples = sample_basin(old, "rise", 30, 3, WorkerPool(work=take_samples))
    basin = learn_basin("rise", samples, 3)
    reported: list[tuple[int, int]] = []
    pairs = judged_pairs(old, [basin], 0.0, lambda done, total: reported.append((done, total)))
    assert reported == [(number, len(pairs)) for number in range(len(pairs))]
    reasons = {pair.source: pair.reason for pair in pairs}
    assert reasons["backflip"] == ""  # it ends in the squat, from which the rise was sampled
    assert reasons["supine"] == "unknown: 0 of its 6 end states lie among the sampled ones"


@pytest.mark.slow
def test_a_learned_edge_says_nothing_of_what_its_target_takes_by_itself(old) -> None:
    edges = {edge.source: edge.parameters for edge in old.graph.edges if edge.target == "run" and edge.planned}
    certain = unperturbed(old.graph, "run")
    samples = sample_basin(old, "run", len(certain), 3, WorkerPool(work=take_samples))
    succeeded = {sample.source: sample.succeeded for sample in samples}
    assert edges["stand"] is not None and not succeeded["stand"]  # it takes a learned edge to run out of the stand
    assert edges["walk"] is None and succeeded["walk"]


GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, kind: static}
  walk: {script: walk.t}
  "odd: name": {script: odd.t}

edges:
  # out of the stand
  - {from: stand, to: walk}  # naive
  - {from: walk, to: "odd: name"}
  - {from: "odd: name", to: stand}

  - {from: "*", to: stand, kind: corrective, when: failed}
"""


def test_edges_are_added_after_the_planned_ones_and_nothing_else_changes() -> None:
    changed = with_new_edges(GRAPH, [Edge("walk", "stand"), Edge("stand", "odd: name")])
    added = "  - {from: walk, to: stand}\n  - {from: stand, to: 'odd: name'}\n"
    place = GRAPH.index('\n  - {from: "*"')
    assert changed == GRAPH[:place] + added + GRAPH[place:]


def test_edges_in_blocks_are_added_to_as_well() -> None:
    text = GRAPH.replace(
        '  - {from: "odd: name", to: stand}\n', '  - from: "odd: name"\n    to: stand\n    weight: 2\n'
    )
    changed = with_new_edges(text, [Edge("walk", "stand")])
    assert "    weight: 2\n  - {from: walk, to: stand}\n\n" in changed


def test_a_graph_in_one_line_is_left_alone(tmp_path: Path) -> None:
    text = GRAPH[: GRAPH.index("edges:")] + (
        'edges: [{from: stand, to: walk}, {from: walk, to: "odd: name"}, {from: "odd: name", to: stand}]\n'
    )
    path = tmp_path / "graph.yaml"
    path.write_text(text)
    with pytest.raises(CtrlGraphError, match=r"graph.yaml has no list of edges, one to a line, to add to$"):
        add_edges(path, [Edge("walk", "stand")])
    assert path.read_text() == text


def test_an_edge_that_is_there_already_is_a_fault_and_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "graph.yaml"
    path.write_text(GRAPH)
    with pytest.raises(SourceError, match="the naive edge stand -> walk is given twice"):
        add_edges(path, [Edge("stand", "walk")])
    assert path.read_text() == GRAPH


def test_the_shipped_graph_can_be_added_to(project) -> None:
    text = project.graph_path.read_text()
    changed = with_new_edges(text, [Edge("supine", "stand")])
    assert changed.replace("  - {from: supine, to: stand}\n", "") == text
