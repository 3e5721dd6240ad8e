"""Stores of sweeps that are damaged or a stranger's: one sentence, and nothing of them runs."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import stand_ins

from ctrlgraph.errors import RunLogError
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
from ctrlgraph.simulation.trial import Trial


@pytest.fixture
def stored(tmp_path: Path, monkeypatch) -> Path:
    """The directory of a store with one sweep."""
    monkeypatch.chdir(tmp_path)
    with SweepStore.open(tmp_path) as store:
        store.begin(stand_ins.sweep())
    return tmp_path


def put(directory: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(directory / "robustness.sqlite") as connection:
        connection.execute(statement, values)
    connection.close()


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("axes", "[" * 100_000, "the JSON text in the column 'axes' is nested too deeply"),
        ("axes", "", "the column 'axes' must contain JSON, not ''"),
        ("axes", '[["slope", "x"]]', "the field 'axes' must be pairs of a name and numbers, not [['slope', 'x']]"),
        ("axes", '[["slope", [NaN]]]', "the field 'axes' must be pairs of a name and numbers, not [['slope', [.nan]]]"),
        ("axes", "[1]", "the field 'axes[0]' has the invalid value 1: Input should be a valid list"),
        (
            "axes",
            '[["slope", [0]], ["slope", [1]]]',
            "the axes of the sweep must have different names, not slope, slope",
        ),
        (
            "axes",
            json.dumps([["slope", [0] * 9000], ["push", [0] * 9000]]),
            "points x trials must be at most 1000000, not 324000000",
        ),
        (
            "trials",
            10**12,
            "the field 'trials' has the invalid value 1000000000000: Input should be less than or equal to 1000000",
        ),
        ("seed", -1, "the field 'seed' has the invalid value -1: Input should be greater than or equal to 0"),
        (
            "perturbations",
            "[]",
            "the field 'perturbations' has the invalid value []: Input should be a valid dictionary",
        ),
        ("perturbations", '{"limit_step": 1e-300}', "'limit_step' must be a number of at least 1e-6, not 1e-300"),
        (
            "perturbations",
            '{"limit_confirm": 1e300}',
            "'limit_confirm' must be a whole number from 0 to 10000, not 1e+300",
        ),
        (
            "hashes",
            '{"node": {}}',
            "the field 'hashes.node' has the invalid value a mapping: Input should be a valid string",
        ),
    ],
)
def test_a_damaged_sweep_is_one_sentence(stored, column, value, says):
    put(stored, f"UPDATE sweeps SET {column} = ?", value)
    with SweepStore.read(stored) as store, pytest.raises(RunLogError) as caught:
        store.matching("last")
    assert (
        str(caught.value)
        == "the store of sweeps robustness.sqlite is damaged, so restore or delete it: sweep 's1' cannot be"
        f" read ({says})"
    )


def test_a_damaged_trial_is_one_sentence(stored):
    values = "('s1', 'walk', '[[\"slope\"]]', 0, 1, 1, 1, 'completed', '', NULL, NULL, NULL, 1.0)"
    put(stored, f"INSERT INTO trials VALUES {values}")
    with SweepStore.read(stored) as store, pytest.raises(RunLogError) as caught:
        store.trials("s1")
    assert str(caught.value) == (
        "the store of sweeps robustness.sqlite is damaged, so restore or delete it: a trial of sweep 's1'"
        " cannot be read"
        " (a trial's point must be pairs of a name and a number, not '[[\"slope\"]]')"
    )


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("CREATE TRIGGER mine AFTER INSERT ON trials BEGIN DELETE FROM sweeps; END", "trigger 'mine'"),
        ("ALTER TABLE trials ADD COLUMN more TEXT CHECK (more > 1)", "table 'trials'"),
    ],
)
@pytest.mark.parametrize("way", [SweepStore.open, SweepStore.read])
def test_a_schema_that_would_run_something_is_refused(stored, statement, what, way):
    put(stored, statement)
    with pytest.raises(RunLogError) as caught:
        way(stored)
    assert str(caught.value) == (
        f"the store of sweeps robustness.sqlite cannot be trusted, so restore or delete it: its {what} was"
        " not made by ctrlgraph"
    )


def test_a_view_in_the_place_of_a_table_is_refused(stored):
    put(stored, "DROP TABLE trials")
    put(stored, "CREATE VIEW trials AS SELECT 1")
    with pytest.raises(
        RunLogError, match=r"cannot be trusted, so restore or delete it: its view 'trials' was not made by ctrlgraph$"
    ):
        SweepStore.read(stored)


def test_tables_views_and_indexes_of_the_owners_own_are_let_be(stored):
    put(stored, "CREATE TABLE notes (text TEXT CHECK (text > ''))")
    put(stored, "CREATE VIEW held AS SELECT * FROM trials WHERE succeeded")
    put(stored, "CREATE INDEX by_target ON trials (target)")
    with SweepStore.open(stored) as store:
        assert store.sweeps() == [stand_ins.sweep()]


def test_a_link_that_leads_out_of_the_directory_is_refused(stored, tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "robustness.sqlite").symlink_to(stored / "robustness.sqlite")
    for way in (SweepStore.open, SweepStore.read):
        with pytest.raises(RunLogError) as caught:
            way(runs)
        assert str(caught.value) == (
            "the store of sweeps runs/robustness.sqlite must not link out of its directory: replace it with the file"
        )


def test_a_trial_at_a_point_of_other_axes_is_one_sentence(stored):
    with SweepStore.open(stored) as store:
        point = tuple((name, 0.0) for name, _ in stand_ins.sweep().axes)
        store.add("s1", [Trial("stand", point, 0, 1, True, True, "completed", "", None, None, None, 1.0)])
        assert len(store.trials("s1")) == 1
    put(stored, """UPDATE trials SET point = '[["</title>", 0.0]]'""")
    with SweepStore.read(stored) as store, pytest.raises(RunLogError) as caught:
        store.trials("s1")
    assert str(caught.value) == (
        "the store of sweeps robustness.sqlite is damaged, so restore or delete it: a trial of sweep 's1'"
        " does not have the axes of the sweep"
    )
