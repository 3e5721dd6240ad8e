"""Export of the trials of sweeps to CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from ctrlgraph.files import replacing, table_cell
from ctrlgraph.robustness.sweeps.engine_comparison import engine_of, engines_of
from ctrlgraph.robustness.sweeps.sweep_log import Sweep
from ctrlgraph.simulation.trial import Trial

_FIELDS = ("index", "seed", "succeeded", "recovered", "status", "reason", "phase", "script", "line", "simulated_s")


def write_csv(answered: Iterable[tuple[Sweep, Sequence[Trial]]], path: Path) -> None:
    """Write the trials of sweeps to a CSV file, one row for each trial.

    The columns are the target, the engine if there are several, each axis by its name, and the other fields of `Trial`.

    Args:
        answered: (sweep, results of its trials) of each sweep.
        path: CSV file to write.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    sweeps = list(answered)
    engines = ["engine"] if len(engines_of(sweep for sweep, _ in sweeps)) > 1 else []
    rows = [(engine_of(sweep), trial) for sweep, trials in sweeps for trial in trials]
    axes = list(dict.fromkeys(name for _, trial in rows for name, _ in trial.point))
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["target", *engines, *map(table_cell, axes), *_FIELDS])
        for engine, trial in rows:
            point = dict(trial.point)
            where = [table_cell(trial.target), *([table_cell(engine)] if engines else [])]
            cells = [_cell(getattr(trial, name)) for name in _FIELDS]
            writer.writerow([*where, *(_cell(point.get(name)) for name in axes), *cells])


def _cell(value: object) -> object:
    if value is None:
        return ""
    return int(value) if isinstance(value, bool) else repr(value) if isinstance(value, float) else table_cell(value)
