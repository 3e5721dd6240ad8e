"""Every shipped node and edge does what the graph says, and each motion looks like its name."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from sampling import sampled

from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import LEVEL

from .conftest import ROOT, Stage

GRAPH = Project(ROOT).graph
PLANNED = [edge for name in GRAPH.nodes for edge in GRAPH.planned_edges(name)]
OVER_OBSTACLES = [edge for edge in PLANNED if {edge.source, edge.target} & {n.name for n in GRAPH if n.obstacle}]
GAITS = [node.name for node in GRAPH if node.cycles[1] > 1 and node.obstacle is None and "speed" in node.success]
LEVEL_EDGES = [edge for edge in PLANNED if LEVEL in edge.ground and edge not in OVER_OBSTACLES]


def path_to(name: str) -> list[str]:
    """The shortest planned path from the start node."""
    return GRAPH.shortest_paths(GRAPH.start)[name]


# `make test` tries a sample of the catalogue, `make test-all` and `make gate` all of it. With every commit every fourth
# node is entered once by an edge of random walks, every thirtieth of the edges that only goal walks take is gone, and
# one motion over an obstacle is left.
FIRST_INTO = {edge.target: edge for edge in reversed(LEVEL_EDGES) if edge.weight > 0}
QUICK_EDGES = [*list(FIRST_INTO.values())[::4], *[edge for edge in LEVEL_EDGES if edge.weight == 0][::30]]
OVER_ONE_OBSTACLE = [edge for edge in OVER_OBSTACLES if GRAPH.node(edge.source).obstacle][:1]


@pytest.mark.parametrize("edge", sampled(LEVEL_EDGES, QUICK_EDGES), ids=str)
def test_every_planned_edge_leads_to_its_target_by_the_targets_conditions(stage: Stage, edge) -> None:
    outcome = stage.go([*path_to(edge.source), edge.target])
    assert outcome.succeeded, outcome.reason


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(Project(ROOT)) as evaluator:
        yield evaluator


@pytest.mark.parametrize("edge", sampled(OVER_OBSTACLES, OVER_ONE_OBSTACLE), ids=str)
def test_every_edge_over_an_obstacle_holds_before_one(evaluator: Evaluator, edge) -> None:
    way = evaluator.evaluation_plan(f"{edge.source}->{edge.target}")
    result = evaluator.run(way, Perturbations.of(evaluator.project), np.random.default_rng(1))
    assert result.recovered, result.reason


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
@pytest.mark.parametrize(
    ("node", "run", "rise"),
    [
        ("stairs_down", 0.34, -0.15),
        ("stairs_down", 0.36, -0.125),
        ("stairs_down", 0.4, -0.13),
        ("stairs_down", 0.29, -0.17),
        ("stairs_up", 0.36, 0.125),
        ("stairs_up", 0.29, 0.155),
    ],
)
def test_each_tread_is_taken_by_one_step_without_a_stop(engine: str, node: str, run: float, rise: float) -> None:
    """With both feet on each tread, the character stood still for 3.5 s on each."""
    project = Project(ROOT, engine=engine)
    world = project.environment(f"course=0.25:stairs:5:{run}:{rise}")
    with world.simulation(project.character) as simulation:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        edge = project.graph.planned_edge("stand", node)
        outcome = simulation.run_rollout(project.rollout(edge, node, 1, simulation.preview))
    assert outcome.succeeded, outcome.reason
    assert outcome.measures["crossed"] == 5
    assert outcome.measures["steps"] == 6
    assert outcome.simulated_s < 2 + 5 * 1.3


@pytest.mark.parametrize(
    ("way", "ground"),
    [
        (("step_up",), "0.4:stairs:1:1:0.3"),
        (("step_down_deep",), "0.4:stairs:1:1:-0.3"),
        (("step_over",), "0.4:gap:0.8:1"),
        (("step_over_hurdle",), "0.3:hurdle:0.3:0.04"),
        (("walk", "walk_onto_box"), "6:stairs:1:1:0.3"),
        (("walk", "walk_off_box"), "6:stairs:1:1:-0.3"),
        (("walk", "stride_across"), "7:gap:0.7:1"),
        (("walk", "stride_across"), "6:gap:0.55:1"),  # with the left foot first
        (("walk", "walk_onto_box"), "4.565:stairs:1:1:0.206"),  # with the left foot first
    ],
    ids=lambda part: part[-1] if isinstance(part, tuple) else "",
)
def test_obstacles_of_human_size_are_crossed(way: tuple[str, ...], ground: str) -> None:
    project = Project(ROOT)
    with project.environment(f"course={ground}").simulation(project.character) as simulation:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        for before, node in pairwise(("stand", *way)):
            edge = project.graph.planned_edge(before, node)
            outcome = simulation.run_rollout(project.rollout(edge, node, project.graph.node(node).cycles[0]))
            assert outcome.succeeded, outcome.reason
    assert outcome.measures["crossed"] == 1


@pytest.mark.parametrize("gait", sampled(GAITS, ["run"]))
def test_gaits_go_sixty_seconds_at_their_speed_without_falling(stage: Stage, gait: str) -> None:
    stage.go(path_to(gait)[:-1])
    outcome = stage.run(gait, cycles=1000, timeout=60.0)
    assert outcome.reason == "not ended after 60 s"  # nothing stopped it but the clock
    slowest, fastest = GRAPH.node(gait).success["speed"]
    assert slowest <= outcome.measures["speed"] <= fastest


ROLES = load_character(ROOT / "characters" / "humanoid.yaml").roles
FEET, HANDS = list(ROLES.feet), list(ROLES.hands)  # right, left


def _feet(trace: Trace) -> np.ndarray:
    return trace.contact[:, FEET].any(axis=1)


def _flights(trace: Trace, least: float = 0.1) -> list[tuple[int, int]]:
    """First and last sample of each time with no contact that is at least so long (s) and ends before the trace."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], ~trace.contact.any(axis=1), [False])).astype(int)))
    runs = zip(edges[::2], edges[1::2], strict=True)
    return [(a, b - 1) for a, b in runs if a > 0 and b < len(trace) and trace.time[b - 1] - trace.time[a] >= least]


def test_the_backflip_turns_once_backward_with_both_feet_off_the_ground_and_stands(stage: Stage) -> None:
    outcome = stage.go([*path_to("squat"), "backflip"])
    trace = stage.simulation.last_trace
    assert outcome.measures["turned"] == pytest.approx(-2 * math.pi, abs=0.9)
    assert outcome.measures["flight_turned"] < -1.5 * math.pi  # the rest while the feet push off, and take up
    assert outcome.measures["trunk_contact"] == outcome.measures["hands_load"] == 0.0
    airborne = np.flatnonzero(~_feet(trace))
    middle = trace.com[airborne[len(airborne) // 2], 1]
    assert middle > trace.com[0, 1] + 0.5
    assert trace.contact[-1, FEET].all()
    assert stage.run("rise").succeeded
    assert stage.run("stand").succeeded


def test_sitting_with_the_hands_in_front_of_the_seat_leads_to_the_squat(stage: Stage) -> None:
    """After `sit_down`, which the shortest path has, the hands are behind the seat."""
    outcome = stage.go([*path_to("sit_up"), "sit", "sit_to_squat"])
    assert outcome.succeeded, outcome.reason


@pytest.mark.parametrize("ahead", ["r", "l"])
def test_prone_succeeds_after_a_fall_into_the_splits(project: Project, ahead: str) -> None:
    behind = "l" if ahead == "r" else "r"
    pose = {"root": 1.1, "pelvis2lTorso": 0.4, "lTorso2uTorso": 0.4, "rElbow": -2.0, "lElbow": -2.0}
    with project.environment().simulation(project.character) as simulation:
        simulation.reset({**pose, f"{ahead}Hip": -2.3, f"{behind}Hip": 0.45})
        outcome = simulation.run_rollout(project.rollout(None, "prone", 1))
    assert outcome.succeeded, outcome.reason


def test_the_kip_goes_from_lying_to_standing_feet_through_the_air(stage: Stage) -> None:
    stage.go(path_to("supine"))
    start = stage.simulation.last_trace
    assert start.com[-1, 1] < 0.25
    outcome = stage.run("kip")
    trace = stage.simulation.last_trace
    assert outcome.succeeded
    assert outcome.measures["flight"] > 0.05
    assert trace.contact[-1, FEET].all()
    assert not np.delete(trace.contact[-1], FEET).any()


def test_the_hop_leaves_the_ground_with_both_feet_and_lands_ahead(stage: Stage) -> None:
    outcome = stage.go([*path_to("stand"), "hop"])
    assert outcome.succeeded
    assert outcome.measures["flight"] > 0.08
    assert outcome.measures["distance"] > 0.15


def test_the_run_is_in_flight_for_a_good_part_of_the_time_and_the_walk_never(stage: Stage) -> None:
    stage.go(["stand", "walk"])
    assert stage.run("walk", cycles=8).measures["flight_share"] < 0.001
    stage.run("run", cycles=4)  # it comes to its speed
    assert stage.run("run", cycles=12).measures["flight_share"] > 0.3


def test_the_skip_hops_on_one_foot_and_steps_to_the_other(stage: Stage) -> None:
    stage.go(["stand", "walk"])
    outcome = stage.run("skip", cycles=6)
    assert outcome.succeeded, outcome.reason
    trace = stage.simulation.last_trace
    flights = _flights(trace)
    took_off = [trace.contact[start - 1, FEET].tolist() for start, _ in flights]
    landed = [trace.contact[end + 1, FEET].tolist() for _, end in flights]
    assert took_off == landed  # a hop each,
    assert len(flights) >= 11
    for one, other in pairwise(took_off):  # and between two hops the other foot takes over
        assert sum(one) == 1
        assert other == one[::-1]
    for (_, end), (start, _) in pairwise(flights):
        assert trace.contact[end + 1 : start].any(axis=1).mean() > 0.9  # a step, no leap
    rise = [trace.com[start : end + 1, 1].max() - trace.com[start, 1] for start, end in flights]
    assert min(rise) > 0.03


@pytest.mark.parametrize("cycles", range(GRAPH.node("walk").cycles[0], GRAPH.node("walk").cycles[1] + 1))
def test_the_skip_begins_in_the_walk_and_goes_on_in_it(stage: Stage, cycles: int) -> None:
    stage.go(["stand"])
    for name, number in [("walk", cycles), ("skip", 10 - cycles), ("walk", 4)]:
        outcome = stage.run(name, cycles=number)
        assert outcome.succeeded, f"{name}: {outcome.reason}"


def test_the_walk_ends_with_the_feet_side_by_side(stage: Stage) -> None:
    outcome = stage.go(["stand", "walk", "walk_to_stop"])
    assert outcome.succeeded
    assert outcome.measures["feet_distance"] < 0.1


def test_crawling_stays_low_on_hands_and_knees(stage: Stage) -> None:
    stage.go(path_to("crawl"))
    trace = stage.simulation.last_trace
    assert (trace.com[:, 1] < 0.6).all()
    knees = trace.contact[:, [13, 14]].any(axis=1)
    assert knees.mean() > 0.9
    assert trace.contact[:, HANDS].any(axis=1).mean() > 0.97  # a hand and a knee are lifted together
    assert not trace.contact[:, [5, 6]].any()  # not on the elbows
