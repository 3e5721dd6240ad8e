"""Crews: the same table for any number of workers, and what happens when one dies."""

from __future__ import annotations

from pathlib import Path

import pytest
import stand_ins

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import shipped_project
from ctrlgraph.robustness.batch import TrialBatch, batches_of, simulate
from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes
from ctrlgraph.robustness.perturbation import Perturbations, perturbations
from ctrlgraph.robustness.sweeps.sweep import run_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import Sweep, SweepStore
from ctrlgraph.robustness.worker_pool import WorkerPool, open_pool
from ctrlgraph.simulation.trial import CRASHED, Trial


def swept(project, directory: Path, pool: WorkerPool, sweep: Sweep) -> list[Trial]:
    with SweepStore.open(directory) as store:
        store.begin(sweep)
        (result,) = run_sweeps(project, store, [sweep], pool)
        assert result.complete
        return result.trials


def real_sweep(project) -> Sweep:
    hashes = target_hashes(project, evaluation_plans(project.graph, "walk"))
    axes = (("push", (0.0, 120.0)), ("slope", (0.0, 1.0)))
    fixed = {"noise": 0.1, "phase": 0.2, "actuator_noise": 0.05}
    return Sweep("real", "walk", axes, 2, 5, fixed, hashes=hashes)


@pytest.fixture(scope="module")
def one_worker(project, tmp_path_factory) -> list[Trial]:
    """A real sweep in this process: what every other pool has to come to."""
    return swept(project, tmp_path_factory.mktemp("one"), WorkerPool(), real_sweep(project))


@pytest.mark.slow
def test_trials_of_a_real_sweep_differ(one_worker) -> None:
    assert len({trial.simulated_s for trial in one_worker}) > 4  # or the tests below would compare nothing


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 4])
def test_any_number_of_workers_gives_the_same_table(project, tmp_path: Path, one_worker, jobs: int) -> None:
    with open_pool(jobs) as pool:
        assert swept(project, tmp_path, pool, real_sweep(project)) == one_worker


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_two_workers_give_the_same_table_in_space(tmp_path: Path, engine: str) -> None:
    robot = Project(shipped_project("quadruped")["graph.yaml"].parent, engine=engine)
    hashes = target_hashes(robot, evaluation_plans(robot.graph, "stand"))
    fixed = {"noise": 0.1, "actuator_noise": 0.05}
    sweep = Sweep("space", "stand", (("push", (0.0, 80.0, 400.0)),), 2, 5, fixed, hashes=hashes)
    alone = swept(robot, tmp_path / "one", WorkerPool(), sweep)
    assert {trial.succeeded for trial in alone} == {True, False}
    with open_pool(2) as pool:
        assert swept(robot, tmp_path / "two", pool, sweep) == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # dask's own affairs
def test_a_dask_cluster_gives_the_same_table(project, tmp_path: Path, one_worker) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        open_pool(cluster=cluster.scheduler_address) as pool,
    ):
        assert swept(project, tmp_path, pool, real_sweep(project)) == one_worker


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_is_not_there_is_reported() -> None:
    pytest.importorskip("distributed")
    with (
        pytest.raises(CtrlGraphError, match=r"^no dask scheduler answers at somewhere \("),
        open_pool(cluster="somewhere"),
    ):
        pass


@pytest.mark.slow
def test_a_killed_worker_costs_a_retry_and_not_the_sweep(project, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("STAND_IN_MARKER", str(tmp_path / "died"))
    sweep = stand_ins.sweep(hashes=target_hashes(project, evaluation_plans(project.graph, "stand")))
    with open_pool(2, work=stand_ins.dies_once) as pool:
        trials = swept(project, tmp_path / "killed", pool, sweep)
    assert (tmp_path / "died").exists()
    assert trials == swept(project, tmp_path / "whole", WorkerPool(work=stand_ins.formula), sweep)


@pytest.mark.slow
def test_a_trial_that_kills_every_process_is_crashed_and_its_neighbours_are_not(project, tmp_path: Path) -> None:
    sweep = stand_ins.sweep(hashes=target_hashes(project, evaluation_plans(project.graph, "stand")))
    with open_pool(2, work=stand_ins.always_dies) as pool:
        trials = swept(project, tmp_path / "killed", pool, sweep)
    (crashed,) = [trial for trial in trials if trial.status == CRASHED]
    assert (crashed.point, crashed.index) == ((("slope", 0.0), ("push", 50.0)), 2)
    assert crashed.reason == "the worker process died 3 times"
    assert not crashed.recovered
    others = swept(project, tmp_path / "whole", WorkerPool(work=stand_ins.formula), sweep)
    assert [t for t in trials if t != crashed] == [t for t in others if t.seed != crashed.seed]


def test_a_batch_stays_in_one_world() -> None:
    template = TrialBatch("s", Path(), "stand", Perturbations(), 1, ())
    points = [(("slope", s), ("push", p)) for s in (0.0, 1.0) for p in (0.0, 50.0, 100.0)]
    batches = list(batches_of(template, [(point, i) for point in points for i in range(4)]))
    assert [len(batch.items) for batch in batches] == [8, 4, 8, 4]
    assert [{point[0] for point, _ in batch.items} for batch in batches] == [
        {("slope", 0.0)},
        {("slope", 0.0)},
        {("slope", 1.0)},
        {("slope", 1.0)},
    ]


def test_workers_refuse_a_project_that_is_not_the_sweeps(project) -> None:
    hashes = {"character": "of another project"}
    batch = TrialBatch("s1", project.directory, "stand", perturbations({}), 1, (((), 0),), hashes)
    with pytest.raises(
        CtrlGraphError,
        match=r"^the project in .* has changed since the trials began \('character'\): start the trials again",
    ):
        simulate(batch)
