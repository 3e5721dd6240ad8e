"""Return maps: their fixed points and slopes; the broad jump's, in simulation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gaits.return_map import ReturnMap, return_map, run_cycles

PROJECT = Path(__file__).parents[3] / "projects" / "tracking"


@pytest.fixture(scope="module")
def jump() -> Tracking:
    controller = Project(PROJECT).read_controller("tracking", PROJECT / "tracking" / "jump.yaml")
    assert isinstance(controller, Tracking)
    return controller


def test_a_straight_map_has_its_slope_where_it_crosses_the_diagonal() -> None:
    rates = np.linspace(0.5, 1.5, 12)
    ((at, slope),) = ReturnMap(rates, 1.02 + 0.3 * (rates - 1.02)).fixed_points()
    assert at == pytest.approx(1.02)
    assert slope == pytest.approx(0.3)


def test_a_map_between_falls_has_no_fixed_point_there() -> None:
    assert ReturnMap(np.array([0.8, 1.0, 1.2]), np.array([0.9, np.nan, 1.1])).fixed_points() == []


@pytest.mark.slow
def test_the_broad_jump_comes_back_to_its_rate(jump: Tracking) -> None:
    found = return_map(jump, np.linspace(0.8, 1.1, 7).tolist())
    assert any(abs(slope) < 1.0 for _, slope in found.fixed_points())


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "rate", "cycles"), [("ode", 0.95, 10), ("mujoco", 0.98, 20)])
def test_jumps_in_a_row_from_a_perturbed_start(jump: Tracking, engine: str, rate: float, cycles: int) -> None:
    run = run_cycles(jump, rate, cycles, engine=engine, rng=np.random.default_rng(129100))
    assert run.cycles == cycles
    assert 0.8 < run.rates[-1] < 1.1
    assert run.distance > cycles * 0.5


@pytest.mark.slow
def test_without_noise_a_start_is_the_unperturbed_one(jump: Tracking) -> None:
    plain = run_cycles(jump, 0.98, 1)
    assert run_cycles(jump, 0.98, 1, rng=np.random.default_rng(1), noise=0.0).rates == plain.rates
    assert run_cycles(jump, 0.98, 1, rng=np.random.default_rng(1)).rates != plain.rates


@pytest.mark.slow
def test_the_map_of_a_walk_is_from_step_to_step_in_rates_of_its_angle() -> None:
    walk = Project(PROJECT).read_controller("tracking", PROJECT / "tracking" / "walk.yaml")
    assert isinstance(walk, Tracking)
    run = run_cycles(walk, 1.02, 2)
    assert run.cycles == 2
    assert run.rates == pytest.approx([1.02] * 4, abs=0.1)  # two steps are a cycle
    ((at, slope),) = return_map(walk, [0.9, 1.0, 1.1]).fixed_points()
    assert at == pytest.approx(1.02, abs=0.05)
    assert abs(slope) < 1.0
