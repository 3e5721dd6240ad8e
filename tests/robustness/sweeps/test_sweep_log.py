"""The store of sweeps: what was written is read, nothing is counted twice, and the order is always the same."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
import stand_ins

from ctrlgraph.errors import RunLogError
from ctrlgraph.robustness.batch import TrialBatch
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.sweeps.export import write_csv
from ctrlgraph.robustness.sweeps.summary import failure_kinds, summarize
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
from ctrlgraph.statistics import SuccessCount


def trials_of(sweep):
    items = tuple((point, index) for point in sweep.points() for index in range(sweep.trials))
    return stand_ins.formula(TrialBatch(sweep.id, Path(), sweep.target, Perturbations(noise=4), sweep.seed, items))


def test_what_was_stored_is_read_as_it_was(store) -> None:
    sweep = stand_ins.sweep(perturbations={"noise": 0.1, "terrain": "flat"}, hashes={"character": "ab"}, command="x")
    store.begin(sweep)
    assert store.sweeps() == [sweep]
    store.add("s1", trials_of(sweep))
    assert store.trials("s1") == trials_of(sweep)


def test_the_order_of_trials_does_not_depend_on_the_order_in_which_they_ended(store) -> None:
    sweep = stand_ins.sweep()
    shuffled = trials_of(sweep)
    random.Random(1).shuffle(shuffled)
    store.begin(sweep)
    for trial in shuffled:
        store.add("s1", [trial])
    assert store.trials("s1") == trials_of(sweep)


def test_a_trial_that_comes_twice_is_counted_once(store) -> None:
    sweep = stand_ins.sweep()
    store.begin(sweep)
    first = trials_of(sweep)[0]
    store.add("s1", [first])
    store.add("s1", [replace(first, reason="another time"), trials_of(sweep)[1]])
    assert store.trials("s1") == trials_of(sweep)[:2]


def test_points_of_a_grid_run_over_the_last_axis_first() -> None:
    points = stand_ins.sweep().points()
    assert points[:3] == [
        (("slope", -1.0), ("push", 0.0)),
        (("slope", -1.0), ("push", 50.0)),
        (("slope", 0.0), ("push", 0.0)),
    ]


def test_sweeps_are_found_by_the_beginning_of_their_id(store) -> None:
    for name in ("1121-abcde.1", "1121-abcde.2", "1122-xyzuv"):
        store.begin(stand_ins.sweep(id=name))
    assert [sweep.id for sweep in store.matching("1121-abcde")] == ["1121-abcde.1", "1121-abcde.2"]
    assert [sweep.id for sweep in store.matching("last")] == ["1122-xyzuv"]
    with pytest.raises(
        RunLogError, match=r"^there is no sweep 'nothing' in .*robustness.sqlite: give the id of a stored sweep$"
    ):
        store.matching("nothing")


def test_an_id_is_given_once(store) -> None:
    store.begin(stand_ins.sweep())
    with pytest.raises(RunLogError, match=r"^the store already has a sweep 's1': choose another 'id'$"):
        store.begin(stand_ins.sweep())


def test_where_nothing_is_stored_reading_says_so(tmp_path: Path) -> None:
    with pytest.raises(
        RunLogError, match=r"^no sweep is stored yet: there is no .* \(run 'ctrlgraph robustness sweep' first\)$"
    ):
        SweepStore.read(tmp_path)


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    SweepStore.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "robustness.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for open_store in (SweepStore.open, SweepStore.read):
        with pytest.raises(
            RunLogError, match=r"^the store of sweeps .* was made by a newer ctrlgraph, .*\(schema 99, "
        ):
            open_store(tmp_path)


def test_a_summary_counts_each_point_with_its_interval() -> None:
    sweep = stand_ins.sweep(trials=20)
    for point in summarize(trials_of(sweep)):
        mine = [trial for trial in trials_of(sweep) if trial.point == point.point]
        assert (point.trials, point.recovered) == (20, sum(trial.recovered for trial in mine))
        assert point.count == SuccessCount(point.recovered, 20)


def test_failures_are_grouped_without_their_numbers() -> None:
    kinds = failure_kinds(trials_of(stand_ins.sweep(trials=20)))
    assert [kind for kind, _ in kinds] == ["failed: slope is too much"]


def test_the_csv_of_the_same_trials_has_the_same_bytes_and_every_field(tmp_path: Path) -> None:
    sweep = stand_ins.sweep()
    trials = trials_of(sweep)
    write_csv([(sweep, trials)], tmp_path / "a.csv")
    write_csv(iter([(sweep, trials)]), tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "target,slope,push,index,seed,succeeded,recovered,status,reason,phase,script,line,simulated_s"
    assert lines[1].startswith(f"stand,-1.0,0.0,0,{trials[0].seed},")
    assert len(lines) == 1 + len(trials)


def test_the_csv_of_sweeps_on_several_engines_reports_which(tmp_path: Path) -> None:
    sweeps = [stand_ins.sweep(id=f"s{i}", perturbations=more) for i, more in enumerate(({}, {"engine": "mujoco"}))]
    write_csv([(sweep, trials_of(sweep)[:1]) for sweep in sweeps], tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0].startswith("target,engine,slope,push,index,")
    assert [line.split(",")[1] for line in lines[1:]] == ["ode", "mujoco"]
