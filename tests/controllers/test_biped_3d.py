"""The shipped biped in space does what its graph says, and withstands pushes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ctrlgraph import Project, Push, Simulation
from ctrlgraph.graph.model import Edge
from ctrlgraph.simulation.snapshot import Snapshot

from .conftest import ROOT

DIRECTORY = ROOT / "projects" / "biped-3d"
GRAPH = Project(DIRECTORY).graph
EDGES = [edge for name in GRAPH.nodes for edge in GRAPH.planned_edges(name)]
TOUR = ("stand", "walk", "walk_fast", "walk", "walk_left", "walk_in_place", "side_step_left", "walk_in_place", "stand")
"""Nodes that the biped visits on ODE."""


class Biped:
    """A simulation of the biped that remembers the states after nodes."""

    def __init__(self, engine: str) -> None:
        self.project = Project(DIRECTORY, engine=engine)
        self.simulation: Simulation = self.project.environment().simulation(self.project.character)
        self.states: dict[str, Snapshot] = {}

    def run(self, name: str) -> str:
        """Run a node; return why it failed, or an empty text."""
        outcome = self.simulation.run_rollout(self.project.rollout(None, name, GRAPH.node(name).cycles[0]))
        return "" if outcome.succeeded else f"{name}: {outcome.reason}"

    def enter(self, name: str) -> None:
        """Bring the biped to the end of a node, on the shortest path from the start."""
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


@pytest.fixture(scope="module")
def biped() -> Iterator[Biped]:
    biped = Biped("mujoco")
    with biped.simulation:
        yield biped


def test_it_is_a_man_of_seventy_kilograms_with_two_legs() -> None:
    character = Project(DIRECTORY).character
    assert character.mass == pytest.approx(70.0)
    assert [leg.name for leg in character.roles.legs] == ["left", "right"]
    assert [(len(leg.hip), len(leg.ankles)) for leg in character.roles.legs] == [(3, 2), (3, 2)]


@pytest.mark.parametrize("edge", EDGES, ids=str)
def test_every_edge_leads_to_its_target(biped: Biped, edge: Edge) -> None:
    biped.enter(edge.source)
    assert biped.run(edge.target) == ""


@pytest.mark.parametrize("phase", np.arange(8) / 8)
def test_it_stops_from_every_phase(biped: Biped, phase: float) -> None:
    biped.enter("walk_in_place")
    gait = biped.project.controller("walk_in_place")
    biped.simulation.run(gait, cycles=2, timeout=(0.1 + phase) * gait.values.period)
    assert biped.run("stand") == ""


@pytest.mark.slow
def test_a_tour_on_ode_succeeds() -> None:
    biped = Biped("ode")
    with biped.simulation:
        assert [biped.run(name) for name in TOUR] == [""] * len(TOUR)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mujoco", "ode"])
def test_it_walks_for_a_minute(engine: str) -> None:
    biped = Biped(engine)
    with biped.simulation:
        measures = biped.simulation.run(biped.project.controller("walk"), cycles=75).measures
    assert measures["forward_speed"] == pytest.approx(0.6, abs=0.05)
    assert measures["max_tilt"] < 0.1
    assert abs(measures["heading_drift"]) < 0.1


@pytest.mark.parametrize("phase", [0.1, 0.35, 0.6, 0.85])
@pytest.mark.parametrize("yaw", [0, 90, 180, 270])
def test_a_push_of_a_hundred_newtons_does_not_stop_the_walk(biped: Biped, yaw: int, phase: float) -> None:
    biped.enter("walk")
    simulation, gait = biped.simulation, biped.project.controller("walk")
    time, angle = simulation.time + phase * gait.values.period, np.radians(yaw)
    simulation.disturb([Push(time, 0.1, "trunk", x=100 * np.cos(angle), side=100 * np.sin(angle))])
    simulation.run(gait, cycles=5)
    simulation.disturb([])
    assert biped.run("walk") == ""


@pytest.mark.parametrize("side", [-150.0, 150.0])
def test_a_push_does_not_overthrow_the_stand(biped: Biped, side: float) -> None:
    biped.enter("stand")
    biped.simulation.disturb([Push(biped.simulation.time + 0.1, 0.1, "trunk", x=0.0, side=side)])
    biped.simulation.run(biped.project.controller("stand"), cycles=3)
    biped.simulation.disturb([])
    assert biped.run("stand") == ""
