"""The bare loop is the whole loop less everything but the engine: it ends in the same state, bit for bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.step import Recording, benchmark, default_nodes, measure_step
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import ControllerGraph, Node
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(ROOT)


@pytest.mark.parametrize(
    "settings", [WorldSettings(), WorldSettings(solver="quick", iterations=20)], ids=["exact", "quick"]
)
@pytest.mark.parametrize("node", ["walk", "hop"])
def test_commands_and_contacts_alone_bring_the_engine_to_the_same_state(node, settings, project) -> None:
    with Simulation(project.character, settings=settings, seed=4) as simulation:
        simulation.run(project.program("stand"), timeout=1.0)
        recording = Recording(simulation, project.program(node), cycles=9, seconds=1.5)
        assert recording.steps == 750
        before = recording.digest
        simulation.reset()
        assert simulation.state_digest() != before
        assert recording.bare() > 0
        assert simulation.state_digest() == before
        assert recording.whole() > 0
        assert simulation.state_digest() == before


def test_a_timing_speaks_of_one_step(project) -> None:
    with Simulation(project.character) as simulation:
        recording = Recording(simulation, project.program("stand"), cycles=99, seconds=0.2)
        timing = measure_step(recording, "stand", 0.002, repetitions=3)
    assert timing.steps == 100
    assert timing.realtime == pytest.approx(0.002 / (1e-6 * timing.whole_us))
    assert timing.bare_us > 1.0


def test_without_names_the_usual_nodes_are_those_that_the_graph_has(project) -> None:
    assert default_nodes(project.graph) == ("walk", "hop", "stand")
    assert default_nodes(_graph("lie", "roll", "stand", "kip")) == ("stand",)
    assert default_nodes(_graph("lie", "roll", "kip", "rest")) == ("lie", "roll", "kip")
    assert default_nodes(_graph("lie")) == ("lie",)


def _graph(*names: str) -> ControllerGraph:
    nodes = [Node(name, f"{name}.t") for name in names]
    return ControllerGraph(character="ball", start=names[0], nodes=nodes, edges=())


def test_an_unknown_node_is_refused(project) -> None:
    with pytest.raises(CtrlGraphError):
        benchmark(project, ["wlak"], seconds=0.1, repetitions=3)
