"""On which engine everything is tried: the project's, unless a question names another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_project import GRAPH

from ctrlgraph.project.project import Project
from ctrlgraph.robustness.basins.basin import sample_basin, take_samples
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.gates.gate import load_gate, run_gate
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.sweeps.scenario import Scenario, load_scenario
from ctrlgraph.robustness.sweeps.sweep import new_sweeps, run_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
from ctrlgraph.robustness.worker_pool import WorkerPool


def test_the_engine_is_that_of_the_graph_unless_another_one_is_asked_for(small: Project) -> None:
    small.graph_path.write_text("engine: mujoco\n" + GRAPH)
    assert Perturbations.of(Project(small.directory)) == Perturbations(engine="mujoco")
    assert Perturbations.of(Project(small.directory, engine="ode")) == Perturbations()


def test_a_scenario_is_on_the_engine_of_what_it_adds_to_unless_it_names_one(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("targets: squat\nwith: {noise: 0.1}\n")
    assert load_scenario(path, Perturbations(engine="mujoco")).fixed == Perturbations(noise=0.1, engine="mujoco")
    path.write_text("targets: squat\nwith: {engine: ode}\n")
    assert load_scenario(path, Perturbations(engine="mujoco")).fixed == Perturbations()


def test_a_gate_is_on_the_projects_engine_unless_it_names_one(on_mujoco: Project) -> None:
    (on_mujoco.directory / "s.yaml").write_text("targets: squat\n")
    path = on_mujoco.directory / "gate.yaml"
    path.write_text(
        "nodes: {squat: 0.5}\nedges: {stand -> squat: {at_least: 0.5, with: {engine: ode}}}\n"
        "scenarios:\n  - {file: s.yaml, at_least: 0.5}\n  - {target: stand, at_least: 0.5, with: {engine: ode}}\n"
    )
    gate = load_gate(path, on_mujoco)
    assert [wanted.fixed.engine for wanted in gate.requirements] == ["mujoco", "ode", "mujoco", "ode"]
    batches: list[Any] = []
    run_gate(on_mujoco, gate, WorkerPool(work=lambda batch: batches.append(batch) or []))
    assert [batch.fixed.engine for batch in batches] == ["mujoco", "ode", "mujoco", "ode"]


def test_basins_are_sampled_on_the_projects_engine(on_mujoco: Project) -> None:
    batches: list[Any] = []
    sample_basin(on_mujoco, "squat", 4, 1, WorkerPool(work=lambda batch: batches.append(batch) or []))
    assert {batch.fixed.engine for batch in batches} == {"mujoco"}


def test_a_worker_simulates_on_the_engine_of_the_question_regardless_of_the_project_says(
    small: Project, tmp_path: Path
) -> None:
    trials = {}
    for engine in ("ode", "mujoco"):
        question = Scenario(targets=("squat->stand",), fixed=Perturbations(engine=engine))
        [sweep] = new_sweeps(small, question, seed=1)
        assert engine in sweep.versions
        with SweepStore.open(tmp_path / engine) as store:
            store.begin(sweep)
            [result] = run_sweeps(small, store, [sweep], WorkerPool())
        [trials[engine]] = result.trials
        with Evaluator(small) as evaluator:
            assert trials[engine] == evaluator.trial("squat->stand", Perturbations(engine=engine), (), 0, 1)
    assert trials["ode"].recovered and trials["mujoco"].recovered
    assert trials["ode"].simulated_s != trials["mujoco"].simulated_s


def test_basins_are_sampled_on_the_engine_of_the_question(small: Project) -> None:
    on = {}
    for engine in ("ode", "mujoco"):
        project = Project(small.directory, engine=engine)
        on[engine] = sample_basin(project, "squat", 1, 1, WorkerPool(work=take_samples))[0].state
    assert (on["ode"] != on["mujoco"]).any()
    assert on["ode"] == pytest.approx(on["mujoco"], abs=0.2)  # the same stand, but for a little
