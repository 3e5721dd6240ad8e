"""The shipped dog does what its graph says, and its posture stays that of a dog."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from ctrlgraph import Project, Push, Simulation
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_values import GaitValues
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.graph.model import Edge
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.walks.walker import Walker, WalkIdentity, WalkObserver

from .conftest import ROOT

DIRECTORY = ROOT / "projects" / "dog"
FRICTION = 0.8
GRAPH = Project(DIRECTORY).graph
LEVEL = [name for name in GRAPH.shortest_paths(GRAPH.start) if GRAPH.node(name).obstacle is None]
EDGES = [edge for name in LEVEL for edge in GRAPH.planned_edges(name) if edge.target in LEVEL and edge.weight > 0]
TOUR = (
    "stand",
    "walk",
    "trot",
    "fast_trot",
    "trot",
    "trot_left",
    "trot_in_place",
    "back_up",
    "stand",
    "sit",
    "lie",
    "stand",
)
"""Nodes that a walk of the dog on ODE visits."""


class Dog:
    """A simulation of the dog that remembers the states after nodes."""

    def __init__(self, engine: str, terrain: str = "flat") -> None:
        self.project = Project(DIRECTORY, engine=engine)
        environment = self.project.environment(terrain=terrain, friction=FRICTION)
        self.simulation = environment.simulation(self.project.character)
        self.states: dict[str, Snapshot] = {}

    def run(self, name: str) -> str:
        """Run a node; return why it failed, or an empty text."""
        outcome = self.simulation.run_rollout(self.project.rollout(None, name, GRAPH.node(name).cycles[0]))
        return "" if outcome.succeeded else f"{name}: {outcome.reason}"

    def enter(self, name: str) -> None:
        """Bring the dog to the end of a node, on the shortest path from the start."""
        if name in self.states:
            self.simulation.restore(self.states[name])
            return
        *before, _ = GRAPH.shortest_paths(GRAPH.start)[name]
        if before:
            self.enter(before[-1])
        else:
            self.simulation.reset()
        assert self.run(name) == ""
        self.states[name] = self.simulation.snapshot()


class Attempts(WalkObserver):
    """The names of the nodes that a walk has run."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def began(self, node: str, cycles: int) -> None:
        self.names.append(node)


@pytest.fixture(scope="module")
def dog() -> Iterator[Dog]:
    dog = Dog("mujoco")
    with dog.simulation:
        yield dog


def test_it_is_a_dog_of_thirty_links_with_legs_back_neck_and_tail() -> None:
    character = Project(DIRECTORY).character
    assert len(character.links) == 30
    assert character.mass == pytest.approx(34.0)
    assert [leg.name for leg in character.roles.legs] == ["front left", "front right", "hind left", "hind right"]
    assert [len(character.roles.spine), len(character.roles.neck), len(character.roles.tail)] == [15, 5, 5]


@pytest.mark.parametrize("edge", EDGES, ids=str)
def test_every_edge_leads_to_its_target(dog: Dog, edge: Edge) -> None:
    dog.enter(edge.source)
    assert dog.run(edge.target) == ""


@pytest.mark.parametrize("height", [0.06, 0.1])
def test_the_dog_walks_onto_a_box_and_stands_there(height: float) -> None:
    dog = Dog("mujoco", f"box=0.8:6:{height}")
    with dog.simulation:
        assert [dog.run(name) for name in ("stand", "step_up", "trot_in_place", "stand")] == [""] * 4


@pytest.mark.parametrize("name", ["walk", "trot"])
def test_the_dog_crosses_bumps_of_five_centimetres(name: str) -> None:
    """It fell there while the footholds had the slope that the trunk follows."""
    dog = Dog("mujoco", "flat rough=0.05 seed=40113")
    gait = dog.project.controller(name)
    with dog.simulation:
        dog.simulation.run(dog.project.controller("trot_in_place"), cycles=5)
        outcome = dog.simulation.run(gait, cycles=round(12.0 / gait.values.period))
    assert outcome.measures["max_tilt"] < 0.7


@pytest.mark.slow
def test_a_tour_on_ode_succeeds() -> None:
    dog = Dog("ode")
    with dog.simulation:
        assert [dog.run(name) for name in TOUR] == [""] * len(TOUR)


@pytest.mark.parametrize(
    ("node", "newtons", "first"),
    [("stand", 700.0, "get_up_left"), ("stand", -700.0, "get_up_right"), ("trot_in_place", -900.0, "roll_off_back")],
)
def test_the_dog_gets_up_after_a_push_that_throws_it_over(dog: Dog, node: str, newtons: float, first: str) -> None:
    identity = WalkIdentity.of("", 0, np.random.SeedSequence(1), dog.project.environment(friction=FRICTION))
    observer = Attempts()
    walker = Walker(dog.project, dog.simulation, None, identity, observer)
    walker.start()
    dog.simulation.disturb(
        [SpatialPush(dog.simulation.time + 0.3, 0.1, "chest_1", (0.0, newtons, 0.0), (0.0, 0.0, 0.05))]
    )
    walker.outcome = dog.simulation.run_rollout(dog.project.rollout(None, node, GRAPH.node(node).cycles[0]))
    walker.node = node
    dog.simulation.disturb()
    assert walker.outcome.measures["tilt"] > 1.3
    observer.names.clear()
    assert walker.recover()
    assert [observer.names[0], observer.names[-1]] == [first, "lie"]
    assert dog.run("stand") == ""


@pytest.mark.parametrize(
    ("name", "speed"), [("walk", 0.4), ("walk", 1.2), ("trot", 0.8), ("fast_trot", 2.0), ("fast_trot", 2.5)]
)
def test_a_gait_reaches_the_desired_speed(dog: Dog, name: str, speed: float) -> None:
    dog.enter("trot_in_place")
    simulation: Simulation = dog.simulation
    gait = dog.project.controller(name)
    simulation.watch(lambda moment: simulation.command(forward=speed))
    simulation.run(gait, cycles=round(5 / gait.values.period))
    measures = simulation.run(gait, cycles=round(5 / gait.values.period)).measures
    simulation.watch(None)
    assert measures["forward_speed"] == pytest.approx(speed, rel=0.05)
    assert abs(measures["heading_drift"]) < 0.05
    assert measures["max_tilt"] < 0.2


@pytest.mark.parametrize(("name", "same_order"), [("gallop", True), ("rotary_gallop", False)])
def test_a_gallop_has_flight_and_the_footfalls_of_its_kind(dog: Dog, name: str, same_order: bool) -> None:
    dog.enter(name)
    outcome = dog.simulation.run_rollout(dog.project.rollout(None, name, 16))
    measures = outcome.measures
    assert outcome.succeeded
    assert measures["forward_speed"] > 3.5
    assert measures["flight_share"] > 0.03
    assert (measures["front_phase"] * measures["hind_phase"] > 0) == same_order
    assert 0.3 < abs(measures["hind_phase"]) < 1.3  # one after the other, not together as in a bound


def test_a_canter_has_three_beats(dog: Dog) -> None:
    dog.enter("canter")
    assert dog.run("canter") == ""  # after the change of gait
    outcome = dog.simulation.run_rollout(dog.project.rollout(None, "canter", 16))
    lag = {name: outcome.measures[f"{name}_phase"] / (2 * math.pi) for name in ("front", "hind", "ipsilateral")}
    assert outcome.succeeded
    assert outcome.measures["forward_speed"] == pytest.approx(2.8, rel=0.05)
    assert outcome.measures["flight_share"] > 0.02
    # the left hind leg; then the right hind leg and the left front leg; then the right front leg
    assert lag["hind"] == pytest.approx(-0.27, abs=0.05)
    assert lag["front"] == pytest.approx(-0.27, abs=0.05)
    assert lag["ipsilateral"] == pytest.approx(0.27, abs=0.05)


@pytest.mark.parametrize("name", ["stroll", "walk", "trot", "fast_trot"])
def test_the_forelegs_carry_more_than_the_hind_legs(dog: Dog, name: str) -> None:
    dog.enter(name)
    dog.run(name)
    feet = [leg.foot for leg in dog.simulation.character.roles.legs]
    load = dog.simulation.last_trace.impulse[:, feet, 2].sum(axis=0)
    assert 0.53 < load[:2].sum() / load.sum() < 0.64  # 0.56 to 0.64 in dogs


@pytest.mark.parametrize("name", ["walk", "trot"])
def test_the_forelegs_brake_and_the_hind_legs_push(dog: Dog, name: str) -> None:
    dog.enter(name)
    dog.run(name)
    feet = [leg.foot for leg in dog.simulation.character.roles.legs]
    push = dog.simulation.last_trace.impulse[:, feet, 0]
    half = len(push) // 2  # the speed no longer changes
    fore, hind = push[half:, :2].sum(), push[half:, 2:].sum()
    assert fore < 0 < hind


@pytest.mark.parametrize(("name", "period"), [("walk", 0.57), ("trot", 0.44)])
def test_a_push_of_25_newton_seconds_on_a_side_of_the_pelvis_does_not_stop_a_gait(
    dog: Dog, name: str, period: float
) -> None:
    dog.enter(name)
    simulation, gait = dog.simulation, dog.project.controller(name)
    simulation.run(gait, cycles=5)
    start = simulation.snapshot()
    for part in (0.0, 0.25, 0.5, 0.75):
        for force in (250.0, -250.0):
            simulation.restore(start)
            simulation.disturb([Push(simulation.time + part * period, 0.1, "pelvis", x=0.0, side=force)])
            simulation.run(gait, cycles=round(3.5 / period))
            measures = simulation.run(gait, cycles=3).measures
            simulation.disturb()
            assert measures["forward_speed"] == pytest.approx(gait.values.forward, abs=0.1)
            assert measures["max_tilt"] < 0.15


@pytest.mark.parametrize("name", ["walk", "trot"])
def test_shortening_changes_the_steps_only_after_a_push_and_goes_on_from_a_snapshot(dog: Dog, name: str) -> None:
    """The states are equal bit for bit."""
    simulation, gait = dog.simulation, dog.project.controller(name)
    assert isinstance(gait, Gait)
    constants = gait.constants.copy()
    constants[GaitValues._fields.index("shortening")] = 0.0
    unchanged = gait.with_constants(constants)
    dog.enter(name)
    start = simulation.snapshot()

    def end(controller: Gait, force: float) -> Snapshot:
        simulation.restore(start)
        simulation.disturb([Push(simulation.time, 0.1, "pelvis", x=0.0, side=force)])
        simulation.run(controller, cycles=4)
        simulation.disturb()
        return simulation.snapshot()

    assert end(gait, 0.0).digest == end(unchanged, 0.0).digest
    assert end(gait, 250.0).step < end(unchanged, 250.0).step  # the same number of cycles takes less time
    simulation.restore(start)
    simulation.disturb([Push(simulation.time, 0.1, "pelvis", x=0.0, side=250.0)])
    simulation.run(gait, cycles=4, timeout=0.15)
    middle = simulation.snapshot()
    simulation.run(gait, cycles=4, timeout=0.3, resume=True)
    found = simulation.snapshot().digest
    simulation.restore(middle)
    simulation.run(gait, cycles=4, timeout=0.3, resume=True)
    simulation.disturb()
    assert simulation.snapshot().digest == found


@pytest.mark.parametrize("slope", [-10, 10])
def test_the_dog_starts_on_a_slope(slope: int) -> None:
    dog = Dog("mujoco", f"slope={slope}")
    with dog.simulation:
        for name in ("trot_in_place", "trot"):
            outcome = dog.simulation.run(dog.project.controller(name), cycles=10)
            assert outcome.measures["max_tilt"] < 0.4


def test_legs_and_back_keep_the_posture_of_the_stand_while_the_dog_trots(dog: Dog) -> None:
    dog.enter("trot")
    dog.run("trot")
    character, angle = dog.simulation.character, dog.simulation.last_trace.joint_angle
    mean = dict(zip(character.joint_names, angle.mean(axis=0), strict=True))
    for side in ("left", "right"):
        for joint in ("shoulder", "elbow", "carpus", "stifle", "hock", "toes"):
            assert abs(mean[f"{side}_{joint}"]) < 0.25
    back = angle[:, list(character.roles.spine)]
    assert np.abs(back).max() < 0.06  # without the forces of the feet in the back's torques, it sags by 0.1


def test_with_the_same_density_in_all_links_the_dog_has_the_same_shape_and_mass_and_walks_and_trots() -> None:
    project = Project(DIRECTORY, engine="mujoco")
    dog, uniform = project.character, load_character(DIRECTORY / "characters" / "dog_constant_density.yaml")
    assert isinstance(dog, SpatialCharacter) and isinstance(uniform, SpatialCharacter)
    sizes = [[shape.size for shape in link.shapes] for link in dog.links]
    assert [[shape.size for shape in link.shapes] for link in uniform.links] == sizes
    placed = [replace(joint, anchor=(0.0, 0.0, 0.0)) for joint in uniform.joints]
    assert placed == [replace(joint, anchor=(0.0, 0.0, 0.0)) for joint in dog.joints]
    anchors = [joint.anchor for joint in uniform.joints]
    np.testing.assert_allclose(anchors, [joint.anchor for joint in dog.joints], atol=1e-12)  # equal up to rounding
    assert sum(link.mass for link in uniform.links) == pytest.approx(34, abs=0.01)
    simulation = project.environment(friction=FRICTION).simulation(uniform)
    for name in ("stand", "walk", "trot"):
        assert simulation.run_rollout(project.rollout(None, name, GRAPH.node(name).cycles[0])).succeeded, name


def test_the_published_controller_falls(dog: Dog) -> None:
    dog.enter("stand")
    dog.run("trot_as_published")
    assert dog.simulation.tilt > 0.7 or dog.simulation.height < 0.2
