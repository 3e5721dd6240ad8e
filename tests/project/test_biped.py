"""The shipped biped: a body as its source has it, walks that hold, and conditions that mean what they say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.endurance import endurance
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Simulation

BIPED = Path(__file__).parents[2] / "projects" / "biped"
GAITS = ("walk_slow", "walk", "walk_fast")
GROUND = Environment(friction=0.8)
ENGINES = ("ode", "mujoco")


@pytest.fixture(scope="module")
def biped() -> Project:
    return Project(BIPED)


def after(project: Project, simulation: Simulation, *nodes: str, cycles: int | None = None):
    """Run nodes one after another from the start pose over their edges; the outcome of the last."""
    simulation.reset()
    before = outcome = None
    for name in nodes:
        node = project.graph.node(name)
        edge = None if before is None else project.graph.planned_edge(before, name, simulation.preview)
        count = cycles if cycles is not None and name == nodes[-1] else node.cycles[0]
        outcome = simulation.run_rollout(project.rollout(edge, node, count, simulation.preview))
        before = name
    assert outcome is not None
    return outcome


# --- the body ---


def capsule(mass: float, radius: float, length: float) -> float:
    """Inertia across its axis: a cylinder and two half balls of one density."""
    balls, cylinder = 4 / 3 * math.pi * radius**3, math.pi * radius**2 * length
    m_s, m_c = mass * balls / (balls + cylinder), mass * cylinder / (balls + cylinder)
    return m_c * (3 * radius**2 + length**2) / 12 + m_s * (0.4 * radius**2 + length * (3 * radius + 2 * length) / 8)


def joined(*parts: tuple[float, float, float]) -> tuple[float, float, float]:
    """Mass, height and inertia of parts that are one body."""
    mass = sum(m for m, _, _ in parts)
    height = sum(m * y for m, y, _ in parts) / mass
    return mass, height, sum(i + m * (y - height) ** 2 for m, y, i in parts)


BALL = 0.4 * 0.5 * 0.1**2
SHAPES = {
    "torso": joined((15, 1.275, 15 * (0.8**2 + 0.2**2) / 12), (0.5, 0.875, BALL), (0.5, 0.875, BALL)),
    "rThigh": joined((7, 0.625, capsule(7, 0.05, 0.3)), (0.5, 0.475, BALL)),
    "rShin": joined((5, 0.225, capsule(5, 0.05, 0.3)), (0.5, 0.075, BALL)),
    "rFoot": joined((1, 0.075, (0.15**2 + 0.3**2) / 12)),
}


@pytest.mark.parametrize(("name", "raised"), [("biped", 0.0), ("biped-literal", 0.025)])
def test_mass_centre_and_inertia_are_those_of_the_source_s_shapes(name: str, raised: float) -> None:
    character = load_character(BIPED / "characters" / f"{name}.yaml")
    assert character.mass == pytest.approx(44.0)
    for right, (mass, height, inertia) in SHAPES.items():
        for link_name in (right, right.replace("r", "l", 1) if right != "torso" else right):
            link = character.links[character.link_index(link_name)]
            assert (link.mass, link.y - raised) == pytest.approx((mass, height), abs=1e-7)
            assert link.inertia == pytest.approx(inertia, rel=1e-6)


def test_the_literal_body_stands_on_its_ankles_and_the_other_on_its_soles() -> None:
    for name, ankles in (("biped", False), ("biped-literal", True)):
        character = load_character(BIPED / "characters" / f"{name}.yaml")
        lowest = {
            link.name: min((link.y + c.y - c.radius for c in link.contacts), default=9.0) for link in character.links
        }
        assert min(lowest.values()) == pytest.approx(0.0, abs=1e-6)
        assert (lowest["rShin"] < lowest["rFoot"]) is ankles


# --- the walks ---


def test_the_walk_walks_twenty_seconds(biped: Project) -> None:
    found = endurance(biped, "walk", perturbations({"noise": 0.02, "friction": 0.8}), seconds=20, trials=3, seed=51001)
    assert found.lasted.successes == 3
    assert found.mean("distance")[1] > 10


def test_the_printed_constants_fall(biped: Project) -> None:
    how = perturbations({"noise": 0.02, "friction": 0.8})
    for node, within_s in (("text", 20.0), ("program", 1.3)):
        found = endurance(biped, node, how, seconds=60, trials=5, seed=51001)
        assert found.lasted.successes == 0
        assert found.mean("duration")[2] < within_s
        assert found.mean("distance")[2] < 0.5


def test_without_feedback_the_walk_does_not_go_forward(biped: Project) -> None:
    """It stays on its feet, and hurries backward."""
    how = perturbations({"noise": 0.02, "friction": 0.8})
    found = endurance(biped, "walk", how, seconds=20, trials=3, seed=51001, feedback=False)
    assert found.mean("distance")[2] < 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("gait", GAITS)
def test_each_walk_meets_its_own_conditions_and_no_other_s(biped: Project, gait: str, engine: str) -> None:
    with Environment(friction=0.8, engine=engine).simulation(biped.character) as simulation:
        for cycles in (6, 12):
            measured = after(biped, simulation, "stand", gait, cycles=cycles).measures
            for other in (*GAITS, "stand"):
                success = biped.graph.node(other).success
                holds = all(low <= measured[name] <= high for name, (low, high) in success.items())
                assert holds is (other == gait), (gait, cycles, other)


NOT_SURE = {"ode": set(), "mujoco": {"walk_fast -> walk"}}
"""Edges with less than 100 % in docs/results/biped.md that miss the target's cadence from the unperturbed start."""


@pytest.mark.parametrize("engine", ENGINES)
def test_every_planned_edge_but_those_known_leads_over_from_a_nominal_start(biped: Project, engine: str) -> None:
    graph, failed = biped.graph, {}
    with Environment(friction=0.8, engine=engine).simulation(biped.character) as simulation:
        for edge in graph.edges:
            if edge.kind.value == "corrective" or {edge.source, edge.target} & {"text", "program"}:
                continue
            way = [segment for segment in graph.shortest_paths(graph.start)[edge.source]]
            outcome = after(biped, simulation, *way, edge.target)
            if not outcome.succeeded:
                failed[str(edge)] = outcome.reason
    assert failed.keys() <= NOT_SURE[engine], failed
    assert all(reason.startswith("cadence") for reason in failed.values()), failed  # it walks on, too slowly


# --- falling ---


def rag_doll(project: Project, pose: dict[str, float], height: float, kp: float = 5.0, kd: float = 5.0):
    """Let a body fall limp from a pose; the trace is as fine as the simulation."""
    controller = project.read_controller("script", BIPED / "controllers" / "recovery" / "rag_doll.t", (kp, kd))
    with Environment(friction=0.8, sample_rate=500).simulation(project.character) as simulation:
        simulation.reset(pose, height=height)
        return simulation.run(controller, timeout=20)


@pytest.mark.parametrize("raised", [{}, {"rHip": -1.4, "lHip": -1.4}, {"rHip": -1.2, "rKnee": 0.8}])
def test_a_limp_body_that_lies_on_its_back_puts_its_legs_down(biped: Project, raised: dict[str, float]) -> None:
    """The source's own fault was legs that stayed in the air."""
    outcome = rag_doll(biped, {"root": -math.pi / 2, **raised}, 0.05)
    success = biped.graph.node("rag_doll").success
    assert [name for name, (low, high) in success.items() if not low <= outcome.measures[name] <= high] == []


def test_a_body_without_springs_never_gains_energy(biped: Project) -> None:
    for kd in (0.0, 5.0):
        outcome = rag_doll(biped, {"root": -0.3}, 0.2, kp=0.0, kd=kd)
        assert outcome.measures["energy_rise"] < 0.5


def test_the_rag_doll_s_conditions_hold_for_it_and_for_nothing_that_is_driven(biped: Project) -> None:
    success = biped.graph.node("rag_doll").success
    with GROUND.simulation(biped.character) as simulation:
        assert after(biped, simulation, "stand", "tip", "rag_doll").succeeded
        for nodes in (("stand",), ("stand", "walk"), ("stand", "walk", "stop")):
            measured = after(biped, simulation, *nodes).measures
            broken = {name for name, (low, high) in success.items() if not low <= measured[name] <= high}
            assert {"highest_link", "torso"} <= broken
            assert "energy_rise" in broken or nodes == ("stand",)


def test_after_a_fall_it_lies_and_the_walk_begins_anew(biped: Project, tmp_path: Path) -> None:
    with Simulation(biped.character) as simulation:
        simulation.reset({"root": 0.7}, height=0.05)
        outcome = simulation.run_rollout(biped.rollout(None, "fall", 1))
        assert outcome.succeeded, outcome.reason
    assert list(biped.graph.planned_edges("fall")) == []


def test_a_fall_counts_as_such_while_the_cycles_go_on(biped: Project) -> None:
    """A fall exit ends one cycle, and the next would begin on the ground: the trunk's angle ends the run."""
    found = endurance(biped, "program", perturbations({"friction": 0.8}), seconds=20, trials=5, seed=1)
    assert len(found.runs) == 1  # nothing is drawn at random
    assert found.runs[0].duration < 2.0
    assert found.runs[0].reason
    assert Status.TIMEOUT.value not in found.runs[0].reason
