"""Signals: what was simulated is the same, and what is recorded obeys the laws that it was made by."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pandas
import pytest
from pyarrow import parquet

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout_request import carry_out, find_rollout
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals, chosen, names_of
from ctrlgraph.simulation.signals.signal_files import write_signals
from ctrlgraph.simulation.simulation import Simulation, WorldSettings
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk
from ctrlgraph.walks.state_files import load_states, states_path

ROOT = Path(__file__).parents[2]
STEPS = 500.0  # a second, at the usual time step
WALK = ("stand", "walk", "walk_to_stop")


def simulate(project: Project, rate: float | None, engine: str = "ode") -> tuple[str, Signals | None]:
    with Simulation(project.character, engine=engine) as simulation:
        recorder = None if rate is None else SignalRecorder(simulation, rate, project.relative)
        for name in WALK:
            if recorder is not None:
                recorder.begin(name)
            assert simulation.run_rollout(project.rollout(None, name, 3 if name == "walk" else 1)).succeeded
        return simulation.history_digest(), None if recorder is None else recorder.signals()


@pytest.fixture(scope="module", params=["ode", "mujoco"])
def every_step(request: pytest.FixtureRequest, project: Project) -> Signals:
    signals = simulate(project, STEPS, request.param)[1]
    assert signals is not None
    return signals


@pytest.fixture(scope="module")
def walk(project: Project) -> Signals:
    signals = simulate(project, 100.0)[1]
    assert signals is not None
    return signals


@pytest.mark.parametrize("solver", ["exact", "quick"])
def test_watching_does_not_change_the_motion(project: Project, solver) -> None:
    digests = set()
    for rate in (None, 100.0, 30.0):
        with Simulation(project.character, settings=WorldSettings(solver=solver), seed=3) as simulation:
            if rate is not None:
                SignalRecorder(simulation, rate)
            simulation.run(project.controller("walk"), cycles=2)
            digests.add(simulation.history_digest())
    assert len(digests) == 1


def test_a_recording_that_would_fill_the_memory_is_refused_in_a_sentence(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctrlgraph.simulation.signals.recorded_signals.MAX_SAMPLES", 60)
    with Simulation(project.character) as simulation:
        recorder = SignalRecorder(simulation)
        simulation.run(project.controller("stand"), timeout=0.5)
        assert len(recorder.signals()) == 51
        with pytest.raises(CtrlGraphError) as refused:
            simulation.run(project.controller("stand"), timeout=0.5)
    assert str(refused.value) == "the motion has more than 60 samples: reduce --rate, or record less"


def of_links(signals: Signals, quantity: str, project: Project) -> np.ndarray:
    return np.stack([signals.columns[f"{quantity}.{link.name}"] for link in project.character.links], axis=1)


def test_the_ground_s_forces_and_gravity_are_what_moves_the_centre_of_mass(every_step, project) -> None:
    mass, columns = project.character.mass, every_step.columns
    gained = STEPS * mass * np.diff(columns["com_vy"])
    pushed = of_links(every_step, "force_y", project).sum(axis=1)[:-1] - mass * WorldSettings().gravity
    worst = np.abs(gained - pushed)[np.diff(columns["time"]) > 0.0015]
    assert np.percentile(worst, 99) < 0.02 * mass * WorldSettings().gravity
    assert np.abs(pushed).max() > 0.5 * mass * WorldSettings().gravity  # or there is nothing to see


def test_joints_get_what_is_asked_for_within_their_limits(every_step, project) -> None:
    for joint in project.character.joints:
        asked, torque, least, greatest = (
            every_step.columns[f"{name}.{joint.name}"][:-1] for name in ("asked", "torque", "least", "greatest")
        )
        assert (torque >= least - 1e-9).all()
        assert (torque <= greatest + 1e-9).all()
        within = (asked > least) & (asked < greatest)
        assert np.corrcoef(asked[within], torque[within])[0, 1] > 0.9


def test_energy_spent_is_the_work_that_the_joints_have_done(every_step, project) -> None:
    work = 0.0
    for joint in project.character.joints:
        torque, speed = (every_step.columns[f"{name}.{joint.name}"] for name in ("torque", "velocity"))
        work += float(np.abs(torque[:-1] * speed[1:]).sum()) / STEPS
    assert every_step.columns["spent_energy"][-1] == pytest.approx(work, rel=0.1)


def test_samples_are_of_every_controller_from_its_beginning(walk: Signals) -> None:
    time, node = walk.columns["time"], walk.columns["node"]
    assert list(dict.fromkeys(node.tolist())) == list(WALK)
    assert (np.diff(time) > 0).all()
    assert np.diff(time).max() == pytest.approx(0.01)
    for name in WALK:
        inside = time[node == name]
        assert np.allclose(np.diff(inside[:-1]), 0.01)
    assert set(walk.columns["script"].tolist()) >= {"controllers/poses/stand.t", "controllers/gaits/walk_to_stop.t"}
    assert walk.columns["line"].min() > 0


def test_the_end_has_no_forces_and_is_in_the_phase_before(walk: Signals) -> None:
    for name in ("torque.rKnee", "asked.rKnee", "force_y.rFoot", "pressure_x"):
        assert np.isnan(walk.columns[name][-1])
    assert not np.isnan(walk.columns["angle.rKnee"][-1])
    assert walk.columns["script"][-1] == walk.columns["script"][-2]
    assert not any(np.isnan(walk.columns["torque.rKnee"][:-1]))


def test_visits_distinguish_repeated_controllers_of_a_node(project: Project) -> None:
    with Simulation(project.character) as simulation:
        recorder = SignalRecorder(simulation)
        for _ in range(2):
            recorder.begin("stand")
            simulation.run(project.controller("stand"), timeout=0.2)
        assert sorted(set(recorder.signals().columns["visit"].tolist())) == [0, 1]


def test_the_columns_are_those_that_were_announced(walk: Signals, project: Project) -> None:
    assert tuple(walk.columns) == names_of(project.character)
    assert chosen(["com_x", " angle.rKnee"], project.character) == ("com_x", "angle.rKnee")
    assert list(walk.only(["com_x"]).columns) == ["time", "com_x"]
    with pytest.raises(CtrlGraphError, match=r"no signal 'angle\.rKnie'; did you mean 'angle\.rKnee'"):
        chosen(["angle.rKnie"], project.character)


def test_a_csv_and_an_npz_are_the_very_numbers(walk: Signals, tmp_path: Path) -> None:
    write_signals(walk, tmp_path / "walk.csv")
    write_signals(walk, tmp_path / "walk.npz")
    with (tmp_path / "walk.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    arrays = np.load(tmp_path / "walk.npz", allow_pickle=False)
    for name, column in walk.columns.items():
        assert np.array_equal(arrays[name], column, equal_nan=column.dtype.kind == "f")
        if column.dtype.kind == "f":
            assert np.array_equal([float(row[name] or "nan") for row in rows], column, equal_nan=True)


def test_parquet_is_read_in_one_line_and_contains_units(walk: Signals, tmp_path: Path) -> None:
    path = tmp_path / "walk.parquet"
    write_signals(walk, path)
    table = pandas.read_parquet(path)
    for name, column in walk.columns.items():
        if column.dtype.kind == "f":
            assert np.allclose(table[name], column, rtol=1e-6, atol=1e-6, equal_nan=True)
        else:
            assert table[name].tolist() == column.tolist()
    assert np.array_equal(table["time"], walk.columns["time"])
    assert parquet.read_schema(path).field("torque.rKnee").metadata == {
        b"unit": b"N m",
        b"meaning": walk.quantities.meaning("torque.rKnee").encode(),
    }


def test_the_example_of_the_page_runs(project: Project, tmp_path: Path, monkeypatch, capsys) -> None:
    page = (ROOT / "docs" / "reference" / "signals.md").read_text(encoding="utf-8")
    (example,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "read_parquet" in block)
    motion = carry_out(project, find_rollout(project, "walk"), after=project.graph.node("stand"), signal_rate=100.0)
    assert motion.signals is not None
    write_signals(motion.signals, tmp_path / "run.parquet")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/reference/signals.md", "exec"), {})
    said = capsys.readouterr().out
    force = re.match(r"(\d+) N at most under the right foot\n", said)
    assert force is not None
    assert 1.0 < int(force[1]) / (project.character.mass * 9.81) < 5.0
    assert re.search(r"^0 +walk +\d", said, re.MULTILINE)


def test_another_suffix_is_refused(walk: Signals, tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError, match=r"walk.xls must end in one of .csv, .parquet, .npz"):
        write_signals(walk, tmp_path / "walk.xls")
    assert not list(tmp_path.iterdir())


def test_the_signals_of_a_replay_are_on_the_walk_s_clock_and_are_its_states(small) -> None:
    run = walk_random(small, transitions=4, seed=5).run
    with small.read_log() as log:
        replay = replay_walk(small, log, log.run(run), 0, verify=True, signal_rate=100.0)
    kept = load_states(states_path(small.runs_directory, run, 0))
    assert replay.difference is None
    assert replay.signals is not None
    columns = replay.signals.columns
    assert columns["time"][-1] == pytest.approx(replay.simulated_s)
    for i, link in enumerate(kept.links):
        x = np.interp(kept.trace.time, columns["time"], columns[f"x.{link}"])
        assert np.abs(x - kept.trace.position[:, i, 0]).max() < 0.02  # states are kept at other moments


def test_signals_begin_with_the_controller_that_is_asked_for(project: Project) -> None:
    result = carry_out(project, find_rollout(project, "walk"), after=project.graph.node("stand"), signal_rate=50.0)
    assert result.signals is not None
    assert result.signals.columns["time"][0] == 0.0
    assert set(result.signals.columns["node"].tolist()) == {"walk"}
