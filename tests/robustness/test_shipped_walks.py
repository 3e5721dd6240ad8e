"""The walks and jumps of the tracking walker and the five-link biped do what their pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.gait_pushes import Aftermath, pushed, steady_gait, walks
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.words import parse

PROJECTS = Path(__file__).parents[2] / "projects"


def went(project: Project, path: list[str], engine: str = "ode", cycles: dict[str, int] | None = None) -> list[Outcome]:
    """What comes of the nodes of a path one after another, from the start pose, each over the graph's edge; gaits do
    these cycles, or the fewest that they may."""
    graph, outcomes = project.graph, []
    with Simulation(project.character, engine=engine) as simulation:
        for before, name in zip(["", *path], path, strict=False):
            node = graph.node(name)
            edge = graph.planned_edge(before, name, simulation.preview) if before else None
            rollout = project.rollout(edge, node, (cycles or {}).get(name, node.cycles[0]), simulation.preview)
            outcomes.append(simulation.run_rollout(rollout))
    return outcomes


@pytest.mark.slow
def test_the_scripted_walk_steps_from_the_stand_and_the_tracked_walk_takes_it_up_and_stops() -> None:
    path = ["stand", "scripted_walk", "tracking_walk", "stop"]
    outcomes = went(Project(PROJECTS / "tracking"), path)
    assert [outcome.reason for outcome in outcomes if not outcome.succeeded] == []
    scripted, tracked = outcomes[1].measures, outcomes[2].measures
    assert scripted["steps"] >= 3
    assert scripted["distance"] > 0.8
    assert tracked["speed"] == pytest.approx(0.68, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [2, 3, 4])
def test_the_tracked_walk_takes_up_a_stop_of_the_scripted_walk_whose_trunk_has_come_upright(steps: int) -> None:
    path = ["stand", "scripted_walk", "stop", "tracking_walk"]
    outcomes = went(Project(PROJECTS / "tracking"), path, cycles={"scripted_walk": steps})
    assert [outcome.reason for outcome in outcomes if not outcome.succeeded] == []
    assert outcomes[2].measures["torso"] < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_a_row_of_broad_jumps_begins_in_the_crouch_and_comes_to_rest_on_its_feet(engine: str) -> None:
    path = ["stand", "crouch", "first_jump", "broad_jump", "last_jump", "stand"]
    outcomes = went(Project(PROJECTS / "tracking"), path, engine)
    assert [outcome.reason for outcome in outcomes if not outcome.succeeded] == []
    *_, first, row, last, stand = (outcome.measures for outcome in outcomes)
    assert [outcomes[1].measures["flight"], stand["flight"]] == [0.0, 0.0]
    assert row["distance"] > 1.5
    assert min(each["flight"] for each in (first, row, last)) > 0.2


@pytest.mark.slow
def test_the_sturdy_walk_walks_and_the_push_forward_that_fells_the_walk_does_not_fell_it() -> None:
    project, found = Project(PROJECTS / "five-link"), {}
    with Simulation(project.character) as simulation:
        for name in ("walk", "sturdy"):
            tracking = project.read_controller("tracking", PROJECTS / "five-link" / "tracking" / f"{name}.yaml")
            steady = steady_gait(simulation, tracking, 1.35)
            assert steady.speed > 0.5
            found[name] = pushed(simulation, tracking, steady, FORWARD, MID_STEP, seconds=4.0)
    assert found["walk"] is Aftermath.FALLEN
    assert found["sturdy"] is Aftermath.WALKING


FORWARD, MID_STEP = 400.0, 0.25
"""N; a quarter of the cycle, of two steps, is the middle of a step."""


@pytest.mark.slow
@pytest.mark.parametrize("slope", [-9, 8])
def test_the_tracked_walk_walks_down_9_and_up_8_degrees(slope: int) -> None:
    project = Project(PROJECTS / "tracking")
    tracking = project.read_controller("tracking", PROJECTS / "tracking" / "tracking" / "walk.yaml")
    with Simulation(project.character, parse(f"slope={slope}")) as simulation:
        far = walks(simulation, tracking, 1.02, 10.0)
    assert far is not None
    assert far > 4.0
