"""Scripts adapt to the mass of the body, which they measure by the forces of the ground."""

from __future__ import annotations

import pytest

from ctrlgraph.character.scaling import scale_masses
from ctrlgraph.project.project import Project
from tests.controllers.conftest import ROOT


def apex(engine: str, *, mass: float) -> tuple[float, float]:
    """Return how high the centre of mass rises in a jump, m, and how long it takes, s."""
    project = Project(ROOT, engine=engine)
    character = scale_masses(project.character, {"": mass})
    with project.environment("flat").simulation(character) as simulation:
        simulation.run_rollout(project.rollout(None, "stand", 1))
        outcome = simulation.run_rollout(project.rollout(None, "jump", 1))
    assert outcome.succeeded, outcome.reason
    return outcome.measures["apex"], outcome.simulated_s


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
@pytest.mark.parametrize("mass", [0.8, 0.9, 1.1])
def test_a_lighter_or_heavier_body_jumps_as_high_as_the_usual_one(engine: str, mass: float) -> None:
    height, duration = apex(engine, mass=1.0)
    assert apex(engine, mass=mass) == pytest.approx((height, duration), abs=0.03)
